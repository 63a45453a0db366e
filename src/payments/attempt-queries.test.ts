// Which attempts, checks and receipts the statements of attempts find and change: each condition on rows that it alone tells apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import {
  asAttempt,
  at,
  attempt,
  bank,
  claimOf,
  earlier,
  elsewhere,
  first,
  idsOf,
  key,
  later,
  other,
  ours,
  payments,
  receipt,
  ref,
  rowOf,
  rowsOf,
  second,
  text,
  theirs,
  tries,
  wanted,
  where,
} from '../../test/bare-attempts.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as attempts from './attempt-queries.ts'
import * as captures from './capture-queries.ts'
import * as checks from './check-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

test('attempts are those of the payment, or those of an id at its connection, and never of CRYPTO by id', async () => {
  const rows = { attempt: [...tries, ...beside(attempt, { connection: elsewhere }, { method: 'CRYPTO' })] }
  await onRows(sql, { attempt: tries }, async (tx) => {
    assert.deepEqual(idsOf(await attempts.selectAttempts(tx, [ref])), [first, second])
    assert.deepEqual(idsOf(await attempts.selectTried(tx, [ref])), [first, second])
  })
  const found = await onRows(sql, rows, (tx) =>
    attempts.selectAttemptsById(tx, [{ id: first, connection: bank }]),
  )
  assert.deepEqual(
    found.map(({ merchantId, id, connection }) => [merchantId, id, connection]),
    [
      [ours, first, bank],
      [theirs, first, bank],
    ],
  )
})

test('what is written of an attempt or a payer is written where it is named', async () => {
  await onRows(sql, { attempt: tries, payment: payments }, async (tx) => {
    await attempts.writeArtifacts(tx, [{ merchantId: ours, attemptId: first, artifacts: { code: 1 } }])
    await attempts.writeTerms(tx, [
      { merchantId: ours, attemptId: first, terms: { expiresAt: at.toISOString() } },
    ])
    await attempts.writeRefusals(tx, [
      {
        merchantId: ours,
        attemptId: first,
        refusal: { code: 'amount_too_small', message: 'Too small.', at: at.toISOString() },
      },
    ])
    for (const column of ['artifacts', 'asked', 'refusal'])
      assert.deepEqual(await where(tx, 'attempt', `${column} is not null`), ['ours 21'], column)
  })
})

test('an attempt is over once, and is not checked any more', async () => {
  const over = beside(attempt, { id: second, over_at: earlier })
  const rows = { attempt: [...tries.filter(({ id }) => id !== second), ...over], attempt_check: rowsOf({}) }
  await onRows(sql, rows, async (tx) => {
    await attempts.writeOver(tx, [key, { merchantId: ours, id: second }])
    assert.deepEqual(await where(tx, 'attempt', 'over_at = ' + text(earlier)), ['ours 22'])
    assert.deepEqual(await where(tx, 'attempt', 'over_at is not null'), ['ours 21', 'ours 22'])
    assert.deepEqual(await where(tx, 'attempt_check', 'true'), ['theirs 21'])
  })
})

test('the names of money are those of the payment, in the order in which it was booked', async () => {
  const rows = [
    ...beside(receipt, { provider_ref: 'two', ordinal: 2, outcome: 'authorised' }),
    receipt,
    ...beside(
      receipt,
      { ordinal: 3, outcome: 'failed' },
      { ordinal: 4, payment_id: other },
      { ordinal: 5, merchant_id: theirs },
    ),
  ]
  const found = await onRows(sql, { receipt: rows }, (tx) => attempts.selectPaidRefs(tx, [ref]))
  assert.deepEqual(
    found.map(({ providerRef, outcome }) => [providerRef, outcome]),
    [
      ['one', 'paid'],
      ['two', 'authorised'],
    ],
  )
})

test('the other attempts of a payment are canceled that have an opening, are not over and brought no money', async () => {
  const open = { ...attempt, artifacts: {} }
  const [, ...names] = [20, 21, 22, 23, 24, 25, 26, 27].map(bareId)
  const [plain, unopened, over, paid, authorised, failed, card] = names
  const rows = {
    attempt: [
      ...beside(
        open,
        { id: plain },
        { id: unopened, artifacts: null },
        { id: over, over_at: at },
        { id: paid },
        { id: authorised },
        { id: failed },
        { id: card, method: 'CARD' },
        { id: bareId(28), payment_id: other },
        { id: bareId(29), merchant_id: theirs },
      ),
    ],
    receipt: [
      ...beside(
        receipt,
        { attempt_id: paid },
        { attempt_id: authorised, outcome: 'authorised' },
        { attempt_id: failed, outcome: 'failed' },
        // Of another payment, and of another merchant, under the id of the plain one.
        { attempt_id: plain, payment_id: other },
        { attempt_id: plain, merchant_id: theirs },
      ),
    ],
    attempt_closing: [],
  }
  // The table's own rule is what `on conflict` needs.
  const closingsBy = (insert: typeof attempts.insertCancellations, table: BareRows) =>
    onRows(sql, table, async (tx) => {
      await insert(tx, [ref], ['PIX'])
      return where(tx, 'attempt_closing', 'true')
    })
  assert.deepEqual(await closingsBy(attempts.insertOtherCancellations, rows), ['ours 21', 'ours 26'])
  assert.deepEqual(
    await closingsBy(attempts.insertCancellations, rows),
    [21, 22, 23, 24, 25, 26].map((number) => `ours ${number}`),
  )
})

test('a cancellation that another worker has claimed since is neither postponed nor removed', async () => {
  const due = (number: number) => ({ attempt: asAttempt, claim: claimOf(number) })
  await onRows(sql, { attempt_closing: rowsOf({ tries: 2 }) }, async (tx) => {
    assert.equal(await attempts.postponeCancellation(tx, due(1), 1_000), false)
    assert.equal(await attempts.postponeCancellation(tx, due(2), 1_000), true)
    assert.deepEqual(await where(tx, 'attempt_closing', 'due_at <> ' + text(at)), ['ours 21'])
    await attempts.deleteCancellation(tx, due(1))
    assert.equal((await where(tx, 'attempt_closing', 'true')).length, 3)
    await attempts.deleteCancellation(tx, due(2))
    assert.deepEqual(await where(tx, 'attempt_closing', 'true'), ['ours 22', 'theirs 21'])
  })
})

test('what is claimed comes with its own attempt, and the trace of its payment', async () => {
  const slots = { total: 1, each: 1, byConnection: [] }
  const tables = {
    attempt: tries,
    payment: payments,
    attempt_closing: [rowOf({ tries: 0 })],
    attempt_check: [rowOf({ takes: 0, silent: 0, opened_at: at })],
    authorisation_order: [rowOf({ sends: 0, id: null, payment_id: wanted })],
  }
  await onRows(sql, tables, async (tx) => {
    for (const claimed of [
      await attempts.claimCancellations(tx, slots, 1_000),
      await checks.claimChecks(tx, slots, 1_000),
      await captures.claimOrders(tx, slots, 1_000),
    ])
      assert.deepEqual(
        claimed.map((each) => [each.attempt.merchantId, each.attempt.id, each.claim.trace]),
        [[ours, first, 'wanted']],
      )
  })
})

test('a check is read with its attempt and its payment, and written where it is claimed', async () => {
  const rows = rowsOf({ takes: 2, silent: 1, opened_at: at })
  await onRows(sql, { attempt: tries, payment: payments, attempt_check: rows }, async (tx) => {
    const found = await checks.selectCheck(tx, { merchantId: ours, attemptId: first })
    assert.deepEqual(
      [found?.attempt.merchantId, found?.attempt.paymentId, found?.claim.number],
      [ours, wanted, 2],
    )
    assert.ok(found !== undefined)
    const late = { ...found, claim: claimOf(1) }
    assert.equal(await checks.writeSilence(tx, late, 1_000), false)
    assert.equal(await checks.writeSilence(tx, found, 1_000), true)
    assert.deepEqual(await where(tx, 'attempt_check', 'silent = 2'), ['ours 21'])
    // An answer counts although another worker has claimed it since; when it is due is that worker's matter.
    await tx`update attempt_check set due_at = ${at}`
    await checks.writeChecked(tx, { ...late, claimedAt: later }, 1_000)
    assert.deepEqual(await where(tx, 'attempt_check', `checked_at = ${text(later)} and silent = 0`), [
      'ours 21',
    ])
    assert.deepEqual(await where(tx, 'attempt_check', `due_at <> ${text(at)}`), [])
    await checks.writeChecked(tx, { ...found, claimedAt: earlier }, 1_000)
    assert.deepEqual(await where(tx, 'attempt_check', `checked_at = ${text(later)}`), ['ours 21'])
    assert.deepEqual(await where(tx, 'attempt_check', `due_at <> ${text(at)}`), ['ours 21'])
    await checks.deleteCheck(tx, late)
    assert.equal((await where(tx, 'attempt_check', 'true')).length, 3)
    await checks.deleteCheck(tx, found)
    assert.deepEqual(await where(tx, 'attempt_check', 'true'), ['ours 22', 'theirs 21'])
  })
})

test('a check ends with its attempt, which is over since the provider was asked and stays so', async () => {
  const due = {
    attempt: { ...asAttempt, artifacts: {} },
    claim: claimOf(1),
    openedAt: at,
    expiresAt: null,
    silent: 0,
  }
  await onRows(sql, { attempt: tries, attempt_check: rowsOf({}) }, async (tx) => {
    await checks.endCheck(tx, { ...due, claimedAt: at })
    await checks.endCheck(tx, { ...due, claimedAt: later })
    assert.deepEqual(await where(tx, 'attempt', 'over_at = ' + text(at)), ['ours 21'])
    assert.deepEqual(await where(tx, 'attempt', 'over_at is not null'), ['ours 21'])
    assert.deepEqual(await where(tx, 'attempt_check', 'true'), ['ours 22', 'theirs 21'])
  })
})

test('unchecked is a payment with an attempt that was not checked since the payment expired', async () => {
  const uncheckedWith = async (checked: Date | null, change: object = {}) => {
    const check = { merchant_id: ours, attempt_id: first, checked_at: checked, ...change }
    return onRows(sql, { attempt: [attempt], payment: payments, attempt_check: [check] }, async (tx) => [
      ...(await checks.selectUnchecked(tx, [ref, { merchantId: ours, paymentId: other }])),
    ])
  }
  assert.deepEqual(await uncheckedWith(null), [wanted])
  assert.deepEqual(await uncheckedWith(earlier), [wanted])
  assert.deepEqual(await uncheckedWith(at), [])
  assert.deepEqual(await uncheckedWith(null, { attempt_id: second }), [])
  assert.deepEqual(await uncheckedWith(null, { merchant_id: theirs }), [])
})
