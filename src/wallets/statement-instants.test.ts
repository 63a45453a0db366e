// A report up to now waits for the batch that is being written, by the turn: a batch that has not got the turn will have a later instant.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type Sql } from '#/db/client.ts'
import { systemClock } from '#/kernel/time.ts'
import { ensureHead } from '#/ledger/head.ts'
import { lockHead } from '#/ledger/queries.ts'
import { eventually } from '../../test/eventually.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { selectClock } from './statement-queries.ts'
import { settledAfter } from './statement.ts'

let database: TestDatabase
let sql: Sql
/** For what holds locks: a busy machine may take long until they are released. */
let patient: Sql
before(async () => {
  database = await testDatabase()
  sql = connect(database.appUrl, { max: 6 })
  patient = connect(database.appUrl, { max: 2, transactionSeconds: 60 })
  await ensureHead(sql, 'a1', systemClock)
  // The head begins at the present instant; a report of now is later.
  await wait(5)
})
after(async () => {
  await Promise.all([sql, patient].map((each) => each.end({ timeout: 1 })))
  await database[Symbol.asyncDispose]()
})

/** A transaction that holds what `take` locks, until it is released. */
async function holding(take: string) {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = patient.begin(async (tx) => {
    await tx.unsafe(take)
    held.resolve()
    await release.promise
  })
  await held.promise
  const end = async () => {
    release.resolve()
    await transaction
  }
  return { end, [Symbol.asyncDispose]: end }
}

/** Whether somebody waits for a lock of a row in this database. */
async function isWaitedFor(): Promise<boolean> {
  const rows = await sql`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%turn for%'`
  return rows.length > 0
}

async function reportOfNow() {
  const { now } = await selectClock(sql)
  const report = { isReady: false, settled: Promise.resolve<Date | undefined>(undefined) }
  report.settled = settledAfter(sql, now).then((at) => {
    report.isReady = true
    return at
  })
  return { now, report }
}

test('while a batch has the turn, a report of now waits; it is ready when the batch has ended', async () => {
  await using batch = await holding('select from turn for update')
  const { now, report } = await reportOfNow()
  await eventually(
    'the report waits for the turn, or it is ready',
    async () => report.isReady || isWaitedFor(),
  )
  assert.equal(report.isReady, false)
  await batch.end()
  const settled = await report.settled
  assert.ok(settled !== undefined && settled > now)
})

test('whoever holds the head alone is no batch that may get an earlier instant: a report of now does not wait', async () => {
  await using other = await holding('select from head for update')
  const { now, report } = await reportOfNow()
  // The head is held until the report is ready.
  const settled = await Promise.race([report.settled, wait(20_000, 'it waits for the head' as const)])
  await other.end()
  assert.ok(settled instanceof Date && settled > now, String(settled))
})

test('a batch that began before a report and waits for the turn has a later instant than the report', async () => {
  for (let round = 0; round < 3; round += 1) {
    await using earlier = await holding('select from turn for update')
    // It would have an instant within the report if it read the clock before it has the turn.
    const late = sql.begin((tx) => lockHead(tx, 'a1'))
    await wait(50)
    const { now, report } = await reportOfNow()
    // Instants have milliseconds: the next one begins before the turn is free.
    await wait(5)
    await earlier.end()
    const [settled, head] = await Promise.all([report.settled, late])
    assert.ok(settled !== undefined && settled > now)
    assert.ok(head.now > now, `${head.now.toISOString()} is not after ${now.toISOString()}`)
  }
})
