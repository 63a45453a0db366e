import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsDatabase } from '../../test/file-database.ts'
import type { Sql } from './client.ts'
import { fromRow, rowsOf, valuesOf } from './rows.ts'

let sql: Sql
rowsDatabase((opened) => {
  sql = opened
})

const thing = {
  merchantId: 'aaaaaaaa-0000-4000-8000-000000000001',
  text: 'a "b" \\ {c}, d',
  count: 3,
  minor: 9_007_199_254_740_993n,
  exact: '0.10',
  isActive: false,
  digest: Buffer.from([0, 255]),
  createdAt: new Date('2026-11-29T12:00:00.123Z'),
  note: undefined as string | undefined,
}
/** A row whose other values are NULL. */
const bare = { ...thing, text: null, digest: null, isActive: true, note: 'x' }
const columns = {
  merchant_id: 'uuid',
  text: 'text',
  count: 'integer',
  minor: 'bigint',
  exact: 'numeric',
  is_active: 'boolean',
  digest: 'bytea',
  created_at: 'timestamptz',
  note: 'text',
} as const

test('rows come back as they were given, in their order, each column with its type', async () => {
  const read = (things: readonly (typeof thing | typeof bare)[]) => sql`
    select merchant_id as "merchantId", text, count, minor, exact, is_active as "isActive", digest, created_at as "createdAt", note
      from ${rowsOf(sql, 'given', things, columns)}`
  assert.deepEqual(
    [...(await read([thing, bare, thing]))],
    [
      { ...thing, note: null },
      { ...bare, note: 'x' },
      { ...thing, note: null },
    ],
  )
  assert.deepEqual([...(await read([]))], [])
})

test('a value may be computed, and JSON is written once: an object, a text, a number, and NULL for nothing', async () => {
  const documents = [{ a: [1, 'x"'] }, 'text', 7, null, undefined]
  const rows = await sql`
    select key, kind, value from (
      select key, json_typeof(value) as kind, value
        from ${rowsOf(sql, 'given', documents, { key: ['integer', () => 1], value: ['json', (each) => each] })}) as read`
  assert.deepEqual(
    rows.map(({ key, kind, value }): unknown => [key, kind, value]),
    [
      [1, 'object', documents[0]],
      [1, 'string', 'text'],
      [1, 'number', 7],
      [1, null, null],
      [1, null, null],
    ],
  )
})

test('rows join by what they name, and in a transaction', async () => {
  const wanted = [{ name: 'b' }, { name: 'c' }]
  const rows = await sql.begin(
    (tx) => tx`
      select there.name from (values ('a'), ('b'), ('c')) as there (name)
        join ${rowsOf(tx, 'wanted', wanted, { name: 'text' })} on wanted.name = there.name
       where there.name <> ${'c'}`,
  )
  assert.deepEqual([...rows], [{ name: 'b' }])
})

test('rows are inserted with the names of their columns, and a fragment is the value of every row', async () => {
  await sql.begin(async (tx) => {
    await tx`create temporary table kept (name text, at timestamptz, count integer, data json, state text) on commit drop`
    const insert = (things: readonly { readonly name: string; readonly count?: number }[]) =>
      tx`insert into kept ${valuesOf(tx, things, {
        data: ['json', (each) => each],
        name: 'text',
        state: tx`${'NEW'}`,
        count: 'integer',
        at: tx`'2026-11-29 12:00+00'::timestamptz`,
      })}`
    await insert([{ name: 'a', count: 1 }, { name: 'b' }])
    await insert([])
    const at = new Date('2026-11-29T12:00:00Z')
    assert.deepEqual(
      [...(await tx`select * from kept`)],
      [
        { name: 'a', at, count: 1, data: { name: 'a', count: 1 }, state: 'NEW' },
        { name: 'b', at, count: null, data: { name: 'b' }, state: 'NEW' },
      ],
    )
  })
})

test('a row is the record of its columns, and what is NULL is left out', () => {
  type Kept = {
    readonly merchantId: string
    readonly isHeldBack: boolean
    readonly txHash?: string
    readonly note?: string
  }
  const row = { merchant_id: 'a', is_held_back: false, tx_hash: null, note: '' }
  assert.deepEqual(fromRow<Kept>(row), { merchantId: 'a', isHeldBack: false, note: '' })
})
