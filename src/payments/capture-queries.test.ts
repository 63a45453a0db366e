// Which authorisations and orders each statement finds and changes: those of the key that it was given, and no row beside them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attempt,
  attempts,
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
  third,
  wanted,
} from '../../test/attempt-rows.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import type { Id } from '#/kernel/id.ts'
import * as captures from './capture-queries.ts'

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

const [orderId, otherOrder] = [31, 32].map((number) => bareId(number)) as [
  Id<'authorisation-order'>,
  Id<'authorisation-order'>,
]
const ref = { merchantId: ours, paymentId: wanted }
const onAttempts = <Answer>(tables: BareRows, ask: (tx: Tx & Sql) => Promise<Answer>) =>
  onRows(sql, tables, (tx) => ask(tx as Tx & Sql))

const order: captures.AuthorisationOrder = {
  id: orderId,
  merchantId: ours,
  attemptId: first,
  paymentId: wanted,
  kind: 'CAPTURE',
  amountMinor: 1n,
  authorisedMinor: 1n,
  isRequested: true,
  hasEnded: false,
}
const ordered = { ...of, id: orderId, payment_id: wanted, kind: 'CAPTURE', sends: 3, is_asked: true }

test('the orders of a payment are those of its own attempts', async () => {
  const tables = {
    attempt: [...attempts, { ...kept, id: third }],
    authorisation_order: [ordered, ...beside(ordered, ...elsewhere)],
  }
  const found = await onAttempts(tables, (tx) => captures.selectOrdersOf(tx, [ref]))
  assert.deepEqual(
    found.map(({ merchantId, attemptId }) => [merchantId, attemptId]),
    [[ours, first]],
  )
})

test('an authorisation is open that was booked and neither voided nor captured; unwanted ones are voided, each under its payment', async () => {
  const authorised = {
    merchant_id: ours,
    payment_id: wanted,
    connection,
    outcome: 'authorised',
    booked_minor: 5,
  }
  const receipt = (number: number, more: object = {}) => ({
    ...authorised,
    attempt_id: bareId(number),
    pending_ref: `auth-${number}`,
    ordinal: number,
    ...more,
  })
  const tables = {
    receipt: [
      receipt(53),
      receipt(51),
      receipt(52, { booked_minor: 0 }),
      receipt(54),
      receipt(54, { outcome: 'voided' }),
      receipt(55),
      receipt(55, { outcome: 'paid' }),
      receipt(53, { outcome: 'paid', connection: 'a1-other' }),
      receipt(53, { outcome: 'declined' }),
      receipt(56, { payment_id: other }),
    ],
    authorisation_order: [],
  }
  const unwanted = (more: object) =>
    onAttempts(tables, async (tx) => {
      await captures.insertUnwanted(tx, [{ ...ref, ...more }], later)
      return idsOf(tx, 'authorisation_order', "kind = 'VOID'")
    })
  const open = await onAttempts(tables, (tx) => captures.selectOpenAuthorisations(tx, [ref]))
  assert.deepEqual(
    open.map(({ attemptId }) => attemptId as string),
    [bareId(51), bareId(53)],
  )
  assert.deepEqual(await unwanted({}), [named(ours, bareId(51)), named(ours, bareId(53))])
  assert.deepEqual(await unwanted({ attemptId: bareId(53) }), [named(ours, bareId(53))])
})

test('an authorisation that ended ends its own order, once', async () => {
  const rows = [ordered, ...beside(ordered, ...elsewhere, { id: otherOrder, ended_at: past })]
  await onAttempts({ authorisation_order: rows }, async (tx) => {
    await captures.endOrders(tx, [{ merchantId: ours, id: first }], later)
    const ended = `ended_at = '${later.toISOString()}'`
    assert.deepEqual(await idsOf(tx, 'authorisation_order', ended), [named(ours, first)])
  })
})

test('an order that was refused is locked in the claim that was refused, and taken away; one that ended or another is not', async () => {
  const refused = { merchantId: ours, attemptId: first, orderId, claimed: 3 }
  const others = beside(ordered, ...elsewhere, { id: otherOrder }, { ended_at: past })
  const claimedSince = { ...ordered, sends: 4 }
  const rows = [ordered, ...others]
  assert.deepEqual(
    await onAttempts({ authorisation_order: rows }, (tx) => captures.lockOrders(tx, [refused])),
    new Set([captures.orderKey(refused)]),
  )
  for (const row of [claimedSince, ...others]) {
    const found = await onAttempts({ authorisation_order: [row] }, (tx) => captures.lockOrders(tx, [refused]))
    assert.equal(found.size, 0, JSON.stringify(row))
  }
  await onAttempts({ authorisation_order: rows }, async (tx) => {
    await captures.deleteOrders(tx, [refused])
    assert.equal((await idsOf(tx, 'authorisation_order', 'true')).length, others.length)
  })
})

test('an order is claimed with its own attempt, and no order beside it', async () => {
  const others = beside(ordered, ...elsewhere, { id: otherOrder }, { ended_at: past })
  const tables = { attempt: attempts, payment: payments, authorisation_order: [ordered, ...others] }
  for (const [key, minor] of [
    [order, 1n],
    [{ ...order, attemptId: second }, 2n],
  ] as const)
    await onAttempts(tables, async (tx) => {
      const due = await captures.claimOrder(tx, key, 1_000)
      assert.equal(due?.attempt.amount.minor, minor)
      assert.deepEqual(await idsOf(tx, 'authorisation_order', 'sends = 4'), [named(ours, key.attemptId)])
    })
})

test('an order is postponed in the claim that a process holds, until it ends', async () => {
  const due = { order, attempt: { ...attempt, artifacts: {} }, claim, claimedAt: later }
  const others = beside(ordered, ...elsewhere, { id: otherOrder }, { sends: 4 }, { ended_at: past })
  await onAttempts({ authorisation_order: [ordered, ...others] }, async (tx) => {
    assert.equal(await captures.postponeOrder(tx, due, 1_000), true)
    assert.deepEqual(await idsOf(tx, 'authorisation_order', `due_at > '${past}'`), [named(ours, first)])
  })
  const found = await onAttempts({ authorisation_order: others }, (tx) =>
    captures.postponeOrder(tx, due, 1_000),
  )
  assert.equal(found, false)
})
