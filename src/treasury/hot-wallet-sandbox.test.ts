import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { mainToken } from '#/coins/chain.ts'
import type { Address } from '#/evm/address.ts'
import { ensureContracts } from '#/evm/deploy.ts'
import { transferGas } from '#/evm/erc20.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { rebuild } from '#/rails/crypto/rebuild.ts'
import { richAccount } from '../../test/anvil.ts'
import { openCoinWorld, type Work } from '../../test/laws/coins-world.ts'
import {
  begin,
  openPayoutWorld,
  bnb,
  cent,
  destinationOf,
  localSigner,
  type PayoutWorld,
  type Till,
} from '../../test/laws/payout-world.ts'
import { startTestChain } from '../../test/laws/watcher-chain.ts'
import { moveUnits } from './coin-movements-queries.ts'
import { selectGasWallets } from './gas-queries.ts'
import { endSending } from './hot-wallet-lease.ts'
import { restoreWallets, treasuryOnNewChain } from './hot-wallet-sandbox.ts'
import { step } from './hot-wallet.ts'
import type { ChainTxId } from './outgoing.ts'
import { insertQueued } from './payout-queries.ts'
import { refillTransfer } from './refill.ts'

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

  const restore = () => restoreWallets(world.sql, next.rpc, { chain: till.chain.key, log: silentLog })
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

/** The treasury's wallet refills the hot wallet of the till this often; each refill is final, and booked as the watcher's movement is. */
async function refill(world: PayoutWorld, till: Till, { times, units }: { times: number; units: bigint }) {
  const key = generatePrivateKey()
  const address = privateKeyToAccount(key).address.toLowerCase() as Address
  await world.setNative(address, bnb)
  await world.mint(address, 10_000n * cent)
  const deps = till.sending({ wallet: { address, purpose: 'treasury' }, signer: localSigner(key) })
  const place = { chain: till.chain.key, address, place: 'treasury' as const }
  await world.sql.begin((tx) => moveUnits(tx, [{ ...place, units: 10_000n * cent }]))
  const held = await begin(deps)
  for (let time = 0; time < times; time++) {
    const id = newId<'chain-tx'>() satisfies ChainTxId
    const { to, data } = refillTransfer(mainToken(till.chain), till.address, units)
    const movement = { recipient: till.address, units }
    const common = { id, subject: id, chain: till.chain.key, purpose: 'REFILL' as const, value: 0n }
    const queued = { ...common, reference: `refill/${id}`, to, data, gas: transferGas, movement }
    await insertQueued(world.sql, queued, world.clock.now())
    for (let turns = 0; turns < 6; turns++) {
      await step(deps, held)
      await world.node.mine()
    }
    await world.sql.begin((tx) =>
      moveUnits(tx, [
        { ...place, units: -units },
        { chain: till.chain.key, address: till.address, place: 'hot', units },
      ]),
    )
  }
  const ended = await world.sql`
    select from chain_tx where chain = ${till.chain.key} and purpose = 'REFILL' and state = 'FINAL'`
  assert.equal(ended.length, times)
  await endSending(deps, held.fence)
  return address
}

test('past refills stay where they went when the chain is rebuilt, and withdrawals go on', async () => {
  await using lost = await startTestChain()
  await using next = await startTestChain()
  await using world = await openPayoutWorld(lost)
  const till = await world.newTill({ units: 0n })
  const treasury = await refill(world, till, { times: 3, units: 3_000n * cent })
  const first = await begin(till.sending())
  const paid = till.order(500n)
  await till.rail.send(paid, false)
  await world.settle(till, till.sending(), first, [paid])
  await endSending(till.sending(), first.fence)
  assert.equal(await world.balanceOf(till.address), 8_500n * cent)
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) })
  const places = await restoreWallets(world.sql, next.rpc, { chain: till.chain.key, log })
  const unitsOf = (address: Address) => places.find((each) => each.address === address)?.units
  assert.deepEqual([unitsOf(till.address), unitsOf(treasury)], [8_500n * cent, 1_000n * cent])
  assert.deepEqual(logged, [], 'nothing is below zero')

  await using after = await openPayoutWorld(next)
  for (const { address, units } of places) await after.mint(address, units)
  const deps = till.sending({ rpc: next.rpc })
  const held = await begin(deps)
  const order = till.order(8_000n)
  await till.rail.send(order, false)
  const [done] = await after.settle(till, deps, held, [order])
  assert.equal(done?.state, 'done')
  assert.equal(await after.balanceOf(destinationOf(order)), 8_000n * cent)
})

test('a place whose sum is below zero gets nothing, and that is reported', async () => {
  await using node = await startTestChain()
  await using world = await openPayoutWorld(node)
  const till = await world.newTill({ units: 0n })
  const place = { chain: till.chain.key, address: till.address, place: 'hot' as const }
  await world.sql.begin((tx) => moveUnits(tx, [{ ...place, units: -5n * cent }]))
  const logged: Record<string, unknown>[] = []
  const write = (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>)
  const log = pino({ level: 'error' }, { write })
  const places = await restoreWallets(world.sql, node.rpc, { chain: till.chain.key, log })
  assert.deepEqual(places, [{ address: till.address, units: 0n }])
  const [line, ...more] = logged
  assert.equal(more.length, 0)
  assert.deepEqual([line?.['address'], line?.['units']], [till.address, (-5n * cent).toString()])
})

test('gas that was bought but not recorded when the chain was lost is there before anything is sent, and the books agree', async () => {
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) })
  await using lost = await startTestChain()
  const next = await startTestChain()
  let now = lost
  const node = new Proxy(lost, { get: (_, name) => Reflect.get(now, name) as unknown })
  await using coins = await openCoinWorld({ low: 10n * cent, high: 2_000n * cent }, { log, node })
  const { world, scene } = coins
  const unchecked: readonly Work[] = ['watch', 'settle', 'sweep', 'refill', 'send', 'payouts', 'book']
  const goOn = async (only?: readonly Work[], rounds = 16) => {
    for (let round = 0; round < rounds; round++) {
      await node.mine()
      await coins.work(only)
    }
  }
  await coins.pay(await scene.newPayment(10_000n), 10_000n * cent)
  await goOn(unchecked)
  const paid = await coins.withdraw(500n)
  await goOn(unchecked)
  assert.equal(await coins.statusOf(paid), 'COMPLETED')
  const before = await selectGasWallets(world.sql, scene.chain.key)
  for (const { boughtWei, spentWei, purpose } of before)
    assert.ok(boughtWei === 0n && spentWei > 0n, `no check has seen the gas that the ${purpose} wallet spent`)
  // Each wallet has something under way: a payment that is not swept, a refill, and a withdrawal.
  await coins.pay(await scene.newPayment(3_000n), 3_000n * cent)
  const [large, small] = [await coins.withdraw(1_400n), await coins.withdraw(95n)]
  await node.mine(3)
  await coins.work(unchecked)
  logged.length = 0

  now = next
  await ensureContracts(node.rpc, { deployer: richAccount, treasury: scene.chain.treasury })
  const { sql, clock, keep } = world
  const deps = { sql, clock, keep, log, chain: scene.chain, treasury: treasuryOnNewChain }
  await rebuild(deps, node.rpc, richAccount)
  await coins.work()
  await coins.rest()
  assert.deepEqual(await Promise.all([large, small].map((id) => coins.statusOf(id))), [
    'COMPLETED',
    'COMPLETED',
  ])
  assert.deepEqual(logged, [], 'nothing is short of gas')
  const { differences, gas } = await coins.compare()
  assert.deepEqual(differences, [])
  for (const { wei, onChain } of gas) assert.ok(wei === onChain && wei > 0n)
})

test('while a lost chain is not rebuilt yet, nothing is sent to the new node, and nothing is said to be short', async () => {
  await using lost = await startTestChain()
  await using next = await startTestChain()
  await using world = await openPayoutWorld(lost)
  const till = await world.newTill()
  const first = await begin(till.sending())
  const [signed, queued] = [till.order(100n), till.order(200n)]
  await till.rail.send(signed, false)
  await step(till.sending(), first)
  await till.rail.send(queued, false)
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) })
  const rpc: typeof next.rpc = {
    ...next.rpc,
    sendRawTransaction: () => assert.fail('nothing is sent'),
  }
  await step(till.sending({ rpc, log, isLost: () => Promise.resolve(true) }), first)
  assert.deepEqual(logged, [])
  assert.equal((await world.stateOf(till)).waiting, null)
})
