// A synchronous standby: a commit that is not on the standby is not acknowledged, also when the wait of the commit is cancelled or the
// primary restarts while the standby is away. So a failover to the standby loses nothing that was acknowledged, and what it does lose is
// made anew when its caller sends it again.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { AppError } from '#/kernel/error.ts'
import type { Payment } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { eventually } from '../eventually.ts'
import { cent, openLine, type Line } from '../line.ts'
import { sumsOfAccounts } from '../sums-of-accounts.ts'
import { startPostgresPair, type PairServer } from './postgres-pair.ts'

test('nothing that was acknowledged is missing on the standby, whatever cuts the wait for it', async (t) => {
  await using pair = await startPostgresPair()
  const [first, second] = pair.servers
  const say = async (what: string) => t.diagnostic(`${what}: ${await pair.stateOf(first)}`)
  await say('both run')
  const only = [first]
  const line = await openLine({
    appUrl: pair.urlOf('vintem_app', only),
    ownerUrl: pair.urlOf('vintem_owner', only),
  })
  const paid = await payAll(line, await line.create({}, 'paid'))
  const later = await line.create({}, 'later')
  await deposit(line, later)
  const signals = line.drainSignals()

  await second.stop('fast')
  await say('the standby is stopped')
  await refused(t, 'a creation', line.create({}, 'waits'))
  assert.equal(await paymentsWith(line.sql, 'waits'), 0, 'no other reader sees it')
  await refused(t, 'the same creation', line.create({}, 'waits'))

  const cut = refused(t, 'a creation whose wait is cancelled', line.create({}, 'cut'))
  await eventually('both commits wait', async () => (await waitingCommits(first)) >= 2)
  await cancelWaits(first)
  await cut
  assert.equal(await paymentsWith(line.sql, 'waits'), 1, 'it is visible here')
  assert.equal(await paymentsWith(line.sql, 'cut'), 1, 'it is visible here')
  await refused(t, 'its replay', line.create({}, 'cut'))
  await refused(t, 'a settlement', line.settle(signals))

  await first.stop('fast')
  await first.start()
  await say('the primary has restarted')
  await refused(t, 'a replay after the restart', line.create({}, 'cut'))

  await second.start()
  await eventually('the standby follows', async () => (await pair.stateOf(first)).includes('streaming sync'))
  await say('the standby is back')
  const acknowledged = [paid.id, later.id]
  for (const key of ['waits', 'cut']) acknowledged.push((await again(() => line.create({}, key))).id)
  await again(() => line.settle(signals))
  assert.equal((await line.payment(later.id)).status, 'PAID')
  const { faults } = await line.verify()
  assert.deepEqual(faults, [])

  await first.stop('kill')
  await second.promote()
  t.diagnostic(`the standby is promoted: ${await pair.stateOf(second)}`)
  const sql = connect(pair.urlOf('vintem_app', [second]), { max: 2 })
  const found = await selectPayments(
    sql,
    acknowledged.map((paymentId) => ({ merchantId: line.merchant.id, paymentId })),
  )
  await sql.end({ timeout: 0 })
  assert.deepEqual(
    new Map(found.map(({ id, status }) => [id, status])),
    new Map([
      [paid.id, 'PAID'],
      [later.id, 'PAID'],
      ...acknowledged.slice(2).map((id) => [id, 'WAITING_PAYMENT'] as const),
    ]),
  )
})

test('a standby that is promoted lacks what only the old primary had, and a replay makes that anew, once', async (t) => {
  await using pair = await startPostgresPair()
  const [first, second] = pair.servers
  const say = async (what: string, at = first) => t.diagnostic(`${what}: ${await pair.stateOf(at)}`)
  await say('both run')
  // With both servers, as processes have them: the same lanes go on at the promoted one.
  await using line = await openLine({
    appUrl: pair.urlOf('vintem_app'),
    ownerUrl: pair.urlOf('vintem_owner'),
  })
  const paid = await payAll(line, await line.create({}, 'paid'))
  const later = await line.create({}, 'later')
  await deposit(line, later)
  const signals = line.drainSignals()

  await second.stop('fast')
  await say('the standby is stopped')
  const cut = [
    refused(t, 'a creation whose wait is cancelled', line.create({}, 'cut')),
    refused(t, 'a settlement whose wait is cancelled', line.settle(signals)),
  ]
  await eventually('both commits wait', async () => (await waitingCommits(first)) >= 2)
  await cancelWaits(first)
  await Promise.all(cut)
  const [lost] = await idsAt(first, 'cut')
  assert.notEqual(lost, undefined, 'it is visible here')
  assert.equal(await statusAt(first, later), 'PAID', 'it is visible here')

  await first.stop('fast')
  await first.start()
  await say('the primary has restarted')
  await refused(t, 'a replay after the restart', line.create({}, 'cut'))
  await refused(t, 'a settlement after the restart', line.settle(signals))

  await first.stop('kill')
  await second.start()
  await say('the primary is gone, and the standby runs', second)
  await second.promote()
  await say('the standby is promoted', second)
  assert.deepEqual(await idsAt(second, 'cut'), [], 'nobody was told of it')
  assert.equal(await statusAt(second, paid), 'PAID')
  assert.equal(await statusAt(second, later), 'WAITING_PAYMENT')

  await first.follow(second)
  await pair.setSynchronous(second, '*')
  await eventually('the standby follows', async () => (await pair.stateOf(second)).includes('streaming sync'))
  await say('the old primary is the standby', second)
  const anew = await again(() => line.create({}, 'cut'))
  assert.notEqual(anew.id, lost)
  assert.equal((await again(() => line.create({}, 'cut'))).id, anew.id)
  for (let time = 1; time <= 2; time++) await again(() => line.settle(signals))
  const sum = await sumsOfAccounts(line.sql)
  assert.equal(sum(/:available$/), 2_000n, 'both deposits are credited once')
  const { faults } = await line.verify()
  assert.deepEqual(faults, [])
  for (const server of [second, first]) {
    await say('what was acknowledged is there', server)
    assert.deepEqual(await idsAt(server, 'cut'), [anew.id])
    for (const each of [paid, later]) assert.equal(await statusAt(server, each), 'PAID')
  }
})

/** Pays the payment in one final block. */
async function deposit(line: Line, payment: Payment): Promise<void> {
  await line.mine([{ to: await line.addressOf(payment), units: 1_000n * cent }])
  await line.finalize()
}

async function payAll(line: Line, payment: Payment): Promise<Payment> {
  await deposit(line, payment)
  await line.settleAll()
  const now = await line.payment(payment.id)
  assert.equal(now.status, 'PAID')
  return now
}

/** The call is not acknowledged: the answer only says that the caller may send it again. */
async function refused(t: TestContext, what: string, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => assert.fail(`${what} was acknowledged`),
    (failure: unknown) => failure,
  )
  t.diagnostic(`${what} is refused: ${String(error)}`)
  assert.ok(
    (error instanceof AppError && error.code === 'unavailable') || classify(error) === 'lost',
    `${what}: ${String(error)}`,
  )
}

/** The same call again, as its caller sends it, until it is answered. */
function again<Value>(work: () => Promise<Value>): Promise<Value> {
  return eventually('it is answered', () => work().catch(() => undefined), 120_000)
}

async function paymentsWith(sql: Sql, key: string): Promise<number> {
  return (await idsWith(sql, key)).length
}

async function idsWith(sql: Sql, key: string): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`select id from payment where idempotency_key = ${key}`
  return rows.map(({ id }) => id)
}

/** The ids of the payments that this server alone has with the key. */
function idsAt(server: PairServer, key: string): Promise<readonly string[]> {
  return server.ask((sql) => idsWith(sql, key), 'vintem')
}

/** The payment's status on this server alone. */
function statusAt(server: PairServer, { id }: Payment): Promise<string | undefined> {
  return server.ask(async (sql) => {
    const [row] = await sql<{ status: string }[]>`select status from payment where id = ${id}`
    return row?.status
  }, 'vintem')
}

/** Backends whose commit waits for the standby. */
const waiting = `from pg_stat_activity where wait_event = 'SyncRep' and backend_type = 'client backend'`

async function waitingCommits(server: PairServer): Promise<number> {
  const [row] = await server.ask((sql) =>
    sql.unsafe<{ count: number }[]>(`select count(*)::int as count ${waiting}`),
  )
  return row?.count ?? 0
}

async function cancelWaits(server: PairServer): Promise<void> {
  await server.ask((sql) => sql.unsafe(`select pg_cancel_backend(pid) ${waiting}`))
}
