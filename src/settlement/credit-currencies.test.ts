// One payment, paid by several methods in several currencies: each currency has its own wallet, and its money stays in that wallet.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { hourMs } from '#/kernel/time.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { openTabsWorld, type TabsWorld } from '../../test/tabs-world.ts'

let world: TabsWorld
before(async () => {
  world = await openTabsWorld()
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})

const methods = ['CRYPTO', 'CREDIT_CARD'] as const

async function since(start: Readonly<Record<string, bigint>>): Promise<Readonly<Record<string, bigint>>> {
  const now = await world.books()
  const changes = Object.keys(now).map((name) => [name, (now[name] ?? 0n) - (start[name] ?? 0n)] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0n))
}

const walletIn = async (currency: string) => {
  const wallets = await selectWallets(world.line.sql, world.line.merchant.id, { currency })
  return must(wallets[0], `there is a wallet in ${currency}`).id
}

test('money in a currency in which the merchant has no wallet creates one, once, with an event', async () => {
  const { sql, merchant } = world.line
  assert.equal((await selectWallets(sql, merchant.id, { currency: 'USD' })).length, 0)
  const { payment, tabs } = await world.open('USD', 1_000, ['CREDIT_CARD'])
  const card = must(tabs.get('CREDIT_CARD'), 'it is open')
  assert.deepEqual(await world.settle(world.receipt(card, 'declined', 1_000n)), ['booked'])
  assert.equal((await selectWallets(sql, merchant.id, { currency: 'USD' })).length, 0, 'nothing came')
  const verdicts = await Promise.all([
    world.settle(world.receipt(card, 'paid', 1_000n)),
    world.settle(world.receipt(card, 'paid', 1_000n)),
  ])
  assert.deepEqual(verdicts.flat(), ['booked', 'booked'])
  const [wallet, ...others] = await selectWallets(sql, merchant.id, { currency: 'USD' })
  assert.deepEqual([wallet?.isDefault, wallet?.walletType, others], [true, 'SPENDABLE', []])
  assert.equal((await world.line.payment(payment.id)).walletId, wallet?.id)
  const events = await sql<{ type: string; resource_id: string }[]>`
    select type, resource_id from event where type = 'wallet.created' or resource_id = ${payment.id} order by sequence`
  assert.deepEqual(
    events.map(({ type }) => type).filter((type) => type !== 'payment.waiting'),
    ['wallet.created', 'payment.completed', 'payment.received_after_close'],
  )
  assert.equal(events.find(({ type }) => type === 'wallet.created')?.resource_id, wallet?.id)
})

test('USD by card and USDT on chain for one payment are in two wallets, in either order', async () => {
  for (const first of methods) {
    const start = await world.books()
    const { payment, tabs } = await world.open('USD', 1_000, methods)
    const card = must(tabs.get('CREDIT_CARD'), 'it is open')
    const byCard = () => world.settle(world.receipt(card, 'paid', 1_000n))
    const onChain = () => world.payOnChain(payment, 600n)
    await (first === 'CRYPTO' ? onChain() : byCard())
    await (first === 'CRYPTO' ? byCard() : onChain())
    assert.deepEqual(await since(start), {
      'available USDT': 600n,
      'coins USDT': 600n,
      'available USD': 1_000n,
      'provider USD': 1_000n,
    })
    const now = await world.line.payment(payment.id)
    assert.equal(now.walletId, await walletIn('USD'), 'the wallet is that of the receipt that completed')
    assert.equal(now.receivedMinor, 1_600n)
  }
})

test('money on its way in one currency leaves that wallet when the other currency pays', async () => {
  const start = await world.books()
  const { payment, tabs } = await world.open('USD', 1_000, methods)
  const card = must(tabs.get('CREDIT_CARD'), 'it is open')
  const held = world.receipt(card, 'authorised', 1_000n, { pendingRef: 'pi_1' })
  await world.settle(held)
  await world.payOnChain(payment, 1_000n)
  assert.deepEqual(await since(start), {
    'available USDT': 1_000n,
    'coins USDT': 1_000n,
    'pending USD': 1_000n,
    'seen USD': 1_000n,
  })
  assert.equal((await world.line.payment(payment.id)).walletId, await walletIn('USDT'))
  await world.settle({ ...held, outcome: 'voided' })
  assert.deepEqual(await since(start), { 'available USDT': 1_000n, 'coins USDT': 1_000n })
  assert.equal((await world.line.payment(payment.id)).seenMinor, 0n)
})

test('unreleased money of one currency is neither refunded nor released in the other', async () => {
  world.delayMs = hourMs
  const { payment, tabs } = await world.open('USD', 1_000, methods)
  const card = must(tabs.get('CREDIT_CARD'), 'it is open')
  const start = await world.books()
  await world.settle(world.receipt(card, 'paid', 1_000n))
  await world.payOnChain(payment, 600n)
  world.delayMs = 0
  // Nothing of the coins waits.
  const coins = await world.refund(payment, 500, 'coins')
  assert.equal(coins.kind, 'created')
  assert.deepEqual(await since(start), {
    'pending USD': 1_000n,
    'provider USD': 1_000n,
    'available USDT': 100n,
    'held USDT': 500n,
    'coins USDT': 600n,
  })
  const usd = await world.refund(payment, 800)
  assert.equal(usd.kind, 'created')
  assert.equal((await world.line.payment(payment.id)).unreleasedMinor, 200n)
  if (usd.kind !== 'created' || coins.kind !== 'created') return
  assert.equal(usd.refund.walletId, await walletIn('USD'))
  assert.equal(coins.refund.walletId, await walletIn('USDT'))
  await world.settle(world.refundReceipt(card, usd.refund.id, 'refund_failed', 800n))
  await world.settle(
    world.refundReceipt(must(tabs.get('CRYPTO'), 'it is open'), coins.refund.id, 'refund_failed', 500n),
  )
  await world.release()
  assert.deepEqual(await since(start), {
    'available USD': 1_000n,
    'provider USD': 1_000n,
    'available USDT': 600n,
    'coins USDT': 600n,
  })
  assert.equal((await world.line.payment(payment.id)).unreleasedMinor, 0n)
})

test('a dispute over the card debits dollars, never coins', async () => {
  const { payment, tabs } = await world.open('USD', 1_000, methods)
  const card = must(tabs.get('CREDIT_CARD'), 'it is open')
  await world.payOnChain(payment, 600n)
  await world.settle(world.receipt(card, 'paid', 1_000n, { providerRef: 'pi_disputed' }))
  const start = await world.books()
  const dispute = { paidRef: 'pi_disputed', kind: 'CHARGEBACK' } as const
  const all = (start['available USD'] ?? 0n) + 300n
  const opened = world.receipt(card, 'dispute_opened', all, { providerRef: 'dp_1', dispute })
  assert.deepEqual(await world.settle(opened), ['booked'])
  const changes = await since(start)
  assert.deepEqual(changes, {
    'available USD': -(start['available USD'] ?? 0n),
    'held USD': all,
    'receivable USD': 300n,
  })
  await world.settle({ ...opened, outcome: 'dispute_won' })
  assert.deepEqual(await since(start), {})
})

test('a payment from before the column money goes on', async () => {
  const { owner } = world.line
  const forget = ({ id }: { readonly id: string }) => owner`update payment set money = null where id = ${id}`
  const start = await world.books()
  const { payment, tabs } = await world.open('USD', 1_000, methods)
  const card = must(tabs.get('CREDIT_CARD'), 'it is open')
  await world.payOnChain(payment, 400n)
  await forget(payment)
  await world.settle(world.receipt(card, 'paid', 1_000n))
  assert.deepEqual(await since(start), {
    'available USDT': 400n,
    'coins USDT': 400n,
    'available USD': 1_000n,
    'provider USD': 1_000n,
  })
  // One currency, money that waits, a refund and a release.
  world.delayMs = hourMs
  const second = await world.open('USD', 1_000, ['CREDIT_CARD'])
  const tab = must(second.tabs.get('CREDIT_CARD'), 'it is open')
  await world.settle(world.receipt(tab, 'paid', 1_000n))
  world.delayMs = 0
  await forget(second.payment)
  const verdict = await world.refund(second.payment, 300)
  assert.equal(verdict.kind, 'created')
  await forget(second.payment)
  await world.release()
  await forget(second.payment)
  if (verdict.kind === 'created')
    await world.settle(world.refundReceipt(tab, verdict.refund.id, 'refund_failed', 300n))
  const { unreleasedMinor, refundedMinor } = await world.line.payment(second.payment.id)
  assert.deepEqual([unreleasedMinor, refundedMinor], [0n, 0n])
  assert.equal((await since(start))['available USD'], 2_000n)
})
