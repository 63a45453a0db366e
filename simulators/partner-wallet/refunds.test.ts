import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import type { Json } from '../kit/harness.ts'
import { startTestWallet, terms } from './harness.ts'

const wallet = openForTests(startTestWallet)
const shop = makeForTests(() => wallet.merchant())
beforeEach(() => wallet.control('refunds', { mode: 'done' }))

async function paid(amount: string): Promise<unknown> {
  const { prepayId } = await shop.data('/v3/order', terms(amount))
  await wallet.control(`orders/${String(prepayId)}`, { action: 'confirm' })
  return prepayId
}

let requests = 0
function refundOf(prepayId: unknown, refundAmount: string, more: Json = {}): Json {
  requests += 1
  return { refundRequestId: `refund${requests}`, prepayId, refundAmount, ...more }
}
const refund = (prepayId: unknown, amount: string) => shop.data('/order/refund', refundOf(prepayId, amount))
const codeOf = async (body: Json) => (await shop.call('/order/refund', body)).body['code']
const statusOf = async (prepayId: unknown) => (await shop.data('/v2/order/query', { prepayId }))['status']
const ended = (refundRequestId: unknown) =>
  eventually('the refund ends', async () => {
    const found = await shop.data('/order/refund/query', { refundRequestId })
    return found['refundStatus'] !== 'REFUND_PENDING' && found
  })

test('a refund is under way, then done, and the order’s status shows how much was refunded', async () => {
  const prepayId = await paid('10')
  const { refundId, payerOpenId, ...rest } = await shop.data('/order/refund', {
    refundRequestId: 'first',
    prepayId,
    refundAmount: 2.5,
    refundReason: 'one was broken',
  })
  assert.deepEqual(rest, {
    refundRequestId: 'first',
    prepayId,
    orderAmount: '10.00000000',
    refundedAmount: '2.50000000',
    refundAmount: '2.50000000',
    remainingAttempts: 9,
    duplicateRequest: 'N',
  })
  assert.match(String(refundId), /^\d{18}$/)
  assert.match(String(payerOpenId), /^[0-9a-f]{32}$/)
  const done = await ended('first')
  assert.equal(done['refundStatus'], 'REFUND_SUCCESS')
  assert.equal(await statusOf(prepayId), 'REFUNDED')
  await ended((await refund(prepayId, '7.5'))['refundRequestId'])
  assert.equal(await statusOf(prepayId), 'FULL_REFUNDED')
})

test('the same refundRequestId refunds once', async () => {
  const prepayId = await paid('10')
  const body = refundOf(prepayId, '4')
  const first = await shop.data('/order/refund', body)
  const again = await shop.data('/order/refund', { ...body, refundAmount: '6' })
  assert.deepEqual(again, { ...first, duplicateRequest: 'Y' })
  assert.equal((await refund(prepayId, '6'))['refundedAmount'], '10.00000000')
})

test('the tenth refund returns all that is left, whatever its amount, and there is no eleventh', async () => {
  const prepayId = await paid('100')
  for (let n = 1; n <= 9; n++) assert.equal((await refund(prepayId, '1'))['remainingAttempts'], 10 - n)
  const last = await refund(prepayId, '1')
  assert.equal(last['refundAmount'], '91.00000000')
  assert.equal(last['refundedAmount'], '100.00000000')
  assert.equal(last['remainingAttempts'], 0)
  assert.equal(await codeOf(refundOf(prepayId, '1')), '400302')
})

test('the tenth may even request too much', async () => {
  const prepayId = await paid('20')
  for (let n = 1; n <= 9; n++) await refund(prepayId, '1')
  assert.equal((await refund(prepayId, '500'))['refundAmount'], '11.00000000')
})

test('an impossible refund is refused with its code', async () => {
  const prepayId = await paid('10')
  const { prepayId: open } = await shop.data('/v3/order', terms('10'))
  const stranger = await wallet.merchant()
  const { prepayId: foreign } = await stranger.data('/v3/order', terms('10'))
  const cases: readonly (readonly [Json, string])[] = [
    [{ ...refundOf(prepayId, '1'), refundRequestId: '' }, '400100'],
    [{ ...refundOf(prepayId, '1'), refundRequestId: 'x'.repeat(65) }, '400101'],
    [{ ...refundOf(undefined, '1') }, '400100'],
    [{ ...refundOf('1'.repeat(20), '1') }, '400101'],
    [{ ...refundOf(prepayId, '1'), refundReason: 'x'.repeat(257) }, '400101'],
    [refundOf('123', '1'), '400301'],
    [refundOf(foreign, '1'), '400301'],
    [refundOf(prepayId, ''), '400100'],
    [refundOf(prepayId, '0'), '400102'],
    [refundOf(prepayId, '1.123456789'), '400102'],
    [refundOf(prepayId, '1', { webhookUrl: 'ftp://x' }), '400102'],
    [refundOf(prepayId, '10.00000001'), '400303'],
    [refundOf(open, '1'), '400204'],
  ]
  for (const [body, code] of cases) assert.equal(await codeOf(body), code, JSON.stringify(body))
  await wallet.control(`merchants/${shop.apiKey}`, { balance: '0.5' })
  assert.equal(await codeOf(refundOf(prepayId, '1')), '400304')
  await wallet.control(`merchants/${shop.apiKey}`, { balance: '1000' })
  assert.equal(await codeOf(refundOf(prepayId, '10')), '000000')
  assert.equal(await codeOf(refundOf(prepayId, '1')), '400303')
  const unknown = await shop.call('/order/refund/query', { refundRequestId: 'nobody' })
  assert.equal(unknown.body['code'], '400202')
})

test('a refund that stays under way holds its money until it fails or is done', async () => {
  await wallet.control('refunds', { mode: 'pending' })
  const prepayId = await paid('10')
  const { refundRequestId } = await refund(prepayId, '8')
  assert.equal(await statusOf(prepayId), 'REFUNDING')
  assert.equal(await codeOf(refundOf(prepayId, '3')), '400303')
  await wallet.control(`refunds/${String(refundRequestId)}`, { outcome: 'fail' })
  assert.equal((await ended(refundRequestId))['refundStatus'], 'REFUND_FAIL')
  assert.equal(await statusOf(prepayId), 'PAID')
  const second = await refund(prepayId, '10')
  // A failed attempt counts as an attempt.
  assert.equal(second['remainingAttempts'], 8)
  await wallet.control(`refunds/${String(second['refundId'])}`, { outcome: 'succeed' })
  assert.equal(await statusOf(prepayId), 'FULL_REFUNDED')
  await assert.rejects(
    wallet.control(`refunds/${String(second['refundId'])}`, { outcome: 'fail' }),
    /refund_over/,
  )
})

test('refunds fail in the mode `fail`, and the money is there again', async () => {
  await wallet.control('refunds', { mode: 'fail' })
  const prepayId = await paid('10')
  assert.equal(
    (await ended((await refund(prepayId, '10'))['refundRequestId']))['refundStatus'],
    'REFUND_FAIL',
  )
  await wallet.control('refunds', { mode: 'done' })
  await ended((await refund(prepayId, '10'))['refundRequestId'])
  assert.equal(await statusOf(prepayId), 'FULL_REFUNDED')
})
