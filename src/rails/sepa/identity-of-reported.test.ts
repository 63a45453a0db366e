// The rules of who a movement is, on records: what counts as a known one, as another one, and what waits for a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identify, type Reported, type Stored } from './identity.ts'

const [day, nextDay] = ['2026-01-02', '2026-01-03'] as const
const said = { endToEndId: 'X', party: { iban: 'I', name: 'Ana' } }
const reported: Reported = {
  entry: 0,
  reference: 'R',
  part: 0,
  isCredit: true,
  minor: 100n,
  currency: 'EUR',
  bookedOn: day,
  ids: { entry: 'E1' },
  remittance: ['rent'],
  ...said,
}
/** The same movement, as it is stored. */
const stored: Stored = {
  reference: 'E1',
  part: 0,
  credit: true,
  minor: 100n,
  currency: 'EUR',
  bookedOn: day,
  statement: null,
  fact: { remittance: 'rent', ...said, ids: { entry: 'E1' } },
  names: [],
}
const rowOf = (fact: Partial<Stored['fact']>, more: Partial<Stored> = {}): Stored => ({
  ...stored,
  ...more,
  fact: { ...stored.fact, ...fact },
})
/** As an earlier program stored it, under this name: without identifiers. */
const oldOf = (reference: string, more: Partial<Stored> = {}, remittance = 'rent'): Stored => ({
  ...stored,
  reference,
  ...more,
  fact: { remittance, ...said },
})
const of = (more: Partial<Reported>): Reported => ({ ...reported, ...more })
const nameless = of({ ids: {} })
const other = of({ remittance: ['other'] })

const kindsOf = (each: readonly Reported[], rows: readonly Stored[], statement?: number) =>
  identify(each, rows, statement).map(({ kind }) => kind)

type Case = readonly [rule: string, kind: string, each: Reported, row: Stored, statement?: number]

const cases: readonly Case[] = [
  ['equal in all of it', 'known', reported, stored],
  ['a notification of what a statement has', 'known', reported, { ...stored, statement: 3 }],
  ['a statement of what was notified', 'known', reported, stored, 4],
  ['a statement that comes again', 'known', reported, { ...stored, statement: 4 }, 4],
  ['what another statement has', 'held', reported, { ...stored, statement: 3 }, 4],
  ['another identifier', 'new', of({ ids: { entry: 'E2' } }), stored],
  ['the name of a movement of the other side', 'new', of({ isCredit: false }), stored],
  ['the name of a movement in another currency', 'new', reported, { ...stored, currency: 'USD' }],

  [
    'an identifier where the other one has none, with more words',
    'new',
    of({ remittance: ['the rent'] }),
    rowOf({ ids: {} }),
  ],

  ['two notifications that differ in words', 'held', other, stored],
  ['two notifications, one of which says less', 'held', of({ remittance: [] }), stored],
  ['a statement that differs in words', 'held', other, stored, 4],
  ['a statement with fewer words', 'known', of({ remittance: [] }), stored, 4],
  ['a statement with more words', 'known', of({ remittance: ['the rent'] }), stored, 4],
  [
    'a notification with more words than its statement',
    'known',
    of({ remittance: ['the rent'] }),
    { ...stored, statement: 3 },
  ],
  ['a statement without a party', 'known', of({ party: {} }), stored, 4],
  ['a statement with a party that the notification had not', 'known', reported, rowOf({ party: {} }), 4],
  ['a statement with another party', 'held', of({ party: { iban: 'J' } }), stored, 4],
  ['a reason that only the statement has', 'known', of({ returned: { reason: 'AC04' } }), stored, 4],
  [
    'a reason where the notification had none',
    'known',
    of({ returned: { reason: 'AC04' } }),
    rowOf({ returned: { reason: 'no reason' } }),
    4,
  ],
  [
    'another reason',
    'held',
    of({ returned: { reason: 'AC04' } }),
    rowOf({ returned: { reason: 'MD07' } }),
    4,
  ],
  ['an identifier more than was notified', 'known', of({ ids: { transfer: 'T', entry: 'E1' } }), stored, 4],
  [
    'an identifier less than was notified',
    'known',
    reported,
    rowOf({ ids: { transfer: 'T', entry: 'E1' } }),
    4,
  ],

  [
    'a counter that names another movement on another day',
    'new',
    of({ remittance: ['other'], bookedOn: nextDay }),
    stored,
  ],
  ['a counter with another amount on another day', 'new', of({ minor: 200n, bookedOn: nextDay }), stored],
  ['the same content under the same name on another day', 'held', of({ bookedOn: nextDay }), stored],

  ['equal without identifiers', 'known', nameless, rowOf({ ids: {} })],
  ['without identifiers, other words', 'new', of({ ids: {}, remittance: ['other'] }), rowOf({ ids: {} }), 4],
  ['without identifiers, fewer words', 'new', of({ ids: {}, remittance: [] }), rowOf({ ids: {} })],

  ['an earlier program’s entry under its name', 'known', reported, oldOf('E1')],
  [
    'an earlier program’s entry under the name of its transfer',
    'known',
    of({ ids: { transfer: 'E1', entry: 'E9' } }),
    oldOf('E1'),
  ],
  [
    'an earlier program’s entry in dollars',
    'known',
    of({ currency: 'USD' }),
    oldOf('E1-USD', { currency: 'USD' }),
  ],
  ['an earlier program’s entry of another name', 'new', reported, oldOf('E2')],
  [
    'an earlier program’s entry, of which it kept fewer words',
    'known',
    of({ remittance: ['the rent'] }),
    oldOf('E1'),
  ],
  [
    'an earlier program’s entry by TxId, beside its name',
    'known',
    of({ ids: { txId: 'Q' } }),
    oldOf('E1', { names: ['Q'] }),
  ],
  ...(['transfer', 'txId', 'uetr'] as const).map((kind): Case => [
    `an earlier program’s entry by ${kind}`,
    'known',
    of({ ids: { [kind]: 'Q' } }),
    oldOf('NONREF', { names: ['Q'] }),
  ]),
  [
    'an identifier that an earlier program did not keep',
    'new',
    of({ ids: { txId: 'Q' }, remittance: ['other'] }),
    oldOf('NONREF', { names: ['Z'] }),
  ],
  ['an earlier program’s entry without a name, equal', 'known', nameless, oldOf('NONREF')],
  [
    'an earlier program’s entry without a name, with fewer words',
    'known',
    of({ ids: {}, remittance: ['the rent'] }),
    oldOf('NONREF'),
  ],
  [
    'an earlier program’s entry without a name, with other words',
    'new',
    of({ ids: {}, remittance: ['other'] }),
    oldOf('NONREF'),
  ],
  ['a name that only the notification before had', 'held', nameless, oldOf('E1')],
  ['a name that only this notification has', 'held', reported, oldOf('NONREF')],
  [
    'a name that only this notification has, and more words',
    'held',
    of({ remittance: ['the rent'] }),
    oldOf('NONREF'),
  ],
  ['a name that only this notification has, and other words', 'new', other, oldOf('NONREF')],
  [
    'a name that only this notification has, of another currency',
    'new',
    reported,
    oldOf('NONREF-USD', { currency: 'USD' }),
  ],
  [
    'no name in a notification, a name in the statement before',
    'known',
    nameless,
    oldOf('E1', { statement: 3 }),
  ],
  ['no name in a statement, a name in the notification before', 'known', nameless, oldOf('E1'), 4],
  [
    'an identifier that was no name, of one day',
    'held',
    of({ ids: { own: 'Q' } }),
    oldOf('NONREF', { names: ['Q'] }),
  ],
  [
    'an identifier that was no name, of another day',
    'new',
    of({ ids: { own: 'Q' }, bookedOn: nextDay }),
    oldOf('NONREF', { names: ['Q'] }),
  ],
  ['a name where this program read none, and other words', 'new', other, rowOf({ ids: {} })],
]

for (const [rule, kind, each, row, statement] of cases)
  test(`${rule}: ${kind}`, () => {
    assert.deepEqual(kindsOf([each], [row], statement), [kind])
  })

test('a stored movement is claimed once, and by what is equal before what says less', () => {
  const again = of({ entry: 1 })
  assert.deepEqual(kindsOf([reported, again], [stored]), ['known', 'held'])
  assert.deepEqual(kindsOf([of({ remittance: [] }), again], [stored], 4), ['held', 'known'])
  // Without identifiers, each occurrence is one.
  const row = rowOf({ ids: {} })
  assert.deepEqual(kindsOf([nameless, of({ ids: {}, entry: 1 })], [row]), ['known', 'new'])
})

test('what has the name of another in its report is held, unless it is on another day and of other content', () => {
  const second = of({ entry: 1, remittance: ['other'] })
  const [, verdict] = identify([reported, second], [], undefined)
  assert.deepEqual(verdict, { kind: 'held', twin: reported })
  assert.deepEqual(kindsOf([reported, { ...second, bookedOn: nextDay }], []), ['new', 'new'])
  // The transfers of one entry may share its identifier.
  assert.deepEqual(kindsOf([of({ part: 1 }), of({ part: 2 })], []), ['new', 'new'])
})

const part = (at: number, minor: bigint, more: Partial<Stored> = {}) =>
  rowOf({ ids: { entry: 'E1', transfer: `T${at}` } }, { part: at, minor, ...more })
const parts = [part(1, 60n), part(2, 40n)]

test('one entry is all transfers that were reported before, if they are of its day, name and amount', () => {
  const [whole] = identify([reported], parts, undefined)
  assert.deepEqual(whole, { kind: 'known', rows: parts })
  const transfers = [1, 2].map((at) =>
    of({ part: at, minor: at === 1 ? 60n : 40n, ids: { entry: 'E1', transfer: `T${at}` } }),
  )
  assert.deepEqual(identify(transfers, [stored], undefined), [
    { kind: 'known', rows: [stored] },
    { kind: 'known', rows: [stored] },
  ])
  assert.deepEqual(kindsOf([of({ minor: 101n })], parts), ['held'])
  assert.deepEqual(kindsOf([of({ bookedOn: nextDay })], parts), ['new'])
  const elsewhere = parts.map((row) => ({ ...row, statement: 3 }))
  assert.deepEqual(kindsOf([reported], elsewhere, 4), ['held'])
  const ofOther = parts.map((row) =>
    rowOf({ ids: { entry: 'Z', txId: 'E1' } }, { part: row.part, minor: row.minor }),
  )
  assert.deepEqual(kindsOf([reported], ofOther), ['new'])
})

test('transfers that one entry has claimed are no other’s', () => {
  assert.deepEqual(kindsOf([reported, of({ entry: 1 })], parts), ['known', 'held'])
  const first = of({ entry: 1, minor: 60n, ids: { entry: 'E1', transfer: 'T1' } })
  assert.deepEqual(kindsOf([reported, first], parts), ['known', 'held'])
  // What is like the entry on another day is like its first transfer.
  const [, verdict] = identify([reported, of({ entry: 1, bookedOn: nextDay })], parts, undefined)
  assert.deepEqual(verdict, { kind: 'held', like: parts[0] })
})
