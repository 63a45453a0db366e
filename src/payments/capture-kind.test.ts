// Which captures and voids are accepted, and which orders are made and dropped, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { Id } from '#/kernel/id.ts'
import { at, bank, ours, theirs } from '../../test/bare-attempts.ts'
import { attemptOf, attemptRows, paymentOf, paymentRow, paymentTables } from '../../test/bare-payments.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows } from '../../test/kind-on-rows.ts'
import { authorisationKind, type AuthorisationItem } from './capture-kind.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>

const of = { merchantId: ours, paymentId: paymentOf(0) }
const [capture, cancel] = [
  { ...of, request: 'CAPTURE' },
  { ...of, request: 'VOID' },
] as const
const orderId = bareId(31) as Id<'authorisation-order'>
const drop = { ...of, request: 'DROP', attemptId: attemptOf(0, 1), orderId, claimed: 2 } as const

/** An authorisation of 1.00 by an attempt. */
const authorised = (attempt: number, change: Row = {}): Row => ({
  merchant_id: ours,
  payment_id: paymentOf(0),
  attempt_id: attemptOf(0, attempt),
  connection: bank,
  outcome: 'authorised',
  booked_minor: 100,
  pending_ref: `p${attempt}`,
  ordinal: attempt,
  ...change,
})

/** The merchant's order to capture all of it, claimed twice. */
const ordered = (change: Row = {}): Row => ({
  merchant_id: ours,
  payment_id: paymentOf(0),
  attempt_id: attemptOf(0, 1),
  id: orderId,
  connection: bank,
  kind: 'CAPTURE',
  amount_minor: 100,
  authorised_minor: 100,
  is_asked: true,
  sends: 2,
  created_at: at,
  due_at: at,
  ...change,
})

type Start = {
  readonly status?: string
  readonly receipts?: readonly Row[]
  readonly orders?: readonly Row[]
}

/** Asks for these one after the other, in one batch. */
async function ask(
  items: readonly AuthorisationItem[],
  { status = 'APPROVED', receipts = [authorised(1)], orders = [] }: Start = {},
) {
  const tables = {
    ...paymentTables([paymentRow(0, { status })], attemptRows(0, [{}, {}])),
    receipt: receipts,
    authorisation_order: orders,
  }
  return onRows(sql, tables, async (tx) => {
    const { verdicts } = await runOnRows(tx, authorisationKind(), items, { at })
    const rows = await tx<{ text: string }[]>`
      select right(attempt_id::text, 1) || ' ' || kind || coalesce(' ' || amount_minor, '') as text
        from authorisation_order order by 1`
    const [first] = await tx<{ waits: boolean; created_at: Date }[]>`
      select due_at > statement_timestamp() + interval '30 s' as waits, created_at from authorisation_order`
    return { kinds: verdicts.map(({ kind }) => kind), orders: rows.map(({ text }) => text), first }
  })
}

test('an authorisation is captured in part or as a whole, and never beyond its amount', async () => {
  const cases: readonly (readonly [
    amountMinor: bigint | undefined,
    kind: string,
    orders: readonly string[],
  ])[] = [
    [undefined, 'ordered', ['1 CAPTURE 100']],
    [99n, 'ordered', ['1 CAPTURE 99']],
    [100n, 'ordered', ['1 CAPTURE 100']],
    [101n, 'exceeds', []],
  ]
  for (const [amountMinor, kind, orders] of cases) {
    const answer = await ask([{ ...capture, ...given({ amountMinor }) }])
    assert.deepEqual([answer.kinds, answer.orders], [[kind], orders], String(amountMinor))
  }
  const voided = await ask([cancel])
  assert.deepEqual([voided.kinds, voided.orders], [['ordered'], ['1 VOID']])
  // The caller carries it out first.
  assert.deepEqual(voided.first, { waits: true, created_at: at })
})

test('only an APPROVED payment of the merchant has an authorisation to end, and it must be open', async () => {
  const kindOf = async (item: AuthorisationItem, start: Start) => (await ask([item], start)).kinds[0]
  assert.equal(await kindOf(capture, { status: 'PAID' }), 'refused')
  assert.equal(await kindOf(cancel, { status: 'PAID' }), 'refused')
  assert.equal(await kindOf(cancel, { status: 'CANCELED' }), 'done')
  assert.equal(await kindOf(capture, { status: 'CANCELED' }), 'refused')
  assert.equal(await kindOf(capture, { receipts: [] }), 'refused')
  assert.equal(await kindOf({ ...capture, merchantId: theirs }, {}), 'not_found')
})

test('an authorisation that is unwanted is not captured, but the next one is', async () => {
  const unwanted = ordered({ kind: 'VOID', amount_minor: null, is_asked: false })
  const start = { receipts: [authorised(1), authorised(2)], orders: [unwanted] }
  const both = await ask([capture], start)
  assert.deepEqual([both.kinds, both.orders], [['ordered'], ['1 VOID', '2 CAPTURE 100']])
  const none = await ask([capture], { orders: [unwanted] })
  assert.deepEqual([none.kinds, none.orders], [['refused'], ['1 VOID']])
})

test('a repeated request is the same order, and any other one is refused', async () => {
  const kindOf = async (item: AuthorisationItem, order: Row, status = 'APPROVED') => {
    const { kinds, orders } = await ask([item], { orders: [ordered(order)], status })
    assert.equal(orders.length, 1)
    return kinds[0]
  }
  assert.equal(await kindOf(capture, {}), 'ordered')
  assert.equal(await kindOf({ ...capture, amountMinor: 100n }, {}), 'ordered')
  assert.equal(await kindOf({ ...capture, amountMinor: 99n }, {}), 'refused')
  assert.equal(await kindOf(cancel, {}), 'refused')
  assert.equal(await kindOf(capture, { ended_at: at }, 'PAID'), 'done')
  assert.equal(await kindOf(capture, { ended_at: at }, 'EXPIRED'), 'refused')
  const voided = { kind: 'VOID', amount_minor: null }
  assert.equal(await kindOf(cancel, voided), 'ordered')
  assert.equal(await kindOf(cancel, { ...voided, ended_at: at }, 'CANCELED'), 'done')
  assert.equal(await kindOf(capture, voided), 'refused')
  const twice = await ask([capture, cancel])
  assert.deepEqual([twice.kinds, twice.orders], [['ordered', 'refused'], ['1 CAPTURE 100']])
})

test('a refused order is dropped once, and another one can be made', async () => {
  const start = { orders: [ordered()] }
  const dropped = await ask([drop, drop, cancel], start)
  assert.deepEqual([dropped.kinds, dropped.orders], [['dropped', 'superseded', 'ordered'], ['1 VOID']])
  const later = await ask([{ ...drop, claimed: 1 }, cancel], start)
  assert.deepEqual([later.kinds, later.orders], [['superseded', 'refused'], ['1 CAPTURE 100']])
  const alone = await ask([drop], start)
  assert.deepEqual([alone.kinds, alone.orders], [['dropped'], []])
})

test('to drop one order leaves those of other attempts', async () => {
  const other = { attempt_id: attemptOf(0, 2), id: bareId(32), kind: 'VOID', amount_minor: null }
  const orders = [ordered(), ordered({ ...other, is_asked: false })]
  const answer = await ask([drop, capture], { receipts: [authorised(2)], orders })
  assert.deepEqual([answer.kinds, answer.orders], [['dropped', 'refused'], ['2 VOID']])
})
