// Cells: each a schema (or a database) with books of its own, and a process that names another cell's does not start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '#/db/failure.ts'
import { deposit, move, openBooks } from '../../test/books.ts'
import { holdsForBoth, makeCell, openCell } from '../../test/cells-beside.ts'
import { confirmCell } from './head.ts'

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

test('a database without a head belongs to no cell yet', async () => {
  await using books = await openBooks()
  await confirmCell(books.sql, 'zz')
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
  await using first = await openCell(await makeCell(books, 'c1'), 'c1')
  await using second = await openCell(await makeCell(books, 'c2'), 'c2')
  await holdsForBoth(first, second)
})
