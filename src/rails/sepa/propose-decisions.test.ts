// What people decide about movements: each once, only what can be, and what is told of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId } from '../../../test/bare-rows.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import {
  isHeld,
  notificationOf,
  openSepaInbox,
  statementOf,
  type SepaAccount,
} from '../../../test/sepa-inbox.ts'
import type { Concerned } from './concerned.ts'
import { decideForeign, listForeign } from './foreign.ts'
import { decideHeld, listHeld } from './held.ts'
import { decide, listProposals } from './propose.ts'
import { claimReference } from './queries.ts'
import { referenceOf } from './reference.ts'
import { decideRecall, listUnclear } from './unclear.ts'

const inbox = openForTests(openSepaInbox)

const merchantId = bareId(1) as MerchantId
const entriesOf = async ({ id }: SepaAccount) => {
  const rows = await inbox.sql<{ reference: string; kind: string; statement: number | null }[]>`
    select reference, kind, statement from sepa_entry where connection = ${id} order by reference`
  return rows.map(({ reference, kind, statement }) => [reference, kind, statement])
}
async function toldBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = inbox.kept.length
  await work()
  return inbox.kept.slice(before).flat()
}
/** The near reference of an attempt on this account. */
async function nearOn({ id: connection }: SepaAccount): Promise<string> {
  const owner = { connection, merchantId, paymentId: bareId(2) as PaymentId, id: bareId(3) as AttemptId }
  await inbox.sql`delete from sepa_reference`
  return (await claimReference(inbox.sql, owner, referenceOf('7K3M9RFP2X4B6D8N'))).slice(0, -1)
}

const one = { ref: 'A', minor: 100, text: 'one' }
const other = { ref: 'A', minor: 100, text: 'other' }

/** An account on which the second movement is held because it is like the first. */
async function heldOn(first: object = {}, second: object = {}) {
  const account = inbox.connect()
  await inbox.hand(notificationOf(account, { ...one, ...first }))
  await inbox.hand(notificationOf(account, { ...other, ...second }))
  const held = (await listHeld(inbox.sql)).find(({ connection }) => connection === account.id)
  assert.ok(held !== undefined)
  const concerned: Concerned[] = []
  const note = async (_: unknown, whom: Concerned) => {
    assert.ok(await isHeld(inbox.sql, account), 'no import changes the account meanwhile')
    concerned.push(whom)
  }
  const verdictOn = async (isSame: boolean) => {
    const { connection, entry } = held
    const verdict = await decideHeld(inbox.deps, { connection, entry, isSame, note })
    return verdict.kind === 'not_same' ? verdict.reason : verdict.kind
  }
  return { account, held, concerned, verdictOn }
}

test('a held movement is shown beside the one that it is like, with the sign of each', async () => {
  const { account, held } = await heldOn({ isDebit: true }, { isDebit: true, minor: 70 })
  const base = { connection: account.id, currency: 'EUR', party: 'Ana & Rui' }
  assert.deepEqual(held, {
    ...base,
    entry: 'A~2026-01-01',
    minor: -70n,
    bookedOn: '2026-01-01',
    wrote: 'other',
    like: { entry: 'A', minor: -100n, bookedOn: '2026-01-01', wrote: 'one' },
  })
})

test('a held movement is the one that it is like, once, and tells nothing', async () => {
  const { account, concerned, verdictOn } = await heldOn()
  const told = await toldBy(async () => assert.equal(await verdictOn(true), 'decided'))
  assert.deepEqual(told, [])
  assert.equal(concerned.length, 1)
  assert.deepEqual(await entriesOf(account), [
    ['A', 'UNATTRIBUTED', null],
    ['A~2026-01-01', 'SAME', null],
  ])
  assert.equal(await verdictOn(true), 'not_found')
})

test('a held movement that is another one is matched and told', async () => {
  const { account, verdictOn } = await heldOn()
  const told = await toldBy(async () => assert.equal(await verdictOn(false), 'decided'))
  assert.equal(told.length, 1)
  assert.match(String(told[0]), /"reference":"A~2026-01-01"/)
  assert.deepEqual(await entriesOf(account), [
    ['A', 'UNATTRIBUTED', null],
    ['A~2026-01-01', 'UNATTRIBUTED', null],
  ])
  assert.equal(await verdictOn(false), 'not_found')
})

test('it cannot be one of another amount or side, or one of another statement', async () => {
  const amount = await heldOn({}, { minor: 101 })
  assert.equal(await amount.verdictOn(true), 'the other one moved another amount')
  const side = await heldOn()
  await inbox.sql`update sepa_entry set credit = false where connection = ${side.account.id} and reference = 'A'`
  assert.equal(await side.verdictOn(true), 'the other one moved another amount')
  const both = await heldOn()
  const state = (reference: string) =>
    inbox.sql`update sepa_entry set statement = 1 where connection = ${both.account.id} and reference = ${reference}`
  await state('A')
  await state('A~2026-01-01')
  assert.equal(await both.verdictOn(true), 'both are in statements, whose balances moved by each of them')
  for (const only of ['A', 'A~2026-01-01']) {
    const { account, verdictOn } = await heldOn()
    await inbox.sql`update sepa_entry set statement = 1 where connection = ${account.id} and reference = ${only}`
    assert.equal(await verdictOn(true), 'decided', only)
    assert.deepEqual((await entriesOf(account))[0], ['A', 'UNATTRIBUTED', 1])
  }
})

test('what contradicts itself is like none', async () => {
  const account = inbox.connect()
  const details = '<TxDtls><Amt Ccy="EUR">0.30</Amt></TxDtls><TxDtls><Amt Ccy="EUR">0.40</Amt></TxDtls>'
  await inbox.hand(notificationOf(account, { ref: 'A', minor: 100, details }))
  const held = (await listHeld(inbox.sql)).find(({ connection }) => connection === account.id)
  assert.ok(held !== undefined && held.like === undefined)
  const { connection, entry } = held
  assert.deepEqual(await decideHeld(inbox.deps, { connection, entry, isSame: true }), {
    kind: 'not_same',
    reason: 'it is like no other movement',
  })
})

/** An account with a credit of this much, and a debit of 100 that takes something back. */
async function unclearOn(minor: number, credit: object = {}) {
  const account = inbox.connect()
  await inbox.hand(notificationOf(account, { ref: 'C', minor, ...credit }))
  await inbox.hand(
    notificationOf(account, {
      ref: 'D',
      minor: 100,
      isDebit: true,
      returned: 'AC04',
      text: 'why',
      ...credit,
    }),
  )
  const concerned: Concerned[] = []
  const verdictOn = async (of?: string, entry = 'D') => {
    const note = async (_: unknown, whom: Concerned) => {
      assert.ok(await isHeld(inbox.sql, account), 'no import changes the account meanwhile')
      concerned.push(whom)
    }
    const decision = { connection: account.id, entry, note, ...given({ of }) }
    return (await decideRecall(inbox.deps, decision)).kind
  }
  return { account, concerned, verdictOn }
}

test('an unclear debit takes back the credit that a person names, once, if as much of it is left', async () => {
  const { account, concerned, verdictOn } = await unclearOn(100)
  const shown = (await listUnclear(inbox.sql)).filter(({ connection }) => connection === account.id)
  const said = { currency: 'EUR', bookedOn: '2026-01-01', reason: 'AC04', wrote: 'why', party: 'Ana & Rui' }
  assert.deepEqual(shown, [{ connection: account.id, entry: 'D', minor: 100n, ...said }])
  for (const name of ['X', 'D']) assert.equal(await verdictOn(name), 'no_credit', name)
  assert.equal(await verdictOn('C', 'X'), 'not_found')
  const told = await toldBy(async () => assert.equal(await verdictOn('C'), 'decided'))
  assert.equal(told.length, 1)
  assert.match(String(told[0]), /"recall":\{"reason":"AC04","of":\{"reference":"C"/)
  assert.deepEqual(await entriesOf(account), [
    ['C', 'UNATTRIBUTED', null],
    ['D', 'RECALL', null],
  ])
  // It names no credit itself, so any may be meant.
  assert.deepEqual(concerned, [
    { merchants: [], credits: ['C'], unnamed: { minor: 100n, currency: 'EUR', bookedOn: '2026-01-01' } },
  ])
  assert.equal(await verdictOn('C'), 'not_found')
})

test('of less than was taken nothing is taken back; without a credit it is money that left', async () => {
  const { account, verdictOn } = await unclearOn(99)
  assert.equal(await verdictOn('C'), 'no_credit')
  const told = await toldBy(async () => assert.equal(await verdictOn(), 'decided'))
  assert.deepEqual(told, [])
  assert.deepEqual(await entriesOf(account), [
    ['C', 'UNATTRIBUTED', null],
    ['D', 'OTHER', null],
  ])
})

test('an unclear debit that names one credit concerns that one; a proposal that it takes back ends', async () => {
  const account = inbox.connect()
  const near = await nearOn(account)
  await inbox.hand(notificationOf(account, { ref: 'C', minor: 200, text: near, txId: 'T' }))
  await inbox.hand(
    notificationOf(account, { ref: 'D', minor: 100, isDebit: true, returned: 'AC04', endToEndId: 'T' }),
  )
  const concerned: Concerned[] = []
  const note = async (_: unknown, whom: Concerned) => {
    concerned.push(whom)
  }
  const told = await toldBy(() =>
    decideRecall(inbox.deps, { connection: account.id, entry: 'D', of: 'C', note }),
  )
  assert.deepEqual(concerned, [{ merchants: [merchantId, merchantId], credits: ['C', 'C'] }])
  assert.equal(told.length, 1)
  // Nobody had decided whose it was.
  assert.doesNotMatch(String(told[0]), /"attempt"/)
  assert.deepEqual(await entriesOf(account), [
    ['C', 'UNATTRIBUTED', null],
    ['D', 'RECALL', null],
  ])
})

test('a proposal is decided once, and told with its payment or without', async () => {
  for (const isPayments of [true, false]) {
    const account = inbox.connect()
    await inbox.hand(notificationOf(account, { ref: 'C', minor: 200, text: await nearOn(account) }))
    const proposal = (await listProposals(inbox.sql)).find(({ connection }) => connection === account.id)
    assert.ok(proposal !== undefined)
    const decision = { connection: account.id, entry: proposal.entry, isPayments }
    const told = await toldBy(() => decide(inbox.deps, decision))
    assert.deepEqual(
      told.map((each) => each.includes('"attempt"')),
      [isPayments],
    )
    assert.equal(await decide(inbox.deps, decision), undefined)
  }
})

const inFrancs = (bytes: Buffer) => Buffer.from(bytes.toString().replaceAll('EUR', 'CHF'))

test('foreign entries are kept once for each occurrence, under names of their own', async () => {
  const account = inbox.connect()
  const brought = async (...entries: readonly object[]) => {
    const transfers = entries.map((each) => ({ ref: 'F', minor: 500, ...each }))
    const imported = await inbox.hand(inFrancs(notificationOf(account, ...transfers)))
    return 'foreign' in imported ? imported.foreign : imported.state
  }
  assert.equal(await brought({}), 1)
  assert.equal(await brought({}, {}), 1)
  assert.equal(await brought({}, {}, { minor: 600 }), 1)
  assert.equal(await brought({ text: 'x' }, { text: 'x' }), 2)
  assert.equal(await brought({ text: 'x' }, { text: 'x' }, { day: '2026-01-01' }), 0)
  const debit = inFrancs(statementOf(account, 'S', [{ ref: 'L', minor: 5, isDebit: true }]))
  const passed = await inbox.hand(debit)
  assert.deepEqual('foreign' in passed && [passed.foreign, passed.skipped], [0, 1])
  const shown = (await listForeign(inbox.sql)).filter(({ connection }) => connection === account.id)
  assert.deepEqual(
    shown.map(({ entry, amount }) => [entry, amount]),
    [
      ['F', '5.00'],
      ['F~2026-01-01', '5.00'],
      ['F', '6.00'],
      ['F~2026-01-01~2', '5.00'],
      ['F~2026-01-01~3', '5.00'],
    ],
  )
  const [first] = shown
  assert.ok(first !== undefined)
  const noted: string[] = []
  const decision = {
    id: first.id,
    by: 'ana',
    reason: 'returned',
    note: async (_: unknown, { entry }: { readonly entry: string }) => {
      noted.push(entry)
    },
  }
  assert.equal((await decideForeign(inbox.sql, decision))?.entry, 'F')
  assert.equal(await decideForeign(inbox.sql, decision), undefined)
  assert.deepEqual(noted, ['F'])
})
