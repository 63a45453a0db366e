import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import { FencedOff } from '#/evm/fence.ts'
import { must } from '#/kernel/check.ts'
import { SignerError } from '#/signer/client.ts'
import { begin, bnb, cent, destinationOf, openPayoutWorld } from '../../test/laws/payout-world.ts'
import { startTestChain } from '../../test/laws/watcher-chain.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import * as coinMovements from './coin-movements-queries.ts'
import { beginSending, endSending, senderLeaseMs } from './hot-wallet-lease.ts'
import * as queries from './hot-wallet-queries.ts'
import { createHotWallet, step } from './hot-wallet.ts'
import type { ChainTxId } from './outgoing.ts'
import * as payouts from './payout-queries.ts'

const node = openForTests(startTestChain)
const world = openForTests(() => openPayoutWorld(node))

describe('payouts', () => {
  test('the recipient has it once; the payout is done when it is final and not before', async () => {
    const till = await world.newTill()
    const deps = till.sending()
    const held = await begin(deps)
    const order = till.order(1_234n)
    assert.equal((await till.rail.send(order, false)).state, 'sent')
    assert.equal((await till.rail.send(order, true)).state, 'sent')
    await step(deps, held)
    await node.mine()
    await step(deps, held)
    const mined = await till.rail.send(order, true)
    assert.equal(mined.state, 'sent', 'a block can still leave')
    const [done] = await world.settle(till, deps, held, [order])
    assert.equal(done?.state, 'done')
    assert.equal(done?.txHash, mined.txHash)
    assert.equal(await world.balanceOf(destinationOf(order)), 1_234n * cent)
    const receipt = JSON.parse(done?.evidence.toString() ?? '{}') as { readonly transactionHash?: string }
    assert.equal(receipt.transactionHash, done?.txHash)
  })

  test('the same order with other content is refused as our own mistake', async () => {
    const till = await world.newTill()
    const order = till.order(100n)
    await till.rail.send(order, false)
    await assert.rejects(till.rail.send({ ...order, amount: { minor: 101n, currency: 'USDT' } }, true))
    await assert.rejects(till.rail.send({ ...till.order(100n), reference: order.reference }, false))
  })

  test('a deposit address of ours is never paid', async () => {
    const till = await world.newTill()
    const order = till.order(100n)
    const [payment, attempt] = [order.id, order.merchantId]
    await world.sql`
      insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, created_at)
      values (${till.chain.key}, ${Buffer.from(destinationOf(order).slice(2), 'hex')}, ${order.merchantId}, ${payment},
              ${attempt}, 1, clock_timestamp())`
    const answer = await till.rail.send(order, false)
    assert.ok(answer.state === 'refused' && answer.code === 'destination_not_allowed')
  })

  test('many are sent in their order, at most as many at once as the cap allows', async () => {
    const till = await world.newTill()
    const deps = till.sending({ inFlightMax: 3 })
    const held = await begin(deps)
    const orders = Array.from({ length: 7 }, (_, index) => till.order(BigInt(index + 1)))
    for (const order of orders) await till.rail.send(order, false)
    await step(deps, held)
    assert.equal((await world.stateOf(till)).open, 3)
    const results = await world.settle(till, deps, held, orders)
    assert.ok(results.every(({ state }) => state === 'done'))
    const rows = await world.sql<{ subject: string }[]>`
      select subject from chain_tx where chain = ${till.chain.key} order by nonce`
    assert.deepEqual(
      rows.map(({ subject }) => subject),
      orders.map(({ id }) => id),
    )
  })

  test('gas is recorded to the wei, and its whole gwei wait for the ledger once', async () => {
    const till = await world.newTill()
    const deps = till.sending({ fees: { floor: 1_333_333_333n, cap: 5n * 10n ** 9n } })
    const held = await begin(deps)
    const orders = Array.from({ length: 5 }, () => till.order(5n))
    for (const order of orders) await till.rail.send(order, false)
    await world.settle(till, deps, held, orders)
    const left = BigInt(String(await node.rpc.call('eth_getBalance', [till.address, 'latest'])))
    const costs = await world.sql<{ id: ChainTxId; gwei: bigint }[]>`
      select id, gas_gwei as gwei from chain_tx
       where chain = ${till.chain.key} and gas_gwei is not null and not gas_booked`
    assert.equal(costs.length, 5)
    const gwei = costs.reduce((sum, each) => sum + each.gwei, 0n)
    assert.equal(gwei, (bnb - left) / 10n ** 9n)
    const ids = costs.map(({ id }) => id)
    const booked = await world.sql.begin((tx) => coinMovements.markGasBooked(tx, ids))
    assert.equal(booked, 5)
    assert.equal(await world.sql.begin((tx) => coinMovements.markGasBooked(tx, ids)), 0)
  })

  test('units leave the hot place once, and only for payouts that are done', async () => {
    const till = await world.newTill()
    const deps = till.sending()
    const held = await begin(deps)
    const [paid, queued] = [till.order(250n), till.order(1n)]
    await till.rail.send(paid, false)
    await world.settle(till, deps, held, [paid])
    await till.rail.send(queued, false)
    const units = must(till.rail.units, 'the rail keeps units')
    await world.sql.begin((tx) =>
      coinMovements.moveUnits(tx, [
        { chain: till.chain.key, address: till.address, place: 'hot', units: 1_000n * cent },
      ]),
    )
    const [before] = await payouts.selectPlaces(world.sql, till.chain.key)
    assert.deepEqual(before, { address: till.address, units: 750n * cent, nextNonce: 1n })
    for (let times = 0; times < 2; times++) await world.sql.begin((tx) => units.leave(tx, [paid.id]))
    assert.deepEqual(await payouts.selectPlaces(world.sql, till.chain.key), [before])
    await assert.rejects(world.sql.begin((tx) => units.leave(tx, [queued.id])))
  })
})

describe('fees', () => {
  test('what is not mined is replaced with an eighth higher fees, and paid once', async () => {
    const till = await world.newTill()
    const deps = till.sending({ fees: { floor: 10n ** 9n, cap: 5n * 10n ** 9n } })
    const held = await begin(deps)
    const order = till.order(77n)
    await till.rail.send(order, false)
    // Blocks require a higher fee than is offered.
    const dear = async () => {
      await node.rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x3f5476a0'])
      await node.mine()
    }
    await step(deps, held)
    for (let blocks = 0; blocks < 6; blocks++) {
      await dear()
      await step(deps, held)
    }
    const attempts = await world.sql<{ maxFee: string }[]>`
      select max_fee::text as "maxFee" from chain_tx_attempt join chain_tx on id = tx
       where chain = ${till.chain.key} order by max_fee`
    assert.ok(attempts.length >= 2, 'it was replaced')
    await node.rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x0'])
    const [done] = await world.settle(till, deps, held, [order])
    assert.equal(done?.state, 'done')
    assert.equal(await world.balanceOf(destinationOf(order)), 77n * cent)
  })
})

describe('what goes wrong', () => {
  test('a transfer that the token refuses fails once it is final, and is never tried again', async () => {
    const till = await world.newTill({ units: 100n * cent })
    const deps = till.sending()
    const held = await begin(deps)
    const order = till.order(100n)
    await till.rail.send(order, false)
    await step(deps, held)
    await node.rpc.call('anvil_dropAllTransactions', [])
    // The coins go elsewhere, and what was signed comes back.
    const storage = await node.rpc.call('anvil_dealERC20', [
      till.address,
      mainToken(till.chain).address,
      '0x0',
    ])
    assert.equal(storage, null)
    const [failed] = await world.settle(till, deps, held, [order])
    assert.ok(failed?.state === 'refused' && failed.code === 'reverted')
    await world.mint(till.address, 1_000n * cent)
    await world.settle(till, deps, held, [order])
    assert.equal(await world.balanceOf(destinationOf(order)), 0n)
    assert.equal((await world.stateOf(till)).nextNonce, 1n)
  })

  test('a nonce that a foreign transaction used stops the wallet for good', async () => {
    const till = await world.newTill()
    const deps = till.sending()
    const held = await begin(deps)
    await node.rpc.call('anvil_impersonateAccount', [till.address])
    await node.rpc.sendTransaction({ from: till.address, to: till.chain.treasury, value: 1n, gas: 21_000n })
    await node.mine(4)
    const order = till.order(100n)
    await till.rail.send(order, false)
    const [waits] = await world.settle(till, deps, held, [order])
    assert.equal(waits?.state, 'sent')
    const { stopped } = await world.stateOf(till)
    assert.match(stopped ?? '', /nonce 0 was never given out/)
    assert.equal(await world.balanceOf(destinationOf(order)), 0n)
    const key = { chain: till.chain.key, address: till.address }
    assert.equal(await queries.liftStop(world.sql, key, { reason: 'another', nextNonce: 1n }), false)
    assert.equal(await queries.liftStop(world.sql, key, { reason: stopped ?? '', nextNonce: 1n }), true)
    const [done] = await world.settle(till, deps, held, [order])
    assert.equal(done?.state, 'done')
  })

  test('a foreign transaction with the nonce of a payout stops the wallet, and a person can record the end', async () => {
    const till = await world.newTill()
    const deps = till.sending()
    const held = await begin(deps)
    const order = till.order(100n)
    await till.rail.send(order, false)
    await step(deps, held)
    await node.rpc.call('anvil_dropAllTransactions', [])
    await node.rpc.call('anvil_impersonateAccount', [till.address])
    await node.rpc.sendTransaction({ from: till.address, to: till.chain.treasury, value: 1n, gas: 21_000n })
    await node.mine(4)
    assert.equal(await payouts.resolvePayout(world.sql, order.id, 'FAILED', world.clock.now()), false)
    for (let passes = 0; passes < 4; passes++) await step(deps, held)
    assert.match((await world.stateOf(till)).stopped ?? '', /nonce 0 was taken/)
    assert.equal(await payouts.resolvePayout(world.sql, order.id, 'FAILED', world.clock.now()), true)
    assert.equal((await till.rail.send(order, true)).state, 'refused')

    const later = till.order(7n)
    await till.rail.send(later, false)
    const [waits] = await world.settle(till, deps, held, [later])
    assert.equal(waits?.state, 'sent')
    const reason = (await world.stateOf(till)).stopped ?? ''
    const key = { chain: till.chain.key, address: till.address }
    assert.equal(await queries.liftStop(world.sql, key, { reason, nextNonce: 1n }), true)
    const [done] = await world.settle(till, deps, held, [later])
    assert.equal(done?.state, 'done')
    assert.equal(await world.balanceOf(destinationOf(order)), 0n)
  })

  test('what the signer will never sign fails, and its nonce is filled so that the others continue', async () => {
    const till = await world.newTill({
      signer: (local) => ({
        ...local,
        sign: (request) =>
          request.data.endsWith((9_999n * cent).toString(16))
            ? Promise.reject(new SignerError('refused', 'too much', 'amount_not_allowed'))
            : local.sign(request),
      }),
    })
    const deps = till.sending()
    const held = await begin(deps)
    const orders = [till.order(1n), till.order(9_999n), till.order(2n)]
    for (const order of orders) await till.rail.send(order, false)
    const results = await world.settle(till, deps, held, orders)
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'refused', 'done'],
    )
    assert.ok(results[1]?.state === 'refused' && results[1].code === 'amount_not_allowed')
    assert.equal(await world.balanceOf(destinationOf(must(orders[1], 'an order'))), 0n)
  })

  test('a queued payout can be canceled, and is never paid then', async () => {
    const till = await world.newTill({ units: 0n })
    const deps = till.sending()
    const held = await begin(deps)
    const order = till.order(5n)
    await till.rail.send(order, false)
    await step(deps, held)
    assert.equal(await payouts.requestCancel(world.sql, order.id, 'canceled', world.clock.now()), true)
    assert.equal((await till.rail.send(order, true)).state, 'refused')
    await world.mint(till.address, 100n * cent)
    await world.settle(till, deps, held, [order])
    assert.equal(await world.balanceOf(destinationOf(order)), 0n)
  })

  test('on a halted chain nothing is paid', async () => {
    const till = await world.newTill()
    const deps = till.sending()
    const held = await begin(deps)
    await world.sql`update chain set halted = 'history changed' where key = ${till.chain.key}`
    await till.rail.send(till.order(5n), false)
    await assert.rejects(step(deps, held), /is halted/)
    assert.equal((await world.stateOf(till)).nextNonce, 0n)
  })
})

describe('several processes', () => {
  test('one sends; after it is gone another takes over, and the first can write nothing any more', async () => {
    const till = await world.newTill()
    const deps = till.sending()
    const first = await begin(deps)
    assert.equal(await beginSending(deps), undefined)
    const order = till.order(9n)
    await till.rail.send(order, false)
    await world.clock.advance(senderLeaseMs + 1)
    const second = await begin(deps)
    await assert.rejects(step(deps, first), FencedOff)
    const [done] = await world.settle(till, deps, second, [order])
    assert.equal(done?.state, 'done')
    await endSending(deps, second.fence)
  })

  test('two that run side by side pay each order once', async () => {
    const till = await world.newTill()
    const stop = new AbortController()
    const wallets = [createHotWallet(till.sending()), createHotWallet(till.sending())]
    const running = wallets.map((wallet) => wallet.run(stop.signal))
    const orders = Array.from({ length: 6 }, () => till.order(3n))
    for (const order of orders) await till.rail.send(order, false)
    for (const wallet of wallets) wallet.wake()
    let states: readonly string[] = ['sent']
    for (let passes = 0; passes < 200 && !states.every((state) => state === 'done'); passes++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await node.mine()
      states = (await Promise.all(orders.map((order) => till.rail.send(order, true)))).map(
        ({ state }) => state,
      )
    }
    stop.abort()
    await Promise.all(running)
    assert.deepEqual(new Set(states), new Set(['done']))
    for (const order of orders) assert.equal(await world.balanceOf(destinationOf(order)), 3n * cent)
  })
})
