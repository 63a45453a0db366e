// What happened to a payment, refund or withdrawal, step by step, read from the books. Decides nothing: it imports no code that does
// (scripts/tidy/boundaries.ts).
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Locale } from '#/kernel/language.ts'
import { maxOf } from '#/kernel/money.ts'
import type { PaymentStatus } from '#/payments/payment.ts'
import type { RefundStatus } from '#/refunds/refund.ts'
import type { WithdrawalStatus } from '#/withdrawals/withdrawal.ts'
import * as queries from './queries.ts'
import { sentenceOf, summaries } from './sentences.ts'
import {
  attemptSource,
  decisionSource,
  eventSource,
  once,
  receiptSource,
  releaseSource,
  transferSource,
  type Reading,
  type Subject,
} from './sources.ts'
import { tell, type Step } from './step.ts'
import { timelinePage, type Positions, type Source } from './timeline.ts'

export type ExplainedKind = 'PAYMENT' | 'REFUND' | 'WITHDRAWAL'

export type Explanation = {
  readonly status: string
  readonly summary: string
  readonly steps: readonly (Step & { readonly text: string })[]
  /** Whether the payment has more refunds or disputes than the explanation follows. */
  readonly isTruncated: boolean
  /** Where the next page starts. Absent on the last. */
  readonly next?: Positions
}

export type ExplanationQuery = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly language: Locale
  readonly positions: Positions
  /** Happenings on a page. */
  readonly limit: number
}

/** How many refunds of a payment are followed, and how many disputes. Each refund has an explanation of its own. */
const followedMax = 100

/** How many sources each kind of record has. A cursor has one position for each. */
export const sourceCounts: Readonly<Record<ExplainedKind, number>> = { PAYMENT: 7, REFUND: 4, WITHDRAWAL: 3 }

type Summary = Pick<Explanation, 'status' | 'summary' | 'isTruncated'>

/** Explains a record of the merchant. Undefined when the merchant has no such record. All of it is read at one moment. */
export async function explain(
  sql: Sql,
  kind: ExplainedKind,
  query: ExplanationQuery,
): Promise<Explanation | undefined> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const reading: Reading = { tx, merchantId: query.merchantId }
    const found = await explainers[kind](reading, query)
    if (found === undefined) return undefined
    const { steps, next } = await timelinePage(found.sources, query.positions, query.limit)
    return {
      ...found.about,
      steps: steps.map((step) => ({ ...step, text: sentenceOf(query.language, step) })),
      ...given({ next }),
    }
  })
}

type Explainer = (
  reading: Reading,
  query: ExplanationQuery,
) => Promise<{ readonly about: Summary; readonly sources: readonly Source[] } | undefined>

const explainers: Readonly<Record<ExplainedKind, Explainer>> = {
  PAYMENT: explainPayment,
  REFUND: explainRefund,
  WITHDRAWAL: explainWithdrawal,
}

async function explainPayment(reading: Reading, { id, language }: ExplanationQuery): ReturnType<Explainer> {
  const { tx, merchantId } = reading
  const payment = await queries.selectPayment(tx, merchantId, id)
  if (payment === undefined) return undefined
  const [refunds, disputes] = await Promise.all([
    queries.selectRefundsOf(tx, merchantId, id, followedMax + 1),
    queries.selectDisputesOf(tx, merchantId, id, followedMax + 1),
  ])
  const back = [
    ...refunds.slice(0, followedMax).map((each) => refundSubject(each.id)),
    ...disputes.slice(0, followedMax).map((each): Subject => {
      const { id: disputeId, providerRef } = each
      return { id: disputeId, kind: 'dispute', related: { disputeId }, providerRef }
    }),
  ]
  const { currency, amountMinor, receivedMinor, refundedMinor, disputedMinor, createdAt } = payment
  const moneyOf = (minor: bigint) => ({ minor, currency })
  const amounts = new Map([...refunds, ...disputes].map((each) => [each.id, moneyOf(each.amountMinor)]))
  const requested = tell('STATE_CHANGE', 'PAYMENT_REQUESTED', { amount: moneyOf(amountMinor) })
  return {
    about: {
      status: payment.status,
      summary: summaries[language].payment[payment.status as PaymentStatus]({
        amount: moneyOf(amountMinor),
        received: moneyOf(receivedMinor),
        missing: moneyOf(maxOf(amountMinor - (receivedMinor - refundedMinor), 0n)),
        refunded: moneyOf(refundedMinor),
        disputed: moneyOf(disputedMinor),
      }),
      isTruncated: refunds.length > followedMax || disputes.length > followedMax,
    },
    sources: [
      once(createdAt, requested),
      attemptSource(reading, id),
      receiptSource(reading, id, back),
      decisionSource(reading, back, (subject) => amounts.get(subject)),
      eventSource(reading, [{ id, kind: 'payment', related: {} }, ...back]),
      releaseSource(reading, id),
      transferSource(reading, back),
    ],
  }
}

async function explainRefund(reading: Reading, { id, language }: ExplanationQuery): ReturnType<Explainer> {
  const refund = await queries.selectRefund(reading.tx, reading.merchantId, id)
  if (refund === undefined) return undefined
  const { paymentId, status, amountMinor, currency, isHeldBack, approvalRequired } = refund
  const subject = refundSubject(id)
  const amount = { minor: amountMinor, currency }
  return {
    about: {
      status,
      summary: summaries[language].refund[status as RefundStatus]({ amount, isHeldBack, approvalRequired }),
      isTruncated: false,
    },
    sources: [
      receiptSource(reading, paymentId, [subject], { goingBack: true, about: subject }),
      decisionSource(reading, [subject], () => amount),
      eventSource(reading, [subject]),
      transferSource(reading, [subject]),
    ],
  }
}

async function explainWithdrawal(
  reading: Reading,
  { id, language }: ExplanationQuery,
): ReturnType<Explainer> {
  const { tx, merchantId } = reading
  const withdrawal = await queries.selectWithdrawal(tx, merchantId, id)
  if (withdrawal === undefined) return undefined
  const { status, amountMinor, returnedMinor, currency, reviewRequired, isEndedByHand } = withdrawal
  const subject: Subject = { id, kind: 'withdrawal', related: {} }
  const amount = { minor: amountMinor, currency }
  const rejection = await queries.selectRejection(tx, `withdrawal:${id}`)
  return {
    about: {
      status,
      summary: summaries[language].withdrawal[status as WithdrawalStatus]({
        amount,
        returned: { minor: returnedMinor, currency },
        reviewRequired,
      }),
      isTruncated: false,
    },
    sources: [
      decisionSource(reading, [subject], () => amount),
      eventSource(reading, [subject], { rejectedBy: rejection, isEndedByHand }),
      transferSource(reading, [subject]),
    ],
  }
}

function refundSubject(refundId: string): Subject {
  return { id: refundId, kind: 'refund', related: { refundId } }
}
