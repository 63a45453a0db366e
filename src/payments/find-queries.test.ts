// Which payments are found by a card, by exceptions, and by names at providers: the merchant's own that have it, and no row beside them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { firstIdAt, type PaymentId } from '#/kernel/id.ts'
import { addMs, dayMs } from '#/kernel/time.ts'
import { bank as connection, first, other, ours, second, theirs, wanted } from '../../test/bare-attempts.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './find-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const onPayments = <Answer>(tables: BareRows, ask: (tx: Tx & Sql) => Promise<Answer>) =>
  onRows(sql, tables, (tx) => ask(tx as Tx & Sql))

type Filter = Parameters<typeof queries.searchPayments>[2]
const search = (tables: BareRows, filter: Filter) =>
  onPayments(tables, (tx) => queries.searchPayments(tx, ours, filter, { values: [] }))

const payment = { merchant_id: ours, id: wanted, amount_minor: 5, request: {}, exceptions: [] }
const receipt = { merchant_id: ours, payment_id: wanted, means: { last4: '4242' } }
const [newer, newest] = [bareId(98) as PaymentId, bareId(99) as PaymentId]

test('without a filter there is no search', async () => {
  assert.equal(await search({ payment: [payment] }, { limit: 9 }), undefined)
})

test('a card leads to the payments that it paid: others do not fill the page, whosever and however new', async () => {
  for (const change of [{ merchant_id: theirs }, { means: { last4: '1111' } }, { means: {} }]) {
    const others = beside({ ...receipt, ...change }, { payment_id: newer }, { payment_id: newest })
    const found = await search(
      { payment: [payment], receipt: [...others, receipt] },
      { cardLast4: '4242', limit: 1 },
    )
    assert.deepEqual(found, { ids: [wanted] }, JSON.stringify(change))
  }
})

test('a card leads to payments of the span alone: before the cursor, and none from before its begin', async () => {
  const begin = new Date('2026-11-22T00:00:00Z')
  const at = (days: number) => {
    const created_at = addMs(begin, days * dayMs)
    return { id: firstIdAt(created_at) as PaymentId, created_at: created_at.toISOString() }
  }
  const [early, within, cursor] = [at(-2), at(2), at(3)]
  const tables = {
    payment: [early, within, cursor].map((each) => ({ ...payment, ...each })),
    receipt: [early, within, cursor].map(({ id }) => ({ ...receipt, payment_id: id })),
  }
  const found = await search(tables, { cardLast4: '4242', from: begin, before: cursor.id, limit: 1 })
  assert.deepEqual(found, { ids: [within.id] })
})

test('where another filter leads, a payment fits that the card paid itself', async () => {
  const paidBy = (number: number, last4: string) => ({
    ...receipt,
    payment_id: bareId(number),
    means: { last4 },
  })
  const tables = {
    payment: [
      payment,
      ...beside(
        payment,
        { id: other },
        ...[91, 92].map((number) => ({ id: bareId(number), amount_minor: 6 })),
      ),
    ],
    receipt: [receipt, paidBy(12, '1111'), paidBy(91, '4242'), paidBy(92, '4242')],
  }
  assert.deepEqual(await search(tables, { cardLast4: '4242', amountMinor: 5n, limit: 9 }), { ids: [wanted] })
})

test('exceptions lead to the payments that have one of them: others do not fill the page', async () => {
  const kinds = ['UNDERPAID', 'OVERPAID', 'LATE', 'DUPLICATE'] as const
  for (const kind of kinds) {
    const others = kinds
      .filter((each) => each !== kind)
      .flatMap((each, index) =>
        [10, 20].map((more) => ({ id: bareId(more + index + 50), exceptions: [each] })),
      )
    const rows = [{ ...payment, exceptions: [kind] }, ...beside(payment, ...others)]
    const found = await search({ payment: rows }, { exceptions: [kind], limit: 1 })
    assert.deepEqual(found, { ids: [wanted] }, kind)
  }
})

const [reference, attemptName] = ['E00000000202611220000abcdefghijk', '019a0000-0000-7000-8000-000000000021']
const account = { id: connection, merchant_id: ours, method: 'PIX' }
const came = { ...receipt, connection, provider_ref: reference, outcome: 'paid' }

test('a Pix is looked up by its end-to-end id at the own and the shared connections of Pix', async () => {
  const find = (connections: readonly object[], receipts: readonly object[]) =>
    onPayments({ connection: connections.map(asRow), receipt: receipts.map(asRow) }, (tx) =>
      queries.selectByEndToEndId(tx, ours, reference),
    )
  const others = [
    { provider_ref: 'another' },
    { outcome: 'refunded' },
    { merchant_id: theirs },
    { connection: 'a1-other' },
  ]
  assert.deepEqual(await find([account], [came, ...beside(came, ...others.map(toOther))]), [wanted])
  assert.deepEqual(await find([{ ...account, merchant_id: null }], [came]), [wanted])
  assert.deepEqual(await find([{ ...account, merchant_id: theirs }], [came]), [])
  assert.deepEqual(await find([{ ...account, method: 'CREDIT_CARD' }], [came]), [])
})

test("a name at a provider is an attempt's id with or without hyphens, or the provider's own name of the money", async () => {
  const attempt = { merchant_id: ours, id: first, payment_id: wanted }
  const find = (name: string, connections: readonly object[] = [account]) => {
    const elsewhere = [{ provider_ref: 'another' }, { merchant_id: theirs }, { connection: 'a1-other' }]
    const tables = {
      attempt: [
        attempt,
        ...beside(attempt, { id: second, payment_id: other }, { merchant_id: theirs, payment_id: newer }),
      ],
      connection: connections.map(asRow),
      receipt: [came, ...beside(came, ...elsewhere.map(toOther))],
    }
    return onPayments(tables, (tx) => queries.selectByReference(tx, ours, name))
  }
  assert.deepEqual(await find(attemptName), [wanted])
  assert.deepEqual(await find(attemptName.replaceAll('-', '')), [wanted])
  assert.deepEqual(await find(reference), [wanted])
  assert.deepEqual(await find(reference, [{ ...account, merchant_id: null }]), [wanted])
  assert.deepEqual(await find(reference, [{ ...account, merchant_id: theirs }]), [])
  assert.deepEqual(await find('nothing'), [])
})

test("a page's token leads to the merchant's own payment", async () => {
  const paged = { ...payment, page_token: 'token' }
  const rows = [
    paged,
    ...beside(paged, { id: other, page_token: 'another' }, { merchant_id: theirs, id: newest }),
  ]
  const found = await onPayments({ payment: rows }, (tx) => queries.selectIdByPage(tx, ours, 'token'))
  assert.deepEqual(found, [wanted])
})

const asRow = (row: object): Readonly<Record<string, unknown>> => ({ ...row })
test("a key leads to the merchant's own payment, and that of a payment link's use to none", async () => {
  const made = { ...payment, idempotency_key: 'mine' }
  const rows = [
    made,
    ...beside(
      made,
      { id: other, idempotency_key: 'another' },
      { merchant_id: theirs, id: newest },
      { id: newest, idempotency_key: 'of-a-link', link_id: other },
    ),
  ]
  await onPayments({ payment: rows }, async (tx) => {
    assert.deepEqual(await queries.selectIdByKey(tx, ours, 'mine'), [wanted])
    assert.deepEqual(await queries.selectIdByKey(tx, ours, 'of-a-link'), [])
  })
})

/** The change, and a payment of its own for each: what is found is told apart. */
const toOther = (change: object, index: number) => ({ ...change, payment_id: bareId(900 + index) })
