// Which statement follows on which, what a statement that comes again may have, and what a notification may still say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openForTests } from '../../../test/open-for-tests.ts'
import type { Transfer } from '../../../test/rails/sepa-files.ts'
import {
  firstDay,
  notificationOf,
  openSepaInbox,
  secondDay,
  statementOf,
  thirdDay,
  type SepaAccount,
} from '../../../test/sepa-inbox.ts'
import { changeOf, mayBeCorrection } from './follow.ts'

const inbox = openForTests(openSepaInbox)

/** How many movements were new, or why the file was refused. */
async function outcomeOf(bytes: Buffer): Promise<number | string> {
  const imported = await inbox.hand(bytes)
  if (imported.state === 'REFUSED') return imported.reason
  return imported.state === 'KNOWN' ? imported.state : imported.movements
}
const entriesOf = async ({ id }: SepaAccount) => {
  const rows = await inbox.sql<
    { reference: string; kind: string; statement: number | null; like: string | null }[]
  >`
    select reference, kind, statement, like_reference as "like" from sepa_entry where connection = ${id} order by reference`
  return rows.map(({ reference, kind, statement, like }) => [reference, kind, statement, like])
}
const other = 'UNATTRIBUTED'
const one = { ref: 'A', minor: 100 }

test('a statement opens with the balance that the one before it closed with, and closes on no earlier day', async () => {
  const account = inbox.connect()
  const next = (id: string, opening: number, day: string) =>
    outcomeOf(statementOf(account, id, [], { opening, day }))
  assert.equal(await outcomeOf(statementOf(account, 'S1', [one], { opening: 50, day: secondDay })), 1)
  const base = 'but S1 before it closed with 1.50 EUR on 2026-01-02'
  assert.equal(await next('S2', 149, secondDay), `the statement S2 opens with 1.49 EUR, ${base}`)
  assert.equal(
    await next('S2', 150, firstDay),
    'the statement S2 closes on 2026-01-01, before S1, which it follows',
  )
  assert.equal(await next('S2', 150, secondDay), 0)
  assert.equal(await next('S3', 150, thirdDay), 0)
  const numbers =
    await inbox.sql`select number, bank_id as name from sepa_statement where connection = ${account.id} order by number`
  assert.deepEqual(
    [...numbers],
    [1, 2, 3].map((number) => ({ number, name: `S${number}` })),
  )
})

test('a statement of a known name is the known one, with its opening balance and closing day', async () => {
  const account = inbox.connect()
  const again = (more: { opening?: number; day?: string }, minor = 100) =>
    outcomeOf(statementOf(account, 'S', [{ ref: 'A', minor, day: firstDay }], more))
  assert.equal(await again({}), 1)
  const reason = 'the statement S was imported before, with other balances'
  assert.equal(await again({ opening: 1 }), reason)
  assert.equal(await again({ day: secondDay }), reason)
})

test('a statement that comes again with other entries is refused, and says which, and which balances changed', async () => {
  const account = inbox.connect()
  const again = (...transfers: readonly Transfer[]) => outcomeOf(statementOf(account, 'S', transfers))
  assert.equal(await again(one), 1)
  const refusal = (before: string, now: string, change = '') =>
    `the statement S was imported before with other entries: only before: ${before}; only in this file: ${now}${change}`
  const [was, is] = ['A of 1.00 EUR on 2026-01-01', 'B of 1.00 EUR on 2026-01-01']
  assert.equal(await again({ ...one, ref: 'B' }), refusal(was, is))
  const closes = (sum: string) => `; in this file it closes with ${sum} EUR instead of 1.00 EUR`
  assert.equal(await again(), refusal(was, 'none', closes('0.00')))
  assert.equal(await again(one, { ...one, ref: 'B' }), refusal('none', is, closes('2.00')))
  const debit = { ref: 'C', minor: 30, isDebit: true }
  assert.equal(await again(one, debit), refusal('none', 'C of -0.30 EUR on 2026-01-01', closes('0.70')))
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ref: `M${at}`, minor: 1 }))
  const named = many(5).map(({ ref }) => `${ref} of 0.01 EUR on 2026-01-01`)
  assert.equal(await again(one, ...many(5)), refusal('none', named.join(', '), closes('1.05')))
  assert.equal(await again(one, ...many(6)), refusal('none', [...named, '1 more'].join(', '), closes('1.06')))
  // Entries that move nothing together are entries all the same.
  const pair = [
    { ref: 'P', minor: 5 },
    { ref: 'Q', minor: 5, isDebit: true },
  ]
  const both = 'P of 0.05 EUR on 2026-01-01, Q of -0.05 EUR on 2026-01-01'
  assert.equal(await again(one, ...pair), refusal('none', both))
  const paired = inbox.connect()
  assert.equal(await outcomeOf(statementOf(paired, 'S', [one, ...pair])), 3)
  assert.equal(await outcomeOf(statementOf(paired, 'S', [one])), refusal(both, 'none'))
  assert.ok(mayBeCorrection(refusal(was, is)))
  for (const reason of [null, 'the statement S was imported before, with other balances'])
    assert.ok(!mayBeCorrection(reason))
})

test('what was booked before a statement opened is not among its entries, but its balances have to be the same', async () => {
  const account = inbox.connect()
  const early = { ref: 'N', minor: 50, day: firstDay }
  assert.equal(await outcomeOf(notificationOf(account, early)), 1)
  const opening = { opening: 50, day: secondDay }
  assert.equal(await outcomeOf(statementOf(account, 'S', [one], opening)), 1)
  assert.deepEqual(await entriesOf(account), [
    ['A', other, 1, null],
    ['N', other, 1, null],
  ])
  // The same again in other bytes, without what is in its opening balance.
  assert.equal(
    await outcomeOf(Buffer.concat([statementOf(account, 'S', [one], opening), Buffer.from('\n')])),
    0,
  )
  // An entry of the day before that leaves shows in the balances alone.
  const late = inbox.connect()
  const before = { ...one, ref: 'B', day: firstDay }
  assert.equal(await outcomeOf(statementOf(late, 'S', [before, one], { day: secondDay })), 2)
  assert.match(
    String(await outcomeOf(statementOf(late, 'S', [one], { day: secondDay }))),
    /only before: none; only in this file: none; in this file it closes with 1.00 EUR instead of 2.00 EUR$/,
  )
})

test('balances that a statement had before are told where they changed', () => {
  const on = firstDay
  const balances = { opening: { minor: 100n, on }, closing: { minor: 200n, on } }
  const of = (openingMinor: bigint, closingMinor: bigint) =>
    changeOf({ balances, currency: 'EUR' }, { before: { openingMinor, closingMinor } })
  assert.equal(of(100n, 200n), undefined)
  assert.equal(
    of(101n, 202n),
    'opens with 1.00 EUR instead of 1.01 EUR and closes with 2.00 EUR instead of 2.02 EUR',
  )
  assert.equal(changeOf({ currency: 'EUR' }, { before: { openingMinor: 1n, closingMinor: 1n } }), undefined)
  assert.equal(changeOf({ balances, currency: 'EUR' }, {}), undefined)
})

test('a notification adds nothing to a day whose statement came', async () => {
  const account = inbox.connect()
  assert.equal(await outcomeOf(notificationOf(account, one)), 1)
  assert.equal(await outcomeOf(statementOf(account, 'S', [one])), 0)
  const late = (day: string) => outcomeOf(notificationOf(account, { ref: 'L', minor: 5, day }))
  assert.equal(await late(firstDay), 'the entry L of 2026-01-01 is not in S, which closed on 2026-01-01')
  assert.equal(await late(secondDay), 1)
  // What is known is no addition.
  assert.equal(await outcomeOf(notificationOf(account, one, { ref: 'M', minor: 7, day: secondDay })), 1)
})

test('entries of one name get the name with their day, and with numbers from 2', async () => {
  const account = inbox.connect()
  const named = (text: string, day: string = firstDay) => ({ ...one, text, day })
  assert.equal(await outcomeOf(notificationOf(account, named('a', thirdDay))), 1)
  assert.equal(await outcomeOf(notificationOf(account, named('b'), named('c', secondDay))), 2)
  assert.equal(await outcomeOf(notificationOf(account, named('d'))), 1)
  const names = await entriesOf(account)
  assert.deepEqual(names, [
    ['A', other, null, null],
    ['A~2026-01-01', other, null, null],
    // It has the name of one of its day, and other words.
    ['A~2026-01-01~2', 'HELD', null, 'A~2026-01-01'],
    ['A~2026-01-02', other, null, null],
  ])
})

test('of one name and day fifty entries are numbered after the first, and further ones get a mark', async () => {
  const account = inbox.connect()
  const transfers = Array.from({ length: 53 }, (_, at) => ({ ...one, minor: at + 1 }))
  assert.equal(await outcomeOf(notificationOf(account, ...transfers)), 53)
  const names = new Set((await entriesOf(account)).map(([reference]) => String(reference)))
  const day = 'A~2026-01-01'
  for (const name of ['A', day, ...Array.from({ length: 49 }, (_, at) => `${day}~${at + 2}`)])
    assert.ok(names.delete(name), name)
  assert.equal(names.size, 2)
  for (const name of names) assert.match(name, /^A~[0-9a-f]{8}-[0-9a-f-]{27}$/)
})

test('a name that the bank gave itself is taken, also where we would make it', async () => {
  const account = inbox.connect()
  assert.equal(await outcomeOf(notificationOf(account, { ref: 'A~2026-01-01', minor: 7 })), 1)
  assert.equal(await outcomeOf(notificationOf(account, one, { ...one, minor: 8 })), 2)
  assert.deepEqual(
    (await entriesOf(account)).map(([reference]) => reference),
    ['A', 'A~2026-01-01', 'A~2026-01-01~2'],
  )
})

test('what contradicts itself is held, though nothing is like it', async () => {
  const account = inbox.connect()
  const details = '<TxDtls><Amt Ccy="EUR">0.30</Amt></TxDtls><TxDtls><Amt Ccy="EUR">0.40</Amt></TxDtls>'
  assert.equal(await outcomeOf(notificationOf(account, { ...one, details })), 1)
  assert.deepEqual(await entriesOf(account), [['A', 'HELD', null, null]])
})

test('two of one name in one report: the second is held, under its own name and beside the first’s', async () => {
  const account = inbox.connect()
  assert.equal(await outcomeOf(notificationOf(account, one)), 1)
  const [third, fourth] = [
    { ...one, minor: 300, day: secondDay },
    { ...one, minor: 400, day: secondDay },
  ]
  assert.equal(await outcomeOf(notificationOf(account, third, fourth)), 2)
  assert.deepEqual(await entriesOf(account), [
    ['A', other, null, null],
    ['A~2026-01-02', other, null, null],
    ['A~2026-01-02~2', 'HELD', null, 'A~2026-01-02'],
  ])
})

test('a statement has what was notified; what is held beside it has a statement of its own', async () => {
  const account = inbox.connect()
  const held = { ...one, text: 'other' }
  assert.equal(await outcomeOf(notificationOf(account, one)), 1)
  assert.equal(await outcomeOf(notificationOf(account, held)), 1)
  // A person has not decided yet whether it is the first one.
  assert.equal(await outcomeOf(statementOf(account, 'S', [held])), 0)
  assert.deepEqual(await entriesOf(account), [
    ['A', other, null, null],
    ['A~2026-01-01', 'HELD', 1, 'A'],
  ])
})

test('what a person decided to be another movement gets the statement of it', async () => {
  const account = inbox.connect()
  const told = { ...one, text: 'other' }
  assert.equal(await outcomeOf(notificationOf(account, one, { ref: 'B', minor: 7 })), 2)
  assert.equal(await outcomeOf(notificationOf(account, told)), 1)
  await inbox.sql`update sepa_entry set kind = 'SAME' where connection = ${account.id} and kind = 'HELD'`
  assert.match(String(await outcomeOf(statementOf(account, 'S', [told]))), /lacks the entry B of 2026-01-01/)
  assert.equal(await outcomeOf(statementOf(account, 'S', [told, { ref: 'B', minor: 7 }])), 0)
  assert.deepEqual(await entriesOf(account), [
    ['A', other, 1, null],
    ['A~2026-01-01', 'SAME', null, 'A'],
    ['B', other, 1, null],
  ])
})
