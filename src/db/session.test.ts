// What a role may have set does not break us: it is set with each connection, or refused in one sentence before anything is done.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { onKeptConnection } from '../../test/kept-connection.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { connect, type Sql } from './client.ts'
import { StartError } from './failure.ts'
import { migrate } from './migrate.ts'
import { confirmSessionAt } from './session.ts'

let database: TestDatabase
/** A role of this test alone: others use the application's at the same time. */
const role = `session_${randomBytes(6).toString('hex')}`
let url: string

before(async () => {
  database = await testDatabase()
  await asAdmin((sql) => sql.unsafe(`create role ${role} login password 'x'`))
  await asAdmin((sql) => sql.unsafe(`grant vintem_app to ${role}`)).catch(() => {})
  const named = new URL(database.appUrl)
  named.username = role
  named.password = 'x'
  url = named.href
})
after(async () => {
  await asAdmin((sql) => sql.unsafe(`drop role ${role}`))
  await database[Symbol.asyncDispose]()
})

function asAdmin<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
  return onKeptConnection(process.env['VINTEM_TEST_DATABASE'] ?? database.ownerUrl, work)
}

async function withSetting(setting: string, value: string, work: () => Promise<void>): Promise<void> {
  await asAdmin((sql) => sql.unsafe(`alter role ${role} set ${setting} = ${value}`))
  try {
    await work()
  } finally {
    await asAdmin((sql) => sql.unsafe(`alter role ${role} reset all`))
  }
}

test('a form of dates that the role has is not ours', async () => {
  await withSetting('datestyle', `'German'`, async () => {
    await confirmSessionAt(url)
    const sql = connect(url, { max: 1 })
    const [row] = await sql<{ at: Date }[]>`select '2026-02-03T04:05:06Z'::timestamptz as at`
    await sql.end({ timeout: 5 })
    assert.equal(row?.at.toISOString(), '2026-02-03T04:05:06.000Z')
  })
})

for (const [setting, value, says] of [
  ['bytea_output', 'escape', /^bytea_output is escape for the role session_\w+, and must be hex\.$/],
  ['default_transaction_isolation', 'serializable', /^default_transaction_isolation is serializable for/],
  ['standard_conforming_strings', 'off', /^standard_conforming_strings is off/],
  [
    'search_path',
    'nowhere',
    /^The search_path of the role session_\w+ is nowhere, and the tables are in the schema public\.$/,
  ],
] as const)
  test(`${setting} of the role is refused with what to do about it`, () =>
    withSetting(setting, value, () =>
      assert.rejects(confirmSessionAt(url), (error) => {
        assert.ok(error instanceof StartError && error.remedy.startsWith(`alter role "${role}"`))
        assert.match(error.message, says)
        return true
      }),
    ))

test('a search path that the URL names is meant', async () => {
  const named = new URL(url)
  named.searchParams.set('search_path', 'pg_catalog')
  await withSetting('search_path', 'nowhere', () => confirmSessionAt(named.href))
})

for (const encoding of ['LATIN1', 'SQL_ASCII'])
  test(`a database in ${encoding} is refused by migrate before it has a table`, async () => {
    const name = `encoded_${randomBytes(6).toString('hex')}`
    await asAdmin((sql) =>
      sql.unsafe(
        `create database ${name} encoding '${encoding}' locale_provider libc lc_collate 'C' lc_ctype 'C' template template0`,
      ),
    )
    try {
      const at = new URL(process.env['VINTEM_TEST_DATABASE'] ?? database.ownerUrl)
      at.pathname = `/${name}`
      await assert.rejects(migrate(at.href, {}), {
        name: 'StartError',
        message: `The database has the encoding ${encoding}, which cannot hold the names of payers.`,
      })
      const sql = connect(at.href, { max: 1 })
      const [row] = await sql<{ tables: number }[]>`
        select count(*)::integer as tables from pg_class where relname = 'migrator'`
      await sql.end({ timeout: 5 })
      assert.equal(row?.tables, 0)
    } finally {
      await asAdmin((sql) => sql.unsafe(`drop database ${name} with (force)`))
    }
  })
