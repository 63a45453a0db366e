import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, openPayoutWorld, bnb, cent, destinationOf } from '../../test/laws/payout-world.ts'
import { startTestChain } from '../../test/laws/watcher-chain.ts'
import { endSending } from './hot-wallet-lease.ts'
import { restoreWallets } from './hot-wallet-sandbox.ts'
import { step } from './hot-wallet.ts'
import { moveUnits } from './coin-movements-queries.ts'

test('on a new chain the wallet continues where the lost one ended, and pays what was under way once', async () => {
  await using lost = await startTestChain()
  await using next = await startTestChain()
  await using world = await openPayoutWorld(lost)
  const till = await world.newTill({ units: 1_000n * cent })
  await world.sql.begin((tx) =>
    moveUnits(tx, [{ chain: till.chain.key, address: till.address, place: 'hot', units: 1_000n * cent }]),
  )
  const [paid, underWay] = [till.order(100n), till.order(200n)]
  const before = till.sending()
  const first = await begin(before)
  await till.rail.send(paid, false)
  const [done] = await world.settle(till, before, first, [paid])
  assert.equal(done?.state, 'done')
  await till.rail.send(underWay, false)
  await step(before, first)
  await endSending(before, first.fence)

  const restore = () => restoreWallets(world.sql, next.rpc, { chain: till.chain.key, wei: bnb })
  const places = await restore()
  assert.deepEqual(places, [{ address: till.address, units: 900n * cent }])
  assert.deepEqual(await restore(), places)
  await using after = await openPayoutWorld(next)
  await after.mint(till.address, 900n * cent)
  const deps = till.sending({ rpc: next.rpc })
  const second = await begin(deps)
  const [again] = await after.settle(till, deps, second, [underWay])
  assert.equal(again?.state, 'done')
  assert.equal(await after.balanceOf(destinationOf(underWay)), 200n * cent)
  const twice = await after.balanceOf(destinationOf(paid))
  assert.equal(twice, 0n, 'what was paid on the lost chain is not paid again')
})
