// What the doctor says of PgBouncer in transaction mode: 1.18 keeps no prepared statements, 1.24 does.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartError } from '#/db/failure.ts'
import { databaseFindings } from '../../src/cli/doctor-database.ts'
import { connect } from '../../src/db/client.ts'
import { confirmSessionAt } from '../../src/db/session.ts'
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

for (const version of ['1.18', '1.24'] as const)
  test(`behind PgBouncer ${version} what is set with each connection holds, and what a role may have set is refused`, async () => {
    await using stack = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'vintem-pooler-'))
    stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
    const user = serverUser()
    const server = stack.use(await startSingleServer(ownedFolder(folder, 'data', user), user))
    const pooler = stack.use(await startPooler(version, folder, user, server.port))
    const through = (url: string) => `${pooler.through(url)}${version === '1.18' ? '?prepare=false' : ''}`
    const place = await openPlace({ folder, adminUrl: server.adminUrl, urlOf: through }, stack)
    const migrated = await place.run(root, 'migrate')
    assert.equal(migrated.code, 0, migrated.output)
    const url = through(place.databases.DATABASE_URL)
    const role = new URL(url).username
    const admin = connect(server.adminUrl, { max: 1 })
    stack.defer(() => admin.end({ timeout: 5 }))
    const sql = connect(url, { max: 20 })
    stack.defer(() => sql.end({ timeout: 5 }))
    // A foreign client leaves its own settings on the connections that are shared.
    const foreign = connect(url, { max: 20 })
    const strange = () => foreign`set datestyle = 'German'; set timezone = 'Asia/Tokyo'`.simple()
    const read = async () => {
      const [row] = await sql<{ text: string; at: Date }[]>`
        select '2026-02-03T04:05:06Z'::timestamptz::text as text, '2026-02-03T04:05:06Z'::timestamptz as at`
      assert.deepEqual(
        [row?.text, row?.at.toISOString()],
        ['2026-02-03 04:05:06+00', '2026-02-03T04:05:06.000Z'],
      )
    }
    await Promise.all(Array.from({ length: 200 }, (_, each) => (each % 4 === 0 ? strange() : read())))
    await foreign.end({ timeout: 5 })
    await Promise.all(Array.from({ length: 50 }, read))
    await confirmSessionAt(url)
    for (const [setting, value] of [
      ['datestyle', 'German'],
      ['bytea_output', 'escape'],
      ['default_transaction_isolation', 'serializable'],
      ['search_path', 'nowhere'],
    ] as const) {
      await admin.unsafe(`alter role ${role} set ${setting} = '${value}'`)
      // The pooler keeps connections that were made before.
      await admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${role}`
      if (setting === 'datestyle') {
        await confirmSessionAt(url)
        await read()
      } else
        await assert.rejects(confirmSessionAt(url), (error) => {
          assert.ok(error instanceof StartError, String(error))
          assert.match(error.message, new RegExp(setting))
          return true
        })
      await admin.unsafe(`alter role ${role} reset all`)
      await admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${role}`
    }
    await confirmSessionAt(url)
  })
