// All disputes of a merchant, newest first, with what is due.
import type { Dispute, Payment } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { choice, currencyFilter, spanFilters } from '../../kit/filters.tsx'
import { Icon } from '../../kit/icons.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { DisputeState } from '../../kit/states.tsx'
import { disputeWords } from '../../words/disputes.ts'
import { frameWords } from '../../words/frame.ts'
import { useReader, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { customerOf } from '../refunds/customer.ts'

type Row = Dispute & { readonly payment?: Payment }

const statuses = ['OPEN', 'WON', 'LOST'] as const

export function DisputeList() {
  const words = useWords(disputeWords)
  const { nav } = useWords(frameWords)
  const states = useWords(stateWords)
  const { id } = useMerchant()
  const records = useRecords('listDisputes', {
    query: { expand: 'payment' },
    filters: [
      choice('status', words.state, statuses, states.dispute),
      currencyFilter(words.currency),
      ...spanFilters(words),
    ],
  })
  return (
    <>
      <PageHeader title={words.title} />
      <RecordList<Row>
        records={records}
        words={words}
        icon="disputes"
        columns={[
          { header: words.amount, money: 'amount', className: 'font-strong' },
          { header: words.state, cell: ({ status }) => <DisputeState status={status} /> },
          { header: words.due, cell: (dispute) => <Due dispute={dispute} /> },
          {
            header: words.customer,
            grow: true,
            cell: (dispute) => (
              <span className="block truncate">
                {customerOf(dispute)}{' '}
                <span className="text-ink-soft">· {states.disputeKind[dispute.kind]}</span>
              </span>
            ),
          },
          { header: words.created, time: 'createdAt', from: 'md' },
        ]}
        href={(dispute) => `/m/${id}/disputes/${dispute.id}`}
        news={useNews('disputes', records.retry)}
        first={<ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
      />
    </>
  )
}

// How long evidence can still be sent, in words: days, and hours on the last one.

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** From so little time on it is marked. */
const urgentMs = 3 * dayMs

/** The sentence; undefined when nothing is due. */
export function useDue({ status, evidenceDueAt }: Pick<Dispute, 'status' | 'evidenceDueAt'>):
  | {
      readonly text: string
      readonly isUrgent: boolean
    }
  | undefined {
  const words = useWords(disputeWords)
  const { locale } = useReader()
  if (status !== 'OPEN' || evidenceDueAt === undefined) return undefined
  const left = new Date(evidenceDueAt).getTime() - Date.now()
  if (left <= 0) return { text: words.dueOver, isUrgent: true }
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  const when =
    left < dayMs
      ? relative.format(Math.max(1, Math.floor(left / hourMs)), 'hour')
      : relative.format(Math.floor(left / dayMs), 'day')
  return { text: words.dueIn(when), isUrgent: left < urgentMs }
}

export function Due({ dispute }: { readonly dispute: Dispute }) {
  const due = useDue(dispute)
  if (due === undefined) return null
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap ${due.isUrgent ? 'font-strong text-bad' : 'text-wait'}`}
    >
      <Icon name="clock" size={14} />
      {due.text}
    </span>
  )
}
