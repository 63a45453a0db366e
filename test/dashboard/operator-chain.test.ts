// What operators do on a chain in the console, on a real one: requested over HTTP, carried out by a worker, and seen on the chain.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import { silentLog } from '#/kernel/log.ts'
import { createKinds, type JobDeps } from '#/operator-jobs/run-kinds.ts'
import { createJobWorker } from '#/operator-jobs/worker.ts'
import { balancesOf } from '#/treasury/compare.ts'
import { balanceAt } from '#/treasury/gas.ts'
import { eventually } from '../eventually.ts'
import { cent, newAddress, openCoinWorld, type CoinWorld } from '../laws/coins-world.ts'
import { auditOf, dataOf, ok, openOperators, refused, type Row } from './operator-world.ts'
import { shownBy } from './shown.ts'
import type { DashboardWorld, Person } from './world.ts'

let coins: CoinWorld
let dashboard: DashboardWorld
let ana: Person
let bea: Person
before(async () => {
  coins = await openCoinWorld({ low: 0n, high: 1n })
  const { sql, lane, clock } = coins.world
  const nodes = () => [{ chain: coins.scene.chain, rpc: coins.node.rpc }]
  const shows = shownBy['operator-chain.test.ts']
  ;({ dashboard, ana, bea } = await openOperators({ over: { sql, lane, clock }, nodes, shows }))
})
after(async () => {
  await dashboard.close()
  await coins[Symbol.asyncDispose]()
})

const byAna = () => ['USER', ana.userId] as const
const tokensOf = async (...places: Parameters<typeof balancesOf>[3]) => {
  const token = mainToken(coins.scene.chain).address
  return (await balancesOf(coins.node.rpc, token, 'latest', places)).map(({ raw }) => raw)
}

/** Carries out what was requested, as a worker that is connected to the chain does. */
async function runJobs(): Promise<void> {
  const { world, scene, node } = coins
  const missing = (): never => assert.fail('no job of a chain asks a provider')
  const deps: JobDeps = {
    sql: world.sql,
    openSql: missing,
    clock: world.clock,
    log: silentLog,
    cell: 'a1',
    auditKey: Buffer.alloc(32),
    rails: new Map(),
    payoutRails: new Map(),
    connections: { of: () => [], find: () => undefined, all: () => [], refresh: () => Promise.resolve() },
    probeOf: missing,
    register: missing,
    chains: () => [{ chain: scene.chain, rpc: node.rpc, hasWallets: true }],
    sweepUnitsMin: 0n,
    onQueued: () => {},
    importFile: missing,
  }
  const worker = createJobWorker({ sql: world.sql, log: silentLog, kinds: createKinds(deps) })
  assert.equal(await worker.once(), 1)
}

/** Requests a job in the console, has it carried out, and returns what it says there. */
async function run(kind: string, args: Row): Promise<Row> {
  const job = await ok(ana, 'POST', 'jobs', { kind, arguments: args, reason: 'the month ends' }, 202)
  assert.equal(job['status'], 'QUEUED')
  await runJobs()
  const done = await ok(ana, 'GET', `jobs/${String(job['id'])}`)
  assert.equal(done['status'], 'DONE', JSON.stringify(done))
  assert.deepEqual(await auditOf(bea, `operator-job:${String(job['id'])}`), [
    ['job.request', ...byAna(), 'the month ends'],
  ])
  return done['result'] as Row
}

test('sweep: what a payer sent to a deposit address lies at the treasury after the job', async () => {
  const { scene, keys } = coins
  const payment = await scene.newPayment(100n)
  await coins.pay(payment, 100n * cent)
  await coins.node.mine(4)
  await coins.work(['watch', 'settle'])
  const treasury = keys.treasury.address
  const [before = 0n] = await tokensOf(treasury)
  const result = await run('sweep', { chain: scene.chain.key })
  assert.deepEqual(result, { chain: scene.chain.key, addresses: 1, waiting: [] })
  await coins.rest()
  assert.deepEqual(await tokensOf(treasury, payment.address), [before + 100n * cent, 0n])
  assert.deepEqual((await coins.compare()).differences, [])
})

test('rescue: native coin at a deposit address comes to the treasury, with the person in the log', async () => {
  const { node, scene, keys } = coins
  const payment = await scene.newPayment(100n)
  await node.rpc.call('anvil_setBalance', [payment.address, '0x64'])
  const before = await balanceAt(node.rpc, keys.treasury.address, 'latest')
  const args = { chain: scene.chain.key, address: payment.address, token: 'native' }
  const { id } = await run('rescue', args)
  await coins.rest()
  assert.equal((await balanceAt(node.rpc, keys.treasury.address, 'latest')) - before, 100n)
  assert.equal(await balanceAt(node.rpc, payment.address, 'latest'), 0n)
  assert.deepEqual(await auditOf(bea, `rescue:${String(id)}`), [['rescue.make', ...byAna(), null]])
})

test('coins that nothing explains get an owner by two people, and are credited once', async () => {
  const { scene, keys, world } = coins
  await coins.send(keys.treasury.address, 77n * cent)
  await coins.rest()
  const list = () => ok(bea, 'GET', `found-coins?chain=${scene.chain.key}`)
  const found = dataOf(await list()).find((row) => row['units'] === String(77n * cent))
  assert.ok(found !== undefined, 'the coins are listed')
  const path = `found-coins/${String(found['id'])}`
  const owner = { merchantId: scene.merchantId, reason: 'the payer wrote' }
  assert.deepEqual(await refused(bea, `${path}/confirm`, {}), [404, 'not_found'])
  await ok(ana, 'POST', `${path}/propose`, owner, 204)
  const proposed = dataOf(await list()).find((row) => row['id'] === found['id'])
  const { merchantId, note, isOwn } = (proposed ?? assert.fail('it is listed'))['proposal'] as Row
  assert.deepEqual([merchantId, note, isOwn], [scene.merchantId, 'the payer wrote', false])
  assert.deepEqual(await refused(ana, `${path}/confirm`, {}), [403, 'forbidden'])

  const balance = async () => {
    const [row] = await world.sql<{ minor: bigint }[]>`
      select coalesce(sum(balance.minor), 0)::bigint as minor
        from account join balance on balance.account_id = account.id
        join wallet on account.name = 'wallet:' || wallet.id || ':available'
       where wallet.merchant_id = ${scene.merchantId}`
    return row?.minor ?? 0n
  }
  const before = await balance()
  const credited = await ok(bea, 'POST', `${path}/confirm`, {})
  assert.deepEqual([credited['merchantId'], credited['amount']], [scene.merchantId, 77])
  assert.equal((await balance()) - before, 77n)
  const again = await bea.ask('POST', `/api/operator/${path}/confirm`, {})
  assert.ok(again.status >= 400, again.text)
  assert.equal((await balance()) - before, 77n)
  assert.deepEqual(await auditOf(ana, `coin-move:${String(found['id'])}`), [
    ['rescue.propose', ...byAna(), 'the payer wrote'],
    ['rescue.confirm', 'USER', bea.userId, null],
  ])
})

test('gas, a transaction without an end and a failed collection are listed with their wallet, nonce and reason', async () => {
  const { world, scene, wallets, keys } = coins
  const { sql } = world
  const forecasts = dataOf(await ok(bea, 'GET', 'gas'))
  assert.deepEqual(
    forecasts.map((row) => row['chain']),
    [scene.chain.key],
  )
  const addresses = forecasts.flatMap((row) => row['wallets'] as readonly Row[]).map(({ address }) => address)
  assert.ok(addresses.includes(wallets.hot) && addresses.includes(keys.treasury.address))

  const id = await coins.withdraw(30n)
  await coins.work(['payouts'])
  await sql`update chain_tx set created_at = created_at - interval '11 minutes' where subject = ${id}`
  const hanging = await eventually('it has a nonce', async () => {
    await coins.work(['refill', 'send'])
    await coins.node.mine(1)
    return dataOf(await ok(bea, 'GET', 'hanging-transactions')).find((row) => row['subject'] === id)
  })
  assert.deepEqual([hanging?.['wallet'], hanging?.['isTaken']], [wallets.hot, false])
  await coins.rest()
  assert.equal(await coins.statusOf(id), 'COMPLETED')

  const address = newAddress()
  const bytes = Buffer.from(address.slice(2), 'hex')
  await sql`
    insert into sweep (chain, address, fails, reason, due_at)
    values (${scene.chain.key}, ${bytes}, 2, 'reverted', clock_timestamp() + interval '1 minute')`
  const failed = dataOf(await ok(bea, 'GET', `sweeps?chain=${scene.chain.key}`))
  assert.deepEqual(
    failed.map((row) => [row['address'], row['fails'], row['reason']]),
    [[address, 2, 'reverted']],
  )
  await sql`delete from sweep where chain = ${scene.chain.key} and address = ${bytes}`
})

test('a withdrawal on the chain says what keeps it, and is stopped: nobody is paid, the money is in the wallet again', async () => {
  const id = await coins.withdraw(50n)
  await coins.work(['payouts'])
  const shown = await ok(bea, 'GET', `withdrawals/${id}`)
  assert.deepEqual([shown['cause'], shown['acts']], ['queued', ['stop']])
  const { sql } = coins.world
  const waits = (why: string | null) => sql`update hot_wallet set waiting = ${why} where purpose = 'hot'`
  await waits('the signer does not answer')
  const waiting = await ok(bea, 'GET', `withdrawals/${id}`)
  assert.deepEqual([waiting['cause'], waiting['detail']], ['wallet_waits', 'the signer does not answer'])
  await waits(null)
  const reason = { reason: 'a stolen account' }
  await ok(ana, 'POST', `payouts/${id}/stop`, reason, 204)
  assert.deepEqual(await refused(ana, `payouts/${id}/stop`, reason), [409, 'invalid_state'])
  await coins.rest()
  assert.equal(await coins.statusOf(id), 'FAILED')
  assert.equal((await coins.paidOf(id)).paid, 0n)
  assert.deepEqual(await auditOf(bea, `payout:${id}`), [['withdrawal.stop', ...byAna(), 'a stolen account']])
})

test('a stopped wallet is lifted by who repeats why, and goes on from the nonce of the chain', async () => {
  const { world, scene, wallets, node } = coins
  const address = wallets.hot
  const stopped = 'a foreign transaction used nonce 7'
  await world.sql`update hot_wallet set stopped = ${stopped} where chain = ${scene.chain.key} and purpose = 'hot'`
  const id = await coins.withdraw(40n)
  await coins.work(['payouts'])
  const shown = await ok(bea, 'GET', `withdrawals/${id}`)
  assert.deepEqual([shown['cause'], shown['detail']], ['wallet_stopped', stopped])
  const lift = { chain: scene.chain.key, address, reason: 'its key is ours alone' }
  assert.deepEqual(await refused(ana, 'hot-wallets/lift', { ...lift, stopped: 'whatever' }), [
    409,
    'invalid_state',
  ])
  const nonces = await node.rpc.call('eth_getTransactionCount', [address, 'pending'])
  const lifted = await ok(ana, 'POST', 'hot-wallets/lift', { ...lift, stopped })
  assert.equal(lifted['nextNonce'], BigInt(String(nonces)).toString())
  const other = { ...lift, address: newAddress(), stopped }
  assert.deepEqual(await refused(ana, 'hot-wallets/lift', other), [409, 'invalid_state'])
  const wallet = dataOf(await ok(bea, 'GET', 'hot-wallets')).find((row) => row['address'] === address)
  assert.equal(wallet?.['stopped'], undefined)
  assert.deepEqual(await auditOf(bea, `coin-wallet:${scene.chain.key}/${address}`), [
    ['coins.lift', ...byAna(), 'its key is ours alone'],
  ])
})
