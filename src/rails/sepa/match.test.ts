// Whose money a movement is: payouts of ours, files of payments, references that it quotes, and credits that it takes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { bareId, onRows, type BareRows } from '../../../test/bare-rows.ts'
import { rowsDatabase } from '../../../test/file-database.ts'
import { concernedByUnclear, type UnclearDebit } from './concerned.ts'
import { matchMovements } from './match.ts'
import type { Movement } from './movement.ts'
import { referenceOf } from './reference.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>

const connection = 'bank-a' as ConnectionId
const credit: Movement = {
  entry: 0,
  reference: 'R',
  part: 0,
  isCredit: true,
  minor: 100n,
  currency: 'EUR',
  bookedOn: '2026-01-02',
  remittance: [],
  ids: {},
  names: [],
}
const debit = { ...credit, isCredit: false }
const returned = { reason: 'AC04' }

async function kindsOf(tables: BareRows, ...movements: readonly Movement[]): Promise<readonly string[]> {
  const none = { sepa_payout: [], sepa_batch: [], sepa_reference: [], sepa_entry: [] }
  const matched = await onRows(sql, { ...none, ...tables }, (tx) => matchMovements(tx, connection, movements))
  return matched.map(({ kind }) => kind)
}

const [first, second] = ['7K3M9RFP2X4B6D8N', '1234567890ABCDEF'].map(referenceOf) as [string, string]
const typo = (reference: string) => reference.slice(0, -1)
const references = {
  sepa_reference: [first, second].map((reference, at) => ({
    reference,
    connection,
    merchant_id: bareId(1),
    payment_id: bareId(11 + at),
    attempt_id: bareId(21 + at),
  })),
}

for (const [rule, kind, movement] of [
  ['one reference', 'PAID', { ...credit, remittance: [`for ${first}`] }],
  ['one reference, in the sender’s own', 'PAID', { ...credit, endToEndId: first }],
  ['a reference and another with a typo', 'PAID', { ...credit, remittance: [first, typo(second)] }],
  ['two references', 'UNATTRIBUTED', { ...credit, remittance: [first, second] }],
  ['a reference of nobody', 'UNATTRIBUTED', { ...credit, remittance: [referenceOf('0000000000000000')] }],
  ['a typo', 'PROPOSED', { ...credit, remittance: [typo(first)] }],
  ['two typos', 'UNATTRIBUTED', { ...credit, remittance: [typo(first), typo(second)] }],
  ['a reference, in dollars', 'UNATTRIBUTED', { ...credit, remittance: [first], currency: 'USD' }],
  ['a typo, in dollars', 'UNATTRIBUTED', { ...credit, remittance: [typo(first)], currency: 'USD' }],
  ['a reference, and leaves', 'OTHER', { ...debit, remittance: [first] }],
] as const)
  test(`what quotes ${rule} is ${kind}`, async () => {
    assert.deepEqual(await kindsOf(references, movement), [kind])
  })

const payout = {
  reference: 'p1',
  connection,
  kind: 'WITHDRAWAL',
  amount_minor: 100,
  returned_minor: 0,
  state: 'BATCHED',
}
const refund = { ...payout, kind: 'REFUND' }
const named = { endToEndId: 'P1' }
for (const [rule, kind, movement, row] of [
  ['a withdrawal leaves', 'SENT', debit, payout],
  ['a withdrawal comes back', 'RETURNED', credit, payout],
  ['a part of a withdrawal comes back', 'RETURNED', { ...credit, minor: 40n }, payout],
  ['dollars leave', 'OTHER', { ...debit, currency: 'USD' }, payout],
  ['dollars come', 'UNATTRIBUTED', { ...credit, currency: 'USD' }, payout],
  ['a refund leaves', 'SENT', debit, refund],
  ['another amount than the refund leaves', 'SENT', { ...debit, minor: 40n }, refund],
  ['a refund comes back whole', 'RETURNED', credit, refund],
  ['a part of a refund comes back', 'UNATTRIBUTED', { ...credit, minor: 40n }, refund],
  ['a refund comes back again', 'UNATTRIBUTED', credit, { ...refund, returned_minor: 100 }],
  ['a refund comes back after a cent of it', 'UNATTRIBUTED', credit, { ...refund, returned_minor: 1 }],
  ['what waits for a file leaves whole', 'SENT', debit, { ...payout, state: 'WAITING' }],
  [
    'what waits for a file leaves in part',
    'OTHER',
    { ...debit, minor: 40n },
    { ...payout, state: 'WAITING' },
  ],
  ['what waits for a file comes', 'UNATTRIBUTED', credit, { ...payout, state: 'WAITING' }],
] as const)
  test(`by the name of a payout, ${rule}: ${kind}`, async () => {
    assert.deepEqual(await kindsOf({ sepa_payout: [row] }, { ...movement, ...named }), [kind])
  })

const batch = { id: bareId(31), connection, message_id: 'm1' }
const inFile = { ...payout, batch_id: batch.id }
const fileOf = (...rows: readonly Row[]) => ({
  sepa_batch: [batch],
  sepa_payout: rows.map((row, at) => ({ ...row, reference: `q${at}` })),
})
const two = fileOf(inFile, { ...inFile, amount_minor: 30 })
const whole = { ...debit, minor: 130n, ofFile: { ids: ['M1'], count: '2' } }

test('one debit for a file of payments has its number and its sum, of what the bank has not refused', async () => {
  assert.deepEqual(await kindsOf(two, whole), ['SENT'])
  assert.deepEqual(await kindsOf(two, { ...whole, ofFile: { ids: ['other', 'M1'], count: '0002' } }), [
    'SENT',
  ])
  const left = fileOf(inFile, { ...inFile, state: 'REFUSED' })
  assert.deepEqual(await kindsOf(left, { ...whole, minor: 100n, ofFile: { ids: ['M1'], count: '1' } }), [
    'SENT',
  ])
  const ended = fileOf(inFile, { ...inFile, amount_minor: 30, state: 'DONE' })
  assert.deepEqual(await kindsOf(ended, whole), ['HELD'])
  for (const change of [{ minor: 129n }, { ofFile: { ids: ['M1'], count: '3' } }])
    assert.deepEqual(await kindsOf(two, { ...whole, ...change }), ['HELD'], JSON.stringify(change.ofFile))
  assert.deepEqual(await kindsOf(two, { ...whole, ofFile: { ids: ['M2'], count: '2' } }), ['OTHER'])
  assert.deepEqual(await kindsOf(two, { ...whole, currency: 'USD' }), ['OTHER'])
})

test('a file is debited once, and never by a credit', async () => {
  assert.deepEqual(await kindsOf(two, whole, { ...whole }), ['SENT', 'HELD'])
  assert.deepEqual(await kindsOf(two, { ...whole, isCredit: true }, whole), ['UNATTRIBUTED', 'SENT'])
  const beside = { ...two, sepa_payout: [...two.sepa_payout, payout] }
  assert.deepEqual(await kindsOf(beside, { ...whole, ...named }, whole), ['SENT', 'SENT'])
})

const came = {
  connection,
  reference: 'C',
  part: 0,
  credit: true,
  amount_minor: 100,
  currency: 'EUR',
  booked_on: '2026-01-01',
  kind: 'UNATTRIBUTED',
  fact: { remittance: '', party: { iban: 'I' } },
  names: ['T', 'X'],
}
const again = { ...came, reference: 'D' }
const took = {
  ...came,
  reference: 'K',
  credit: false,
  amount_minor: 30,
  kind: 'RECALL',
  names: [],
  of_reference: 'C',
  of_part: 0,
}
const [own, shared] = [{ names: ['T'] }, { endToEndId: 'X', returned }]
const ofOne = (attempt: string | null, more: object = {}) => ({ ...came, ...more, attempt_id: attempt })
const cases: readonly (readonly [
  rule: string,
  kind: string,
  change: Partial<Movement>,
  ...rows: readonly Row[],
])[] = [
  ['the transfer’s own name', 'RECALL', own, came],
  ['the name of the entry', 'RECALL', { names: ['C'] }, came],
  ['the name of the entry, for a part', 'RECALL', { names: ['C'], minor: 40n }, came],
  ['its own name, for a part', 'RECALL', { ...own, minor: 40n }, came],
  ['its own name, for the rest of it', 'RECALL', { ...own, minor: 70n }, came, took],
  ['its own name, for more than is left', 'OTHER', { ...own, minor: 71n }, came, took],
  [
    'its own name, for more than is left, as a return',
    'UNCLEAR',
    { ...own, returned, minor: 71n },
    came,
    took,
  ],
  ['no name', 'OTHER', {}, came],
  ['the name of two, of one of which it is the amount', 'RECALL', own, came, { ...again, amount_minor: 200 }],
  ['the name of two of its amount', 'UNCLEAR', { ...own, returned }, came, again],
  ['the name of two, for a part', 'UNCLEAR', { ...own, returned, minor: 40n }, came, again],
  ['a name that several may have, as a return', 'RECALL', shared, came],
  ['a name that several may have', 'OTHER', { endToEndId: 'X' }, came],
  ['a name that several may have, for a part', 'UNCLEAR', { ...shared, minor: 40n }, came],
  ['a name that several may have, for the rest', 'UNCLEAR', { ...shared, minor: 70n }, came, took],
  ['a name that several may have, of the same party', 'RECALL', { ...shared, party: { iban: 'I' } }, came],
  ['a name that several may have, of another party', 'UNCLEAR', { ...shared, party: { iban: 'J' } }, came],
  [
    'a name that several may have, of a party that did not say',
    'RECALL',
    { ...shared, party: { iban: 'J' } },
    { ...came, fact: { remittance: '' } },
  ],
  [
    'a shared name of two for one attempt',
    'RECALL',
    shared,
    ofOne(bareId(41)),
    ofOne(bareId(41), { reference: 'D' }),
  ],
  [
    'a shared name of two for two attempts',
    'UNCLEAR',
    shared,
    ofOne(bareId(41)),
    ofOne(bareId(42), { reference: 'D' }),
  ],
  ['a shared name of two of nobody', 'UNCLEAR', shared, ofOne(null), ofOne(null, { reference: 'D' })],
  ['its name in another currency', 'OTHER', { ...own, currency: 'USD' }, came],
]
for (const [rule, kind, change, ...rows] of cases)
  test(`a debit that names a credit by ${rule} is ${kind}`, async () => {
    assert.deepEqual(await kindsOf({ sepa_entry: rows }, { ...debit, ...change }), [kind])
  })

test('among fifty credits of one attempt there may be more: a person decides', async () => {
  const kindAmong = async (count: number) => {
    const rows = Array.from({ length: count }, (_, at) => ofOne(bareId(41), { reference: `C${at}` }))
    const [kind] = await kindsOf({ sepa_entry: rows }, { ...debit, ...shared })
    return kind
  }
  assert.deepEqual([await kindAmong(49), await kindAmong(50)], ['RECALL', 'UNCLEAR'])
})

test('an unclear debit concerns the credits that it names; with none of them, or with fifty, also anybody', async () => {
  const unclear: UnclearDebit = {
    fact: { remittance: '' },
    names: ['T'],
    minor: 100n,
    currency: 'EUR',
    bookedOn: '2026-01-02',
  }
  const concerned = async (count: number) => {
    const rows = Array.from({ length: count }, (_, at) => ({ ...came, reference: `C${at}` }))
    const whom = await onRows(sql, { sepa_entry: rows }, (tx) => concernedByUnclear(tx, connection, unclear))
    return [whom.credits.length, whom.unnamed !== undefined]
  }
  for (const [count, isAnybody] of [
    [0, true],
    [1, false],
    [49, false],
    [50, true],
  ] as const)
    assert.deepEqual(await concerned(count), [count, isAnybody])
})

test('debits of one report take from what the ones before have left', async () => {
  const part = (minor: bigint) => ({ ...debit, ...own, minor })
  const kinds = await kindsOf({ sepa_entry: [came] }, part(60n), part(60n), part(40n), part(1n))
  assert.deepEqual(kinds, ['RECALL', 'OTHER', 'RECALL', 'OTHER'])
})

test('neither a payout of ours nor a credit takes anything back', async () => {
  const rows = { sepa_entry: [came], sepa_payout: [payout] }
  const taking = { ...debit, ...own }
  assert.deepEqual(await kindsOf(rows, { ...taking, ...named }, taking), ['SENT', 'RECALL'])
  assert.deepEqual(await kindsOf(rows, { ...taking, isCredit: true, returned }, taking), [
    'UNATTRIBUTED',
    'RECALL',
  ])
})
