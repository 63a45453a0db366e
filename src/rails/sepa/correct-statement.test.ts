// What a correction of a statement does to the entries and the balances of an account, and when it is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { bareId } from '../../../test/bare-rows.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import type { Transfer } from '../../../test/rails/sepa-files.ts'
import {
  inOneFile,
  isHeld,
  notificationOf,
  openSepaInbox,
  secondDay,
  statementOf,
  type SepaAccount,
} from '../../../test/sepa-inbox.ts'
import { correctStatement, type Correction } from './correct.ts'
import { claimReference } from './queries.ts'
import { referenceOf } from './reference.ts'

const inbox = openForTests(openSepaInbox)

const one = { ref: 'A', minor: 100 }
const two = { ref: 'B', minor: 100 }

async function take(bytes: Buffer): Promise<void> {
  const imported = await inbox.hand(bytes)
  assert.equal(imported.state, 'IMPORTED', JSON.stringify(imported))
}

/** Hands in a file that is refused, and accepts it as a correction. */
async function correctBy(bytes: Buffer, { id: connection }: Pick<SepaAccount, 'id'>) {
  const imported = await inbox.hand(bytes)
  assert.equal(imported.state, 'REFUSED')
  const noted: Correction[] = []
  const note = async (_: unknown, correction: Correction) => {
    assert.ok(await isHeld(inbox.sql, { id: connection }), 'no import changes the account meanwhile')
    noted.push(correction)
  }
  const told = inbox.kept.length
  const corrected = await correctStatement(inbox.deps, { connection, sha256: sha256(bytes), note })
  assert.deepEqual(noted, corrected.kind === 'corrected' ? [corrected.correction] : [])
  return { corrected, told: inbox.kept.slice(told).flat() }
}
async function reasonOf(bytes: Buffer, account: SepaAccount): Promise<string> {
  const { corrected } = await correctBy(bytes, account)
  return corrected.kind === 'refused' ? corrected.reason : corrected.kind
}
const entriesOf = async ({ id }: SepaAccount) => {
  const rows = await inbox.sql<{ reference: string; kind: string; corrected: boolean }[]>`
    select reference, kind, corrected from sepa_entry where connection = ${id} order by reference`
  return rows.map(({ reference, kind, corrected }) => [
    reference.replace(/~[0-9a-f]{12}$/, '~file'),
    kind,
    corrected,
  ])
}

test('a correction takes back what only the first one had, and imports what only it has', async () => {
  const account = inbox.connect()
  const owner = {
    connection: account.id,
    merchantId: bareId(1) as MerchantId,
    paymentId: bareId(2) as PaymentId,
    id: bareId(3) as AttemptId,
  }
  const structured = await claimReference(inbox.sql, owner, referenceOf('7K3M9RFP2X4B6D8N'))
  await take(
    statementOf(account, 'S', [
      { ...one, structured },
      { ref: 'D', minor: 5, isDebit: true },
    ]),
  )
  const bytes = statementOf(account, 'S', [two])
  const { corrected, told } = await correctBy(bytes, account)
  assert.deepEqual(corrected, {
    kind: 'corrected',
    correction: {
      statement: 'S',
      takenBack: ['A of 1.00 EUR on 2026-01-01', 'D of -0.05 EUR on 2026-01-01'],
      added: ['B of 1.00 EUR on 2026-01-01'],
      balances: ['S closes with 1.00 EUR instead of 0.95 EUR'],
      credits: ['A'],
      merchants: [bareId(1)],
    },
  })
  assert.deepEqual(await entriesOf(account), [
    ['A', 'PAID', true],
    ['A~file', 'RECALL', true],
    ['B', 'UNATTRIBUTED', false],
    ['D', 'OTHER', true],
    ['D~file', 'UNDONE', true],
  ])
  assert.deepEqual(
    told.map((each) => [/"reference":"(\w)/.exec(each)?.[1], each.includes('"reason":"CORRECTED"')]),
    [
      ['A', true],
      ['B', false],
    ],
  )
  const [file] =
    await inbox.sql`select state, entries from sepa_file where connection = ${account.id} and sha256 = ${sha256(bytes)}`
  assert.deepEqual(file, { state: 'IMPORTED', entries: 1 })
  const [row] =
    await inbox.sql`select closing_minor as closing from sepa_statement where connection = ${account.id}`
  assert.deepEqual(row, { closing: 100n })
  // Once: then it is a file that was imported.
  const again = { connection: account.id, sha256: sha256(bytes), note: async () => {} }
  assert.deepEqual(await correctStatement(inbox.deps, again), { kind: 'not_found' })
})

test('a refused file of no connected account is none', async () => {
  const account = inbox.connect()
  await take(statementOf(account, 'S', [one]))
  const { corrected } = await correctBy(statementOf(account, 'S', [two]), { id: 'gone' as ConnectionId })
  assert.deepEqual(corrected, { kind: 'not_found' })
  const deps = { ...inbox.deps, connections: { ...inbox.deps.connections, all: () => [] } }
  const order = {
    connection: account.id,
    sha256: sha256(statementOf(account, 'S', [two])),
    note: async () => {},
  }
  assert.deepEqual(await correctStatement(deps, order), { kind: 'not_found' })
})

test('a correction is of a statement that was imported, with its opening balance and its day', async () => {
  const account = inbox.connect()
  const of = (id: string, more: object, ...transfers: readonly Transfer[]) =>
    statementOf(account, id, transfers, more)
  await take(of('S', { opening: 50 }, one))
  assert.match(await reasonOf(of('T', { opening: 1 }, one), account), /^T was not imported before in EUR: /)
  assert.match(
    await reasonOf(notificationOf(account, { ref: 'L', minor: 5 }), account),
    /^N was not imported before in EUR: /,
  )
  assert.equal(
    await reasonOf(of('S', { opening: 50, day: secondDay }, one), account),
    'S closes on 2026-01-02, and the one before it on 2026-01-01',
  )
  assert.match(
    await reasonOf(of('S', { opening: 60 }, two), account),
    /^S opens with 0\.60 EUR instead of 0\.50 EUR: /,
  )
})

test('the next statement has to follow on the corrected one; a file may correct both', async () => {
  const account = inbox.connect()
  const next = (opening: number, ...transfers: readonly Transfer[]) =>
    statementOf(account, 'S2', transfers, { opening, day: secondDay })
  await take(statementOf(account, 'S1', [one]))
  await take(next(100, two))
  const more = statementOf(account, 'S1', [one, { ref: 'C', minor: 7 }])
  assert.match(
    await reasonOf(more, account),
    /^S1 closes with 1\.07 EUR, but S2 was imported after it and opens with 1\.00 EUR: /,
  )
  assert.deepEqual(await entriesOf(account), [
    ['A', 'UNATTRIBUTED', false],
    ['B', 'UNATTRIBUTED', false],
  ])
  const { corrected } = await correctBy(inOneFile(next(107, two), more), account)
  assert.ok(corrected.kind === 'corrected')
  assert.deepEqual(corrected.correction.balances, [
    'S1 closes with 1.07 EUR instead of 1.00 EUR',
    'S2 opens with 1.07 EUR instead of 1.00 EUR and closes with 2.07 EUR instead of 2.00 EUR',
  ])
  // With the balances that it has, the next one stays.
  const swapped = statementOf(account, 'S1', [two, { ref: 'C', minor: 7 }])
  assert.equal((await correctBy(swapped, account)).corrected.kind, 'corrected')
})

test('what a person has not decided, what was taken back, and payouts are not undone', async () => {
  const changed = async (kind: string, more: object = {}) => {
    const account = inbox.connect()
    await take(statementOf(account, 'S', [{ ...one, ...more }]))
    await inbox.sql`update sepa_entry set kind = ${kind} where connection = ${account.id}`
    return reasonOf(statementOf(account, 'S', [two]), account)
  }
  const name = 'A of 1.00 EUR on 2026-01-01'
  assert.equal(await changed('HELD'), `${name} is held: decide it first`)
  assert.equal(
    await changed('RETURNED'),
    `${name} is about a payout or a recall (RETURNED), which a correction cannot undo`,
  )
  assert.equal(await changed('UNATTRIBUTED'), 'corrected')
  const account = inbox.connect()
  await take(
    statementOf(account, 'S', [
      { ...one, txId: 'T' },
      { ref: 'R', minor: 30, isDebit: true, txId: 'T', returned: 'AC04' },
    ]),
  )
  const without = statementOf(account, 'S', [
    two,
    { ref: 'R', minor: 30, isDebit: true, txId: 'T', returned: 'AC04' },
  ])
  assert.equal(await reasonOf(without, account), `${name} was taken back already, or a part of it was`)
})

test('a correction has what was notified, and what it has anew may be held', async () => {
  const account = inbox.connect()
  const notified = { ref: 'N', minor: 7 }
  await take(notificationOf(account, notified))
  await take(statementOf(account, 'S', [one, notified]))
  await inbox.sql`update sepa_entry set statement = null where connection = ${account.id} and reference = 'N'`
  const lacks = 'the statement S lacks the entry N of 2026-01-01, which a notification reported'
  await inbox.sql`update sepa_statement set closing_minor = 100 where connection = ${account.id}`
  assert.equal(await reasonOf(statementOf(account, 'S', [two]), account), lacks)
  // Its own amount stays: the same name with other words, beside the first, is for a person.
  const twin = { ...one, minor: 7, text: 'other' }
  const { corrected } = await correctBy(statementOf(account, 'S', [one, notified, twin]), account)
  assert.equal(corrected.kind, 'corrected')
  assert.deepEqual(await entriesOf(account), [
    ['A', 'UNATTRIBUTED', false],
    ['A~2026-01-01', 'HELD', false],
    ['N', 'UNATTRIBUTED', false],
  ])
})

test('what a correction takes back is no likeness of what comes in its place', async () => {
  const account = inbox.connect()
  await take(statementOf(account, 'S', [{ ...one, text: 'one' }]))
  const bytes = statementOf(account, 'S', [{ ...one, text: 'other' }])
  assert.equal((await correctBy(bytes, account)).corrected.kind, 'corrected')
  assert.deepEqual(await entriesOf(account), [
    ['A', 'UNATTRIBUTED', true],
    ['A~2026-01-01', 'UNATTRIBUTED', false],
    ['A~file', 'RECALL', true],
  ])
})
