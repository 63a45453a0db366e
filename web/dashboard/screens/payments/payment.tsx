// One payment: what it is, what happened to it, and what can be done with it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Dispute, Refund, PaymentShare } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useParam } from '../../api/session.ts'
import { Icon } from '../../kit/icons.tsx'
import { Money } from '../../kit/money.tsx'
import { Card, Notice } from '../../kit/page.tsx'
import { FailureReason, useDisputeReason, useFailureReason } from '../../kit/reason.tsx'
import { Beside, RecordPage } from '../../kit/record-page.tsx'
import { DisputeState, Exceptions, PaymentState, RefundState } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { paymentWords } from '../../words/payments.ts'
import { useFormat, useWords, useReader } from '../../words/reader.ts'
import { shareWords } from '../../words/shares.ts'
import { stateWords } from '../../words/states.ts'
import { PaymentActions } from './actions.tsx'
import { PaymentFacts } from './facts.tsx'
import { isComing, RecordStory, useStory } from './story.tsx'

export function PaymentPage() {
  const words = useWords(paymentWords)
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const paymentId = useParam('paymentId')
  const others = useOthers(paymentId)
  return (
    <RecordPage
      of={useRead('getPayment', { id: paymentId })}
      kind={words.payment}
      back={{ to: `/m/${merchantId}/payments`, label: words.title }}
      isComing={others.isComing}
      head={(payment) => ({
        sum: payment,
        titleText: words.paymentOf(format.money(payment.amount, payment.currency)),
        badges: (
          <>
            <PaymentState payment={payment} />
            <Exceptions payment={payment} />
          </>
        ),
        id: [payment.id, words.id],
        actions: <PaymentActions payment={payment} disputes={others.disputes} />,
      })}
    >
      {(payment) => (
        <Beside side={<PaymentFacts payment={payment} disputes={others.disputes} shares={others.shares} />}>
          {payment.lastError !== undefined && payment.status !== 'PAID' && (
            <Notice tone="bad">
              {words.lastError}: <FailureReason {...payment.lastError} />
            </Notice>
          )}
          <Disputes disputes={others.disputes} />
          <PaymentShares shares={others.shares} />
          <RecordStory area="payments" recordId={payment.id} />
          <Refunds refunds={others.refunds} />
        </Beside>
      )}
    </RecordPage>
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

/** Records of the payment that have a page of their own. */
function Records<Of extends Refund | Dispute>({
  title,
  records,
  hrefOf,
  children,
}: {
  readonly title: string
  readonly records: readonly Of[]
  readonly hrefOf: (recordId: string) => string
  readonly children: (record: Of) => ReactNode
}) {
  if (records.length === 0) return null
  return (
    <Card title={title} flush>
      <ul>
        {records.map((record) => (
          <li key={record.id} className="border-b border-line last:border-0">
            <Link
              to={hrefOf(record.id)}
              className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-13 -outline-offset-2! hover:bg-hover"
            >
              <Money minor={record.amount} currency={record.currency} className="font-strong" />
              {children(record)}
              <Icon name="right" className="text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Refunds({ refunds }: { readonly refunds: readonly Refund[] }) {
  const failureOf = useFailureReason()
  const words = useWords(paymentWords)
  const { id } = useMerchant()
  return (
    <Records title={words.refunds} records={refunds} hrefOf={(refundId) => `/m/${id}/refunds/${refundId}`}>
      {({ status, failureCode, reason, completedAt, createdAt }) => (
        <>
          <RefundState status={status} />
          <span className="min-w-0 flex-1 truncate text-ink-soft">{failureOf(failureCode) ?? reason}</span>
          <Time at={completedAt ?? createdAt} className="text-ink-soft" />
        </>
      )}
    </Records>
  )
}

function Disputes({ disputes }: { readonly disputes: readonly Dispute[] }) {
  const reasonOf = useDisputeReason()
  const words = useWords(paymentWords)
  const states = useWords(stateWords)
  const { id } = useMerchant()
  return (
    <Records
      title={words.disputes}
      records={disputes}
      hrefOf={(disputeId) => `/m/${id}/disputes/${disputeId}`}
    >
      {({ status, kind, reason, evidenceDueAt, createdAt }) => (
        <>
          <DisputeState status={status} />
          <span className="min-w-0 flex-1 basis-40">
            {states.disputeKind[kind]}
            {reason !== undefined && <span className="text-ink-soft"> · {reasonOf(reason)}</span>}
          </span>
          {status === 'OPEN' && evidenceDueAt !== undefined ? (
            <span className="text-wait">
              {words.evidenceDue}: <Time at={evidenceDueAt} />
            </span>
          ) : (
            <Time at={createdAt} className="text-ink-soft" />
          )}
        </>
      )}
    </Records>
  )
}

// The split of a payment: what each sub-account got, paid of our fee, and gave back.

function PaymentShares({ shares }: { readonly shares: readonly PaymentShare[] }) {
  const words = useWords(shareWords)
  if (shares.length === 0) return null
  return (
    <Card title={words.shares} flush>
      <ul>
        {shares.map((share) => (
          <ShareLine key={share.id} share={share} />
        ))}
      </ul>
    </Card>
  )
}

function ShareLine({ share }: { readonly share: PaymentShare }) {
  const words = useWords(shareWords)
  const { locale } = useReader()
  const { id, may } = useMerchant()
  const { subAccountId, label, percent, currency } = share
  // An id is shown where there is no label: the payment does not know the sub-account's name.
  const name = label ?? `…${subAccountId.slice(-8)}`
  const decimal = locale === 'en' ? '.' : ','
  const terms = percent === undefined ? words.fixed : words.shareOf(percent.replace('.', decimal))
  const extras = [
    [words.fee, share.fee],
    [words.waits, share.amountPending],
    [words.returned, share.amountReturned],
    [words.covered, share.amountCovered],
  ] as const
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-13 last:border-0">
      <span className="min-w-0 flex-1 basis-40 break-words">
        {may('subaccounts:read') ? (
          <Link to={`/m/${id}/sub-accounts/${subAccountId}`} className="font-strong underline">
            {name}
          </Link>
        ) : (
          <span className="font-strong">{name}</span>
        )}
        <span className="text-ink-soft"> · {terms}</span>
      </span>
      {extras.map(
        ([what, minor]) =>
          BigInt(minor) > 0n && (
            <span key={what} className="text-ink-soft">
              {what}: <Money minor={minor} currency={currency} />
            </span>
          ),
      )}
      <Money minor={share.amountCredited} currency={currency} className="font-strong" />
    </li>
  )
}
