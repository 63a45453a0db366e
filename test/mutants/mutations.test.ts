// The mutants are what the rules say: each changes one place, can be parsed, and nothing that is no code of the product is changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutated, mutationsOf, type MutationRule } from './mutations.ts'

test('a condition loses one side or the other', () => {
  assert.deepEqual(put('if (isOpen && minor > 0n) pay()', 'one side of a condition dropped'), [
    'if ((isOpen)) pay()',
    'if ((minor > 0n)) pay()',
  ])
  assert.deepEqual(put('const label = name ?? "none"', 'one side of a condition dropped'), [])
})

test('a bound moves by one step, and keeps its operands', () => {
  assert.deepEqual(put('const isOver = (a + b) >= most', 'a bound moved'), ['const isOver = (a + b) > most'])
  assert.deepEqual(put('const isSame = a === b', 'a bound moved'), [])
})

test('a statement that calls is dropped, awaited or not; an invariant stays', () => {
  assert.deepEqual(put('await write(tx, rows)', 'a call dropped'), ['void 0'])
  assert.deepEqual(put('invariant(minor > 0n, "positive")', 'a call dropped'), [])
  assert.deepEqual(put('const found = read(tx)', 'a call dropped'), [])
})

test('each condition that stands beside others with `and` is dropped from SQL', () => {
  const text = [
    'sql`',
    'select id from payment join wallet on wallet.id = payment.wallet_id',
    "where payment.mode = ${mode} and (state = 'OPEN' or at between ${a} and ${b})",
    'and amount > 0 order by id`',
  ].join('\n')
  assert.deepEqual(put(text, 'a condition of SQL dropped').map(flat), [
    "sql` select id from payment join wallet on wallet.id = payment.wallet_id where (state = 'OPEN' or at between ${a} and ${b}) and amount > 0 order by id`",
    'sql` select id from payment join wallet on wallet.id = payment.wallet_id where payment.mode = ${mode} and amount > 0 order by id`',
    "sql` select id from payment join wallet on wallet.id = payment.wallet_id where payment.mode = ${mode} and (state = 'OPEN' or at between ${a} and ${b}) order by id`",
  ])
})

test('a condition alone, and words in quotes and placeholders, are no conditions to drop', () => {
  assert.deepEqual(put("sql`delete from due where id = ${by('a and b')}`", 'a condition of SQL dropped'), [])
  assert.deepEqual(put("sql`select 'this and that' from line`", 'a condition of SQL dropped'), [])
})

test('a join that compares the merchants beside the ids keeps both', () => {
  const text =
    'sql`select 1 from refund join payment on payment.merchant_id = refund.merchant_id and payment.id = refund.payment_id`'
  assert.equal(put(text, 'a condition of SQL dropped').length, 1)
})

test('two neighbours of one kind change places, and a constant grows by one', () => {
  assert.deepEqual(put('book(from.available, to.available, minor)', 'two arguments swapped'), [
    'book(to.available, from.available, minor)',
  ])
  assert.deepEqual(put('const most = 10n * minor', 'a constant off by one'), ['const most = 11n * minor'])
})

test('a pace, a remark in the log, and a condition that spares a statement are no faults', () => {
  for (const text of [
    'const pageRows = 100',
    'const deps = { leaseMs: 5 * secondMs }',
    'const most = options.itemsMax ?? 500',
    "log.info({ id }, 'it was read')",
    'const part = minOf(left.minor, asked.minor)',
    'const isLate = monotonicMs() - before > spanMs',
    'for (; isWaiting; await sleep(50)) isWaiting = isLate',
    'const kind = { bytesOf: ({ rows }) => 512 + 64 * rows.length }',
  ])
    assert.deepEqual(mutationsOf(text), [], text)
  assert.deepEqual(put('rows.length > 0 && insertRows(tx, rows)', 'one side of a condition dropped'), [
    '(rows.length > 0)',
  ])
  for (const [text, count] of [
    ['rows.length > 0 && insertRows(tx, rows)', 0],
    ['if (rows.length > 0) await insertRows(tx, rows)', 0],
    ['if (rows.length > 0) await insertRows(tx, rows)\nelse refuse()', 1],
    ['if (rows.length > 0) refuse(rows)', 1],
  ] as const)
    assert.equal(put(text, 'a bound moved').length, count, text)
  assert.equal(put('const isLate = now - before > spanMs', 'a bound moved').length, 1)
  assert.equal(put('const batchCountMax = 1_000', 'a constant off by one').length, 1)
  assert.equal(put("log.error({ id }, 'it is lost')", 'a call dropped').length, 1)
})

test('types and imports are left alone', () => {
  assert.deepEqual(mutationsOf("import { a } from './a.ts'\ntype Pair = readonly [1, 2]\nlet x: 3 | 4"), [])
})

test('the functions around a place are named, innermost first', () => {
  const text = 'function outer() { return items.map((each) => each > 1) }'
  const [bound] = mutationsOf(text).filter(({ rule }) => rule === 'a bound moved')
  assert.deepEqual(
    bound?.within.map(([start, end]) => text.slice(start, end)),
    ['(each) => each > 1', text],
  )
})

function put(text: string, wanted: MutationRule): readonly string[] {
  return mutationsOf(text)
    .filter(({ rule }) => rule === wanted)
    .map((mutation) => mutated(text, mutation))
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
