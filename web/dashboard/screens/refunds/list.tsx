// All refunds of a merchant, newest first.
import type { Locale } from '#/kernel/language.ts'
import type { Payment, Refund } from '../../api/generated.ts'
import { useNews } from '../../api/marks.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { useRequester } from '../../api/withdrawals.ts'
import { Badge } from '../../kit/badge.tsx'
import { ButtonLink } from '../../kit/button.tsx'
import { codeOf, Definitions, InsetFacts, sumsIn, timeOf } from '../../kit/facts.tsx'
import { choice, currencyFilter, spanFilters } from '../../kit/filters.tsx'
import { minorOf } from '../../kit/format.ts'
import { PageHeader, Card, Notice } from '../../kit/page.tsx'
import { FailureReason } from '../../kit/reason.tsx'
import { RecordList, useRecords } from '../../kit/record-list.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { RefundState } from '../../kit/states.tsx'
import { frameWords } from '../../words/frame.ts'
import { useWords, useFormat } from '../../words/reader.ts'
import { refundWords } from '../../words/refunds.ts'
import { stateWords } from '../../words/states.ts'
import { isComing, RecordStory, useStory } from '../payments/story.tsx'
import { DecisionNotice } from '../withdrawals/decide.tsx'

/** With the payment whose money goes back. */
type Row = Refund & { readonly payment?: Payment }

const statuses = ['PENDING', 'COMPLETED', 'FAILED'] as const

export function RefundList() {
  const words = useWords(refundWords)
  const { nav } = useWords(frameWords)
  const states = useWords(stateWords)
  const { id } = useMerchant()
  const records = useRecords('listRefunds', {
    query: { expand: 'payment' },
    filters: [
      choice('status', words.state, statuses, states.refund),
      currencyFilter(words.currency),
      ...spanFilters(words),
    ],
    find: findOf,
  })
  return (
    <>
      <PageHeader title={words.title} />
      <RecordList<Row>
        records={records}
        words={words}
        icon="refunds"
        columns={[
          { header: words.amount, money: 'amount', className: 'font-strong' },
          { header: words.state, cell: (refund) => <RefundStateOf refund={refund} /> },
          {
            header: words.customer,
            grow: true,
            cell: (refund) => (
              <span className="block truncate">
                {customerOf(refund)}
                {refund.reason !== undefined && <span className="text-ink-soft"> · {refund.reason}</span>}
              </span>
            ),
          },
          { header: words.created, time: 'createdAt' },
        ]}
        href={(refund) => `/m/${id}/refunds/${refund.id}`}
        news={useNews('refunds', records.retry)}
        first={<ButtonLink to={`/m/${id}/payments`}>{nav.payments}</ButtonLink>}
      />
    </>
  )
}

/** The state, or that a second person has to decide. */
export function RefundStateOf({ refund }: { readonly refund: Refund }) {
  const words = useWords(refundWords)
  if (refund.status === 'PENDING' && refund.approvalRequired === true)
    return (
      <Badge tone="accent" icon="user">
        {words.needsApproval}
      </Badge>
    )
  return <RefundState status={refund.status} />
}

function findOf(text: string, locale: Locale): Readonly<Record<string, string>> | undefined {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { txHash: text }
  if (/^[ED][A-Za-z0-9]{20,39}$/.test(text)) return { endToEndId: text }
  const minor = minorOf(text.replace(/^(?:R\$|US\$|\$|€|USDT)\s*/i, ''), locale)
  return minor === undefined || minor === 0n ? undefined : { amount: String(minor) }
}

/** The payer's name or email; the end of the payment's id where neither is known. */
export function customerOf({
  payment,
  paymentId = '',
}: {
  readonly payment?: Payment
  readonly paymentId?: string
}): string {
  return (
    payment?.customerName ??
    payment?.customerEmail ??
    payment?.description ??
    (payment?.id ?? paymentId).slice(-12)
  )
}

// One refund: where it stands, what happened to it, and the decision that it may wait for.

export function RefundPage() {
  const words = useWords(refundWords)
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const refundId = useParam('refundId')
  const story = useStory('refunds', refundId)
  return (
    <RecordPage
      of={useRead('getRefund', { id: refundId })}
      kind={words.refund}
      back={{ to: `/m/${merchantId}/refunds`, label: words.title }}
      isComing={isComing(story)}
      head={(refund) => ({
        sum: refund,
        titleText: words.refundOf(format.money(refund.amount, refund.currency)),
        badges: <RefundStateOf refund={refund} />,
        id: [refund.id, words.id],
        actions: (
          <ButtonLink icon="payments" to={`/m/${merchantId}/payments/${refund.paymentId}`}>
            {words.seePayment}
          </ButtonLink>
        ),
      })}
    >
      {(refund) => (
        <Beside side={<Facts refund={refund} />}>
          <Notices refund={refund} />
          <RecordStory area="refunds" recordId={refund.id} />
        </Beside>
      )}
    </RecordPage>
  )
}

function Notices({ refund }: { readonly refund: Refund }) {
  const words = useWords(refundWords)
  const format = useFormat()
  const amount = format.money(refund.amount, refund.currency)
  if (refund.status === 'FAILED')
    return (
      <Notice tone="bad">
        <strong>{words.failed}</strong>{' '}
        <FailureReason code={refund.failureCode} message={refund.failureMessage} /> {words.failedLead}
      </Notice>
    )
  if (refund.status !== 'PENDING' || refund.approvalRequired !== true) return null
  return (
    <DecisionNotice
      of={{
        kind: 'Refund',
        id: refund.id,
        waits: words.waits,
        titles: { approve: words.approveTitle(amount), reject: words.rejectTitle(amount) },
        leads: { approve: words.approveLead, reject: words.rejectLead },
        done: { approve: words.approveDone, reject: words.rejectDone },
        facts: (
          <InsetFacts
            items={[
              [words.amount, <strong>{amount}</strong>],
              [words.destination, <span className="break-all">{placeOf(refund) ?? words.toPayer}</span>],
              [words.beneficiary, refund.beneficiary],
              [words.reason, refund.reason],
            ]}
          />
        ),
      }}
    />
  )
}

/** The address or account that it goes to. Absent: back to where the money came from. */
function placeOf({ cryptoAddress, iban }: Refund): string | undefined {
  return cryptoAddress ?? iban
}

function Facts({ refund }: { readonly refund: Refund }) {
  const words = useWords(refundWords)
  const requester = useRequester('Refund', refund.id)
  return (
    <Card title={words.details}>
      <Definitions
        items={[
          [words.amount, sumsIn(refund.currency)(refund.amount)],
          [words.destination, codeOf(placeOf(refund), words.address, 8) ?? words.toPayer],
          [words.beneficiary, refund.beneficiary],
          [words.reason, refund.reason],
          [words.requestedBy, requester?.name],
          [words.created, timeOf(refund.createdAt)],
          [words.completed, timeOf(refund.completedAt)],
          [words.transaction, codeOf(refund.txHash, words.transaction, 8)],
        ]}
      />
    </Card>
  )
}
