// Which wallets, transfers and grants the statements of this folder find: each condition on rows that it alone tells apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import type { OwnTransferId } from './own-transfer.ts'
import * as wallets from './queries.ts'
import type { TransferGrant, TransferGrantId } from './transfer-grant.ts'
import * as transfers from './transfer-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs, third] = [1, 2, 3].map(bareId) as [MerchantId, MerchantId, MerchantId]
const [real, dollar, spare] = [11, 12, 13].map(bareId) as [WalletId, WalletId, WalletId]
const at = '2027-01-01T00:00:00Z'
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

const wallet = {
  merchant_id: ours,
  id: real,
  currency: 'BRL',
  label: 'first',
  wallet_type: 'STANDARD',
  is_default: true,
  is_active: true,
  version: 1,
  created_at: at,
  idempotency_key: 'key',
  fingerprint: '\\x01',
}
/** One that is the default, one of another currency, one beside it, and one of another merchant under each id. */
const purse = [
  ...beside(wallet, { id: spare, is_default: false, idempotency_key: 'later' }),
  wallet,
  ...beside(wallet, { id: dollar, currency: 'USDT', idempotency_key: 'other' }),
  ...beside(wallet, { merchant_id: theirs, label: 'theirs' }),
]
const onWallets = <Answer>(ask: (tx: Tx) => Promise<Answer>) => onRows(sql, { wallet: purse }, ask)

test('wallets are found by merchant, currency, id and key, oldest first', async () => {
  await onWallets(async (tx) => {
    const refs = [{ merchantId: ours, currency: 'BRL' }] as const
    assert.deepEqual(idsOf(await wallets.selectDefaultWallets(tx, refs)), [real])
    assert.deepEqual(idsOf(await wallets.selectWalletIds(tx, refs)), [real, spare])
    assert.deepEqual(idsOf(await wallets.selectWalletsOf(tx, [ours])), [real, dollar, spare])
    const byKey = await wallets.selectByKeys(tx, [{ merchantId: ours, key: 'later' }])
    assert.deepEqual(
      byKey.map(({ key, wallet: found }) => [key, found.id]),
      [['later', spare]],
    )
    const byId = await wallets.selectWalletsById(tx, [
      { merchantId: theirs, id: real },
      { merchantId: ours, id: dollar },
    ])
    assert.deepEqual(
      new Set(byId.map(({ label, id }) => `${label} ${id}`)),
      new Set([`theirs ${real}`, `first ${dollar}`]),
    )
    assert.deepEqual([...(await wallets.countWallets(tx, [theirs]))], [{ merchantId: theirs, count: 1 }])
  })
})

test('the list of wallets holds what its filters ask for', async () => {
  await onWallets(async (tx) => {
    const listed = async (filter: wallets.WalletFilter) =>
      idsOf(await wallets.selectWallets(tx, ours, filter))
    assert.deepEqual(await listed({}), [real, dollar, spare])
    assert.deepEqual(await listed({ limit: 2 }), [real, dollar])
    assert.deepEqual(await listed({ id: dollar }), [dollar])
    assert.deepEqual(await listed({ currency: 'BRL' }), [real, spare])
    assert.deepEqual(await listed({ after: dollar }), [spare])
  })
})

test('a change of a wallet changes that wallet alone, and the last version of it counts', async () => {
  await onWallets(async (tx) => {
    const [mine] = await wallets.selectWallets(tx, ours, { id: real })
    assert.ok(mine !== undefined)
    await wallets.updateWallets(tx, [
      { ...mine, label: 'second', version: 2 },
      { ...mine, label: 'last', version: 3 },
    ])
    const labels = await tx`select merchant_id, id, label from wallet where label <> 'first'`
    assert.deepEqual(
      [...labels],
      [
        { merchant_id: theirs, id: real, label: 'theirs' },
        { merchant_id: ours, id: real, label: 'last' },
      ],
    )
  })
})

test('a new default takes the place of that of its merchant and currency', async () => {
  const rows = [...purse, ...beside(wallet, { merchant_id: theirs, id: spare, is_default: false })]
  const defaults = await onRows(sql, { wallet: rows }, async (tx) => {
    const [next] = await wallets.selectWallets(tx, ours, { id: spare })
    assert.ok(next !== undefined)
    await wallets.setDefaultWallet(tx, next)
    return tx`select merchant_id, id, version from wallet where is_default order by id, merchant_id`
  })
  assert.deepEqual(
    [...defaults],
    [
      { merchant_id: theirs, id: real, version: 1 },
      { merchant_id: ours, id: dollar, version: 1 },
      { merchant_id: ours, id: spare, version: 2 },
    ],
  )
})

test('balances are those of the named accounts of the mode that have one', async () => {
  const account = { id: 1, mode: 'LIVE', name: 'mine' }
  const rows = {
    account: [account, ...beside(account, { id: 2, mode: 'SANDBOX' }, { id: 3, name: 'not asked for' })],
    balance: [
      { account_id: 1, minor: 5 },
      { account_id: 2, minor: 7 },
      { account_id: 3, minor: 9 },
    ],
  }
  const found = (names: readonly string[]) =>
    onRows(sql, rows, (tx) => wallets.selectBalances(tx, 'LIVE', names))
  assert.deepEqual((await found(['mine', 'never used'])).balances, [{ name: 'mine', minor: 5n }])
  assert.deepEqual((await found(['never used'])).balances, [])
})

const transfer = {
  merchant_id: ours,
  id: bareId(21),
  from_wallet_id: real,
  to_wallet_id: spare,
  amount_minor: 100,
  currency: 'BRL',
  description: 'rent',
  idempotency_key: 'key',
  fingerprint: '\\x01',
  is_mirror: false,
  names_wallet: true,
  created_at: at,
}
const [taken, given, silent] = [21, 22, 23].map(bareId) as [OwnTransferId, OwnTransferId, OwnTransferId]
const moved = [
  transfer,
  ...beside(
    transfer,
    { id: given, from_wallet_id: spare, to_wallet_id: real, idempotency_key: 'later' },
    { id: silent, from_wallet_id: dollar, to_wallet_id: bareId(14), currency: 'USDT', description: null },
    { merchant_id: theirs, description: 'theirs' },
  ),
]
const usdt = { ...wallet, id: bareId(14) as WalletId, currency: 'USDT', is_default: false }

test('transfers are listed by side, wallet, currency and id, newest first and each once', async () => {
  await onRows(sql, { own_transfer: moved, wallet: [...purse, usdt] }, async (tx) => {
    const listed = async (filter: Omit<transfers.OwnTransferFilter, 'limit'>, limit = 10) =>
      idsOf(await transfers.selectOwnTransfers(tx, ours, { ...filter, limit }))
    assert.deepEqual(await listed({}), [silent, given, taken])
    assert.deepEqual(await listed({}, 2), [silent, given])
    assert.deepEqual(await listed({ walletId: real }), [given, taken])
    assert.deepEqual(await listed({ walletId: real }, 1), [given])
    assert.deepEqual(await listed({ walletId: dollar }), [silent])
    assert.deepEqual(await listed({ walletId: usdt.id }), [silent])
    assert.deepEqual(await listed({ currency: 'BRL' }), [given, taken])
    assert.deepEqual(await listed({ walletId: real, currency: 'USDT' }), [])
    assert.deepEqual(await listed({ id: given }), [given])
    // A named transfer is found whatever the filter of wallets would say.
    assert.deepEqual(await listed({ id: silent, walletId: real }), [silent])
    assert.deepEqual(await listed({ before: silent }), [given, taken])
  })
})

test('transfers are found again by their key, and their descriptions where there are any', async () => {
  await onRows(sql, { own_transfer: moved }, async (tx) => {
    const byKey = await transfers.selectOwnTransfersByKey(tx, [{ merchantId: ours, key: 'later' }])
    assert.deepEqual(
      byKey.map(({ key, transfer: found }) => [key, found.id]),
      [['later', given]],
    )
    assert.deepEqual(
      [...(await transfers.selectDescriptions(tx, ours, [taken, silent]))],
      [{ id: taken, description: 'rent' }],
    )
  })
})

test('a transfer remembers whether its request named the wallet on the other side', async () => {
  const sides = [
    [{ fromWalletId: real, toWalletId: spare }, true],
    [{ fromWalletId: real, toSubAccountId: third }, false],
    [{ fromWalletId: real, toSubAccountId: third, toWalletId: dollar }, true],
    [{ toSubAccountId: third, toWalletId: dollar }, true],
    [{ fromSubAccountId: third, fromWalletId: dollar }, true],
    [{ fromSubAccountId: third, toWalletId: real }, false],
    [{ fromSubAccountId: third, fromWalletId: dollar, toWalletId: real }, true],
  ] as const
  const written = sides.map(([side], nth) => ({
    merchantId: ours,
    id: bareId(30 + nth) as OwnTransferId,
    request: { amount: 100, ...side },
    fromWalletId: real,
    toWalletId: spare,
    currency: 'BRL' as const,
    createdAt: new Date(at),
    fingerprint: Buffer.from('01', 'hex'),
    idempotencyKey: undefined,
    ...('toSubAccountId' in side || 'fromSubAccountId' in side
      ? { other: { merchantId: third, is: 'SUB_ACCOUNT' as const } }
      : {}),
  }))
  const named = await onRows(sql, { own_transfer: [] }, async (tx) => {
    await transfers.insertOwnTransfers(tx, written)
    return tx<{ named: boolean }[]>`select names_wallet as named from own_transfer order by id`
  })
  assert.deepEqual(
    named.map((row) => row.named),
    sides.map(([, isNamed]) => isNamed),
  )
})

const [early, late, foreign] = [41, 42, 43].map(bareId) as [TransferGrantId, TransferGrantId, TransferGrantId]
const grant = {
  merchant_id: ours,
  id: early,
  parent_id: theirs,
  currency: 'BRL',
  max_minor: 100,
  taken_minor: 0,
  version: 1,
  idempotency_key: 'key',
  fingerprint: '\\x01',
  created_at: at,
}
const merchants = [ours, theirs, third].map((id) => ({ id, mode: 'LIVE' }))
const onGrants = <Answer>(rows: readonly object[], ask: (tx: Tx) => Promise<Answer>) =>
  onRows(sql, { transfer_grant: rows.map((row) => ({ ...row })), merchant: merchants }, ask)

test('the newest grant that is not revoked counts, of the sub-account and the currency', async () => {
  const newest = [
    grant,
    ...beside(
      grant,
      { id: bareId(44), revoked_at: at },
      { id: bareId(45), currency: 'EUR' },
      { id: bareId(46), merchant_id: third },
      { id: late },
    ),
  ]
  const found = await onGrants(newest, (tx) =>
    transfers.selectNewestGrants(tx, [{ merchantId: ours, currency: 'BRL' }]),
  )
  assert.deepEqual(idsOf(found), [late])
})

test('grants are found by key and by id, and a change changes one', async () => {
  const rows = [
    grant,
    ...beside(grant, { id: late, idempotency_key: 'later' }, { merchant_id: third, parent_id: ours }),
  ]
  await onGrants(rows, async (tx) => {
    assert.deepEqual(idsOf(await transfers.selectGrantsByKey(tx, [{ merchantId: ours, key: 'later' }])), [
      late,
    ])
    const found = await transfers.selectGrants(tx, [{ merchantId: ours, id: early }])
    assert.deepEqual(
      found.map(({ merchantId, id }) => [merchantId, id]),
      [[ours, early]],
    )
    await transfers.updateGrants(tx, [{ ...(found[0] as TransferGrant), takenMinor: 7n, version: 2 }])
    const changed = await tx`select merchant_id, id, taken_minor from transfer_grant where taken_minor <> 0`
    assert.deepEqual([...changed], [{ merchant_id: ours, id: early, taken_minor: 7n }])
  })
})

test('a merchant lists the grants that it gave and those that it was given, and no others', async () => {
  const rows = [
    grant,
    ...beside(
      grant,
      { id: late },
      { id: foreign, parent_id: third },
      { id: bareId(47), merchant_id: third, parent_id: ours },
    ),
  ]
  await onGrants(rows, async (tx) => {
    const listed = async (of: MerchantId, filter: Omit<transfers.GrantFilter, 'limit'> = {}, limit = 10) =>
      idsOf(await transfers.listGrants(tx, of, { ...filter, limit }))
    assert.deepEqual(await listed(theirs), [late, early])
    assert.deepEqual(await listed(theirs, {}, 1), [late])
    assert.deepEqual(await listed(theirs, { before: late }), [early])
    assert.deepEqual(await listed(theirs, { id: early }), [early])
    assert.deepEqual(await listed(theirs, { subAccountId: ours }), [late, early])
    assert.deepEqual(await listed(theirs, { subAccountId: third }), [])
    assert.deepEqual(await listed(ours, { subAccountId: ours }), [foreign, late, early])
  })
})
