// All disputes of a merchant, newest first, with what is due.
import type { Dispute, Payment } from '../../api/generated.ts'
import { useNews } from '../../api/news.ts'
import { useMerchant } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { choice, currencyFilter, spanFilters } from '../../kit/filters.tsx'
import { PageHeader } from '../../kit/page.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { DisputeState } from '../../kit/states.tsx'
import { disputeWords } from '../../words/disputes.ts'
import { frameWords } from '../../words/frame.ts'
import { useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { customerOf } from '../refunds/customer.ts'
import { Due } from './due.tsx'

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
