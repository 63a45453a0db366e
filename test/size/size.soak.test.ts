// Every query on tables of a million rows: it examines at most ten rows for each that it returns, plus a hundred.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import { count } from '../counts.ts'
import { testDatabase, type TestDatabase } from '../postgres.ts'
import { explaining, type Explained } from './explain.ts'
import { fillTables } from './fill.ts'
import { registry } from './known.ts'
import { createWorld, type Call, type Entry } from './registry.ts'

/** Fewer rows already show a query that reads a whole table. */
const size = count({ quick: 10_000, soak: 1_000_000 })

describe('on big tables', () => {
  let database: TestDatabase
  let owner: Sql
  before(async () => {
    database = await testDatabase()
    owner = connect(database.ownerUrl, { max: 2, transactionSeconds: 0 })
    await fillTables(owner, size)
  })
  after(async () => {
    await owner.end()
    await database[Symbol.asyncDispose]()
  })

  for (const [file, functions] of Object.entries(registry)) {
    test(`${file} examines about as many rows as it returns`, async () => {
      const faults: string[] = []
      for (const [name, entry] of Object.entries(functions)) {
        for (const [nth, { call, atMost }] of waysOf(entry).entries()) {
          const which = `${name} (${nth + 1})`
          for (const each of await explain(owner, call, which)) {
            if (each.examined <= Math.max(atMost, 10 * each.returned + 100)) continue
            const scans = each.scans.join(', ')
            faults.push(
              `${which} examines ${each.examined} rows for ${each.returned}: ${scans}; ${each.text.slice(0, 160)}`,
            )
          }
        }
      }
      assert.deepEqual(faults, [])
    })
  }
})

/** The statements of one call, in a transaction that is rolled back. */
async function explain(owner: Sql, call: Call, which: string): Promise<readonly Explained[]> {
  const explained: Explained[] = []
  const done = new Error('rolled back')
  await owner
    .begin(async (tx) => {
      const handle: Tx = tx
      await call(createWorld({ sql: explaining(handle, explained), raw: handle as Sql }, size))
      throw done
    })
    .catch((error: unknown) => {
      if (error !== done) throw new Error(`${which}: ${String(error)}`, { cause: error })
    })
  assert.notEqual(explained.length, 0, `${which} ran no statement`)
  return explained
}

function waysOf(entry: Entry): readonly { readonly call: Call; readonly atMost: number }[] {
  if (typeof entry === 'function') return [{ call: entry, atMost: 0 }]
  if ('why' in entry) return (entry.calls ?? []).map((call) => ({ call, atMost: entry.atMost ?? 0 }))
  return entry.flatMap(waysOf)
}
