// What becomes of a file of a bank: whose it is, what is counted, kept and told of it, and when it is refused whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId } from '../../../test/bare-rows.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { reportFile } from '../../../test/rails/sepa-files.ts'
import {
  inOneFile,
  isHeld,
  notificationOf,
  openSepaInbox,
  secondDay,
  statementOf,
  type SepaAccount,
  type SepaInbox,
} from '../../../test/sepa-inbox.ts'
import { claimReference } from './queries.ts'
import { referenceOf } from './reference.ts'

const inbox = openForTests(openSepaInbox)

let ids = 100
const id = () => bareId((ids += 1))

async function referenceOn({ id: connection }: SepaAccount): Promise<string> {
  const code = String((ids += 1)).padStart(16, '7')
  const owner = {
    connection,
    merchantId: id() as MerchantId,
    paymentId: id() as PaymentId,
    id: id() as AttemptId,
  }
  return claimReference(inbox.sql, owner, referenceOf(code))
}

async function payoutOn({ id: connection }: SepaAccount, reference: string, batchId = id()): Promise<void> {
  await inbox.sql`
    insert into sepa_payout (reference, connection, kind, payout_id, merchant_id, amount_minor, iban, beneficiary, state, batch_id,
                             created_at, changed_at)
    values (${reference}, ${connection}, 'WITHDRAWAL', ${id()}, ${id()}, 700, 'X', 'Ana', 'BATCHED', ${batchId}, now(), now())`
}

type FileRow = { readonly entries: number; readonly raised: string | null }
const filesOf = ({ id: connection }: SepaAccount) =>
  inbox.sql<
    FileRow[]
  >`select name, state, reason, entries, handed_in_by as by, raised from sepa_file where connection = ${connection} order by created_at`
const kindsOf = async ({ id: connection }: SepaAccount) => {
  const rows = await inbox.sql<
    { kind: string }[]
  >`select kind from sepa_entry where connection = ${connection} order by kind`
  return rows.map(({ kind }) => kind)
}
const reasonOf = async (bytes: Buffer, more: Parameters<SepaInbox['hand']>[1] = {}) => {
  const imported = await inbox.hand(bytes, more)
  return imported.state === 'REFUSED' ? imported.reason : imported.state
}
const inFrancs = (bytes: Buffer) => Buffer.from(bytes.toString().replaceAll('EUR', 'CHF'))

test('a file says how much of it was new, matched, held, foreign and passed over; only decided money is told', async () => {
  const account = inbox.connect()
  const [paid, near] = [await referenceOn(account), await referenceOn(account)]
  await payoutOn(account, 'P1')
  const own = statementOf(account, 'S', [
    { ref: 'A', minor: 100, structured: paid },
    { ref: 'B', minor: 200, text: near.slice(0, -1) },
    { ref: 'C', minor: 300, text: 'rent' },
    { ref: 'C', minor: 400, text: 'other' },
    { ref: 'D', minor: 700, isDebit: true, endToEndId: 'P1' },
  ])
  const francs = inFrancs(
    statementOf(account, 'F', [
      { ref: 'F1', minor: 5 },
      { ref: 'F2', minor: 5, isDebit: true },
    ]),
  )
  const others = statementOf({ ...account, iban: 'PT50OTHER' }, 'O', [])
  const told = inbox.kept.length
  const notes: string[] = []
  const note = async (_: unknown, state: string) => {
    notes.push(state)
  }
  const bytes = inOneFile(own, francs, others)
  assert.deepEqual(await inbox.hand(bytes, { note }), {
    state: 'IMPORTED',
    message: 'camt.053.001.02',
    movements: 5,
    paid: 1,
    proposed: 1,
    held: 1,
    foreign: 1,
    // The debit in francs, and the account of somebody else.
    skipped: 2,
  })
  assert.deepEqual(await kindsOf(account), ['HELD', 'PAID', 'PROPOSED', 'SENT', 'UNATTRIBUTED'])
  assert.deepEqual(
    [...(await filesOf(account))],
    [{ name: 'a.xml', state: 'IMPORTED', reason: null, entries: 6, by: 'ana', raised: null }],
  )
  const [signals = [], ...more] = inbox.kept.slice(told)
  assert.equal(more.length, 0)
  assert.deepEqual(
    signals.map((each) => [
      /"reference":"(\w)"/.exec(each)?.[1],
      each.includes('"attempt"'),
      each.includes(paid),
    ]),
    [
      ['A', true, true],
      ['C', false, false],
    ],
  )
  const payout = () =>
    inbox.sql`select state, returned_minor as returned from sepa_payout where reference = 'P1'`
  assert.deepEqual([...(await payout())], [{ state: 'DONE', returned: 0n }])

  assert.deepEqual(await inbox.hand(bytes, { note }), { state: 'KNOWN', message: 'camt.053.001.02' })
  assert.deepEqual(notes, ['IMPORTED', 'KNOWN'])
  await inbox.hand(notificationOf(account, { ref: 'BACK', minor: 700, endToEndId: 'P1', day: secondDay }))
  assert.deepEqual([...(await payout())], [{ state: 'DONE', returned: 700n }])
})

test('while a file is imported, no other can be into its accounts', async () => {
  const [account, other] = [inbox.connect(), inbox.connect()]
  const held: boolean[] = []
  const note = async () => {
    for (const each of [account, other]) held.push(await isHeld(inbox.sql, each))
  }
  await inbox.hand(statementOf(account, 'S', []), { note })
  assert.deepEqual(held, [true, false])
  assert.equal(await isHeld(inbox.sql, account), false)
})

test('a file of two accounts is known only when both have imported it', async () => {
  const [one, two] = [inbox.connect(), inbox.connect()]
  const file = inOneFile(
    statementOf(one, 'S', [{ ref: 'A', minor: 1 }]),
    statementOf(two, 'S', [{ ref: 'A', minor: 1 }]),
  )
  const imported = async (connection?: SepaAccount['id']) => {
    const { state, ...sums } = await inbox.hand(file, connection === undefined ? {} : { connection })
    return [state, 'movements' in sums ? [sums.movements, sums.skipped] : undefined]
  }
  assert.deepEqual(await imported(one.id), ['IMPORTED', [1, 1]])
  assert.deepEqual(await imported(), ['IMPORTED', [1, 0]])
  assert.deepEqual(await imported(), ['KNOWN', undefined])
})

test('a file is of the connected account that it names; of two with one IBAN, a connection has to be named', async () => {
  const shared = inbox.connect()
  const again = inbox.connect(shared.iban)
  const other = inbox.connect()
  const file = statementOf(shared, 'S', [])
  assert.match(await reasonOf(file), /several connections have the account PT50\d+: name one$/)
  assert.match(await reasonOf(file, { connection: other.id }), /that account is not connected/)
  assert.equal((await inbox.hand(file, { connection: again.id })).state, 'IMPORTED')
  assert.deepEqual([(await filesOf(shared)).length, (await filesOf(again)).length], [0, 1])
  const unknown = [1, 1, 2, 3, 4, 5, 6].map((at) => statementOf({ ...shared, iban: `X${at}` }, 'S', []))
  assert.deepEqual(await inbox.hand(inOneFile(statementOf({ ...shared, iban: 'X1' }, 'S', []), ...unknown)), {
    state: 'REFUSED',
    reason: 'it is of X1, X2, X3, X4, X5: that account is not connected',
    isOthers: true,
  })
})

test('a refused file is kept with its reason for each of its accounts, and nothing else of it', async () => {
  const [one, two] = [inbox.connect(), inbox.connect()]
  const good = statementOf(one, 'S', [{ ref: 'A', minor: 1 }])
  const late = notificationOf(two, { ref: 'N', minor: 5 })
  assert.equal((await inbox.hand(late)).state, 'IMPORTED')
  const notes: string[] = []
  const note = async (_: unknown, state: string) => {
    notes.push(state)
  }
  const reason = 'the statement S lacks the entry N of 2026-01-01, which a notification reported'
  assert.equal(await reasonOf(inOneFile(good, statementOf(two, 'S', [])), { note }), reason)
  assert.deepEqual(notes, ['REFUSED'])
  const kept = { name: 'a.xml', state: 'REFUSED', reason, entries: 0, by: 'ana', raised: null }
  assert.deepEqual([...(await filesOf(one))], [kept])
  assert.deepEqual((await filesOf(two)).at(-1), kept)
  assert.deepEqual(await kindsOf(one), [])
})

test('one signal is told alone, and none is no call', async () => {
  const account = inbox.connect()
  const told = inbox.kept.length
  await inbox.hand(notificationOf(account, { ref: 'D', minor: 5, isDebit: true }))
  assert.equal(inbox.kept.length, told)
  await inbox.hand(notificationOf(account, { ref: 'C', minor: 5 }))
  assert.deepEqual(
    inbox.kept.slice(told).map(({ length }) => length),
    [1],
  )
})

test('a proposal whose money the bank takes back ends', async () => {
  const account = inbox.connect()
  const near = await referenceOn(account)
  await inbox.hand(notificationOf(account, { ref: 'A', minor: 5, text: near.slice(0, -1), txId: 'T' }))
  assert.deepEqual(await kindsOf(account), ['PROPOSED'])
  await inbox.hand(
    notificationOf(account, { ref: 'B', minor: 5, isDebit: true, txId: 'T', returned: 'AC04' }),
  )
  assert.deepEqual(await kindsOf(account), ['RECALL', 'UNATTRIBUTED'])
})

test('a report is about a file of payments of ours, and ends what it refuses, once', async () => {
  const [account, other] = [inbox.connect(), inbox.connect()]
  const batch = id()
  for (const reference of ['Q1', 'Q2', 'Q3']) await payoutOn(account, reference, batch)
  await inbox.sql`
    insert into sepa_batch (id, connection, message_id, bytes, payouts, sum_minor, made_by, created_at)
    values (${batch}, ${account.id}, 'MSG', '', 3, 2100, 'ana', now())`
  const report = reportFile({ messageId: 'MSG', rejected: [{ reference: 'Q1', reason: 'AC04' }] })
  assert.equal(
    await reasonOf(report, { connection: other.id }),
    'it is about the file MSG, which is none of ours',
  )
  const unknown = reportFile({ messageId: 'x'.repeat(36) })
  assert.equal(await reasonOf(unknown), `it is about the file ${'x'.repeat(35)}, which is none of ours`)
  const message = 'pain.002.001.10'
  const none = { state: 'IMPORTED', message, paid: 0, proposed: 0, held: 0, foreign: 0, skipped: 0 }
  assert.deepEqual(await inbox.hand(report), { ...none, movements: 1 })
  assert.deepEqual(await inbox.hand(report), { state: 'KNOWN', message })

  const canceled = (whole: string) =>
    Buffer.from(reportFile({ messageId: 'MSG' }).toString().replace('PART', whole))
  const raised = 'it says that the file was canceled (CANC)'
  assert.deepEqual(await inbox.hand(canceled('CANC')), { ...none, movements: 0, raised })
  assert.deepEqual(
    (await filesOf(account)).map((each) => [each.entries, each.raised]),
    [
      [1, null],
      [0, raised],
    ],
  )
  // One payout is still open: a person asks. With none, nothing is left to doubt.
  const end = (reference: string) =>
    inbox.sql`update sepa_payout set state = 'DONE' where reference = ${reference}`
  const said = (at: number) => Buffer.concat([canceled('CANC'), Buffer.from('\n'.repeat(at))])
  await end('Q2')
  assert.deepEqual(await inbox.hand(said(1)), { ...none, movements: 0, raised })
  await end('Q3')
  assert.deepEqual(await inbox.hand(said(2)), { ...none, movements: 0 })
})

test('a report of the day counts what it shows, and stores none of it', async () => {
  const account = inbox.connect()
  const seen = Buffer.from(
    notificationOf(account, { ref: 'A', minor: 5 })
      .toString()
      .replaceAll('camt.054', 'camt.052')
      .replaceAll('BkToCstmrDbtCdtNtfctn', 'BkToCstmrAcctRpt')
      .replaceAll('Ntfctn>', 'Rpt>'),
  )
  const imported = await inbox.hand(seen)
  assert.deepEqual(
    [imported.state, 'seen' in imported && imported.seen, 'movements' in imported && imported.movements],
    ['IMPORTED', 1, 0],
  )
  assert.deepEqual(await kindsOf(account), [])
})

test('what a collected entry says of its transfers has to make its amount: else it is held, and told to nobody', async () => {
  const account = inbox.connect()
  const details = [30, 40].map((euro) => `<TxDtls><Amt Ccy="EUR">${euro}.00</Amt></TxDtls>`).join('')
  const told = inbox.kept.length
  const imported = await inbox.hand(notificationOf(account, { ref: 'A', minor: 9_000, details }))
  assert.equal('held' in imported && imported.held, 1)
  assert.deepEqual(await kindsOf(account), ['HELD'])
  assert.equal(inbox.kept.length, told)
})
