// The figures of how the providers of connections answer: counted beside the calls, added up by hour, bounded.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { connect } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createHttpClient } from '#/rails/http.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { openCallWatch } from './connection-health.ts'
import { selectFailing, selectHealth } from './connection-queries.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 2 }))

const limits = { connectMs: 5_000, totalMs: 5_000, maxConnections: 1 }

/** Over all hours: one may end while a test runs. */
async function sumsOf(id: string): Promise<readonly bigint[]> {
  const hours = await selectHealth(sql, id, 48)
  const sum = (of: 'calls' | 'errors') => hours.reduce((total, each) => total + each[of], 0n)
  return [sum('calls'), sum('errors')]
}

test('answers and failures of a provider are counted, and one that refuses our calls has failed too', async () => {
  const id = 'a1-health' as ConnectionId
  const watch = openCallWatch({ sql, log: silentLog })
  const provider = createServer((request, response) => {
    response.writeHead(Number(request.url?.slice(1)))
    response.end('{}')
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const client = createHttpClient({ ...limits, observe: watch.of(id) })
  for (const status of [200, 404, 422, 503, 401])
    await client.request({ method: 'GET', url: `${base}/${status}` })
  await client.close()
  await new Promise((resolve) => provider.close(resolve))
  const gone = createHttpClient({ ...limits, observe: watch.of(id) })
  await assert.rejects(gone.request({ method: 'GET', url: `${base}/200` }))
  await gone.close()

  await watch.flush()
  await watch.flush()
  assert.deepEqual(await sumsOf(id), [6n, 3n])
  const [hour] = await selectHealth(sql, id, 48)
  assert.ok(hour !== undefined && hour.longestMs <= hour.totalMs)
  assert.ok(hour.lastGoodAt !== null && hour.lastBadAt !== null)
  assert.doesNotMatch(hour.lastError ?? '', /\/200/)

  // Another process adds to the same hour, and what it counted is added when it closes.
  const other = openCallWatch({ sql, log: silentLog })
  other.of(id)({ ms: 1_000_000 })
  await other.close()
  assert.deepEqual(await sumsOf(id), [7n, 3n])
  const [later] = await selectHealth(sql, id, 1)
  assert.equal(later?.longestMs, 1_000_000n)
  await watch.close()
})

test('hours older than 30 days are deleted with the next figures', async () => {
  const id = 'a1-old' as ConnectionId
  await sql`
    insert into connection_health (connection, hour, calls, errors, total_ms, longest_ms)
    select ${id}, statement_timestamp() - day * interval '1 day', 1, 0, 5, 5 from unnest(array[29.9, 30.1, 400]) as day`
  const watch = openCallWatch({ sql, log: silentLog })
  watch.of('a1-new' as ConnectionId)({ ms: 5 })
  await watch.close()
  assert.equal((await selectHealth(sql, id, 48)).length, 1)
})

/** Calls, faults, milliseconds in all, the longest, and the last fault. Over all hours: one may end while a test runs. */
async function figuresOf(id: ConnectionId) {
  const hours = await selectHealth(sql, id, 48)
  const sum = (of: 'calls' | 'errors' | 'totalMs') => hours.reduce((total, each) => total + each[of], 0n)
  const longest = hours.map(({ longestMs }) => longestMs).toSorted((a, b) => Number(b - a))[0]
  return [sum('calls'), sum('errors'), sum('totalMs'), longest, hours[0]?.lastError]
}

test('the calls of each connection are summed up: how many, how long, and what the last fault was', async () => {
  const [id, other] = ['a1-sums', 'a1-sums-other'] as [ConnectionId, ConnectionId]
  const watch = openCallWatch({ sql, log: silentLog })
  const call = watch.of(id)
  call({ ms: 4.6 })
  call({ ms: 30, fault: 'first' })
  call({ ms: -7, fault: `no\0${'x'.repeat(300)}` })
  watch.of(other)({ ms: -1 })
  await watch.close()
  assert.deepEqual(await figuresOf(id), [3n, 2n, 35n, 30n, `no ${'x'.repeat(197)}`])
  assert.deepEqual(await figuresOf(other), [1n, 0n, 0n, 0n, null])
})

test('figures are added every ten seconds, until it is closed', async (t) => {
  const one = connect(database.appUrl, { max: 1 })
  t.after(() => one.end({ timeout: 1 }))
  t.mock.timers.enable({ apis: ['setInterval'] })
  const id = 'a1-often' as ConnectionId
  const watch = openCallWatch({ sql: one, log: silentLog })
  // One connection: this statement runs after those that were sent before.
  const calls = async () => {
    const [row] = await one<{ calls: number }[]>`
      select coalesce(sum(calls), 0)::integer as calls from connection_health where connection = ${id}`
    return row?.calls
  }
  const seen: unknown[] = []
  watch.of(id)({ ms: 1 })
  for (const ms of [9_999, 1]) {
    t.mock.timers.tick(ms)
    seen.push(await calls())
  }
  await watch.close()
  watch.of(id)({ ms: 1 })
  t.mock.timers.tick(10_000)
  seen.push(await calls())
  assert.deepEqual(seen, [0, 1, 1])
})

test('figures that cannot be added are told in the log, and nothing fails', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const ended = connect(database.appUrl, { max: 1 })
  await ended.end({ timeout: 0 })
  const watch = openCallWatch({ sql: ended, log })
  await watch.flush()
  assert.deepEqual(lines, [], 'nothing was counted')
  watch.of('a1-away' as ConnectionId)({ ms: 1 })
  await watch.close()
  assert.match(lines.join(''), /the figures of connections were not added/)
})

test('a connection fails while its last call did, by the last two hours of calls', async () => {
  const watch = openCallWatch({ sql, log: silentLog })
  for (const [id, minutes] of [
    ['a1-fails', 119],
    ['a1-failed', 121],
  ] as const) {
    watch.of(id as ConnectionId)({ ms: 1, fault: 'HTTP 503' })
    await watch.flush()
    await sql`
      update connection_health set hour = statement_timestamp() - ${minutes}::int * interval '1 minute'
       where connection = ${id}`
  }
  await watch.close()
  const failing = (await selectFailing(sql, 100)).map(({ connection }) => connection)
  assert.deepEqual(
    failing.filter((id) => id.startsWith('a1-fail')),
    ['a1-fails'],
  )
})
