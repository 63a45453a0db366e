// How earlier attempts are ended before the rest of a payment is opened, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import { AppError, ProviderError } from '#/kernel/error.ts'
import type { Method } from '#/rails/method.ts'
import type { Checked, OpenedAttempt } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { bank, ours } from '../../test/bare-attempts.ts'
import { attemptOf, attemptRows, paymentOf, railsThatOpen } from '../../test/bare-payments.ts'
import { onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { createRestPayer } from './pay-rest.ts'
import type { Payment } from './payment.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const payment = partly<Payment>({ merchantId: ours, id: paymentOf(0), method: 'PIX' })
const paid = partly<Receipt>({ outcome: 'paid', providerRef: 'E1' })
const over: Checked = { receipts: [], isOver: true }

type Start = {
  /** How many times the opener finds the attempt not closed. */
  readonly rounds?: number
  readonly method?: Method
  readonly answer?: () => Promise<Checked>
  /** Whether the books have the money that the provider reports. */
  readonly isBooked?: boolean
}

async function pay(
  { rounds = 1, method = 'PIX', answer = async () => over, isBooked = true }: Start,
  of: Payment = payment,
) {
  const attempt: OpenedAttempt = {
    id: attemptOf(0, 1),
    merchantId: ours,
    paymentId: paymentOf(0),
    method,
    connection: bank,
    amount: { minor: 100n, currency: 'BRL' },
    artifacts: {},
  }
  const receipt = {
    merchant_id: ours,
    payment_id: paymentOf(0),
    attempt_id: attempt.id,
    outcome: 'paid',
    provider_ref: 'E1',
    ordinal: 1,
  }
  const tables = {
    attempt: attemptRows(0, [{ method }]),
    attempt_check: [],
    receipt: isBooked ? [receipt] : [],
  }
  return onRows(sql, tables, async (tx) => {
    const calls: string[] = []
    let [opened, warned] = [0, 0]
    const payer = createRestPayer({
      sql: tx,
      rails: railsThatOpen({
        REQUEST: { close: () => (calls.push('close'), answer()) },
        PAGE: { cancel: async () => void calls.push('cancel'), check: () => (calls.push('check'), answer()) },
      }),
      log: pino({}, { write: () => void (warned += 1) }),
      opener: {
        async openRest() {
          opened += 1
          return opened > rounds ? { payment, attempt } : { payment, unclosed: [attempt] }
        },
      },
      settle: async (receipts) => void calls.push(`settle ${receipts.length}`),
    })
    const error = await payer.payRest(of, {}).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(error === undefined || error instanceof AppError, String(error))
    const [row] = await tx<{ isOver: boolean }[]>`select over_at is not null as "isOver" from attempt`
    return { error, opened, calls, warned, isOver: row?.isOver }
  })
}

test('an earlier attempt is ended in the way of its method, and then recorded as over', async () => {
  const byRequest = await pay({})
  assert.deepEqual([byRequest.error, byRequest.opened, byRequest.calls], [undefined, 2, ['close']])
  assert.deepEqual([byRequest.isOver, byRequest.warned], [true, 0])
  const byPage = await pay({ method: 'CREDIT_CARD' })
  assert.deepEqual([byPage.calls, byPage.isOver], [['cancel', 'check'], true])
})

test('nothing is opened for a payment without a method', async () => {
  const none = partly<Payment>({ merchantId: ours, id: paymentOf(0) })
  assert.deepEqual((await pay({}, none)).opened, 0)
})

test('money that the provider reports is settled, and must be booked before the attempt is over', async () => {
  const answer = async () => ({ receipts: [paid], isOver: true })
  const booked = await pay({ answer })
  assert.deepEqual([booked.error, booked.calls, booked.isOver], [undefined, ['close', 'settle 1'], true])
  const lost = await pay({ answer, isBooked: false })
  assert.ok(lost.error?.code === 'provider_unavailable')
  assert.deepEqual([lost.calls, lost.isOver, lost.warned], [['close', 'settle 1'], false, 1])
})

test('an attempt that can still be paid, or whose provider does not answer, stops it: the caller may ask again', async () => {
  const open = await pay({ answer: async () => ({ receipts: [], isOver: false }) })
  const silent = await pay({
    answer: async () => {
      throw new ProviderError('unavailable', 'away')
    },
  })
  const local = await pay({ method: 'CRYPTO' })
  for (const { error, isOver, warned, opened } of [open, silent, local]) {
    assert.ok(error?.code === 'provider_unavailable')
    assert.deepEqual([error.retryAfterMs, error.extra['paymentId']], [2_000, paymentOf(0)])
    assert.deepEqual([isOver, warned, opened], [false, 1, 1])
  }
})

test('after four rounds the caller is asked to come back', async () => {
  assert.equal((await pay({ rounds: 3 })).error, undefined)
  const { error, opened } = await pay({ rounds: 4 })
  assert.deepEqual([error?.code, opened], ['provider_unavailable', 4])
})
