// The explanations that the examples of openapi.json show. Their sentences are those of the catalogue.
import { sentenceOf, summaries } from '#/explain/sentences.ts'
import { tell, type EntryLine, type Step, type CauseWithFacts } from '#/explain/step.ts'
import type { Money } from '#/kernel/money.ts'
import type { EventType } from '#/webhooks/event.ts'
import { ids, paidAt, txHash } from './example-records.ts'
import { explanationRecord } from './explain-record.ts'

const text = (step: Step) => ({ ...step, text: sentenceOf('en', step) })
const at = (instant: string, ...causes: readonly CauseWithFacts[]) =>
  causes.map((each) => text({ at: new Date(instant), ...each }))

const usdt = (minor: bigint): Money => ({ minor, currency: 'USDT' })
const brl = (minor: bigint): Money => ({ minor, currency: 'BRL' })
const none = usdt(0n)

const available = (minor: bigint): EntryLine => ({ account: 'AVAILABLE', walletId: ids.wallet, minor })
const held = (minor: bigint): EntryLine => ({ account: 'HELD', walletId: ids.wallet, minor })
const outside = (minor: bigint): EntryLine => ({ account: 'OUTSIDE', minor })

const delivered = (eventType: EventType) =>
  tell('DELIVERY', 'DELIVERED', {
    eventId: ids.event,
    eventType,
    delivery: {
      id: ids.delivery,
      url: 'https://shop.example.com/webhooks',
      status: 'DELIVERED',
      attempts: 1,
      responseStatus: 200,
    },
  })

const createdAt = '2026-11-21T02:03:04.567Z'
const amount = usdt(1_234n)

export const paymentExplanation = {
  id: ids.payment,
  kind: 'PAYMENT' as const,
  language: 'en' as const,
  ...explanationRecord({
    status: 'PAID',
    summary: summaries.en.payment.PAID({
      amount,
      received: amount,
      missing: none,
      refunded: none,
      disputed: none,
    }),
    isTruncated: false,
    steps: [
      ...at(
        createdAt,
        tell('STATE_CHANGE', 'PAYMENT_REQUESTED', { amount }),
        tell('STATE_CHANGE', 'METHOD_CHOSEN', { amount, method: 'CRYPTO' }),
      ),
      ...at(
        paidAt,
        tell('OBSERVATION', 'DEPOSIT_FINAL', {
          amount,
          method: 'CRYPTO',
          providerRef: `${txHash}:0`,
          txHash,
          happenedAt: new Date('2026-11-21T02:04:02.000Z'),
        }),
        tell('STATE_CHANGE', 'PAID_IN_FULL', {
          amount,
          received: amount,
          missing: none,
          status: 'PAID',
          eventId: ids.event,
        }),
        tell('LEDGER', 'CREDITED', {
          amount,
          from: 'OUTSIDE',
          to: 'AVAILABLE',
          entries: [outside(1_234n), available(1_234n)],
        }),
      ),
      ...at('2026-11-21T02:04:11.480Z', delivered('payment.completed')),
    ],
  }),
}

const refundId = '019aa3c2-b001-7000-8000-00000000000a'
const refunded = usdt(500n)

export const refundExplanation = {
  id: refundId,
  kind: 'REFUND' as const,
  language: 'en' as const,
  ...explanationRecord({
    status: 'PENDING',
    summary: summaries.en.refund.PENDING({ amount: refunded, isHeldBack: false, approvalRequired: false }),
    isTruncated: false,
    steps: at(
      '2026-11-22T10:00:00.000Z',
      tell('STATE_CHANGE', 'REFUND_REQUESTED', {
        amount: refunded,
        status: 'PENDING',
        refundId,
        eventId: ids.event,
      }),
      tell('LEDGER', 'HELD_FOR_REFUND', {
        amount: refunded,
        from: 'AVAILABLE',
        to: 'HELD',
        entries: [available(-500n), held(500n)],
        refundId,
      }),
    ),
  }),
}

const paidOut = brl(20_000n)

export const withdrawalExplanation = {
  id: '019aa3c2-c001-7000-8000-00000000000b',
  kind: 'WITHDRAWAL' as const,
  language: 'en' as const,
  ...explanationRecord({
    status: 'COMPLETED',
    summary: summaries.en.withdrawal.COMPLETED({ amount: paidOut, returned: brl(0n), reviewRequired: false }),
    isTruncated: false,
    steps: [
      ...at(
        '2026-11-22T11:00:00.000Z',
        tell('STATE_CHANGE', 'WITHDRAWAL_REQUESTED', {
          amount: paidOut,
          fee: brl(0n),
          status: 'PENDING',
          eventId: ids.event,
        }),
        tell('LEDGER', 'HELD_FOR_WITHDRAWAL', {
          amount: paidOut,
          from: 'AVAILABLE',
          to: 'HELD',
          entries: [available(-20_000n), held(20_000n)],
        }),
      ),
      ...at(
        '2026-11-22T11:00:03.100Z',
        tell('PROVIDER_ANSWER', 'PAYOUT_REPORTED', {
          amount: paidOut,
          status: 'COMPLETED',
          endToEndId: 'E00000000202611221100AbCdEfGhIjK',
        }),
        tell('STATE_CHANGE', 'WITHDRAWAL_DONE', { amount: paidOut, status: 'COMPLETED' }),
        tell('LEDGER', 'HELD_MONEY_LEFT', {
          amount: paidOut,
          from: 'HELD',
          to: 'OUTSIDE',
          entries: [held(-20_000n), outside(-20_000n)],
        }),
      ),
    ],
  }),
}
