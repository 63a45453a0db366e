// One payment: what it is, what happened to it, and what can be done with it.
import { Link } from '@tanstack/react-router'
import { useParam } from '../../api/address.ts'
import type { Dispute, Refund } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { FailureReason } from '../../kit/failure.tsx'
import { LoadingOrFault } from '../../kit/fault.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Notice, PageHeader } from '../../kit/page.tsx'
import { useDisputeReason, useFailureReason } from '../../kit/reason.ts'
import { AmountTitle, RecordId } from '../../kit/record-head.tsx'
import { DisputeState, Exceptions, PaymentState, RefundState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { paymentWords } from '../../words/payments.ts'
import { useFormat, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'
import { PaymentActions } from './actions.tsx'
import { PaymentFacts } from './facts.tsx'
import { PaymentShares } from './shares.tsx'
import { isComing, RecordStory, useStory } from './story.tsx'

export function PaymentPage() {
  const words = useWords(paymentWords)
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const paymentId = useParam('paymentId')
  const { data: payment, error, refetch } = useRead('getPayment', { id: paymentId })
  const others = useOthers(paymentId)
  const back = { to: `/m/${merchantId}/payments`, label: words.title }
  if (payment === undefined || others.isComing)
    return (
      <>
        <PageHeader title={words.payment} back={back} />
        <LoadingOrFault error={error} onRetry={() => void refetch()} />
      </>
    )
  const amount = format.money(payment.amount, payment.currency)
  return (
    <>
      <PageHeader
        back={back}
        titleText={words.paymentOf(amount)}
        title={
          <AmountTitle kind={words.payment} amount={payment.amount} currency={payment.currency}>
            <PaymentState payment={payment} />
            <Exceptions payment={payment} />
          </AmountTitle>
        }
        lead={<RecordId value={payment.id} what={words.id} />}
        actions={<PaymentActions payment={payment} disputes={others.disputes} />}
      />
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-[minmax(0,1fr)_320px] phone:gap-4">
        <div className="flex min-w-0 flex-col gap-6 phone:gap-4">
          {payment.lastError !== undefined && payment.status !== 'PAID' && (
            <Notice tone="bad">
              {words.lastError}: <FailureReason {...payment.lastError} />
            </Notice>
          )}
          <Disputes disputes={others.disputes} />
          <PaymentShares shares={others.shares} />
          <RecordStory area="payments" recordId={payment.id} />
          <Refunds refunds={others.refunds} />
        </div>
        <PaymentFacts payment={payment} />
      </div>
    </>
  )
}

/** The other records of a payment, fetched at the same time and shown together with it, so that nothing on the screen moves afterwards. */
function useOthers(paymentId: string) {
  const story = useStory('payments', paymentId)
  const query = { paymentId, limit: 100 }
  const refunds = useRead('listRefunds', { query, of: ['payments', paymentId] })
  const disputes = useRead('listDisputes', { query, of: ['payments', paymentId] })
  const shares = useRead('listPaymentShares', { id: paymentId })
  return {
    isComing: [story, refunds, disputes, shares].some(isComing),
    shares: shares.data?.data ?? [],
    refunds: refunds.data?.data ?? [],
    disputes: disputes.data?.data ?? [],
  }
}

/** A record of the payment that has a page of its own. */
const lineClass =
  'flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-13 -outline-offset-2! hover:bg-hover'

function Refunds({ refunds }: { readonly refunds: readonly Refund[] }) {
  const failureOf = useFailureReason()
  const words = useWords(paymentWords)
  const { id } = useMerchant()
  if (refunds.length === 0) return null
  return (
    <Card title={words.refunds} flush>
      <ul>
        {refunds.map((refund) => (
          <li key={refund.id} className="border-b border-line last:border-0">
            <Link to={`/m/${id}/refunds/${refund.id}`} className={lineClass}>
              <Money minor={refund.amount} currency={refund.currency} className="font-strong" />
              <RefundState status={refund.status} />
              <span className="min-w-0 flex-1 truncate text-ink-soft">
                {failureOf(refund.failureCode) ?? refund.reason}
              </span>
              <Time at={refund.completedAt ?? refund.createdAt} className="text-ink-soft" />
              <Icon name="right" className="text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Disputes({ disputes }: { readonly disputes: readonly Dispute[] }) {
  const reasonOf = useDisputeReason()
  const words = useWords(paymentWords)
  const states = useWords(stateWords)
  const { id } = useMerchant()
  if (disputes.length === 0) return null
  return (
    <Card title={words.disputes} flush>
      <ul>
        {disputes.map((dispute) => (
          <li key={dispute.id} className="border-b border-line last:border-0">
            <Link to={`/m/${id}/disputes/${dispute.id}`} className={lineClass}>
              <Money minor={dispute.amount} currency={dispute.currency} className="font-strong" />
              <DisputeState status={dispute.status} />
              <span className="min-w-0 flex-1 basis-40">
                {states.disputeKind[dispute.kind]}
                {dispute.reason !== undefined && (
                  <span className="text-ink-soft"> · {reasonOf(dispute.reason)}</span>
                )}
              </span>
              {dispute.status === 'OPEN' && dispute.evidenceDueAt !== undefined ? (
                <span className="text-wait">
                  {words.evidenceDue}: <Time at={dispute.evidenceDueAt} />
                </span>
              ) : (
                <Time at={dispute.createdAt} className="text-ink-soft" />
              )}
              <Icon name="right" className="text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
