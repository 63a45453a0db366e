// How wallets begin and change, decided on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import { poolOn } from '../../test/bare-lane.ts'
import { bareId, beside, onRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows } from '../../test/kind-on-rows.ts'
import { createWalletKind, openStartingWallets, type CreateWalletItem, type WalletRequest } from './create.ts'
import { makeDefaultWallet, updateWalletKind, type UpdateWalletItem } from './update.ts'
import type { WalletType } from './wallet.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const at = new Date('2027-01-01T00:00:00.000Z')
const ours = bareId(1) as MerchantId
const asked = (walletType: WalletType, more: Partial<WalletRequest> = {}): WalletRequest => ({
  currency: 'USD',
  walletType,
  label: 'Ours',
  ...more,
})

let made = 100
function item(request: WalletRequest, idempotencyKey?: string): CreateWalletItem {
  const id = bareId((made += 1)) as WalletId
  const key = idempotencyKey === undefined ? {} : { idempotencyKey }
  return { merchantId: ours, mode: 'LIVE', id, request, ...key }
}

const stored = {
  merchant_id: ours,
  id: bareId(11),
  currency: 'BRL',
  label: 'First',
  wallet_type: 'SPENDABLE',
  is_default: true,
  is_active: true,
  version: 4,
  created_at: at,
  idempotency_key: 'first',
  fingerprint: `\\x${sha256(canonicalJson({ currency: 'BRL', walletType: 'SPENDABLE', label: 'First' })).toString('hex')}`,
}

const rowsOf = async (tx: RowsTx) =>
  (
    await tx<{ text: string }[]>`
      select concat_ws(' ', currency, wallet_type, label, case when is_default then 'default' end) as text
        from wallet where id <> ${stored.id} order by is_default desc, id`
  ).map(({ text }) => text)

/** What a batch of these items decides, tells and writes. */
function create(items: readonly CreateWalletItem[], wallet: readonly object[] = [stored]) {
  return onRows(sql, { wallet: wallet.map((row) => ({ ...row })) }, async (tx) => {
    const { verdicts, events } = await runOnRows(tx, createWalletKind(), items, { at })
    return {
      verdicts: verdicts.map(({ kind }) => kind),
      wallets: verdicts.map((each) => ('wallet' in each ? each.wallet : undefined)),
      events,
      rows: await rowsOf(tx),
    }
  })
}

test('the first spendable wallet of a currency is its default, and a first wallet of another type gets one beside it', async () => {
  const [plain, reserve] = [asked('SPENDABLE'), asked('RESERVE')]
  const cases: readonly (readonly [requests: readonly WalletRequest[], rows: readonly string[]])[] = [
    [[plain], ['USD SPENDABLE Ours default']],
    [[reserve], ['USD SPENDABLE USD default', 'USD RESERVE Ours']],
    [
      [plain, plain],
      ['USD SPENDABLE Ours default', 'USD SPENDABLE Ours'],
    ],
    [
      [reserve, plain],
      ['USD SPENDABLE USD default', 'USD RESERVE Ours', 'USD SPENDABLE Ours'],
    ],
    [
      [
        { ...plain, currency: 'BRL' },
        { ...reserve, currency: 'BRL' },
      ],
      ['BRL SPENDABLE Ours', 'BRL RESERVE Ours'],
    ],
  ]
  for (const [requests, rows] of cases) {
    const done = await create(requests.map((request) => item(request)))
    assert.deepEqual(done.rows, rows)
    assert.equal(done.events.length, rows.length)
  }
})

test('a new wallet is announced as it is: of version 1, active, with nothing in it', async () => {
  const { events } = await create([item(asked('RESERVE'))])
  assert.deepEqual(
    events.map(({ type, data }) => ({ type, ...data, id: 'any' })),
    [
      { label: 'USD', walletType: 'SPENDABLE', isDefault: true },
      { label: 'Ours', walletType: 'RESERVE', isDefault: false },
    ].map((each) => ({
      type: 'wallet.created',
      id: 'any',
      currency: 'USD',
      ...each,
      isActive: true,
      version: 1,
      createdAt: at.toISOString(),
      balance: 0n,
      pendingBalance: 0n,
      heldBalance: 0n,
    })),
  )
})

test('a key that is used again answers with its wallet, or says that the request was another', async () => {
  const first = asked('SPENDABLE', { currency: 'BRL', label: 'First' })
  const cases: readonly (readonly [items: readonly CreateWalletItem[], kinds: readonly string[]])[] = [
    [[item(first, 'first')], ['replayed']],
    [[item({ ...first, label: 'Second' }, 'first')], ['conflict']],
    [
      [item(asked('RESERVE'), 'new'), item(asked('RESERVE'), 'new'), item(asked('SPENDABLE'), 'new')],
      ['created', 'replayed', 'conflict'],
    ],
  ]
  for (const [items, kinds] of cases) {
    const { verdicts, wallets } = await create(items)
    assert.deepEqual(verdicts, kinds)
    assert.equal(new Set(wallets.map((each) => each?.id)).size, 1)
  }
})

test('a merchant has at most 200 wallets, with those that are made beside others', async () => {
  const having = (count: number) =>
    beside(stored, ...Array.from({ length: count }, (_, nth) => ({ id: bareId(1000 + nth) })))
  const kindsOf = async (count: number, items: readonly CreateWalletItem[]) =>
    (await create(items, having(count))).verdicts
  const plain = () => item(asked('SPENDABLE', { currency: 'BRL' }))
  assert.deepEqual(await kindsOf(198, [plain(), plain(), plain()]), ['created', 'created', 'too_many'])
  assert.deepEqual(await kindsOf(198, [item(asked('RESERVE')), plain()]), ['created', 'too_many'])
  assert.deepEqual(await kindsOf(199, [item(asked('RESERVE')), plain()]), ['too_many', 'created'])
  const all = Array.from({ length: 201 }, plain)
  assert.deepEqual(
    Map.groupBy(await kindsOf(0, all), (kind) => kind)
      .entries()
      .map(([kind, some]) => `${some.length} ${kind}`)
      .toArray(),
    ['200 created', '1 too_many'],
  )
})

test('a merchant begins with a default wallet of each starting currency', async () => {
  await onRows(sql, { wallet: [] }, async (tx) => {
    await openStartingWallets(tx, ours, at)
    assert.deepEqual(await rowsOf(tx), [
      'BRL SPENDABLE BRL default',
      'EUR SPENDABLE EUR default',
      'USDT SPENDABLE USDT default',
    ])
  })
})

test('a wallet is renamed or stops paying, but a default wallet pays; its version counts what changed', async () => {
  const spare = { ...stored, id: bareId(12), is_default: false }
  const of =
    (id: string) =>
    (change: UpdateWalletItem['change'], merchantId = ours) => ({
      merchantId,
      id: id as WalletId,
      change,
    })
  const [first, second] = [of(stored.id), of(spare.id)]
  const cases: readonly (readonly [items: readonly UpdateWalletItem[], kinds: string, row: string])[] = [
    [[first({ label: 'New' })], 'updated', 'New true 5'],
    [[first({ isActive: true })], 'updated', 'First true 4'],
    [[first({ label: 'First' })], 'updated', 'First true 4'],
    [[first({ isActive: false })], 'is_default', 'First true 4'],
    [[first({ label: 'New' }, bareId(2) as MerchantId)], 'not_found', 'First true 4'],
    [[second({ isActive: false })], 'updated', 'First false 5'],
    [[second({ label: 'New', isActive: true })], 'updated', 'New true 5'],
    [[second({ label: 'New' }), second({ isActive: false })], 'updated updated', 'New false 6'],
  ]
  for (const [items, kinds, row] of cases)
    await onRows(sql, { wallet: [stored, spare] }, async (tx) => {
      const { verdicts } = await runOnRows(tx, updateWalletKind, items, { at })
      assert.equal(verdicts.map(({ kind }) => kind).join(' '), kinds)
      const [found] = await tx`
        select concat_ws(' ', label, is_active::text, version) as text from wallet where id = ${items[0]?.id ?? ''}`
      assert.equal(found?.['text'], row)
    })
})

test('only an active spendable wallet becomes the default, while no batch of the books decides', async () => {
  const spare = { ...stored, id: bareId(12), is_default: false }
  const cases: readonly (readonly [wallet: object, kind: string, defaultNow: string])[] = [
    [spare, 'changed 5', '12'],
    [{ ...spare, is_active: false }, 'refused 4', '11'],
    [{ ...spare, wallet_type: 'RESERVE' }, 'refused 4', '11'],
    [{ ...spare, is_default: true }, 'already 4', '11 12'],
    [{ ...spare, id: bareId(13) }, 'not_found', '11'],
  ]
  for (const [wallet, kind, defaultNow] of cases)
    await onRows(sql, { wallet: [stored, { ...wallet }], head: [{}] }, async (tx) => {
      const verdict = await makeDefaultWallet(poolOn(tx), spare.id as WalletId)
      const version = 'wallet' in verdict ? ` ${verdict.wallet.version}` : ''
      assert.equal(`${verdict.kind}${version}`, kind)
      const found = await tx<
        { id: string }[]
      >`select right(id::text, 2) as id from wallet where is_default order by 1`
      assert.equal(found.map(({ id }) => id).join(' '), defaultNow)
      const [head] = await tx`select xmax::text <> '0' as held from head`
      assert.equal(head?.['held'], true)
    })
})
