// What the audit log says of each act about a bank's files, and that nobody decides about money of a merchant of theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { ConnectionId, Id } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { testClock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { ForeignId } from '#/rails/sepa/foreign-queries.ts'
import { poolOn } from '../../test/bare-lane.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { secondDay, statementOf } from '../../test/sepa-inbox.ts'
import type { Operator } from './deps.ts'
import * as statements from './statements.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, user] = [bareId(1), bareId(2)]
const id = bareId(11)
const iban = 'PT50000201231234567890154'
const connection = 'bank' as ConnectionId
const account: ProviderConnection = {
  id: connection,
  mode: 'SANDBOX',
  method: 'SEPA_TRANSFER',
  provider: 'camt',
  settings: { iban, beneficiary: 'Vintem' },
  secrets: {},
}
const deps = {
  connections: { of: () => [account], all: () => [account], find: () => account },
  keep: async () => {},
  clock: testClock(new Date('2026-11-22T10:00:00Z')),
  stillLeaving: async (_tx: unknown, ids: readonly string[]) => new Set(ids),
}
const operator: Operator = { by: { actor: { kind: 'USER', id: user } }, name: 'ana@example.com' }
const reason = 'the bank says so'

const entry = {
  connection,
  reference: 'E1',
  part: 0,
  credit: true,
  amount_minor: 500,
  currency: 'EUR',
  booked_on: '2026-11-20',
  fact: { remittance: '' },
  names: [],
}
const world: BareRows = Object.fromEntries(
  ['sepa_entry', 'sepa_file', 'sepa_statement', 'sepa_foreign', 'sepa_batch', 'sepa_payout', 'withdrawal']
    .concat(['unmatched', 'wallet', 'money_freeze', 'sub_account', 'command_account', 'audit_log'])
    .concat(['connection', 'membership', 'app_user'])
    .map((table) => [table, []]),
)
/** The account is the merchant's own, of which the operator is a member. */
const ownAccount: BareRows = {
  connection: [{ id: connection, merchant_id: ours, method: 'SEPA_TRANSFER' }],
  app_user: [{ id: user, email: 'ana@example.com', is_operator: true }],
  membership: [{ merchant_id: ours, user_id: user }],
}

/** Acts, and says what the audit log has then. A refusal is its code. */
async function audited(tables: BareRows, act: (sql: Sql) => Promise<unknown>) {
  return onRows(sql, { ...world, ...tables }, async (tx) => {
    await tx`create unique index on sepa_file (connection, sha256)`
    const refused = await act(poolOn(tx)).then(
      () => undefined,
      (error: unknown) => {
        assert.ok(error instanceof AppError, String(error))
        return error.code
      },
    )
    const rows = await tx<{ said: string }[]>`
      select action || ' ' || subject || coalesce(' ' || reason, '') as said from audit_log`
    return refused ?? rows.map(({ said }) => said)
  })
}

test('what a person decides about a movement is in the audit log, and no member decides about their own merchant', async () => {
  const named = { connection, entry: 'E1' }
  const typo: BareRows = {
    sepa_entry: [{ ...entry, kind: 'PROPOSED', merchant_id: ours, payment_id: id, attempt_id: id }],
  }
  const recall: BareRows = { sepa_entry: [{ ...entry, credit: false, kind: 'UNCLEAR' }] }
  const held: BareRows = {
    sepa_entry: [
      { ...entry, kind: 'HELD', like_reference: 'E2', like_part: 0 },
      { ...entry, reference: 'E2', kind: 'OTHER' },
    ],
  }
  const foreign: BareRows = {
    sepa_foreign: [{ ...entry, id, currency: 'CHF', amount: '5.00' }],
  }
  const decideTypo = (isPayments: boolean) => (tx: Sql) =>
    statements.decideTypo({ sql: tx, ...deps }, operator, { ...named, isPayments, reason })
  const cases: readonly (readonly [
    said: string,
    tables: BareRows,
    act: (tx: Sql) => Promise<unknown>,
    member?: string,
  ])[] = [
    [`statement.accept entry:bank/E1 ${reason}`, typo, decideTypo(true)],
    // It goes to suspense: nobody gets it by that.
    [`statement.refuse entry:bank/E1 ${reason}`, typo, decideTypo(false), 'decides'],
    [
      'statement.accept entry:bank/E1',
      typo,
      (tx) => statements.decideTypo({ sql: tx, ...deps }, operator, { ...named, isPayments: true }),
    ],
    [
      `statement.no-recall entry:bank/E1 ${reason}`,
      recall,
      (tx) => statements.decideRecallAs({ sql: tx, ...deps }, operator, { ...named, reason }),
    ],
    [
      `statement.held-same entry:bank/E1 ${reason}`,
      held,
      (tx) => statements.decideHeldAs({ sql: tx, ...deps }, operator, { ...named, isSame: true, reason }),
    ],
    [
      `statement.foreign-done entry:bank/E1 ${reason}`,
      foreign,
      (tx) => statements.decideForeignAs(tx, operator, { id: id as ForeignId, reason }),
    ],
  ]
  for (const [said, tables, act, member = 'forbidden'] of cases) {
    assert.deepEqual(await audited(tables, act), [said])
    const ofMember = await audited({ ...tables, ...ownAccount }, act)
    assert.deepEqual(ofMember, member === 'decides' ? [said] : member, said)
    // It is decided once.
    assert.deepEqual(await audited({}, act), [])
  }
})

test('a file that is handed in is in the audit log by the first 16 digits of its SHA-256, also one that does not follow the last one', async () => {
  const place = { id: connection, iban }
  const first = statementOf(place, 'S1', [])
  const gap = statementOf(place, 'S3', [], { opening: 1, closing: 1, day: secondDay })
  const digitsOf = (bytes: Buffer) => sha256(bytes).toString('hex').slice(0, 16)
  const said = await audited({}, async (tx) => {
    const handIn = async (bytes: Buffer) => {
      const file = { bytes, name: 'a.xml' }
      return (await statements.importStatement({ sql: tx, ...deps }, operator, file)).state
    }
    assert.deepEqual([await handIn(first), await handIn(gap)], ['IMPORTED', 'REFUSED'])
  })
  assert.deepEqual(
    said,
    [first, gap].map((bytes) => `statement.import statement:${digitsOf(bytes)}`),
  )
})

test('a file of payments that is made or taken is in the audit log; whoever took it may download it again with the same key', async () => {
  const payout = {
    reference: 'P1',
    connection,
    kind: 'WITHDRAWAL',
    payout_id: id,
    merchant_id: ours,
    amount_minor: 100,
    returned_minor: 0,
    iban,
    beneficiary: 'Ana',
    state: 'WAITING',
  }
  const waiting: BareRows = {
    sepa_payout: [payout],
    withdrawal: [{ merchant_id: ours, id, status: 'PROCESSING' }],
  }
  const made = await audited(waiting, (tx) =>
    statements.makePaymentFile({ sql: tx, ...deps }, operator, connection),
  )
  assert.match(String(made), /^payment-file\.make payment-file:[\w-]{36}$/)

  const file: BareRows = { sepa_batch: [{ id, bytes: '\\x41', message_id: 'M' }] }
  const batch = { id: id as Id<'sepa-batch'> }
  const taken = [`payment-file.take payment-file:${id}`]
  const written: string[] = []
  const write = async (bytes: Buffer) => void written.push(bytes.toString())
  assert.deepEqual(
    await audited(file, (tx) => statements.takePaymentFile(tx, operator, { ...batch, write })),
    taken,
  )
  assert.deepEqual(written, ['A'])

  const [key, otherKey] = [bareId(51), bareId(52)]
  const downloaded = await audited(file, async (tx) => {
    const download = (by: string) => statements.downloadPaymentFile(tx, operator, { ...batch, key: by })
    assert.equal(await download(key), 'A')
    assert.equal(await download(key), 'A')
    await assert.rejects(download(otherKey), { code: 'invalid_state' })
  })
  assert.deepEqual(downloaded, taken)
  const none = (tx: Sql) => statements.downloadPaymentFile(tx, operator, { ...batch, key })
  assert.equal(await audited({}, none), 'not_found')
})
