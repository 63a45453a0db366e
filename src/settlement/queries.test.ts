// Which rows the statements of settlement find and change: of rows that differ in one column each, those that have all that is asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId, Id, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { receiptOf } from '../../test/settlement-view.ts'
import { deleteSignals, insertSignals, postponeSignal, withdrawSignals } from './inbox-queries.ts'
import * as parked from './inbox-queries.ts'
import * as queries from './queries.ts'
import { selectUnderWay } from './reconcile-queries.ts'
import * as unrecorded from './unrecorded-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = ['t1-bank', 't2-bank'] as ConnectionId[] as [ConnectionId, ConnectionId]
/** Before and after every moment at which a test runs. */
const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'] as const
const [merchantId, paymentId] = [bareId(1) as MerchantId, bareId(2) as PaymentId]
const numbers = (rows: readonly { readonly id: unknown }[]) =>
  rows.map(({ id }) => Number(String(id).slice(-12)))
const on = <Answer>(rows: BareRows, ask: (tx: Sql & Tx) => Promise<Answer>) =>
  onRows(sql, rows, (tx) => ask(tx))

const waiting = {
  id: bareId(1),
  connection: ours,
  provider_ref: 'e1',
  outcome: 'paid',
  amount_minor: 1,
  currency: 'BRL',
}
const connection = [
  { id: ours, method: 'PIX' },
  { id: theirs, method: 'PIX' },
]

test('money waits for a person while it is money, more than nothing, and nobody has decided', async () => {
  const others = [{ resolved_at: past }, { outcome: 'seen' }, { amount_minor: 0 }]
  const unmatched = [
    { ...waiting, id: bareId(5), connection: theirs },
    { ...waiting, id: bareId(6), currency: 'EUR' },
    ...beside(waiting, ...others.map((change, index) => ({ ...change, id: bareId(index + 2) }))),
    waiting,
  ]
  await on({ connection, unmatched }, async (tx) => {
    assert.deepEqual(numbers(await queries.selectSuspended(tx, false)), [1, 5, 6])
    assert.deepEqual(numbers(await queries.selectSuspended(tx, true)), [1, 2, 3, 4, 5, 6])
    type Page = Parameters<typeof queries.selectUnmatchedPage>[1]
    const page = async (asked: Partial<Page>) =>
      numbers(await queries.selectUnmatchedPage(tx, { all: false, limit: 9, ...asked }))
    assert.deepEqual(await page({}), [1, 5, 6])
    assert.deepEqual(await page({ all: true }), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await page({ connection: theirs }), [5])
    assert.deepEqual(await page({ currency: 'EUR' }), [6])
    assert.deepEqual(await page({ after: bareId(1) as Id<'unmatched'>, limit: 1 }), [5])
  })
})

test('with money come the reports that are named by it or about it, and whose it was before a restore', async () => {
  const reports = [
    { provider_ref: 'e1:b', outcome: 'dispute_opened' },
    { provider_ref: 'r9', about_ref: 'e1', outcome: 'dispute_lost' },
    { provider_ref: 'e1;', outcome: 'refunded' },
    { provider_ref: 'e1', outcome: 'voided' },
    { provider_ref: 'r9', about_ref: 'e2', outcome: 'dispute_won' },
    { provider_ref: 'e1:b', outcome: 'declined', connection: theirs },
    { provider_ref: 'r9', about_ref: 'e1', outcome: 'seen', connection: theirs },
  ]
  const money = { ...waiting, attempt_id: bareId(7) }
  const lost = {
    attempt_id: bareId(7),
    connection: ours,
    merchant_id: merchantId,
    payment_id: paymentId,
  }
  const rows = {
    connection,
    unmatched: [
      money,
      ...beside(waiting, ...reports.map((change, index) => ({ ...change, id: bareId(index + 11) }))),
    ],
    lost_issuance: [lost, ...beside(lost, { attempt_id: bareId(8) }, { connection: theirs })],
  }
  const found = await on(rows, (tx) => queries.selectUnmatchedById(tx, [bareId(1) as Id<'unmatched'>]))
  assert.deepEqual(
    found.map(({ reportedSince, lostPaymentId }) => [reportedSince, lostPaymentId]),
    [[['dispute_opened', 'dispute_lost'], paymentId]],
  )
})

test('a receipt is known when it was recorded, or was money that fitted nothing, or its announcement was recorded', async () => {
  const { attempt } = receiptOf('paid')
  const chained = { txHash: '0x1', attempt }
  const lost = { txHash: '0x1', attempt: { ...attempt, isLost: true } as Receipt['attempt'] }
  const row = { connection: ours, provider_ref: 'e1', outcome: 'paid', occurrence: 1 }
  const announced = { ...row, outcome: 'seen', provider_ref: 'e0', pending_ref: 'p1', booked_minor: 7 }
  const find = async (rows: BareRows, change: object) => {
    const receipt = { ...receiptOf('paid', { pendingRef: 'p1' }), ...change }
    const found = await on({ receipt: [], unmatched: [], ...rows }, (tx) =>
      queries.selectRelated(tx, [receipt]),
    )
    return found.map(({ providerRef, outcome }) => `${providerRef} ${outcome}`)
  }
  assert.deepEqual(await find({ receipt: [row] }, {}), ['e1 paid'])
  for (const change of [{}, { txHash: '0x1', attempt: undefined }, lost])
    assert.deepEqual(await find({ unmatched: [row] }, change), ['e1 paid'])
  const rows = { receipt: [announced, { ...announced, pending_ref: 'p2' }] }
  assert.deepEqual(await find(rows, chained), ['e0 seen'])
})

test('a receipt is stored with the means of payment that it names, if any', async () => {
  const of = (change: Partial<Receipt>) => ({
    receipt: { ...receiptOf('paid', change), attempt: { id: bareId(3) as AttemptId, merchantId, paymentId } },
    ordinal: 1,
    bookedMinor: 1_000n,
  })
  const means = { brand: 'visa', last4: '4242' }
  const stored = await on({ receipt: [] }, async (tx) => {
    await queries.insertReceipts(
      tx,
      [of({ providerRef: 'a', means }), of({ providerRef: 'b' })],
      new Date(past),
    )
    return tx`select provider_ref as ref, means, convert_from(evidence, 'UTF8') as text from receipt order by 1`
  })
  assert.deepEqual(
    [...stored],
    [
      { ref: 'a', means, text: '{}' },
      { ref: 'b', means: null, text: '{}' },
    ],
  )
})

test('an event of a provider counts once, and old ones go, the oldest first', async () => {
  const event = { connection: ours, event_id: 'a' }
  const ages = ['2001-01-03T00:00:00Z', '2001-01-02T00:00:00Z', '2001-01-01T00:00:00Z']
  const rows = ages.map((received_at, index) => ({ ...event, event_id: `e${index}`, received_at }))
  await on({ callback_event: rows }, async (tx) => {
    assert.equal(await queries.insertCallbackEvent(tx, ours, 'new', new Date(future)), true)
    const before = new Date(ages[0] ?? '')
    assert.equal(await queries.deleteCallbackEvents(tx, before, 1), 1)
    const left = await tx`select event_id from callback_event order by 1`
    assert.deepEqual(
      left.map(({ event_id }) => event_id as string),
      ['e0', 'e1', 'new'],
    )
    assert.equal(await queries.deleteCallbackEvents(tx, before, 9), 1)
  })
})

test('what left unrecorded waits until it is decided, and what the books have of it counts with its connection', async () => {
  const row = { connection: ours, kind: 'REFUND', reference: bareId(1) }
  const rows = [
    { ...row, id: bareId(3) },
    { ...row, id: bareId(2), resolved_at: past },
    { ...row, id: bareId(1) },
  ]
  await on({ unrecorded: rows }, async (tx) => {
    const page = async (asked: object) =>
      numbers(await unrecorded.selectUnrecordedPage(tx, { all: false, limit: 9, ...asked }))
    assert.deepEqual(await page({}), [1, 3])
    assert.deepEqual(await page({ all: true }), [1, 2, 3])
    assert.deepEqual(await page({ all: true, after: bareId(1), limit: 1 }), [2])
  })
  const refund = { id: bareId(1), connection: ours, amount_minor: 5, status: 'PENDING' }
  const withdrawal = { reference: 'w1', connection: ours, amount_minor: 6, status: 'COMPLETED' }
  const names = [
    { connection: ours, kind: 'REFUND' as const, reference: bareId(1) },
    { connection: ours, kind: 'WITHDRAWAL' as const, reference: 'w1' },
  ]
  const tables = {
    refund: [refund, ...beside(refund, { id: bareId(2) }, { connection: theirs })],
    withdrawal: [withdrawal, ...beside(withdrawal, { reference: 'w2' }, { connection: theirs })],
  }
  const booked = await on(tables, (tx) => unrecorded.selectBooked(tx, names))
  assert.deepEqual(
    booked.map(({ kind, amountMinor }) => [kind, amountMinor]),
    [
      ['WITHDRAWAL', 6n],
      ['REFUND', 5n],
    ],
  )
})

test('what is under way is what these connections send and has no end yet, by currency', async () => {
  const sent = { connection: ours, currency: 'BRL', amount_minor: 5 }
  const tables = {
    withdrawal: [
      { ...sent, status: 'PROCESSING' },
      ...beside({ ...sent, status: 'PROCESSING' }, { status: 'PENDING' }, { connection: theirs }),
    ],
    refund: [
      { ...sent, status: 'PENDING' },
      ...beside({ ...sent, status: 'PENDING' }, { status: 'COMPLETED' }, { connection: theirs }),
    ],
  }
  const found = await on(tables, (tx) => selectUnderWay(tx, [ours]))
  assert.deepEqual([...found], [{ connection: ours, currency: 'BRL', minor: 10n, count: 2 }])
})

const signal = {
  connection: ours,
  body: '\\x7b7d',
  parked: false,
  crowded: false,
  takes: 0,
  tries: 0,
  due_at: past,
  lease_until: past,
}
type InboxState = readonly (readonly [id: number, parked: boolean, tries: number])[]
const inboxOf = async (tx: Tx): Promise<InboxState> => {
  const rows = await tx`select id, parked, tries from inbox order by id`
  return rows.map(({ id, parked: isParked, tries }) => [Number(id), isParked as boolean, tries as number])
}

test('parked signals are listed in the order of their arrival; one of them is tried again or dropped, and no other', async () => {
  const inbox = [
    { ...signal, id: 3, parked: true, tries: 5 },
    { ...signal, id: 2, tries: 1 },
    { ...signal, id: 1, parked: true, tries: 5 },
    { ...signal, id: 4, parked: true, tries: 5, due_at: future },
  ]
  await on({ inbox }, async (tx) => {
    const ids = async (asked: object) =>
      (await parked.selectParkedPage(tx, { limit: 9, ...asked })).map(({ id }) => id)
    assert.deepEqual(await ids({}), [1n, 3n, 4n])
    assert.deepEqual(await ids({ after: 1n }), [3n, 4n])
    assert.deepEqual(await ids({ limit: 1 }), [1n])
    assert.deepEqual(
      (await parked.selectParked(tx)).map(({ id }) => id),
      [1n, 3n, 4n],
    )
    assert.deepEqual([await parked.retryParked(tx, 2n), await parked.retryParked(tx, 4n)], [false, true])
    assert.equal(await parked.dropParked(tx, 2n), undefined)
    assert.equal((await parked.dropParked(tx, 3n))?.id, 3n)
    assert.deepEqual(await inboxOf(tx), [
      [1, true, 5],
      [2, false, 1],
      [4, false, 0],
    ])
    assert.equal((await tx`select from inbox where due_at > statement_timestamp()`).length, 0)
  })
})

test('the worker that holds a signal postpones it, and no other worker and no other signal', async () => {
  const inbox = [1, 2].map((id) => ({ ...signal, id, takes: 3 }))
  await on({ inbox }, async (tx) => {
    const outcome = { tries: 4, waitMs: 60_000, parked: true, error: 'away' }
    const postpone = (number: number) =>
      postponeSignal(tx, { id: 1n, claim: { id: '1', connection: ours, number } }, outcome)
    assert.deepEqual(
      [await postpone(2), await inboxOf(tx)],
      [
        false,
        [
          [1, false, 0],
          [2, false, 0],
        ],
      ],
    )
    assert.deepEqual(
      [await postpone(3), await inboxOf(tx)],
      [
        true,
        [
          [1, true, 4],
          [2, false, 0],
        ],
      ],
    )
    await deleteSignals(tx, [1n])
    assert.deepEqual(await inboxOf(tx), [[2, false, 0]])
  })
})

test('a signal is due at once, or as much later as it says', async () => {
  const of = (waitMs?: number) => ({
    method: 'PIX' as const,
    connection: ours,
    body: Buffer.from('{}'),
    ...given({ waitMs }),
  })
  await on({ inbox: [] }, async (tx) => {
    await insertSignals(tx, [of(), of(0), of(1)], new Date(past))
    const rows =
      await tx`select (extract(epoch from due_at - min(due_at) over ()) * 1000)::integer as later from inbox order by 1`
    assert.deepEqual(
      rows.map(({ later }) => later as number),
      [0, 0, 1],
    )
  })
})

test('a later signal replaces crowded ones of its connection that wait, are not parked and nobody has claimed', async () => {
  const crowded = { ...signal, crowded: true, due_at: future, id: 1 }
  const others = [
    { connection: theirs },
    { parked: true },
    { crowded: false },
    { takes: 1 },
    { due_at: past },
    { body: '\\x5b5d' },
  ]
  const inbox = [
    crowded,
    ...beside(crowded, ...others.map((change, index) => ({ ...change, id: index + 2 }))),
  ]
  const left = await on({ inbox }, async (tx) => {
    await withdrawSignals(tx, ours, [{}])
    return inboxOf(tx)
  })
  assert.deepEqual(
    left.map(([id]) => id),
    [2, 3, 4, 5, 6, 7],
  )
})
