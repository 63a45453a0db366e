import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { closer, type Json } from '../kit/harness.ts'
import {
  isGenuine,
  startReceiver,
  startTestWallet,
  terms,
  type Merchant,
  type Received,
  type Receiver,
  type TestWallet,
} from './harness.ts'

let wallet: TestWallet
/** A slower wallet, for tests that must act while a webhook waits, even on a busy machine. */
let unhurried: TestWallet
before(async () => {
  wallet = await startTestWallet()
  unhurried = await startTestWallet({ speed: 5 })
})
beforeEach(() => Promise.all([wallet, unhurried].map((each) => each.control('webhooks', { mode: 'normal' }))))
after(() => Promise.all([wallet, unhurried].map((each) => each[Symbol.asyncDispose]())))

/** A merchant whose webhooks go to a receiver of its own. */
async function open(
  at: TestWallet = wallet,
): Promise<AsyncDisposable & { readonly shop: Merchant; readonly inbox: Receiver }> {
  const [shop, inbox] = [await at.merchant(), await startReceiver()]
  await at.control(`merchants/${shop.apiKey}/webhook`, { url: inbox.url })
  return { shop, inbox, [Symbol.asyncDispose]: () => inbox[Symbol.asyncDispose]() }
}
const act = (prepayId: unknown, action: string, at = wallet) =>
  at.control(`orders/${String(prepayId)}`, { action })
const create = (shop: Merchant, more: Json = {}) => shop.data('/v3/order', terms('10.00', more))
const statusesOf = (received: readonly Received[]) => received.map(({ body }) => body['bizStatus'])
/** Seconds of the wallet, which is 50 times as fast. */
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 20))
const idle = () =>
  eventually('no webhook waits', async () => {
    const events = await wallet.events()
    const waiting = new Set<unknown>()
    for (const { type, task, what } of events) {
      if (type === 'task.scheduled' && (what as Json)['do'] === 'deliver') waiting.add(task)
      if (type === 'task.ended') waiting.delete(task)
    }
    return waiting.size === 0
  })

test('a payment is reported with a signature of the exact bytes, under the serial of a served key', async () => {
  await using at = await open()
  const { prepayId } = await create(at.shop, { passThroughInfo: 'payment 7' })
  await act(prepayId, 'confirm')
  const [received] = await at.inbox.until(1)
  assert.ok(received !== undefined && (await isGenuine(at.shop, received)))
  assert.match(String(received.headers['binancepay-nonce']), /^[A-Za-z]{32}$/)
  const forged = { ...received, raw: received.raw.replace('PAY_SUCCESS', 'PAY_CLOSED') }
  assert.equal(await isGenuine(at.shop, forged), false)
  // Only the exact bytes verify, not the same fields serialised again.
  assert.equal(await isGenuine(at.shop, { ...received, raw: JSON.stringify(received.body) }), false)
  const { bizType, bizIdStr, bizStatus } = received.body
  assert.deepEqual([bizType, bizIdStr, bizStatus], ['PAY', prepayId, 'PAY_SUCCESS'])
  assert.ok(received.raw.includes(`"bizId":${String(prepayId)}`))
  assert.notEqual(String(received.body['bizId']), prepayId)
  const order = await at.shop.data('/v2/order/query', { prepayId })
  assert.equal(received.data['merchantTradeNo'], order['merchantTradeNo'])
  assert.equal(received.data['transactionId'], order['transactionId'])
  assert.equal(received.data['transactTime'], order['transactTime'])
  assert.equal(received.data['passThroughInfo'], 'payment 7')
  assert.deepEqual(
    [received.data['totalFee'], received.data['currency'], received.data['commission']],
    [10, 'USDT', 0],
  )
  assert.match(String(received.body['data']), /"totalFee":10\.00000000\b/)
})

test('an order’s own address wins over the merchant’s', async () => {
  await using at = await open()
  await using ownReceiver = await startReceiver()
  const { prepayId } = await create(at.shop, { webhookUrl: ownReceiver.url })
  await act(prepayId, 'confirm')
  await ownReceiver.until(1)
  assert.equal(at.inbox.received.length, 0)
})

test('an order that is closed, refused or has expired is reported as PAY_CLOSED', async () => {
  await using at = await open()
  const [closed, refused, expired] = [
    await create(at.shop),
    await create(at.shop),
    await create(at.shop, { orderExpireTime: Date.now() + 10_000 }),
  ]
  await at.shop.data('/order/close', { prepayId: closed['prepayId'] })
  await act(refused['prepayId'], 'refuse')
  await wallet.control('clock', closer(at.shop.apiKey, 10))
  const received = await at.inbox.until(3)
  assert.deepEqual(statusesOf(received), ['PAY_CLOSED', 'PAY_CLOSED', 'PAY_CLOSED'])
  const ids = received.map(({ body }) => body['bizIdStr'])
  assert.deepEqual(new Set(ids), new Set([closed['prepayId'], refused['prepayId'], expired['prepayId']]))
})

test('a refund is reported once it has ended, as success or rejection, with the order’s bizId', async () => {
  await using at = await open()
  await using ownReceiver = await startReceiver()
  const { prepayId } = await create(at.shop)
  await act(prepayId, 'confirm')
  await at.inbox.until(1)
  await at.shop.data('/order/refund', { refundRequestId: 'one', prepayId, refundAmount: '4' })
  const [, done] = await at.inbox.until(2)
  assert.ok(done !== undefined && (await isGenuine(at.shop, done)))
  const { bizType, bizStatus, bizIdStr } = done.body
  assert.deepEqual([bizType, bizStatus, bizIdStr], ['PAY_REFUND', 'REFUND_SUCCESS', prepayId])
  const { refundRequestId, refundedAmount, remainingAttempts } = done.data['refundInfo'] as Json
  assert.deepEqual([refundRequestId, refundedAmount, remainingAttempts], ['one', '4.00000000', 9])
  await wallet.control('refunds', { mode: 'fail' })
  const request = { refundRequestId: 'two', prepayId, refundAmount: '4', webhookUrl: ownReceiver.url }
  await at.shop.data('/order/refund', request)
  await wallet.control('refunds', { mode: 'done' })
  assert.deepEqual(statusesOf(await ownReceiver.until(1)), ['REFUND_REJECTED'])
})

test('only {"returnCode":"SUCCESS"} with status 200 is accepted as received', async () => {
  await using at = await open()
  const success = '{"returnCode":"SUCCESS","returnMessage":null}'
  at.inbox.answers.push([500, success], [201, success], [200, '{"returnCode":"FAIL"}'], [200, 'SUCCESS'])
  const { prepayId } = await create(at.shop)
  await act(prepayId, 'confirm')
  const received = await at.inbox.until(5)
  await idle()
  assert.equal(at.inbox.received.length, 5)
  // The same body each time, signed anew.
  assert.equal(new Set(received.map(({ raw }) => raw)).size, 1)
  assert.equal(new Set(received.map(({ headers }) => headers['binancepay-nonce'])).size, 5)
  for (const each of received) assert.ok(await isGenuine(at.shop, each))
})

test('a webhook that is never accepted is sent seven times, and no more', async () => {
  await using at = await open()
  for (let n = 0; n < 20; n++) at.inbox.answers.push([500, ''])
  const { prepayId } = await create(at.shop)
  await act(prepayId, 'confirm')
  const received = await at.inbox.until(7)
  await idle()
  await seconds(40)
  assert.equal(at.inbox.received.length, 7)
  const gaps = received.slice(1).map((each, i) => each.at - (received[i]?.at ?? 0))
  assert.ok((gaps.at(-1) ?? 0) > (gaps[0] ?? Infinity), 'each waits longer')
  const failed = (await wallet.events()).filter(
    (each) => each['type'] === 'webhook.failed' && each['prepayId'] === prepayId,
  )
  assert.deepEqual(
    failed.map(({ givenUp }) => givenUp),
    [false, false, false, false, false, false, true],
  )
})

test('by the mode, webhooks are lost, sent twice, late, or omitted for a closed order', async () => {
  await using at = await open()
  const pay = async () => {
    const { prepayId } = await create(at.shop)
    await act(prepayId, 'confirm')
    return prepayId
  }
  await wallet.control('webhooks', { mode: 'drop' })
  await pay()
  await wallet.control('webhooks', { mode: 'duplicate' })
  const twice = await pay()
  const both = await at.inbox.until(2)
  assert.deepEqual(
    both.map(({ body }) => body['bizIdStr']),
    [twice, twice],
  )
  await wallet.control('webhooks', { mode: 'no_close' })
  const { prepayId: closed } = await create(at.shop)
  await at.shop.data('/order/close', { prepayId: closed })
  const open3 = await pay()
  assert.equal((await at.inbox.until(3))[2]?.body['bizIdStr'], open3)
  await wallet.control('webhooks', { mode: 'delay', delaySeconds: 20 })
  const began = performance.now()
  const late = await pay()
  const last = (await at.inbox.until(4))[3]
  assert.equal(last?.body['bizIdStr'], late)
  assert.ok((last?.at ?? 0) - began >= 380)
  const lost = (await wallet.events()).filter(({ type }) => type === 'webhook.lost')
  assert.ok(lost.some(({ prepayId }) => prepayId === closed))
})

test('in the mode `reorder`, the second of two webhooks comes first, and a single one comes after a while', async () => {
  await using at = await open(unhurried)
  await unhurried.control('webhooks', { mode: 'reorder' })
  const { prepayId } = await create(at.shop)
  await act(prepayId, 'confirm', unhurried)
  await at.shop.data('/order/refund', { refundRequestId: 'reorder', prepayId, refundAmount: '1' })
  assert.deepEqual(statusesOf(await at.inbox.until(2)), ['REFUND_SUCCESS', 'PAY_SUCCESS'])
  const { prepayId: alone } = await create(at.shop)
  await act(alone, 'confirm', unhurried)
  assert.equal((await at.inbox.until(3))[2]?.body['bizIdStr'], alone)
})

test('with a wrong signature it is refused, and the next attempt after the mode has the right one', async () => {
  await using at = await open(unhurried)
  await unhurried.control('webhooks', { mode: 'bad_signature' })
  at.inbox.answers.push([400, ''])
  const { prepayId } = await create(at.shop)
  await act(prepayId, 'confirm', unhurried)
  const [forged] = await at.inbox.until(1)
  await unhurried.control('webhooks', { mode: 'normal' })
  const [, right] = await at.inbox.until(2)
  assert.ok(forged !== undefined && right !== undefined)
  assert.equal(forged.headers['binancepay-certificate-sn'], right.headers['binancepay-certificate-sn'])
  assert.deepEqual([await isGenuine(at.shop, forged), await isGenuine(at.shop, right)], [false, true])
})

test('in the mode `before_response`, the webhook has come when the call that caused it is answered', async () => {
  await using at = await open()
  await wallet.control('webhooks', { mode: 'before_response' })
  const [paid, closed] = [await create(at.shop), await create(at.shop)]
  await act(paid['prepayId'], 'confirm')
  assert.deepEqual(statusesOf(at.inbox.received), ['PAY_SUCCESS'])
  await at.shop.data('/order/close', { prepayId: closed['prepayId'] })
  assert.deepEqual(statusesOf(at.inbox.received), ['PAY_SUCCESS', 'PAY_CLOSED'])
  // Without a call to be answered, the webhook comes at once.
  await create(at.shop, { orderExpireTime: Date.now() + 1000 })
  await wallet.control('clock', closer(at.shop.apiKey, 1))
  assert.deepEqual(statusesOf(await at.inbox.until(3)).slice(2), ['PAY_CLOSED'])
  await idle()
  assert.equal(at.inbox.received.length, 3)
})

test('a new key signs at once; the previous one is still served, an older one is not', async () => {
  await using at = await open()
  const served = () => at.shop.list('/certificates')
  const before = await served()
  assert.equal(before.length, 2)
  for (const { certSerial, certPublic } of before)
    assert.equal(certSerial, hash('md5', String(certPublic), 'hex'))
  const [first, second] = [await create(at.shop), await create(at.shop)]
  await act(first['prepayId'], 'confirm')
  const [old] = await at.inbox.until(1)
  const { certSerial } = await wallet.control('certificates', { action: 'rotate' })
  const now = await served()
  assert.deepEqual(now[1], before[0])
  assert.equal(now[0]?.['certSerial'], certSerial)
  assert.ok(!now.some((each) => each['certSerial'] === before[1]?.['certSerial']))
  await act(second['prepayId'], 'confirm')
  const [, fresh] = await at.inbox.until(2)
  assert.ok(old !== undefined && fresh !== undefined)
  assert.equal(fresh.headers['binancepay-certificate-sn'], certSerial)
  assert.ok((await isGenuine(at.shop, old)) && (await isGenuine(at.shop, fresh)))
  await wallet.control('certificates', { action: 'rotate' })
  assert.deepEqual([await isGenuine(at.shop, old), await isGenuine(at.shop, fresh)], [false, true])
})

test('a receiver that was away gets the webhook when it is back', async () => {
  await using at = await open(unhurried)
  const away = await startReceiver()
  await away[Symbol.asyncDispose]()
  const { prepayId } = await create(at.shop, { webhookUrl: away.url })
  await act(prepayId, 'confirm', unhurried)
  await eventually('the webhook fails', async () => {
    const events = await unhurried.events()
    return events.find((each) => each['type'] === 'webhook.failed' && each['prepayId'] === prepayId)
  })
  await using back = await startReceiver(Number(new URL(away.url).port))
  assert.equal((await back.until(1))[0]?.body['bizIdStr'], prepayId)
})
