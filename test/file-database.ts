// The database of one test file.
import { after, before } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { testDatabase, type TestDatabase } from './postgres.ts'
import { share } from './share-in-process.ts'

/** Makes a migrated, empty database for the tests of a file, and gives them its owner's connections. Call it at the top of the file. */
export function fileDatabase(give: (sql: Sql, place: TestDatabase) => unknown, max = 2): void {
  let opened: Opened | undefined
  before(async () => {
    opened = await open(max)
    await give(opened.sql, opened.database)
  })
  after(() => opened?.[Symbol.asyncDispose]())
}

/** The same for tests that work on rows of their own alone (bare-rows.ts): the files of a process share it, and it stays empty. */
export function rowsDatabase(give: (sql: Sql) => void): void {
  before(async () => {
    const { sql } = await share('an empty database', () => open(2))
    give(sql)
  })
}

type Opened = AsyncDisposable & { readonly sql: Sql; readonly database: TestDatabase }

async function open(max: number): Promise<Opened> {
  const database = await testDatabase()
  const sql = connect(database.ownerUrl, { max })
  return {
    sql,
    database,
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 1 })
      await database[Symbol.asyncDispose]()
    },
  }
}
