// Which payouts, files of payments, references and foreign entries the queries find and change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { AttemptId, ConnectionId, Id, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import { bareId, beside, onRows, type BareRows, type RowsTx } from '../../../test/bare-rows.ts'
import { changedBy } from '../../../test/changed-rows.ts'
import { fileDatabase } from '../../../test/file-database.ts'
import { bookOf } from '../../../test/rails/rail.ts'
import * as foreign from './foreign-queries.ts'
import * as payouts from './payout-queries.ts'
import * as references from './queries.ts'
import * as refunds from './refund-queries.ts'
import { createSepaRefunder } from './refund.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>

const [ours, theirs] = ['bank-a', 'bank-b'] as [ConnectionId, ConnectionId]
const [merchant, otherMerchant] = [bareId(1), bareId(2)] as [MerchantId, MerchantId]
const [subject, otherSubject, batchId, otherBatch] = [bareId(11), bareId(12), bareId(21), bareId(22)]
const [from, to] = ['2026-01-02T10:00:00Z', '2026-01-02T11:00:00Z']

const payout = {
  reference: 'P',
  connection: ours,
  kind: 'WITHDRAWAL',
  payout_id: subject,
  merchant_id: merchant,
  amount_minor: 100,
  returned_minor: 0,
  iban: 'X',
  beneficiary: 'Ana',
  state: 'WAITING',
  changed_at: from,
}
const batch = {
  id: batchId,
  connection: ours,
  message_id: 'M',
  payouts: 1,
  sum_minor: 1,
  bytes: '\\x00',
  created_at: from,
}
const key = batchId as Id<'sepa-batch'>

const on = <Answer>(rows: readonly Row[], ask: (tx: RowsTx) => Promise<Answer>, more: BareRows = {}) =>
  onRows(sql, { sepa_payout: rows, ...more }, ask)
const changed = (rows: readonly Row[], change: (tx: RowsTx) => Promise<unknown>, more: BareRows = {}) =>
  changedBy(sql, { sepa_payout: rows, ...more }, 'sepa_payout', change)
const named = (rows: readonly { readonly reference: string }[]) => rows.map(({ reference }) => reference)

test('withdrawals whose state changed are found from the first moment of a span to its last, after a reference', async () => {
  const find = (rows: readonly Row[]) =>
    on(rows, (tx) =>
      payouts.selectChanged(tx, ours, {
        from: new Date(from),
        to: new Date(to),
        after: 'A',
        limit: 9,
      }),
    )
  assert.deepEqual(named(await find([{ ...payout, reference: 'Q', changed_at: to }, payout])), ['P', 'Q'])
  const differ = [
    { connection: theirs },
    { changed_at: '2026-01-02T09:59:59Z' },
    { changed_at: '2026-01-02T11:00:01Z' },
    { reference: 'A' },
    { kind: 'REFUND' },
  ]
  assert.deepEqual(named(await find(beside(payout, ...differ))), [])
})

test('a payout goes into a file while its withdrawal or refund goes on and nothing freezes its money', async () => {
  const refund = { ...payout, reference: 'R', kind: 'REFUND' }
  const find = async (
    rows: readonly Row[],
    { status = 'PROCESSING', refunded = 'PENDING', frozen = [] as Row[], id = subject } = {},
  ) =>
    named(
      await on(rows, (tx) => payouts.lockWaiting(tx, ours, { after: 'A', limit: 9 }), {
        withdrawal: [{ merchant_id: merchant, id, status }],
        refund: [{ merchant_id: merchant, id, status: refunded }],
        money_freeze: frozen,
      }),
    )
  const both = [refund, payout]
  assert.deepEqual(await find(both), ['P', 'R'])
  assert.deepEqual(await find(both, { status: 'FAILED' }), ['R'])
  assert.deepEqual(await find(both, { refunded: 'COMPLETED' }), ['P'])
  assert.deepEqual(await find(both, { id: otherSubject }), [])
  assert.deepEqual(await find(both, { frozen: [{ merchant_id: merchant }] }), [])
  assert.deepEqual(await find(both, { frozen: [{ merchant_id: otherMerchant }] }), ['P', 'R'])
  assert.deepEqual(
    await find(beside(payout, { connection: theirs }, { state: 'BATCHED' }, { reference: 'A' })),
    [],
  )
})

test('only payouts that wait and were asked for go into a new file', async () => {
  const rows = [payout, ...beside(payout, { reference: 'Q' }, { state: 'REFUSED' })]
  const file = {
    id: key,
    connection: ours,
    messageId: 'M',
    bytes: Buffer.of(1),
    payouts: 1,
    sumMinor: 1n,
    madeBy: 'x',
  }
  assert.deepEqual(await changed(rows, (tx) => payouts.insertBatch(tx, file, ['P']), { sepa_batch: [] }), [0])
})

test('of an account, the oldest file that nobody took is found and taken once', async () => {
  const taken = { taken_at: to, taken_by: 'x' }
  const earlier = '2026-01-02T09:00:00Z'
  const rows = [
    { ...batch, id: bareId(31), ...taken, created_at: earlier },
    { ...batch, id: bareId(32), connection: theirs, created_at: earlier },
    { ...batch, id: otherBatch, created_at: to },
    batch,
  ]
  const untaken = await onRows(sql, { sepa_batch: rows }, (tx) => payouts.selectUntaken(tx, [ours]))
  assert.deepEqual([...untaken], [{ connection: ours, id: batchId }])
  const mine = [batch, { ...batch, ...taken }, { ...batch, id: otherBatch }]
  const take = (tx: RowsTx) => payouts.takeBatch(tx, key, 'ana')
  assert.deepEqual(await changedBy(sql, { sepa_batch: mine }, 'sepa_batch', take), [0])
})

test('an account has a payout that waits', async () => {
  const find = (rows: readonly Row[], accounts: ConnectionId[]) =>
    on(rows, (tx) => payouts.selectAccountsWithWaiting(tx, accounts))
  const others = beside(payout, { connection: theirs }, { state: 'BATCHED' })
  assert.deepEqual(await find([payout, ...others], [ours]), [ours])
  assert.deepEqual(await find(others, [ours]), [])
  assert.deepEqual(await find([payout], []), [])
})

test('payouts are found by the name of their file, or by their reference in any capitals, on their account', async () => {
  const inFile = { ...payout, state: 'BATCHED', batch_id: batchId }
  const other = { ...inFile, reference: 'Q', batch_id: otherBatch }
  const find = async (files: readonly Row[], names: string[]) =>
    named(await on([inFile, other], (tx) => payouts.selectOfFiles(tx, ours, names), { sepa_batch: files }))
  assert.deepEqual(await find([batch, { ...batch, id: otherBatch, message_id: 'N' }], ['M']), ['P'])
  assert.deepEqual(await find([{ ...batch, connection: theirs }], ['M']), [])
  assert.deepEqual(await find([batch], []), [])

  const written = [
    { ...payout, reference: 'abc' },
    payout,
    { ...payout, reference: 'def', connection: theirs },
  ]
  const own = async (...names: string[]) => [
    ...(await on(written, (tx) => payouts.selectOurs(tx, ours, names))).keys(),
  ]
  assert.deepEqual(await own('ABC'), ['abc'])
  assert.deepEqual(await own('def'), [])
  assert.deepEqual(await own(), [])
})

test('a payout that waits can be stopped, once and by its own id', async () => {
  const rows = [payout, ...beside(payout, { payout_id: otherSubject }, { state: 'BATCHED' })]
  const stop = (tx: RowsTx) => payouts.stopWaiting(tx, subject, 'x')
  assert.deepEqual(await changed(rows, stop), [0])
  assert.equal(await on([payout], stop), true)
  assert.equal(await on([], stop), false)
})

test('a statement ends payouts of its own account, by their references', async () => {
  const rows = [payout, ...beside(payout, { connection: theirs }, { reference: 'Q' })]
  const ends = [{ reference: 'P', minor: 40n, part: 'returned' }] as const
  assert.deepEqual(await changed(rows, (tx) => payouts.writeEnds(tx, ours, ends)), [0])
})

test('a report refuses payouts of its file that have no end: those that it names, or all', async () => {
  const inFile = { ...payout, state: 'BATCHED', batch_id: batchId }
  const rows = [
    inFile,
    { ...inFile, reference: 'Q' },
    { ...inFile, reference: 'D', state: 'DONE' },
    { ...inFile, batch_id: otherBatch },
  ]
  const files = { sepa_batch: [batch, { ...batch, id: otherBatch, message_id: 'N' }] }
  const refuse = (isWhole: boolean) => (tx: RowsTx) =>
    payouts.writeRefusals(tx, 'M', { references: ['P', 'D'], isWhole, reason: 'AC04' })
  assert.deepEqual(await changed(rows, refuse(false), files), [0])
  assert.deepEqual(await changed(rows, refuse(true), files), [0, 1])
  assert.equal(await on(rows, (tx) => payouts.countUnended(tx, 'M'), files), 2)
  assert.equal(await on([], (tx) => payouts.countUnended(tx, 'M'), files), 0)
})

test('who sent a payment is read from the credit that paid it', async () => {
  const entry = {
    connection: ours,
    reference: 'A',
    part: 0,
    credit: true,
    kind: 'PAID',
    fact: { party: { iban: 'X', name: 'Ana' } },
  }
  const wanted = { connection: ours, reference: 'A', part: 0, paidRef: 'A' }
  const find = (rows: readonly Row[], ...entries: (typeof wanted)[]) =>
    onRows(sql, { sepa_entry: rows }, async (tx) => [...(await refunds.selectSenders(tx, entries))])
  assert.deepEqual(await find([entry], wanted), [{ paidRef: 'A', iban: 'X', name: 'Ana' }])
  assert.deepEqual(await find(beside(entry, { kind: 'UNATTRIBUTED' }, { credit: false }), wanted), [])
  assert.deepEqual(await find([entry]), [])
})

test('a refund goes to the sender’s account in SEPA, under 70 characters of a name with letters', async () => {
  const { sendersOf } = createSepaRefunder({ connections: bookOf([]), clock: systemClock, sql: () => sql })
  const iban = 'PT50000201231234567890154'
  const piece = { connection: ours, paidRef: 'A/2' }
  const senderOf = async (party: object) => {
    const entry = { connection: ours, reference: 'A', part: 2, credit: true, kind: 'PAID', fact: { party } }
    const rows = { sepa_entry: [entry] }
    const senders = await onRows(sql, rows, (tx) => must(sendersOf, 'it knows senders')(tx, [piece]))
    return senders.get('A/2')?.fields
  }
  assert.deepEqual(await senderOf({ iban, name: ` ${'n'.repeat(71)}` }), {
    iban,
    beneficiary: 'n'.repeat(70),
  })
  assert.deepEqual(await senderOf({ iban, name: 'Ana' }), { iban, beneficiary: 'Ana' })
  for (const name of [undefined, '', '12'])
    assert.deepEqual(await senderOf({ iban, name }), { iban }, String(name))
  assert.equal(await senderOf({ iban: 'TR330006100519786457841326', name: 'Ana' }), undefined)
})

test('a refund is still paying while its payout waits or when the bank carried it out', async () => {
  const refund = { ...payout, kind: 'REFUND', merchant_id: merchant }
  const find = (...rows: readonly Row[]) =>
    on(rows, async (tx) => [...(await refunds.selectStillPaying(tx, [subject as RefundId]))])
  for (const state of ['WAITING', 'DONE'])
    assert.deepEqual(await find({ ...refund, state }), [subject], state)
  const differ = [
    { payout_id: otherSubject },
    { kind: 'WITHDRAWAL' },
    { state: 'REFUSED' },
    { state: 'BATCHED' },
  ]
  assert.deepEqual(await find(...beside(refund, ...differ)), [])

  const known = [otherSubject, subject].map((id) => ({ merchant_id: merchant, id, status: 'PENDING' }))
  const read = async (rows: readonly Row[]) =>
    (await on(rows, (tx) => refunds.selectRefundPayout(tx, 'P'), { refund: known }))?.id
  assert.equal(await read([refund]), subject)
  assert.equal(await read(beside(refund, { reference: 'Q' }, { kind: 'WITHDRAWAL' })), undefined)
})

test('a reference is kept once for an attempt of its merchant, and found on its own account', async () => {
  const [first, second] = ['RF18539007547034', 'RF332348236']
  const [paymentId, id] = [bareId(41) as PaymentId, bareId(51) as AttemptId]
  const owner = { connection: ours, merchantId: merchant, paymentId, id }
  assert.equal(await references.claimReference(sql, owner, first), first)
  assert.equal(await references.claimReference(sql, owner, second), first)
  const other = { ...owner, merchantId: otherMerchant }
  assert.equal(await references.claimReference(sql, other, second), second)
  const later = { ...owner, id: bareId(52) as AttemptId }
  assert.equal(await references.claimReference(sql, later, 'RF45SBO2010'), 'RF45SBO2010')
  for (const each of [first, second])
    assert.deepEqual([...(await references.selectOwners(sql, ours, [each])).keys()], [each])
  assert.equal((await references.selectOwners(sql, theirs, [first])).size, 0)
  assert.equal((await references.selectOwners(sql, ours, [])).size, 0)
  assert.deepEqual(await references.selectByReference(sql, merchant, first), [paymentId])
  assert.deepEqual(await references.selectByReference(sql, merchant, second), [])
  for (const again of [other, later])
    assert.notEqual(await references.claimReference(sql, again, 'RF712348231'), first)
})

test('foreign money is found by its names on its account, waits after an id, and is decided once', async () => {
  const id = bareId(61) as foreign.ForeignId
  const row = {
    id,
    connection: ours,
    currency: 'CHF',
    reference: 'A',
    credit: true,
    amount: '1.00',
    fact: {},
  }
  const others = [{ connection: theirs }, { currency: 'SEK' }, { reference: 'B' }]
  const find = (rows: readonly Row[], ask: (tx: RowsTx) => Promise<readonly { id: string }[]>) =>
    onRows(sql, { sepa_foreign: rows }, async (tx) => (await ask(tx)).map((each) => each.id))
  const names = [{ currency: 'CHF', references: ['A'] }]
  const byName = (tx: RowsTx) => foreign.selectNamed(tx, ours, names)
  assert.deepEqual(await find([row, ...beside(row, ...others)], byName), [id])

  const decided = { decided_at: to }
  const next = { ...row, id: bareId(62) }
  const waiting = (tx: RowsTx) => foreign.selectWaitingForeign(tx, { after: id, limit: 9 })
  assert.deepEqual(await find([row, next, { ...row, id: bareId(63), ...decided }], waiting), [next.id])

  const rows = [row, next, { ...row, ...decided }]
  const decide = (tx: RowsTx) => foreign.decideForeign(tx, id, { by: 'ana', reason: 'x' })
  assert.deepEqual(await changedBy(sql, { sepa_foreign: rows }, 'sepa_foreign', decide), [0])
})
