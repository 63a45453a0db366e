// What the doctor says of PgBouncer in transaction mode: 1.18 keeps no prepared statements, 1.24 does.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { databaseFindings } from '../../src/cli/doctor-database.ts'
import { openPlace, root } from '../journeys/place.ts'
import { startPooler } from './pgbouncer.ts'
import { ownedFolder, serverUser, startSingleServer } from './single-server.ts'

test('the doctor finds a pooler that loses prepared statements; single commands work behind it with ?prepare=false', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-pooler-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const user = serverUser()
  const server = stack.use(await startSingleServer(ownedFolder(folder, 'data', user), user))
  const pooler = stack.use(await startPooler('1.18', folder, user, server.port))
  const urlOf = (url: string) => `${pooler.through(url)}?prepare=false`
  const place = await openPlace({ folder, adminUrl: server.adminUrl, urlOf }, stack)
  const migrated = await place.run(root, 'migrate')
  assert.equal(migrated.code, 0, migrated.output)

  const extent = { processes: 4, workers: 1, cells: 1, pool: 10 }
  const about = async (url: string, id: string) =>
    (await databaseFindings(url, extent)).find((each) => each.id === id)
  const direct = await about(place.databases.DATABASE_URL, 'database.pooler')
  assert.deepEqual([direct?.status, direct?.what], ['ok', 'There is no pooler in transaction mode.'])
  const named = await about(pooler.through(place.databases.DATABASE_URL), 'database.pooler')
  assert.equal(named?.status, 'failed')
  assert.match(named.what, /prepared statement .* does not exist/)
  const unnamed = await about(urlOf(place.databases.DATABASE_URL), 'database.pooler')
  assert.deepEqual([unnamed?.status, unnamed?.what], ['ok', 'There is a pooler in transaction mode.'])
  const version = await about(urlOf(place.databases.DATABASE_URL), 'database.version')
  assert.equal(version?.status, 'warning', 'it is PostgreSQL 15')
})

test('the doctor accepts a pooler that keeps prepared statements', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-pooler-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const user = serverUser()
  const server = stack.use(await startSingleServer(ownedFolder(folder, 'data', user), user))
  const pooler = stack.use(await startPooler('1.24', folder, user, server.port))
  const place = await openPlace({ folder, adminUrl: server.adminUrl, urlOf: pooler.through }, stack)
  const migrated = await place.run(root, 'migrate')
  assert.equal(migrated.code, 0, migrated.output)
  const through = pooler.through(place.databases.DATABASE_URL)
  const found = await databaseFindings(through, { processes: 4, workers: 1, cells: 1, pool: 10 })
  const pooled = found.find(({ id }) => id === 'database.pooler')
  assert.deepEqual([pooled?.status, pooled?.what], ['ok', 'There is a pooler in transaction mode.'])
})
