import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyCharacter } from '../../test/any-character.ts'
import { fc } from '../../test/chance.ts'
import { count } from '../../test/counts.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { connect, list } from './client.ts'

const database = openForTests(testDatabase)
const sql = openForTests(() => connect(database.appUrl, { max: 2 }))

const awkward = [
  '',
  'NULL',
  'null',
  '"',
  '\\',
  '\\"',
  '{',
  '}',
  ',',
  ' ',
  'a b',
  '\n\t',
  '😀é',
  '\\x00',
  "'",
  '{"a":"b,c"}',
  '\\\\',
]
const instant = new Date('2026-11-21T02:03:04.567Z')

test('arrays of every type in use come back as they went', async () => {
  const far = 9_223_372_036_854_775_807n
  const [row] = await sql`
    select ${list(awkward)}::text[] as texts, ${list([far, -far, 0n])}::bigint[] as bigs, ${list([1, null])}::integer[] as ints,
           ${list([true, false, undefined])}::boolean[] as flags, ${list([instant])}::timestamptz[] as instants,
           ${list([Buffer.from('00ff', 'hex'), Buffer.alloc(0)])}::text[]::bytea[] as bytes,
           ${list(['019a0000-0000-7000-8000-000000000000'])}::uuid[] as ids, ${list([])}::text[] as none,
           ${list(['1e30', '0.1'])}::numeric[] as numbers, ${list(['{"a":[1,"x"]}', null])}::text[]::json[] as documents`
  assert.deepEqual(row, {
    texts: awkward,
    bigs: [far, -far, 0n],
    ints: [1, null],
    flags: [true, false, null],
    instants: [instant],
    bytes: [Buffer.from('00ff', 'hex'), Buffer.alloc(0)],
    ids: ['019a0000-0000-7000-8000-000000000000'],
    none: [],
    numbers: ['1000000000000000000000000000000', '0.1'],
    documents: [{ a: [1, 'x'] }, null],
  })
})

test('any text that PostgreSQL can hold survives in an array', async () => {
  const text = fc
    .string({ unit: anyCharacter, maxLength: 20 })
    .map((each) => each.toWellFormed().replaceAll('\0', ''))
  const property = fc.asyncProperty(fc.array(text, { maxLength: 40 }), async (texts) => {
    const [row] = await sql<{ texts: string[] }[]>`select ${list(texts)}::text[] as texts`
    assert.deepEqual(row?.texts, texts)
  })
  await fc.assert(property, { numRuns: count({ quick: 60, soak: 20_000 }) })
})

test('arrays that the driver itself formats arrive unchanged', async () => {
  const [row] = await sql<{ texts: string[]; ints: number[] }[]>`
    select ${awkward}::text[] as texts, ${[3, 1]}::integer[] as ints`
  assert.deepEqual(row, { texts: awkward, ints: [3, 1] })
})

test('a bigint arrives as bigint, an instant in UTC, a decimal as text', async () => {
  const [row] = await sql`
    select 9007199254740993::bigint as big, ${instant}::timestamptz as at, 0.10::numeric as decimal,
           current_setting('TimeZone') as zone, count(*) as count from pg_class where false`
  assert.deepEqual(row, { big: 9_007_199_254_740_993n, at: instant, decimal: '0.10', zone: 'UTC', count: 0n })
})

test('a query can be put together from parts', async () => {
  const condition = sql`where n > ${2} and n < ${5}`
  const rows = await sql`select n from generate_series(1, 9) as n ${condition} order by n`
  assert.deepEqual(
    rows.map(({ n }) => Number(n)),
    [3, 4],
  )
})

test('a query that fails after its first rows does not affect the next one', async () => {
  const one = connect(database.appUrl, { max: 1 })
  const failing = () => one`select 1 / (3 - n) from generate_series(1, 5) as n`
  for (const follow of [() => one`select 42 as answer`, () => one.unsafe('select 42 as answer')]) {
    await assert.rejects(Promise.resolve(failing()), { code: '22012' })
    const rows = await follow()
    assert.deepEqual([rows.length, rows[0], rows.count], [1, { answer: 42 }, 1])
    const [failed, next] = await Promise.allSettled([failing(), follow()])
    assert.equal(failed.status, 'rejected')
    assert.ok(next.status === 'fulfilled')
    assert.deepEqual([...next.value], [{ answer: 42 }])
  }
  await one.end()
})

test('an ended client refuses queries', async () => {
  const ended = connect(database.appUrl, { max: 1 })
  await ended`select 1`
  await ended.begin((tx) => tx`select 1`)
  await ended.end()
  await assert.rejects(Promise.resolve(ended`select 1`), { code: 'CONNECTION_ENDED' })
  await assert.rejects(
    ended.begin((tx) => tx`select 1`),
    { code: 'CONNECTION_ENDED' },
  )
})

test('ending waits for running transactions', async () => {
  const ending = connect(database.appUrl, { max: 1 })
  const steps: string[] = []
  const transaction = ending.begin(async (tx) => {
    await tx`select pg_sleep(0.05)`
    await tx`select 1`
    steps.push('done')
  })
  await new Promise((resolve) => setTimeout(resolve, 30))
  const end = ending.end().then(() => steps.push('ended'))
  await Promise.all([transaction, end])
  assert.deepEqual(steps, ['done', 'ended'])
})
