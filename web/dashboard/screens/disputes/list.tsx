// All disputes of a merchant, newest first, with what is due.
import type { Dispute, Payment } from '../../api/generated.ts'
import { useNews } from '../../api/marks.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { ActionButton } from '../../kit/action-dialog.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { Definitions, sumsIn, timeOf } from '../../kit/facts.tsx'
import { choice, currencyFilter, spanFilters } from '../../kit/filters.tsx'
import { Icon } from '../../kit/icons.tsx'
import { PageHeader, Card, Notice } from '../../kit/page.tsx'
import { useDisputeReason } from '../../kit/reason.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { DisputeState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { disputeWords } from '../../words/disputes.ts'
import { frameWords } from '../../words/frame.ts'
import { useReader, useWords, useFormat } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { RecordStory } from '../payments/story.tsx'
import { customerOf } from '../refunds/list.tsx'
import { EvidenceCard } from './evidence.tsx'

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

// One dispute: what is due, what it means for the money, and what happened to it.

export function DisputePage() {
  const words = useWords(disputeWords)
  const format = useFormat()
  const { id: merchantId, may } = useMerchant()
  const disputeId = useParam('disputeId')
  return (
    <RecordPage
      of={useRead('getDispute', { id: disputeId })}
      kind={words.dispute}
      back={{ to: `/m/${merchantId}/disputes`, label: words.title }}
      head={(dispute) => {
        const { id, paymentId, status, kind } = dispute
        const amount = format.money(dispute.amount, dispute.currency)
        return {
          sum: dispute,
          titleText: words.disputeOf(amount),
          badges: <DisputeState status={status} />,
          id: [id, words.id],
          actions: (
            <>
              {paymentId !== undefined && (
                <ButtonLink icon="payments" to={`/m/${merchantId}/payments/${paymentId}`}>
                  {words.seePayment}
                </ButtonLink>
              )}
              {may('payments:write') && status === 'OPEN' && kind === 'CHARGEBACK' && (
                <ActionButton
                  variant="danger"
                  call="acceptDispute"
                  id={id}
                  title={words.acceptTitle(amount)}
                  lead={words.acceptLead}
                  act={words.accept}
                  done={words.acceptDone}
                />
              )}
            </>
          ),
        }
      }}
    >
      {(dispute) => (
        <Beside side={<Facts dispute={dispute} />}>
          <Standing dispute={dispute} />
          {dispute.kind === 'CHARGEBACK' && dispute.paymentId !== undefined && (
            <EvidenceCard dispute={dispute} />
          )}
          {dispute.paymentId !== undefined && (
            <RecordStory
              area="payments"
              recordId={dispute.paymentId}
              only={(step) => step.disputeId === dispute.id}
            />
          )}
        </Beside>
      )}
    </RecordPage>
  )
}

/** What is due and what it means for the money, before everything else. */
function Standing({ dispute }: { readonly dispute: Dispute }) {
  const words = useWords(disputeWords)
  const due = useDue(dispute)
  const { status, kind, evidenceDueAt } = dispute
  if (status !== 'OPEN') return <Notice tone="calm">{status === 'WON' ? words.won : words.lost}</Notice>
  return (
    <Notice
      tone={due?.isUrgent === true ? 'bad' : 'wait'}
      action={evidenceDueAt !== undefined && <Time at={evidenceDueAt} className="text-13" />}
    >
      {due !== undefined && <strong className="block">{due.text}</strong>}
      {words.open} {kind === 'CHARGEBACK' ? words.evidence : words.med}
    </Notice>
  )
}

function Facts({ dispute }: { readonly dispute: Dispute }) {
  const reasonOf = useDisputeReason()
  const words = useWords(disputeWords)
  const states = useWords(stateWords)
  const { amount, fee, currency, reason, evidenceDueAt, createdAt, closedAt } = dispute
  const sum = sumsIn(currency)
  return (
    <Card title={words.details}>
      <Definitions
        items={[
          [words.kind, states.disputeKind[dispute.kind]],
          [words.amount, sum(amount)],
          BigInt(fee) > 0n && [words.fee, sum(fee)],
          [words.reason, reasonOf(reason)],
          [words.created, timeOf(createdAt)],
          [words.due, timeOf(evidenceDueAt)],
          [words.closed, timeOf(closedAt)],
        ]}
      />
    </Card>
  )
}
