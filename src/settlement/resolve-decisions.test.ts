// What people decide about money that fits no record, on a test's own rows: each verdict, what it moves, and what is kept of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId, Id, MerchantId, WalletId } from '#/kernel/id.ts'
import type { RunnableKind } from '#/ledger/kind.ts'
import type { Rail } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { testRail } from '../../test/contract/rail.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows, type RecordedBooks } from '../../test/kind-on-rows.ts'
import { unrecordedKind, type UnrecordedItem } from './resolve-unrecorded.ts'
import { resolveKind, type ResolveItem } from './resolve.ts'
import { sentKind, type SentItem } from './unrecorded.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2026-11-22T12:00:00.000Z')
const [bank, payer] = ['t1-bank', 't1-payer'] as ConnectionId[] as [ConnectionId, ConnectionId]
const [merchant, other, live] = [1, 2, 3].map(bareId) as MerchantId[] as [MerchantId, MerchantId, MerchantId]
const [wallet, second, platform] = [4, 5, 6].map(bareId) as WalletId[] as [WalletId, WalletId, WalletId]
const unmatchedId = bareId(7) as Id<'unmatched'>
const unrecordedId = bareId(8) as Id<'unrecorded'>
const evidence = Buffer.from('{}')
const audit = { actor: { kind: 'OPERATOR', id: 'ana' }, action: 'suspense.resolve', subject: 'x:1' } as const

/** Every scene names all these tables: a prepared statement keeps the table that it found first. */
const tables: BareRows = {
  merchant: [
    { id: merchant, mode: 'SANDBOX' },
    { id: other, mode: 'SANDBOX' },
    { id: live, mode: 'LIVE' },
  ],
  connection: [bank, payer].map((id) => ({ id, mode: 'SANDBOX', method: 'PIX' })),
  wallet: [
    { id: wallet, merchant_id: merchant, currency: 'BRL', is_default: true },
    { id: second, merchant_id: merchant, currency: 'BRL', is_default: false },
    { id: platform, merchant_id: bareId(9), currency: 'BRL', is_default: true },
  ],
  sub_account: [{ merchant_id: merchant, parent_id: bareId(9), state: 'ACTIVE' }],
  unmatched: [],
  lost_issuance: [],
  unrecorded: [],
  withdrawal: [],
  refund: [],
  coin_move: [],
  coin_place: [],
  audit_log: [],
}

/** What a batch of these items did, and what was kept: rows as texts. */
function decide<Item, Verdict>(
  kind: RunnableKind<Item, Verdict, EventDraft>,
  items: readonly Item[],
  { rows = {}, books = {} }: { readonly rows?: BareRows; readonly books?: Partial<RecordedBooks> } = {},
) {
  return onRows(sql, { ...tables, ...rows }, async (tx) => {
    const ran = await runOnRows(tx, kind, items, { at, ...books })
    const texts = async (found: Promise<readonly Readonly<Record<string, unknown>>[]>) =>
      (await found).map((row) => Object.values(row).map(String).join(' '))
    return {
      ...ran,
      unmatched: await texts(tx`
        select concat_ws(' ', coalesce(resolution, 'open'), note, wallet_id = ${wallet}) as text from unmatched order by id`),
      unrecorded: await texts(tx`
        select concat_ws(' ', coalesce(resolution, 'open'), amount_minor, note, wallet_id) as text from unrecorded order by id`),
      units: await texts(tx`select units from coin_place`),
      audited: await texts(tx`select action from audit_log`),
    }
  })
}
type Kinded = { readonly kind: string }
const kindsOf = ({ verdicts }: { readonly verdicts: readonly Kinded[] }) => verdicts.map(({ kind }) => kind)
/** Accounts in another currency: those whose name contains this word. */
const refusing = (word: string): Partial<RecordedBooks> => ({ accepts: ({ key }) => !key.includes(word) })
const owing: Partial<RecordedBooks> = { balance: ({ key }) => (/owes|available/.test(key) ? 30n : 0n) }

const unmatchedRow = {
  id: unmatchedId,
  mode: 'SANDBOX',
  connection: bank,
  provider_ref: 'e9',
  outcome: 'paid',
  occurrence: 1,
  reason: 'no_attempt',
  amount_minor: 1_000,
  currency: 'BRL',
  recorded_at: at,
}
const pix: Rail = { ...testRail(), method: 'PIX' }
const resolve = (
  items: readonly Partial<ResolveItem>[],
  change: object = {},
  how: {
    readonly rows?: BareRows
    readonly books?: Partial<RecordedBooks>
    readonly rail?: Partial<Rail>
  } = {},
) =>
  decide(
    resolveKind(new Map(how.rail === undefined ? [['PIX', pix]] : [['PIX', { ...pix, ...how.rail }]])),
    items.map((item) => ({ id: unmatchedId, audit, ...item })),
    { ...how, rows: { unmatched: [{ ...unmatchedRow, ...change }], ...how.rows } },
  )

test('money in suspense is credited to the default wallet of its currency, or returned; once, and kept with who decided', async () => {
  const credit = { merchantId: merchant, note: 'seen' }
  const credited = await resolve([credit, {}])
  assert.deepEqual(
    [kindsOf(credited), credited.unmatched, credited.audited],
    [['resolved', 'already'], ['CREDITED seen t'], ['suspense.resolve']],
  )
  const moves = ['2.repay REPAID suspense>receivable 1000', '2.credit ADJUSTMENT suspense>available 1000']
  assert.deepEqual(credited.posted, moves)
  const returned = await resolve([{}, credit])
  assert.deepEqual([kindsOf(returned), returned.unmatched], [['resolved', 'already'], ['RETURNED']])
  assert.deepEqual(returned.posted, ['2.return SUSPENSE suspense>provider 1000'])
  const chained = await resolve(
    [{}],
    {},
    { rail: { arrival: () => ({ at: 'CHAIN', chain: 'bsc', token: 'USDT' }) } },
  )
  assert.deepEqual(chained.posted, ['2.return SUSPENSE suspense>coins 1000'])
  const owed = await resolve([credit], {}, { books: owing })
  assert.equal(owed.posted[2], '2.repay-parent PARENT_REPAID available>available 30')
})

test('money in suspense is not credited when it is no money, went back, or is of another mode or currency', async () => {
  const credit = [{ merchantId: merchant }]
  const named = { ...unmatchedRow, id: bareId(10), provider_ref: 'e9:b', outcome: 'dispute_opened' }
  const back = { rows: { unmatched: [unmatchedRow, named] } }
  const verdict = async (...asked: Parameters<typeof resolve>) => {
    const told = await resolve(...asked)
    assert.equal(told.posted.length > 0, kindsOf(told)[0] === 'resolved')
    return kindsOf(told)[0]
  }
  assert.equal(await verdict([{ id: bareId(99) as Id<'unmatched'> }]), 'not_found')
  assert.equal(await verdict(credit, { outcome: 'dispute_lost' }), 'no_money')
  assert.equal(await verdict(credit, { amount_minor: 0 }), 'no_money')
  assert.equal(await verdict(credit, { amount_minor: 1 }), 'resolved')
  assert.equal(await verdict([{ merchantId: bareId(98) as MerchantId }]), 'unknown_merchant')
  assert.equal(await verdict([{ merchantId: live }]), 'other_mode')
  assert.equal(await verdict([{ merchantId: other }]), 'no_wallet')
  assert.equal(await verdict(credit, {}, back), 'went_back')
  assert.equal(await verdict([{}], {}, back), 'resolved', 'and can be returned')
  assert.equal(await verdict(credit, {}, { books: refusing('suspense') }), 'unbookable')
  assert.equal(await verdict(credit, {}, { books: refusing('available') }), 'unbookable')
  assert.equal(await verdict([{}], {}, { books: refusing('available') }), 'resolved')
  assert.equal(await verdict(credit, {}, { rail: { method: 'PIX' } }), 'resolved')
  const cardConnection = { rows: { connection: [{ id: bank, mode: 'SANDBOX', method: 'CREDIT_CARD' }] } }
  assert.equal(await verdict(credit, {}, cardConnection), 'unbookable', 'no rail of its method is known')
})

const sent: SentItem = {
  kind: 'WITHDRAWAL',
  connection: payer,
  account: bank,
  reference: 'w1',
  amount: { minor: 1_000n, currency: 'BRL' },
  evidence,
}
const bookedRow = { reference: 'w1', connection: payer, amount_minor: 400, status: 'COMPLETED' }

test('what left and is in no record is recorded once, without what the books have under its name', async () => {
  const found = '1.find SUSPENSE unrecorded>provider 1000'
  const told = await decide(sentKind, [sent, sent, { ...sent, amount: { minor: 999n, currency: 'BRL' } }])
  assert.deepEqual(
    [kindsOf(told), told.posted, told.unrecorded],
    [['recorded', 'repeated', 'differs'], [found], ['open 1000']],
  )
  const known = (amount_minor: number) => ({ rows: { withdrawal: [{ ...bookedRow, amount_minor }] } })
  assert.deepEqual((await decide(sentKind, [sent], known(400))).posted, [
    '1.find SUSPENSE unrecorded>provider 600',
  ])
  assert.deepEqual((await decide(sentKind, [sent], known(999))).posted, [
    '1.find SUSPENSE unrecorded>provider 1',
  ])
  assert.deepEqual(kindsOf(await decide(sentKind, [sent], known(1_000))), ['booked'])
  const nothing = { ...sent, amount: { minor: 0n, currency: 'BRL' as const } }
  assert.deepEqual(kindsOf(await decide(sentKind, [nothing])), ['booked'], 'it came back')
  const unknown = { ...sent, connection: 't9-other' as ConnectionId }
  assert.deepEqual(kindsOf(await decide(sentKind, [unknown])), ['unbookable'])
  assert.deepEqual(kindsOf(await decide(sentKind, [sent], { books: refusing('provider') })), ['unbookable'])
})

test('a later report of what is recorded agrees when all of it is gone, or nothing after it was returned', async () => {
  const row = {
    id: unrecordedId,
    connection: payer,
    kind: 'WITHDRAWAL',
    reference: 'w1',
    amount_minor: 600,
    known_minor: 400,
  }
  for (const [resolution, minor, verdict] of [
    [null, 1_000n, 'repeated'],
    ['CHARGED', 1_000n, 'repeated'],
    ['RETURNED', 1_000n, 'differs'],
    ['RETURNED', 400n, 'repeated'],
    [null, 400n, 'differs'],
  ] as const) {
    const rows = { unrecorded: [{ ...row, resolution }] }
    const told = await decide(sentKind, [{ ...sent, amount: { minor, currency: 'BRL' } }], { rows })
    assert.deepEqual(kindsOf(told), [verdict], `${resolution} ${minor}`)
  }
})

test('coins that left are recorded when the chain showed that movement of that amount, and leave their place', async () => {
  const move = {
    id: bareId(11),
    chain: 'bsc',
    sender: '\\x01',
    tx_hash: '\\x02',
    log_index: 3,
    value: '5000000000000000000',
  }
  const rows = {
    coin_move: [{ ...move, booked_as: 'LEFT', block_at: at, log: '\\x7b7d' }],
    coin_place: [{ chain: 'bsc', address: '\\x01', place: 'hot', units: '7000000000000000000' }],
  }
  const coins = { chain: 'bsc', move: move.id }
  const left: SentItem = { ...sent, amount: { minor: 500n, currency: 'USDT' }, coins }
  const told = await decide(sentKind, [left], { rows })
  assert.deepEqual(
    [kindsOf(told), told.posted, told.units],
    [['recorded'], ['1.find SUSPENSE unrecorded>coins 500'], ['2000000000000000000']],
  )
  for (const item of [
    { ...left, amount: { minor: 501n, currency: 'USDT' as const } },
    { ...left, amount: { minor: 500n, currency: 'USD' as const } },
    { ...left, coins: { ...coins, chain: 'tron' } },
    { ...left, coins: { ...coins, move: bareId(12) } },
  ])
    assert.deepEqual(kindsOf(await decide(sentKind, [item], { rows })), ['unbookable'])
})

const unrecordedRow = {
  id: unrecordedId,
  mode: 'SANDBOX',
  kind: 'WITHDRAWAL',
  connection: payer,
  account: bank,
  reference: 'w1',
  amount_minor: 600,
  known_minor: 0,
  currency: 'BRL',
  recorded_at: at,
}
const charge = (merchantId: MerchantId) => ({ resolution: 'CHARGED' as const, merchantId })
const judge = (
  decisions: readonly (Pick<UnrecordedItem, 'resolution'> | ReturnType<typeof charge>)[],
  change: object = {},
  books: Partial<RecordedBooks> = {},
) =>
  decide(
    unrecordedKind,
    decisions.map((each) => ({ id: unrecordedId, note: 'by post', audit, ...each }) as UnrecordedItem),
    { books, rows: { unrecorded: [{ ...unrecordedRow, ...change }] } },
  )

test('two people charge what left to a merchant, write it off, or say that it came back; once', async () => {
  for (const [decision, posted, kept] of [
    [
      charge(merchant),
      [
        '2.take ADJUSTMENT available>unrecorded 600',
        '2.take-2 ADJUSTMENT available>unrecorded 600',
        '2.owe OWED receivable>unrecorded 600',
      ],
      `CHARGED 600 by post ${wallet}`,
    ],
    [{ resolution: 'WRITTEN_OFF' }, ['2.lose LOSS cost>unrecorded 600'], 'WRITTEN_OFF 600 by post'],
    [{ resolution: 'RETURNED' }, ['2.return SUSPENSE provider>unrecorded 600'], 'RETURNED 600 by post'],
  ] as const) {
    const told = await judge([decision, { resolution: 'WRITTEN_OFF' }])
    assert.deepEqual(
      [kindsOf(told), told.posted, told.unrecorded, told.audited],
      [['resolved', 'already'], posted, [kept], ['suspense.resolve']],
    )
  }
})

test('what left is not charged to a merchant whose it cannot be, and coins do not come back by saying so', async () => {
  const verdict = async (...asked: Parameters<typeof judge>) => {
    const told = await judge(...asked)
    assert.equal(told.posted.length > 0, kindsOf(told)[0] === 'resolved')
    return kindsOf(told)[0]
  }
  const [back, lost] = [{ resolution: 'RETURNED' as const }, { resolution: 'WRITTEN_OFF' as const }]
  assert.equal(await verdict([lost], { id: bareId(99) }), 'not_found')
  assert.equal(await verdict([charge(bareId(98) as MerchantId)]), 'unknown_merchant')
  assert.equal(await verdict([charge(live)]), 'other_mode')
  assert.equal(await verdict([charge(merchant)], { merchant_id: other }), 'other_merchant')
  assert.equal(await verdict([charge(merchant)], { merchant_id: merchant }), 'resolved')
  assert.equal(await verdict([charge(other)]), 'no_wallet')
  const coins = { chain: 'bsc', currency: 'USDT' }
  assert.equal(await verdict([back], coins), 'no_return')
  assert.equal(await verdict([lost], coins), 'resolved')
  assert.equal(await verdict([lost], {}, refusing('cost:loss')), 'unbookable')
  assert.equal(await verdict([charge(merchant)], {}, refusing('receivable')), 'unbookable')
  assert.equal(await verdict([charge(merchant)], {}, refusing(second)), 'unbookable')
  assert.equal(await verdict([back], {}, refusing('receivable')), 'resolved')
})
