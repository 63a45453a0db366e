// Cells: each a schema (or a database) with books of its own, and a process that names another cell's does not start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accounts, auditKey, deposit, move, openBooks, type Books } from '../../test/books.ts'
import { connect } from '#/db/client.ts'
import { migrate } from '#/db/migrate.ts'
import { StartError } from '#/db/start-error.ts'
import { silentLog } from '#/kernel/log.ts'
import { announce } from '#/webhooks/announce.ts'
import { createLedgerLane } from './post.ts'

const { wallet } = accounts

/** The same database, with `schema` in place of the usual one. */
function inSchema(url: string, schema: string): string {
  const cellUrl = new URL(url)
  cellUrl.searchParams.set('search_path', schema)
  return cellUrl.href
}

async function openCell(books: Books, cell: string) {
  await books.owner`create schema ${books.owner(cell)}`
  const [ownerUrl, appUrl] = [inSchema(books.ownerUrl, cell), inSchema(books.appUrl, cell)]
  await migrate(ownerUrl, { appRole: new URL(appUrl).username })
  const [owner, sql] = [connect(ownerUrl, { max: 1 }), connect(appUrl, { max: 2 })]
  const openSql = () => connect(appUrl, { max: 1 })
  const openLane = (name = cell) =>
    createLedgerLane({ openSql, cell: name, auditKey, announce, log: silentLog })
  return {
    owner,
    sql,
    openLane,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([owner.end({ timeout: 1 }), sql.end({ timeout: 1 })])
    },
  }
}

test('a process that names another cell does not start, and changes nothing', async () => {
  await using books = await openBooks()
  const lane = await books.openLane()
  await lane.submit(move, deposit(1, 100))
  await assert.rejects(
    books.openLane({ cell: 'zz' }),
    (error) =>
      error instanceof StartError &&
      /belongs to cell t1/.test(error.message) &&
      /VINTEM_CELL=t1/.test(error.remedy),
  )
  assert.deepEqual([...(await books.sql`select cell from head`)], [{ cell: 't1' }])
})

test('a database keeps one head, whoever writes a second', async () => {
  await using books = await openBooks()
  await books.openLane()
  await assert.rejects(
    books.sql`insert into head select 'zz', batch, transfer, account, at, hash from head`,
    /head_one/,
  )
})

test('a second head is a fault, also where the constraint was removed', async () => {
  await using books = await openBooks()
  await books.openLane()
  await books.owner`drop index head_one`
  await books.owner`insert into head select 'zz', batch, transfer, account, at, hash from head`
  const { faults } = await books.verify()
  assert.deepEqual(
    faults.map(({ row, what }) => [row, what]),
    [['head zz', 'is a second head: a database belongs to one cell']],
  )
})

test('two cells in two schemas of one database count, lock and keep what is written each for itself', async () => {
  await using books = await openBooks()
  await using first = await openCell(books, 'c1')
  await using second = await openCell(books, 'c2')
  const [one, two] = [await first.openLane(), await second.openLane()]
  await Promise.all([one.submit(move, deposit(1, 100)), two.submit(move, deposit(1, 7))])
  await one.submit(move, deposit(1, 1))
  // A batch of one cell waits for no other cell.
  await second.sql.begin(async (tx) => {
    await tx`select from head for update`
    await tx`select from turn for update`
    await one.submit(move, deposit(2, 5))
  })
  for (const [cell, batches, minor] of [
    [first, 3n, 101n],
    [second, 1n, 7n],
  ] as const) {
    const [head] = await cell.sql<{ batch: bigint }[]>`select batch from head`
    assert.equal(head?.batch, batches)
    const [held] = await cell.sql<{ minor: bigint }[]>`
      select minor from balance join account on account.id = balance.account_id where account.name = ${wallet(1).name}`
    assert.equal(held?.minor, minor)
    await assert.rejects(cell.sql`delete from entry`, /permission denied/)
    await assert.rejects(cell.owner`delete from entry`, /append-only|never|change/)
  }
  await assert.rejects(first.openLane('c2'), StartError)
  await Promise.all([one.close(), two.close()])
})
