// Which lost attempts and closings each statement finds and changes: those of the key that it was given, and no row beside them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  connection,
  first,
  later,
  other,
  ours,
  past,
  second,
  theirs,
  third,
  wanted,
} from '../../test/attempt-rows.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import type { Attempt } from '#/rails/words.ts'
import * as queries from './queries.ts'

let database: TestDatabase
let sql: Sql
before(async () => {
  database = await testDatabase()
  sql = connect(database.ownerUrl, { max: 2 })
})
after(async () => {
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})

const attempt: Attempt = {
  id: first,
  merchantId: ours,
  paymentId: wanted,
  method: 'PIX',
  connection,
  amount: { minor: 1n, currency: 'BRL' },
}
const lost = { merchant_id: ours, attempt_id: first, epoch: 2 }
const { epoch: _restore, ...key } = lost
const closing = { ...key, tries: 3, due_at: past, said: 'before' }
const elsewhere = [{ merchant_id: theirs }, { attempt_id: second }] as const

const onLost = <Answer>(tables: BareRows, ask: (tx: Tx & Sql) => Promise<Answer>) =>
  onRows(sql, tables, (tx) => ask(tx as Tx & Sql))

test('an attempt is in the books by its id; one of a local method also by another of its payment and method', async () => {
  const row = { merchant_id: ours, id: third, payment_id: wanted, method: 'PIX' }
  const cases: readonly (readonly [row: object, attempt: Partial<Attempt>, isThere: boolean])[] = [
    [{ id: first, payment_id: other }, {}, true],
    [{}, {}, false],
    [{}, { method: 'CRYPTO' }, false],
    [{ method: 'CRYPTO' }, { method: 'CRYPTO' }, true],
    [{ method: 'CRYPTO', payment_id: other }, { method: 'CRYPTO' }, false],
  ]
  for (const [change, changed, isThere] of cases) {
    const found = await onLost({ attempt: [{ ...row, ...change }] }, (tx) =>
      queries.selectInBooks(tx, [{ ...attempt, ...changed }], ['CRYPTO']),
    )
    assert.equal(found.has(first), isThere, JSON.stringify({ change, changed }, toText))
  }
})

test('a lost attempt without a name gets its own name; one that has a name keeps it', async () => {
  const others = beside(lost, ...elsewhere, { epoch: 3, name: 'kept' })
  await onLost({ lost_issuance: [lost, ...others] }, async (tx) => {
    await queries.nameLost(tx, [{ at: later, attempt }])
    assert.equal((await tx`select 1 from lost_issuance where name is null`).length, 3)
    await queries.nameLost(tx, [{ at: later, attempt, name: 'new' }])
    const rows = await tx`select merchant_id, attempt_id, epoch from lost_issuance where name = 'new'`
    assert.deepEqual([...rows], [lost])
  })
})

test('what was lost in a restore is counted by its end at the provider; what no provider has to end is only lost', async () => {
  const outcomes = [null, 'CLOSED', 'CLOSED', 'PAID', 'PAID', 'PAID', 'GIVEN_UP']
  const ids = [...outcomes.keys()].map((number) => bareId(100 + number))
  const rows = {
    lost_issuance: [...ids, bareId(200), bareId(201)].map((id) => ({ ...lost, attempt_id: id })),
    lost_closing: outcomes.map((outcome, index) => ({ ...closing, attempt_id: ids[index], outcome })),
  }
  const other = { ...lost, epoch: 3, attempt_id: bareId(202) }
  const counted = await onLost({ ...rows, lost_issuance: [...rows.lost_issuance, other] }, (tx) =>
    queries.countLost(tx, 2),
  )
  assert.deepEqual(counted, { lost: 9, open: 1, closed: 2, paid: 3, givenUp: 1 })
})

const due = { attempt, name: null, claim: { id: first, connection, number: 3 } }

test('only the worker that holds the claim postpones a closing, notes an answer or ends it; one that has ended stays', async () => {
  const others = beside(closing, ...elsewhere, { tries: 4 }, { ended_at: past })
  const works = [
    ['due_at <> $1', [past], (tx: Sql) => queries.postponeClosing(tx, due, 1_000)],
    ['said = $1', ['new'], (tx: Sql) => queries.writeSaid(tx, due, 'new')],
    ['outcome = $1', ['PAID'], (tx: Sql) => queries.endClosing(tx, due, 'PAID')],
  ] as const
  for (const [condition, values, work] of works)
    await onLost({ lost_closing: [closing, ...others] }, async (tx) => {
      const answer = await work(tx)
      if (condition.startsWith('due_at')) assert.equal(answer, true)
      const changed = await tx.unsafe(
        `select merchant_id, attempt_id, epoch from (select *, 2 as epoch from lost_closing) as closing where ${condition}`,
        [...values],
      )
      assert.deepEqual([...changed], [lost], condition)
    })
  const isPostponed = await onLost({ lost_closing: others }, (tx) => queries.postponeClosing(tx, due, 1_000))
  assert.equal(isPostponed, false)
})

const toText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
