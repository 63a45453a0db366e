// The figures of how the providers of connections answer: counted beside the calls, added up by hour, bounded.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { connect, type Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createHttpClient } from '#/rails/http.ts'
import { openCallWatch } from './connection-health.ts'
import { selectHealth } from './connection-health-queries.ts'

let database: TestDatabase
let sql: Sql
before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 2 })
})
after(async () => {
  await sql.end({ timeout: 5 })
  await database[Symbol.asyncDispose]()
})

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
    select ${id}, statement_timestamp() - day * interval '1 day', 1, 0, 5, 5 from unnest(array[29, 31, 400]) as day`
  const watch = openCallWatch({ sql, log: silentLog })
  watch.of('a1-new' as ConnectionId)({ ms: 5 })
  await watch.close()
  assert.equal((await selectHealth(sql, id, 48)).length, 1)
})
