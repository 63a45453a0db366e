// Which attempts and checks each statement finds and changes: those of the key that it was given, and no row beside them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attempt,
  attempts,
  before2000,
  claim,
  connection,
  elsewhere,
  first,
  idsOf,
  kept,
  later,
  named,
  of,
  other,
  ours,
  past,
  payments,
  second,
  theirs,
  third,
  wanted,
} from '../../test/attempt-rows.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import type { PaymentId } from '#/kernel/id.ts'
import * as queries from './attempt-queries.ts'
import * as checks from './check-queries.ts'

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

const ref = { merchantId: ours, paymentId: wanted }
const slots = { total: 9, each: 9, byConnection: [] }
const onAttempts = <Answer>(tables: BareRows, ask: (tx: Tx & Sql) => Promise<Answer>) =>
  onRows(sql, tables, (tx) => ask(tx as Tx & Sql))

test('a provider names an attempt by its id and its connection; an address on a chain has no provider', async () => {
  const rows = [
    kept,
    ...beside(kept, { id: second }, { connection: 'a1-other' }, { method: 'CRYPTO', merchant_id: theirs }),
  ]
  const found = await onAttempts({ attempt: rows }, (tx) =>
    queries.selectAttemptsById(tx, [{ id: first, connection }]),
  )
  assert.deepEqual(
    found.map(({ id, merchantId, method }) => [id, merchantId, method]),
    [[first, ours, 'CREDIT_CARD']],
  )
})

test('what a provider answered is written to its attempt alone', async () => {
  const tables = { attempt: [kept, ...beside(kept, { merchant_id: theirs }, { id: second })] }
  await onAttempts(tables, async (tx) => {
    await queries.writeArtifacts(tx, [{ merchantId: ours, attemptId: first, artifacts: { a: 1 } }])
    assert.deepEqual(await idsOf(tx, 'attempt', 'artifacts is not null'), [named(ours, first)])
  })
})

test('an attempt that is over is not checked any more; the others are, and the time at which one was over first stays', async () => {
  const tables = {
    attempt: [kept, ...beside(kept, { id: second }, { id: third, over_at: before2000 })],
    attempt_check: [of, ...beside(of, ...elsewhere)],
  }
  await onAttempts(tables, async (tx) => {
    await queries.writeOver(
      tx,
      [first, third].map((id) => ({ merchantId: ours, id })),
    )
    assert.deepEqual(await idsOf(tx, 'attempt_check', 'true'), [named(ours, second), named(theirs, first)])
    assert.deepEqual(await idsOf(tx, 'attempt', `over_at > '${past}'`), [named(ours, first)])
    assert.deepEqual(await idsOf(tx, 'attempt', `over_at = '${before2000}'`), [named(ours, third)])
  })
})

test('of a payment with many receipts the first 200 and the last 200 are read, and none of another payment', async () => {
  const receipt = (ordinal: number) => ({
    merchant_id: ours,
    payment_id: wanted,
    attempt_id: first,
    ordinal,
    outcome: ordinal === 2 ? 'seen' : 'paid',
    provider_ref: `ref-${ordinal}`,
  })
  const receipts = Array.from({ length: 402 }, (_, index) => receipt(index + 1))
  const rows = [...receipts.toReversed(), { ...receipt(1), payment_id: other, provider_ref: 'another' }]
  const found = await onAttempts({ receipt: rows }, (tx) => queries.selectPaidRefs(tx, [ref]))
  const expected = receipts.filter(({ ordinal }) => ordinal !== 2 && ordinal !== 201 && ordinal !== 202)
  assert.deepEqual(
    found.map(({ providerRef }) => providerRef),
    expected.map((each) => each.provider_ref),
  )
})

test('attempts are canceled that can still be paid; after a payment, all but the one that paid', async () => {
  const opened = { ...kept, artifacts: {} }
  const [waiting, paid, reported] = [bareId(24), bareId(25), bareId(26)]
  const receipt = { merchant_id: ours, payment_id: wanted, outcome: 'paid' }
  const tables = {
    attempt: [
      opened,
      ...beside(
        opened,
        { id: second, artifacts: null },
        { id: third, over_at: past },
        { id: waiting, method: 'PIX' },
        { id: paid },
        { id: reported },
        { payment_id: other, id: bareId(27) },
      ),
    ],
    receipt: [
      { ...receipt, attempt_id: paid },
      { ...receipt, attempt_id: first, payment_id: other },
      { ...receipt, attempt_id: reported, outcome: 'seen' },
    ],
    attempt_closing: [],
  }
  const closing = (schedule: typeof queries.insertCancellations) =>
    onAttempts(tables, async (tx) => {
      await schedule(tx, [ref], ['CREDIT_CARD'])
      return idsOf(tx, 'attempt_closing', 'true')
    })
  const ourNames = (...ids: readonly string[]) => ids.map((id) => named(ours, id))
  assert.deepEqual(await closing(queries.insertOtherCancellations), ourNames(first, reported))
  assert.deepEqual(await closing(queries.insertCancellations), ourNames(first, second, third, paid, reported))
})

test('a due cancellation comes with its own attempt, and the trace of its own payment', async () => {
  const tables = { attempt: attempts, payment: payments, attempt_closing: [{ ...of, tries: 2 }] }
  const found = await onAttempts(tables, (tx) => queries.claimCancellations(tx, slots, 1_000))
  assert.deepEqual(found, [{ attempt, claim: { ...claim, trace: 'trace of it' } }])
})

test('a due check comes with its own attempt and payment, and so does one that is asked for', async () => {
  const check = { ...of, takes: 2, silent: 1 }
  const tables = {
    attempt: attempts,
    payment: payments,
    attempt_check: [
      check,
      ...beside(check, { attempt_id: second, silent: 2 }, { merchant_id: theirs, silent: 3 }),
    ],
  }
  const seen = (due: checks.DueCheck | undefined) =>
    due && [due.attempt.id, due.attempt.amount.minor, due.silent, due.claim.trace]
  const expected = [
    [first, 1n, 1, 'trace of it'],
    [second, 2n, 2, 'another trace'],
    [first, 3n, 3, 'a trace of theirs'],
  ]
  await onAttempts(tables, async (tx) => {
    const keys = [
      { merchantId: ours, attemptId: first },
      { merchantId: ours, attemptId: second },
      { merchantId: theirs, attemptId: first },
    ]
    const asked = []
    for (const key of keys) asked.push(seen(await checks.selectCheck(tx, key)))
    assert.deepEqual(asked, expected)
    const claimed = (await checks.claimChecks(tx, slots, 1_000)).map(seen)
    assert.deepEqual(
      claimed.toSorted((a, b) => Number(a?.[1]) - Number(b?.[1])),
      expected,
    )
  })
})

const dueCheck: checks.DueCheck = {
  attempt: { ...attempt, artifacts: {} },
  openedAt: later,
  expiresAt: null,
  silent: 0,
  claim,
  claimedAt: later,
}

test('only the worker that holds the claim postpones, or takes away, and only its own row', async () => {
  const row = { ...of, tries: 3, takes: 3, silent: 0 }
  const [tries, takes] = [{ tries: 4 }, { takes: 4 }]
  const due = { attempt, claim }
  const postpones = [
    ['attempt_closing', [tries], (tx: Sql) => queries.postponeCancellation(tx, due, 1_000)],
    ['attempt_check', [takes], (tx: Sql) => checks.writeSilence(tx, dueCheck, 1_000)],
  ] as const
  for (const [table, changes, postpone] of postpones) {
    const others = beside(row, ...elsewhere, ...changes)
    await onAttempts({ [table]: [row, ...others] }, async (tx) => {
      assert.equal(await postpone(tx), true, table)
      assert.deepEqual(await idsOf(tx, table, `due_at > '${past}'`), [named(ours, first)])
    })
    assert.equal(await onAttempts({ [table]: others }, postpone), false, table)
  }
  const deletes = [
    ['attempt_closing', tries, (tx: Sql) => queries.deleteCancellation(tx, due)],
    ['attempt_check', takes, (tx: Sql) => checks.deleteCheck(tx, dueCheck)],
  ] as const
  for (const [table, change, remove] of deletes) {
    const others = beside(row, ...elsewhere, change)
    await onAttempts({ [table]: [row, ...others] }, async (tx) => {
      await remove(tx)
      assert.equal((await idsOf(tx, table, 'true')).length, others.length, table)
    })
  }
})

test('an answer of the provider counts for its attempt, whoever claimed it since; then its next check stays', async () => {
  const check = { ...of, takes: 3, silent: 2 }
  for (const [number, isPostponed] of [
    [3, true],
    [2, false],
  ] as const)
    await onAttempts({ attempt_check: [check, ...beside(check, ...elsewhere)] }, async (tx) => {
      await checks.writeChecked(tx, { ...dueCheck, claim: { ...claim, number } }, 1_000)
      const checked = `silent = 0 and checked_at = '${later.toISOString()}'`
      assert.deepEqual(await idsOf(tx, 'attempt_check', checked), [named(ours, first)])
      assert.equal((await idsOf(tx, 'attempt_check', 'silent = 2')).length, 2)
      assert.equal((await idsOf(tx, 'attempt_check', `due_at > '${past}'`)).length, isPostponed ? 1 : 0)
    })
})

test('an attempt that its provider ended is not checked any more, and is over since it was queried', async () => {
  const ended = `over_at = '${later.toISOString()}'`
  const tables = (change: object) => ({
    attempt: [{ ...kept, ...change }, ...beside(kept, { merchant_id: theirs }, { id: second })],
    attempt_check: [of, ...beside(of, ...elsewhere)],
  })
  await onAttempts(tables({}), async (tx) => {
    await checks.endCheck(tx, dueCheck)
    assert.deepEqual(await idsOf(tx, 'attempt_check', 'true'), [named(ours, second), named(theirs, first)])
    assert.deepEqual(await idsOf(tx, 'attempt', ended), [named(ours, first)])
  })
  await onAttempts(tables({ over_at: past }), async (tx) => {
    await checks.endCheck(tx, dueCheck)
    assert.deepEqual(await idsOf(tx, 'attempt', ended), [])
  })
})

test('a payment is unchecked while one of its own attempts was not checked since it expired', async () => {
  const ids = [11, 12, 13, 14].map((number) => bareId(number) as PaymentId)
  const tables = {
    payment: ids.map((id) => ({ merchant_id: ours, id, expires_at: past })),
    attempt: ids.map((id, index) => ({ ...kept, id: bareId(41 + index), payment_id: id })),
    attempt_check: [
      { ...of, attempt_id: bareId(41) },
      { ...of, attempt_id: bareId(42), checked_at: before2000 },
      { ...of, attempt_id: bareId(43), checked_at: past },
    ],
  }
  const refs = ids.map((paymentId) => ({ merchantId: ours, paymentId }))
  const found = await onAttempts(tables, (tx) => checks.selectUnchecked(tx, refs))
  assert.deepEqual([...found].toSorted(), [ids[0], ids[1]])
})
