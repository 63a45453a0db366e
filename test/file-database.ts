// The database of one test file.
import { after, before } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { testDatabase, type TestDatabase } from './postgres.ts'

/** Makes a migrated, empty database for the tests of a file, and gives them its owner's connections. Call it at the top of the file. */
export function fileDatabase(give: (sql: Sql, place: TestDatabase) => unknown, max = 2): void {
  let end = async () => {}
  before(async () => {
    const database = await testDatabase()
    const sql = connect(database.ownerUrl, { max })
    end = async () => {
      await sql.end({ timeout: 1 })
      await database[Symbol.asyncDispose]()
    }
    await give(sql, database)
  })
  after(() => end())
}
