// How PIX money goes back: for how long, what the payer reads, and which answer is about the refund. The client answers as the test says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { dayMs, systemClock } from '#/kernel/time.ts'
import type { RefundOrder } from '#/rails/rail.ts'
import { bareId } from '../../../test/bare-rows.ts'
import { partly } from '../../../test/partly.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { PixError, type PixClient } from './client.ts'
import type { OpenConnection, OpenConnections } from './connections.ts'
import { toReference } from './receipts.ts'
import { createPixRefunder } from './refund.ts'
import type { PixReturn } from './wire.ts'

const order: RefundOrder = {
  id: bareId(1) as RefundId,
  attempt: {
    id: bareId(2) as AttemptId,
    merchantId: bareId(3) as MerchantId,
    paymentId: bareId(4) as PaymentId,
  },
  connection: 'a1-x' as ConnectionId,
  paidRef: 'E1',
  amount: { minor: 12_34n, currency: 'BRL' },
}
const returned: PixReturn = { id: toReference(order.id), amount: 12_34n, status: 'DEVOLVIDO' }

function refunderAt(client: Partial<PixClient>) {
  const connection = partly<OpenConnection>({ client: partly<PixClient>(client) })
  const open = partly<OpenConnections>({ refunding: () => connection })
  return createPixRefunder({ open, clock: systemClock, log: silentLog })
}

/** Sends the refund to a PSP that answers with this return. Returns what was put and how it ended. */
async function sent(answer: PixReturn, more: Partial<RefundOrder> = {}) {
  const put: Parameters<PixClient['putReturn']>[0][] = []
  const refunder = refunderAt({
    putReturn: async (given) => {
      put.push(given)
      return { value: answer, raw: Buffer.from('{}') }
    },
  })
  const receipts = await refunder.send({ ...order, ...more }, false)
  return { put: put[0], outcomes: receipts.map(({ outcome }) => outcome) }
}

test('API Pix takes returns for 90 days', () => {
  assert.equal(refunderAt({}).windowMs, 90 * dayMs)
})

test('a return is named after the refund, and the payer reads 140 characters of its reason', async () => {
  const base = { endToEndId: 'E1', id: toReference(order.id), amount: 12_34n }
  assert.deepEqual(await sent(returned), { put: base, outcomes: ['refunded'] })
  for (const length of [140, 141]) {
    const { put } = await sent(returned, { reason: 'r'.repeat(length) })
    assert.deepEqual(put, { ...base, note: 'r'.repeat(140) })
  }
})

test('an answer about another return, or of another amount, makes no sense', async () => {
  for (const change of [{ id: toReference(bareId(9) as RefundId) }, { amount: 12_33n }])
    assert.equal((await errorOf(sent({ ...returned, ...change }))).outcome, 'unknown')
})

test('a refusal fails the refund when the bank does not have it', async () => {
  const refusal = new PixError('refused', 'no', { status: 422, headers: {}, body: Buffer.from('said') })
  const answers = { putReturn: () => Promise.reject(refusal), getReturn: async () => undefined }
  const [failed, ...more] = await refunderAt(answers).send(order, false)
  assert.equal(more.length, 0)
  assert.deepEqual(
    [failed?.outcome, failed?.refund, failed?.amount, failed?.failure?.code],
    ['refund_failed', order.id, order.amount, 'refused_by_provider'],
  )
})
