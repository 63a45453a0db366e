// Transfers and the grants by which a platform takes, decided on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId, WalletId } from '#/kernel/id.ts'
import { minorMax } from '#/kernel/money.ts'
import { addMs } from '#/kernel/time.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows, type RecordedBooks } from '../../test/kind-on-rows.ts'
import { giveGrantKind, revokeGrantKind, type GiveGrantItem, type RevokeGrantItem } from './give-grant.ts'
import { fingerprintOf, type OwnTransferId, type OwnTransferRequest } from './own-transfer.ts'
import { grantFingerprint, type TransferGrantId } from './transfer-grant.ts'
import { ownTransferKind, type OwnTransferItem } from './transfer.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2027-01-01T12:00:00.000Z')
const [platform, sub, stranger] = [1, 2, 3].map(bareId) as [MerchantId, MerchantId, MerchantId]
const [main, spare, resting, euro, theirs] = [11, 12, 13, 14, 15].map(bareId) as [
  WalletId,
  WalletId,
  WalletId,
  WalletId,
  WalletId,
]
const [asker, giver, parentsKey] = [21, 22, 23].map(bareId) as [ApiKeyId, ApiKeyId, ApiKeyId]

const wallet = { merchant_id: platform, id: main, currency: 'BRL', is_active: true, is_default: true }
const grant = {
  merchant_id: sub,
  id: bareId(31),
  parent_id: platform,
  currency: 'BRL',
  max_minor: 100,
  taken_minor: 40,
  expires_at: null as string | null,
  given_by: giver,
  version: 3,
  created_at: at,
  idempotency_key: 'given',
  fingerprint: `\\x${grantFingerprint({ currency: 'BRL', maxAmount: 100 }).toString('hex')}`,
}
const own: OwnTransferRequest = { fromWalletId: main, toWalletId: spare, amount: 7 }
const tables = {
  wallet: [
    wallet,
    ...beside(
      wallet,
      { id: spare, is_default: false },
      { id: resting, is_default: false, is_active: false },
      { id: euro, currency: 'EUR' },
      { id: theirs, merchant_id: sub },
    ),
  ],
  merchant: [platform, sub, stranger].map((id) => ({ id, mode: 'LIVE' })),
  sub_account: [{ merchant_id: sub, parent_id: platform, state: 'ACTIVE' }],
  api_key: [
    { merchant_id: platform, id: asker, person: 'ana' },
    { merchant_id: sub, id: giver, person: 'eva' },
    { merchant_id: platform, id: parentsKey, person: 'rui' },
  ],
  money_freeze: [],
  transfer_grant: [grant],
  own_transfer: [
    {
      merchant_id: platform,
      id: bareId(41),
      from_wallet_id: main,
      to_wallet_id: spare,
      amount_minor: 7,
      currency: 'BRL',
      is_mirror: false,
      names_wallet: true,
      created_at: at,
      idempotency_key: 'moved',
      fingerprint: `\\x${fingerprintOf(own).toString('hex')}`,
    },
  ],
} satisfies BareRows

let made = 100
const newId = () => bareId((made += 1))

function item(request: OwnTransferRequest, idempotencyKey?: string): OwnTransferItem {
  const key = idempotencyKey === undefined ? {} : { idempotencyKey }
  return {
    merchantId: platform,
    mode: 'LIVE',
    id: newId() as OwnTransferId,
    request,
    requestedBy: asker,
    ...key,
  }
}

/** What a batch of transfers decides, posts and leaves behind. */
function transfer(
  items: readonly OwnTransferItem[],
  rows: BareRows = {},
  books: Partial<RecordedBooks> = {},
) {
  return onRows(sql, { ...tables, ...rows }, async (tx) => {
    const { verdicts, posted } = await runOnRows(tx, ownTransferKind, items, { at, ...books })
    const [grants] = await tx<{ text: string }[]>`
      select string_agg(concat_ws(' ', taken_minor, version), ', ') as text from transfer_grant`
    const [written] = await tx<{ count: number }[]>`
      select count(*)::integer as count from own_transfer where id <> ${bareId(41)}`
    return {
      kinds: verdicts.map(({ kind }) => kind).join(' '),
      verdicts,
      posted,
      grant: grants?.text,
      written: written?.count,
    }
  })
}

test('a transfer is refused where its wallets are not there, do not fit or do not pay', async () => {
  const cases: readonly (readonly [change: Partial<OwnTransferRequest>, verdict: object])[] = [
    [{ fromWalletId: theirs }, { kind: 'unknown_wallet', field: 'fromWalletId' }],
    [{ toWalletId: theirs }, { kind: 'unknown_wallet', field: 'toWalletId' }],
    [{ fromWalletId: resting }, { kind: 'not_spendable' }],
  ]
  for (const [change, verdict] of cases) {
    const done = await transfer([item({ ...own, ...change })])
    assert.deepEqual([done.verdicts, done.posted, done.written], [[verdict], [], 0])
  }
  assert.equal((await transfer([item({ ...own, toWalletId: euro })])).kinds, 'other_currency')
  assert.equal((await transfer([item({ ...own, toWalletId: resting })])).kinds, 'created')
})

test('what a wallet would hold with it is at most what an answer can express', async () => {
  const balance = () => minorMax - 7n
  const done = await transfer([item(own), item({ ...own, amount: 8 })], {}, { balance })
  assert.deepEqual(done.kinds, 'created too_much')
  assert.deepEqual(done.posted, ['1.move TRANSFER available>available 7'])
  assert.equal(done.written, 1)
})

test('a key that is used again answers with its transfer, and a refused transfer uses no key', async () => {
  const other = { ...own, amount: 8 }
  const cases: readonly (readonly [items: readonly OwnTransferItem[], kinds: string])[] = [
    [[item(own, 'moved')], 'replayed'],
    [[item(other, 'moved')], 'conflict'],
    [[item(own, 'new'), item(own, 'new'), item(other, 'new')], 'created replayed conflict'],
    [[item({ ...own, fromWalletId: resting }, 'new'), item(own, 'new')], 'not_spendable created'],
    [[item(own), item(own)], 'created created'],
  ]
  for (const [items, kinds] of cases) assert.equal((await transfer(items)).kinds, kinds)
})

const takes = (amount: number, more: Partial<OwnTransferRequest> = {}) =>
  item({ fromSubAccountId: sub, toWalletId: main, amount, ...more })
const gives = (amount: number, more: Partial<OwnTransferRequest> = {}) =>
  item({ fromWalletId: main, toSubAccountId: sub, amount, ...more })

test('a platform takes up to what the grant still allows, also in one batch, and gives at any time', async () => {
  const cases: readonly (readonly [items: readonly OwnTransferItem[], kinds: string, grant: string])[] = [
    [[takes(60)], 'created', '100 4'],
    [[takes(61)], 'not_granted', '40 3'],
    [[takes(50), takes(10), takes(1)], 'created created not_granted', '100 5'],
    [[takes(50), takes(11)], 'created not_granted', '90 4'],
    [[gives(500)], 'created', '40 3'],
    [[takes(60, { fromWalletId: theirs })], 'created', '100 4'],
  ]
  for (const [items, kinds, left] of cases) {
    const done = await transfer(items)
    assert.deepEqual([done.kinds, done.grant], [kinds, left])
    assert.equal(done.written, 2 * kinds.split(' ').filter((kind) => kind === 'created').length)
  }
  const [refused] = (await transfer([takes(61)])).verdicts
  assert.deepEqual(refused, { kind: 'not_granted', leftMinor: 60n })
  const without = await transfer([takes(1)], { transfer_grant: [] })
  assert.deepEqual(without.verdicts, [{ kind: 'not_granted' }])
  const endless = { ...grant, max_minor: null, expires_at: addMs(at, 1).toISOString() }
  assert.equal((await transfer([takes(1000)], { transfer_grant: [endless] })).kinds, 'created')
  const expired = { ...endless, expires_at: at.toISOString() }
  assert.equal((await transfer([takes(1)], { transfer_grant: [expired] })).kinds, 'not_granted')
})

test('who gave the grant does not take by it', async () => {
  const one = { ...tables, api_key: tables.api_key.map((key) => ({ ...key, person: 'ana' })) }
  assert.equal((await transfer([takes(1)], one)).kinds, 'objected')
  assert.equal((await transfer([gives(1)], one)).kinds, 'created')
})

test('a transfer names a sub-account of this merchant, and a wallet of that sub-account', async () => {
  const cases: readonly (readonly [item: OwnTransferItem, verdict: object])[] = [
    [takes(1, { fromSubAccountId: stranger }), { kind: 'unknown_sub_account', side: 'from' }],
    [gives(1, { toSubAccountId: stranger }), { kind: 'unknown_sub_account', side: 'to' }],
    [takes(1, { fromWalletId: spare }), { kind: 'unknown_wallet', field: 'fromWalletId' }],
    [takes(1, { toWalletId: theirs }), { kind: 'unknown_wallet', field: 'toWalletId' }],
    [gives(1, { fromWalletId: theirs }), { kind: 'unknown_wallet', field: 'fromWalletId' }],
    [gives(1, { fromWalletId: euro }), { kind: 'no_wallet', side: 'to', currency: 'EUR' }],
  ]
  for (const [each, verdict] of cases) assert.deepEqual((await transfer([each])).verdicts, [verdict])
  const others = { sub_account: [{ ...tables.sub_account[0], parent_id: stranger }] }
  assert.equal((await transfer([gives(1)], others)).kinds, 'unknown_sub_account')
})

test('what a platform gives repays what the sub-account owes the operator, then what it owes the platform', async () => {
  const owing =
    (word: string, minor: bigint): RecordedBooks['balance'] =>
    ({ key }) =>
      key.includes(`/${word}:${sub}`) ? minor : 0n
  const posted = async (balance: RecordedBooks['balance']) =>
    (await transfer([gives(10)], {}, balance === undefined ? {} : { balance })).posted
  assert.deepEqual(await posted(owing('receivable', 4n)), [
    '1.move SUB_TRANSFER available>available 10',
    '1.repay TRANSFER_REPAID available>receivable 4',
  ])
  assert.deepEqual(await posted(owing('owes', 40n)), [
    '1.move SUB_TRANSFER available>available 10',
    '1.repay-platform TRANSFER_REPAID available>available 10',
    '1.uncover SHARE_COVERED owed>owes 10',
    // Up to the platform's own debt.
    '1.platform-repay TRANSFER_REPAID available>receivable 10',
  ])
})

const asks = (request: GiveGrantItem['request'], idempotencyKey?: string, keyId = giver): GiveGrantItem => ({
  merchantId: sub,
  mode: 'LIVE',
  keyId,
  id: newId() as TransferGrantId,
  request,
  ...given({ idempotencyKey }),
})

test('a sub-account gives one grant at a time in each currency, which has not ended already', async () => {
  const [real, euros] = [
    { currency: 'BRL', maxAmount: 100 },
    { currency: 'EUR', maxAmount: 5 },
  ] as const
  const ended = { ...grant, taken_minor: 100 }
  const cases: readonly (readonly [
    items: readonly GiveGrantItem[],
    kinds: string,
    grants?: BareRows[string],
  ])[] = [
    [[asks(real, 'given')], 'replayed'],
    [[asks({ ...real, maxAmount: 101 }, 'given')], 'conflict'],
    [[asks(real)], 'stands'],
    [[asks(real)], 'created', [ended]],
    [[asks(real), asks(real)], 'created stands', []],
    [[asks(euros), asks(real)], 'created stands'],
    [[asks(euros, 'new'), asks(euros, 'new'), asks(real, 'new')], 'created replayed conflict'],
    [[asks({ currency: 'EUR', expiresAt: at.toISOString() })], 'past'],
    [[asks({ currency: 'EUR', expiresAt: addMs(at, 1).toISOString() })], 'created'],
    [[asks(euros, undefined, parentsKey)], 'parents_key'],
    [[{ ...asks(euros), merchantId: platform }], 'no_parent'],
  ]
  for (const [items, kinds, rows = [grant]] of cases)
    await onRows(sql, { ...tables, transfer_grant: rows }, async (tx) => {
      const { verdicts, events } = await runOnRows(tx, giveGrantKind, items, { at })
      assert.equal(verdicts.map(({ kind }) => kind).join(' '), kinds)
      const created = verdicts.flatMap((each) => (each.kind === 'created' ? [each.grant] : []))
      assert.deepEqual(
        created.map(({ takenMinor, version }) => [takenMinor, version]),
        created.map(() => [0n, 1]),
      )
      // Both are told.
      assert.deepEqual(
        events.map(({ type, merchantId }) => `${type} ${merchantId}`),
        created.flatMap(() => [sub, platform].map((id) => `transfer_grant.created ${id}`)),
      )
      const found = await tx`select from transfer_grant`
      assert.equal(found.length, rows.length + created.length)
    })
})

test('a sub-account or the operator revokes a grant once, and not a key of the parent', async () => {
  const revoke = (keyId: ApiKeyId | undefined, id = grant.id): RevokeGrantItem => ({
    merchantId: sub,
    mode: 'LIVE',
    keyId,
    id: id as TransferGrantId,
  })
  const cases: readonly (readonly [items: readonly RevokeGrantItem[], kinds: string, version: number])[] = [
    [[revoke(giver)], 'revoked', 4],
    [[revoke(undefined)], 'revoked', 4],
    [[revoke(giver), revoke(giver)], 'revoked was_revoked', 4],
    [[revoke(parentsKey)], 'parents_key', 3],
    [[revoke(giver, bareId(39))], 'not_found', 3],
  ]
  for (const [items, kinds, version] of cases)
    await onRows(sql, tables, async (tx) => {
      const { verdicts } = await runOnRows(tx, revokeGrantKind, items, { at })
      assert.equal(verdicts.map(({ kind }) => kind).join(' '), kinds)
      const [row] = await tx`select version, revoked_at as at from transfer_grant`
      assert.deepEqual(row && { ...row }, { version, at: version === 4 ? at : null })
    })
})
