// Payments of a test's own rows, many in one batch: each has a number, and its attempts have numbers within it.
import type { AttemptId, PaymentId } from '#/kernel/id.ts'
import type { Method } from '#/rails/method.ts'
import type { OpensAtCreation, OpensInRequest, OpensWithPage, Rail, Rails } from '#/rails/rail.ts'
import { attempt as attemptRow, at, bank, earlier, ours } from './bare-attempts.ts'
import { bareId, type BareRows } from './bare-rows.ts'
import { testRail } from './contract/rail.ts'
import { partly } from './partly.ts'

type Row = Readonly<Record<string, unknown>>

export const paymentOf = (number: number) => bareId(1_000 + number) as PaymentId
export const attemptOf = (payment: number, number: number) =>
  bareId(100_000 + payment * 100 + number) as AttemptId
/** The number of an attempt within its payment. */
export const numberOf = (id: AttemptId) => Number(id.slice(-2))

const nothing = {
  received_minor: 0,
  refunded_minor: 0,
  disputed_minor: 0,
  seen_minor: 0,
  unreleased_minor: 0,
  fee_minor: 0,
  exceptions: [],
  receipts: 0,
}

/** A payment of 1.00 BRL by card that waits to be paid, and expires a second after `at`. */
export const paymentRow = (number: number, change: Row = {}): Row => ({
  ...nothing,
  merchant_id: ours,
  id: paymentOf(number),
  request: { amount: 100 },
  status: 'WAITING_PAYMENT',
  amount_minor: 100,
  currency: 'BRL',
  methods: ['CREDIT_CARD'],
  method: 'CREDIT_CARD',
  version: 1,
  created_at: earlier,
  expires_at: new Date(at.getTime() + 1_000),
  ...change,
})

/** Its attempts, oldest first: each with these changes. No provider has answered. */
export const attemptRows = (payment: number, changes: readonly Row[]): readonly Row[] =>
  changes.map((change, index) => ({
    ...attemptRow,
    id: attemptOf(payment, index + 1),
    payment_id: paymentOf(payment),
    method: 'CREDIT_CARD',
    connection: bank,
    created_at: earlier,
    ...change,
  }))

/** The tables with these payments and attempts. The merchant is a sandbox's, and nothing was moved. */
export const paymentTables = (payment: readonly Row[], attempt: readonly Row[] = []): BareRows => ({
  payment,
  attempt,
  merchant: [{ id: ours, mode: 'SANDBOX' }],
  clock_step: [],
})

type OpenedBy = {
  readonly CREATION?: Partial<OpensAtCreation>
  readonly REQUEST?: Partial<OpensInRequest>
  readonly PAGE?: Partial<OpensWithPage>
}

/** CRYPTO opens at the creation, PIX in the request, and cards with the page. */
export function railsThatOpen(by: OpenedBy = {}, more: Partial<Rail> = {}): Rails {
  const rail = (method: Method, opens: Rail['opens']): [Method, Rail] => [
    method,
    { ...testRail(), method, ...more, opens },
  ]
  return new Map([
    rail('CRYPTO', { at: 'CREATION', ...by.CREATION }),
    rail('PIX', partly<OpensInRequest>({ at: 'REQUEST', ...by.REQUEST })),
    rail('CREDIT_CARD', partly<OpensWithPage>({ at: 'PAGE', ...by.PAGE })),
  ])
}
