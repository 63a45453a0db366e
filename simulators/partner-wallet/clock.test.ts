// What is ahead of one merchant comes closer, and nothing else.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { closer, type Json } from '../kit/harness.ts'
import {
  fetchAnswer,
  merchantWith,
  startReceiver,
  startTestWallet,
  terms,
  type Merchant,
  type TestWallet,
} from './harness.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'partner-wallet-clock-'))
/** Every second of the wallet takes this long, so no task falls due by itself. */
const speed = 0.001

let wallet: TestWallet
let shop: Merchant
let other: Merchant
before(async () => {
  wallet = await startTestWallet({ dataDir, speed })
  shop = await wallet.merchant()
  other = await wallet.merchant()
})
after(async () => {
  await wallet[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

/** The wallet ends and starts again with its journal. */
async function restart(): Promise<void> {
  await wallet.close()
  wallet = await startTestWallet({ dataDir, speed })
  shop = merchantWith(wallet.url, shop)
  other = merchantWith(wallet.url, other)
}

const advance = ({ apiKey }: { readonly apiKey: string }, seconds: number, id?: string) =>
  wallet.control('clock', closer(apiKey, seconds, id))
const create = async (merchant: Merchant, more: Json = {}) =>
  String((await merchant.data('/v3/order', terms('10', more)))['prepayId'])
const statusOf = async (merchant: Merchant, prepayId: string) =>
  (await merchant.data('/v2/order/query', { prepayId }))['status']
async function leftOf(prepayId: string): Promise<number> {
  const { body } = await fetchAnswer(`${wallet.url}/_sim/state?prepayId=${prepayId}`)
  return Number((body['orders'] as readonly Json[])[0]?.['expiresInSeconds'])
}

test('the expiry of open orders moves back by the span, once for each id, and no other merchant’s', async () => {
  const [mine, theirs] = [await create(shop), await create(other)]
  const moved = await advance(shop, 1_800, 'one')
  assert.deepEqual(moved['moved'], { tasks: 1, orders: 1 })
  const isHalf = (left: number) => left > 1_700 && left <= 1_800
  assert.ok(isHalf(await leftOf(mine)))
  // Another key of the merchant names the same merchant.
  const second = (await wallet.control('merchants', { of: shop.apiKey })) as { readonly apiKey: string }
  assert.deepEqual(await advance(second, 1_800, 'one'), moved)
  await restart()
  assert.deepEqual(await advance(shop, 1_800, 'one'), moved)
  assert.ok(isHalf(await leftOf(mine)))
  assert.ok((await leftOf(theirs)) > 3_500)
  await assert.rejects(advance(shop, 60, 'one'), /409 id_reused/)
})

test('what falls due runs in the order of its due times, and stays so after a restart', async () => {
  const merchant = await wallet.merchant()
  const soon = { orderExpireTime: Date.now() + 60_000 }
  const [late, early] = [await create(merchant), await create(merchant, soon)]
  const paid = await create(merchant)
  await wallet.control(`orders/${paid}`, { action: 'confirm' })
  await merchant.data('/order/refund', { refundRequestId: 'clock', prepayId: paid, refundAmount: '4' })
  const before = (await wallet.events()).length
  assert.deepEqual((await advance(merchant, 3_600))['moved'], { tasks: 4, orders: 2 })
  const happened = (await wallet.events()).slice(before).flatMap(({ type, prepayId, refund }) => {
    if (type === 'order.ended') return [prepayId]
    return type === 'refund.ended' ? [String(refund).split('\n')[1]] : []
  })
  assert.deepEqual(happened, [early, 'clock', late])
  await restart()
  const again = merchantWith(wallet.url, merchant)
  assert.equal(await statusOf(again, late), 'EXPIRED')
  assert.equal(await statusOf(again, paid), 'REFUNDED')
  // What is made later lives its whole life.
  assert.ok((await leftOf(await create(again))) > 3_500)
})

test('a webhook that waits for its next attempt comes closer with its merchant', async () => {
  await using mine = await startReceiver()
  await using theirs = await startReceiver()
  for (const [merchant, inbox] of [
    [shop, mine],
    [other, theirs],
  ] as const) {
    await wallet.control(`merchants/${merchant.apiKey}/webhook`, { url: inbox.url })
    ;(inbox.answers as (readonly [number, string])[]).push([500, ''])
    await wallet.control(`orders/${await create(merchant)}`, { action: 'confirm' })
  }
  await eventually('both refusals are booked', async () => {
    const failed = (await wallet.events()).filter(({ type }) => type === 'webhook.failed')
    return failed.length === 2
  })
  await advance(shop, 1_000)
  await mine.until(2)
  assert.equal(theirs.received.length, 1)
})

test('an invalid advance is refused, and moves nothing', async () => {
  const { apiKey: account } = shop
  for (const body of [
    { account, id: 'x' },
    { account, advanceMs: -1, id: 'x' },
    { account, advanceMs: 1 },
  ])
    await assert.rejects(wallet.control('clock', body), /400 invalid_request/)
  await assert.rejects(wallet.control('clock', closer('nobody', 1)), /404 not_found/)
})
