// Which orders and open authorisations the statements of captures find and change: each condition on rows that it alone tells apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { AttemptId, Id } from '#/kernel/id.ts'
import {
  at,
  bank,
  claimOf,
  earlier,
  elsewhere,
  first,
  key,
  other,
  ours,
  payments,
  receipt,
  ref,
  second,
  text,
  theirs,
  third,
  tries,
  wanted,
  where,
} from '../../test/bare-attempts.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as captures from './capture-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const order = {
  merchant_id: ours,
  attempt_id: first,
  payment_id: wanted,
  id: bareId(31),
  connection: bank,
  kind: 'CAPTURE',
  authorised_minor: 100,
  is_asked: true,
  sends: 2,
  due_at: at,
  created_at: at,
}
const orderId = bareId(31) as Id<'authorisation-order'>
/** The order; another of its attempt, one of before orders had ids, one of another attempt, one of another merchant. */
const orders = [
  order,
  ...beside(order, { id: bareId(32) }, { id: null }, { attempt_id: second }, { merchant_id: theirs }),
]
/** Whose orders are as the condition says. */
const ordersWhere = (tx: Tx, condition: string) =>
  tx
    .unsafe<{ row: string }[]>(
      `select concat_ws(' ', case merchant_id when '${ours}' then 'ours' else 'theirs' end, right(attempt_id::text, 2),
                        coalesce(right(id::text, 2), 'none')) as row
         from authorisation_order where ${condition} order by 1`,
    )
    .then((rows) => rows.map(({ row }) => row))

test('orders are those of the attempt, or of all attempts of the payment', async () => {
  const ofOther = beside(order, { attempt_id: third, payment_id: other, id: bareId(33) })
  await onRows(sql, { attempt: tries, authorisation_order: [...orders, ...ofOther] }, async (tx) => {
    const shown = (found: readonly captures.AuthorisationOrder[]) =>
      found
        .map(({ merchantId, attemptId, id }) => `${merchantId} ${attemptId} ${id}`)
        .toSorted((a, b) => a.localeCompare(b))
    const own = [bareId(31), bareId(32), null].map((id) => `${ours} ${first} ${id}`)
    assert.deepEqual(shown(await captures.selectOrders(tx, [key, key])), own)
    assert.deepEqual(shown(await captures.selectOrdersOf(tx, [ref])), [
      ...own,
      `${ours} ${second} ${bareId(31)}`,
    ])
  })
})

const authorised = { ...receipt, outcome: 'authorised', booked_minor: 100, pending_ref: 'hold', ordinal: 1 }
/** Authorisations that were booked: one that is open, and one for each reason why another is not. */
const holds = [
  authorised,
  ...beside(
    authorised,
    { ordinal: 2, attempt_id: second, booked_minor: 0 },
    { ordinal: 3, attempt_id: second, outcome: 'failed' },
    { ordinal: 4, attempt_id: second, pending_ref: 'voided' },
    { ordinal: 5, attempt_id: second, pending_ref: 'captured' },
    { ordinal: 6, attempt_id: third, payment_id: other },
    { ordinal: 7, merchant_id: theirs },
    // They end a hold of another name, or of another connection, or do not end it.
    { ordinal: 8, outcome: 'voided', pending_ref: 'voided' },
    { ordinal: 9, outcome: 'paid', pending_ref: 'captured' },
    { ordinal: 10, outcome: 'voided', connection: elsewhere },
    { ordinal: 11, outcome: 'failed' },
  ),
]

test('an authorisation is open that was booked and neither voided nor captured at its connection', async () => {
  await onRows(sql, { receipt: holds }, async (tx) => {
    const open = await captures.selectOpenAuthorisations(tx, [ref])
    assert.deepEqual(
      open.map(({ merchantId, attemptId, authorisedMinor }) => [merchantId, attemptId, authorisedMinor]),
      [[ours, first, 100n]],
    )
  })
})

test('an unwanted authorisation is voided: that of an attempt, or all of the payment', async () => {
  const more = beside(authorised, { ordinal: 12, attempt_id: second, pending_ref: 'more' })
  const voided = (attemptId?: AttemptId) =>
    onRows(sql, { receipt: [...holds, ...more], authorisation_order: [] }, async (tx) => {
      await captures.insertUnwanted(tx, [attemptId === undefined ? ref : { ...ref, attemptId }], at)
      return where(tx, 'authorisation_order', `kind = 'VOID' and not is_asked`)
    })
  assert.deepEqual(await voided(), ['ours 21', 'ours 22'])
  assert.deepEqual(await voided(second), ['ours 22'])
})

test('orders of an attempt end once', async () => {
  const ended = beside(order, { id: bareId(34), ended_at: earlier })
  await onRows(sql, { authorisation_order: [...orders, ...ended] }, async (tx) => {
    await captures.endOrders(tx, [key], at)
    assert.deepEqual(await ordersWhere(tx, 'ended_at = ' + text(at)), [
      'ours 21 31',
      'ours 21 32',
      'ours 21 none',
    ])
  })
})

test('a refused order is locked by who claimed it last, and removed alone', async () => {
  const refused = (change: Partial<captures.RefusedOrder> = {}): captures.RefusedOrder => ({
    merchantId: ours,
    attemptId: first,
    orderId,
    claimed: 2,
    ...change,
  })
  const ended = beside(order, { id: bareId(34), ended_at: at })
  await onRows(sql, { authorisation_order: [...orders, ...ended] }, async (tx) => {
    const locked = await captures.lockOrders(tx, [
      refused(),
      refused({ claimed: 1, orderId: null }),
      refused({ orderId: bareId(34) as Id<'authorisation-order'> }),
    ])
    assert.deepEqual([...locked], [captures.orderKey(refused())])
    await captures.deleteOrders(tx, [refused()])
    assert.deepEqual(await ordersWhere(tx, 'ended_at is null'), [
      'ours 21 32',
      'ours 21 none',
      'ours 22 31',
      'theirs 21 31',
    ])
    await captures.deleteOrders(tx, [refused({ orderId: null })])
    assert.deepEqual(await ordersWhere(tx, 'id is null'), [])
  })
})

test('an order is claimed at once by its name, and postponed by who claimed it last, until it has ended', async () => {
  await onRows(sql, { attempt: tries, payment: payments, authorisation_order: orders }, async (tx) => {
    const claimed = await captures.claimOrder(tx, { merchantId: ours, attemptId: first, id: orderId }, 1_000)
    assert.equal(claimed?.claim.number, 3)
    assert.deepEqual(await ordersWhere(tx, 'sends = 3'), ['ours 21 31'])
    assert.ok(claimed !== undefined)
    await tx`update authorisation_order set due_at = ${at}`
    assert.equal(await captures.postponeOrder(tx, { ...claimed, claim: claimOf(2) }, 1_000), false)
    assert.equal(await captures.postponeOrder(tx, claimed, 1_000), true)
    assert.deepEqual(await ordersWhere(tx, 'due_at <> ' + text(at)), ['ours 21 31'])
    await tx`update authorisation_order set ended_at = ${at}`
    assert.equal(await captures.postponeOrder(tx, claimed, 1_000), false)
    assert.equal(await captures.claimOrder(tx, claimed.order, 1_000), undefined)
  })
})
