// A frozen payout in the queue of a wallet gets no nonce, and delays no other payout.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { begin, cent, destinationOf, openPayoutWorld } from '../../test/laws/payout-world.ts'
import { startTestChain } from '../../test/laws/watcher-chain.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { operatorOf } from '../../test/operator.ts'
import { step } from './hot-wallet.ts'

const node = openForTests(startTestChain)
const world = openForTests(() => openPayoutWorld(node))

async function newMerchant(): Promise<MerchantId> {
  const deps = { sql: world.sql, clock: systemClock, sealKey: Buffer.alloc(32), openWallets: async () => {} }
  return (await createMerchant(deps, { mode: 'SANDBOX', name: 'Ana' })).merchant.id
}

test('what may not leave now is not queued, and what is in the queue is still reported', async () => {
  const till = await world.newTill()
  const order = till.order(10n)
  const kept = { ...order, mayLeave: async () => false }
  await assert.rejects(till.rail.send(kept, false), { outcome: 'unavailable' })
  const queued = () => world.sql`select 1 from chain_tx where subject = ${order.id}`
  assert.equal((await queued()).length, 0)
  await till.rail.send(order, false)
  assert.equal((await till.rail.send(kept, true)).state, 'sent')
})

test('a frozen payout gets no nonce, others do, and what has one continues; afterwards it is paid once', async () => {
  const till = await world.newTill()
  const deps = till.sending()
  const held = await begin(deps)
  const operator = operatorOf(world.appUrl)
  const [frozen, other] = [await newMerchant(), await newMerchant()]
  const pass = async () => {
    const isBusy = await step(deps, held)
    await node.mine()
    return isBusy
  }
  const early = till.order(10n, { merchantId: frozen })
  await till.rail.send(early, false)
  await step(deps, held)
  const late = till.order(20n, { merchantId: frozen })
  const others = till.order(30n, { merchantId: other })
  for (const order of [late, others]) await till.rail.send(order, false)
  await operator.freeze('merchant', frozen)
  for (let passes = 0; passes < 8; passes++) await pass()
  const states = await Promise.all(
    [early, late, others].map(async (order) => (await till.rail.send(order, true)).state),
  )
  assert.deepEqual(states, ['done', 'sent', 'done'])
  assert.equal(await world.balanceOf(destinationOf(late)), 0n)
  assert.equal(await pass(), false, 'a frozen payout alone is no work')
  await operator.unfreeze('merchant', frozen)
  for (let passes = 0; passes < 8; passes++) await pass()
  assert.equal((await till.rail.send(late, true)).state, 'done')
  const paid = [early, late, others].map((order) => world.balanceOf(destinationOf(order)))
  assert.deepEqual(await Promise.all(paid), [10n * cent, 20n * cent, 30n * cent])
})

test('payouts that the gate stops get no nonce, and keep none that may leave out of the places', async () => {
  const till = await world.newTill()
  const stopped = Array.from({ length: 5 }, () => till.order(10n))
  const free = till.order(20n)
  for (const order of [...stopped, free]) await till.rail.send(order, false)
  const deps = till.sending({
    inFlightMax: 2,
    stillLeaving: async (_tx, payouts) =>
      new Set(payouts.filter((id) => stopped.every((order) => order.id !== id))),
  })
  const held = await begin(deps)
  for (let passes = 0; passes < 8; passes++) {
    await step(deps, held)
    await node.mine()
  }
  assert.equal((await till.rail.send(free, true)).state, 'done')
  assert.equal((await world.stateOf(till)).waiting, null, 'the wallet lacks nothing')
  const rows = await world.sql<{ state: string }[]>`
    select distinct state from chain_tx where chain = ${till.chain.key} and subject <> ${free.id}`
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['QUEUED'],
  )
})
