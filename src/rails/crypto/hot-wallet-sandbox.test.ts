import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { openPayoutWorld, bnb, cent, destinationOf } from '../../../test/laws/payout-world.ts'
import { startTestChain } from '../../../test/laws/watcher-chain.ts'
import { beginSending, endSending } from './hot-wallet-lease.ts'
import { restoreWallets } from './hot-wallet-sandbox.ts'
import { step } from './hot-wallet.ts'
import { moveUnits } from './payout-queries.ts'

test('on a new chain the wallet goes on where the lost one ended, and pays what was under way once', async () => {
  await using lost = await startTestChain()
  await using next = await startTestChain()
  await using world = await openPayoutWorld(lost)
  const till = await world.newTill({ units: 1_000n * cent })
  await world.sql.begin((tx) =>
    moveUnits(tx, [{ chain: till.chain.key, address: till.address, place: 'hot', units: 1_000n * cent }]),
  )
  const [paid, underWay] = [till.order(100n), till.order(200n)]
  const before = till.sending()
  const first = must(await beginSending(before), 'the lease is free')
  await till.rail.send(paid, false)
  for (let looks = 0; looks < 6; looks++) {
    await step(before, first)
    await lost.mine()
  }
  assert.equal((await till.rail.send(paid, true)).state, 'done')
  await till.rail.send(underWay, false)
  await step(before, first)
  await endSending(before, first.fence)

  const restore = () => restoreWallets(world.sql, next.rpc, { chain: till.chain.key, wei: bnb })
  const places = await restore()
  assert.deepEqual(places, [{ address: till.address, units: 900n * cent }])
  assert.deepEqual(await restore(), places)
  const after = await openPayoutWorld(next)
  await after.mint(till.address, 900n * cent)
  await after[Symbol.asyncDispose]()
  const deps = till.sending({ rpc: next.rpc })
  const second = must(await beginSending(deps), 'the lease is free')
  for (let looks = 0; looks < 8; looks++) {
    await next.mine()
    await step(deps, second)
  }
  assert.equal((await till.rail.send(underWay, true)).state, 'done')
  const balanceOf = async (holder: string) =>
    BigInt(await next.rpc.ethCall(next.contracts.token, `0x70a08231${holder.slice(2).padStart(64, '0')}`))
  assert.equal(await balanceOf(destinationOf(underWay)), 200n * cent)
  assert.equal(await balanceOf(destinationOf(paid)), 0n, 'what was paid on the lost chain is not paid again')
})
