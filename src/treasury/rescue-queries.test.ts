// Coins at our addresses that are no payment: what is shown of them, what is done about them, and whose they are said to be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { bareAddress, bareBytes, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './rescue-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const payment = bareId(1)
const at = new Date('2026-11-22T00:00:00Z')
const earlier = new Date('2026-11-21T00:00:00Z')

const deposit = { chain: ours, address: bareBytes(1), payment_id: payment }

test('other tokens at our addresses are shown once each, with the payment of the address, the oldest first', async () => {
  const stray = {
    chain: ours,
    address: bareBytes(1),
    token: bareBytes(21),
    transfers: 2,
    claimed: 7,
    first_tx: bareBytes(50),
    found_at: at,
  }
  const tables = {
    stray: [stray, { ...stray, token: bareBytes(22), found_at: earlier }, { ...stray, chain: other }],
    deposit_address: [
      deposit,
      ...beside({ ...deposit, payment_id: bareId(2) }, { chain: other }, { address: bareBytes(2) }),
    ],
  }
  const rows = await onRows(sql, tables, (tx) => queries.selectStrays(tx, ours))
  assert.deepEqual(
    rows.map(({ token, paymentId }) => [token, paymentId]),
    [
      [bareAddress(22), payment],
      [bareAddress(21), payment],
    ],
  )
  assert.deepEqual(rows[1], {
    address: bareAddress(1),
    paymentId: payment,
    token: bareAddress(21),
    transfers: 2n,
    claimed: 7n,
    firstTx: bareAddress(50),
    foundAt: at,
  })
})

test('our addresses of a chain are listed after one, to a limit, and one is found with its payment', async () => {
  const row = (number: number) => ({ ...deposit, address: bareBytes(number), payment_id: bareId(number) })
  const tables = { deposit_address: [row(3), row(2), row(1), { ...row(4), chain: other }] }
  const page = (after: number | undefined, limit: number) =>
    onRows(sql, tables, async (tx) => {
      const from = after === undefined ? undefined : bareAddress(after)
      return (await queries.selectOwnAddresses(tx, ours, from, limit)).map(({ address }) => address)
    })
  assert.deepEqual(await page(undefined, 9), [1, 2, 3].map(bareAddress))
  assert.deepEqual(await page(1, 1), [bareAddress(2)])
  const one = (number: number) =>
    onRows(sql, tables, (tx) => queries.selectOwnAddress(tx, ours, bareAddress(number)))
  assert.deepEqual(await one(2), { address: bareAddress(2), paymentId: bareId(2) })
  assert.equal(await one(4), undefined)
  assert.equal(await one(5), undefined)
})

test('rescues of a chain are shown with how their transactions stand, of all addresses or of those that are named', async () => {
  const rescue = {
    id: bareId(11),
    chain: ours,
    chain_id: 1,
    address: bareBytes(1),
    token: bareBytes(21),
    units: 7,
    tx: bareId(31),
    asked_by: 'ana',
    created_at: at,
  }
  const tables = {
    rescue: [
      { ...rescue, id: bareId(12), address: bareBytes(2) },
      rescue,
      ...beside({ ...rescue, id: bareId(13) }, { chain: other }, { tx: bareId(32) }, { tx: bareId(33) }),
    ],
    chain_tx: [
      { id: bareId(31), purpose: 'SWEEP', state: 'FINAL', tx_hash: bareBytes(50) },
      { id: bareId(32), purpose: 'PAYOUT', state: 'FINAL' },
    ],
  }
  const find = (addresses?: readonly number[]) =>
    onRows(sql, tables, (tx) =>
      queries.selectRescues(tx, {
        chain: ours,
        ...(addresses === undefined ? {} : { addresses: addresses.map(bareAddress) }),
      }),
    )
  const all = await find()
  assert.deepEqual(
    all.map(({ id }) => id),
    [bareId(11), bareId(12)],
  )
  assert.deepEqual(
    (await find([2, 3])).map(({ id }) => id),
    [bareId(12)],
  )
  assert.deepEqual(await find([]), [])
  assert.deepEqual(all[0], {
    id: bareId(11),
    chain: ours,
    chainId: 1n,
    address: bareAddress(1),
    token: bareAddress(21),
    units: 7n,
    tx: bareId(31),
    state: 'FINAL',
    failure: null,
    txHash: bareAddress(50),
    evidence: null,
    by: 'ana',
    createdAt: at,
  })
})

test('a transaction is found by its reference, and the wallet that pays for sweeps by its purpose, the newest first', async () => {
  const wallet = { chain: ours, address: bareBytes(1), purpose: 'gas', created_at: earlier }
  const not = beside(
    { ...wallet, created_at: '2026-11-23T00:00:00Z', waiting: 'x' },
    { chain: other },
    { purpose: 'hot' },
  )
  const onWallets = (rows: BareRows[string]) =>
    onRows(sql, { hot_wallet: rows }, async (tx) => [
      await queries.selectGasSender(tx, ours),
      await queries.selectWaiting(tx, ours),
    ])
  assert.deepEqual(await onWallets([...not, wallet]), [bareAddress(1), undefined])
  assert.deepEqual(await onWallets([...not, { ...wallet, waiting: 'GAS' }]), [bareAddress(1), 'GAS'])
  assert.deepEqual(await onWallets([{ ...wallet, waiting: 'GAS', stopped: 'stranger' }]), [
    bareAddress(1),
    'stranger',
  ])
  assert.deepEqual(await onWallets(not), [undefined, undefined])
  const [newest] = await onWallets([wallet, { ...wallet, address: bareBytes(2), created_at: at }])
  assert.equal(newest, bareAddress(2))
  const rows = {
    chain_tx: [
      { reference: 'a', state: 'FINAL' },
      { reference: 'b', state: 'FAILED', failure: 'x' },
    ],
  }
  const find = (reference: string) => onRows(sql, rows, (tx) => queries.selectTx(tx, reference))
  assert.deepEqual(await find('b'), { state: 'FAILED', failure: 'x' })
  assert.equal(await find('c'), undefined)
})

const [move, second] = [bareId(41), bareId(42)]
const [owner, another] = [bareId(71) as MerchantId, bareId(72) as MerchantId]

test('an owner is proposed for coins that nothing explains, until a person has confirmed one', async () => {
  const propose = (tables: BareRows) =>
    onRows(sql, { coin_claim: [], ...tables }, async (tx) => {
      await tx`create unique index on coin_claim (move)`
      const claim = { move, merchantId: owner, by: 'ana', note: 'theirs' }
      const isProposed = await queries.writeProposal(tx, claim, at)
      const rows = await tx`select move, note from coin_claim where merchant_id = ${owner} order by move`
      return [isProposed, ...rows.map((row) => [row['move'] as string, row['note'] as string])]
    })
  const coins = { id: move, booked_as: 'FOUND' }
  const claim = { move, merchant_id: another, proposed_by: 'eva' }
  const coin_move = [coins, { ...coins, id: second }]
  assert.deepEqual(await propose({ coin_move }), [true, [move, 'theirs']])
  assert.deepEqual(await propose({ coin_move, coin_claim: [claim] }), [true, [move, 'theirs']])
  assert.deepEqual(await propose({ coin_move, coin_claim: [{ ...claim, confirmed_at: at }] }), [false])
  const not = beside(coins, { id: second }, { booked_as: 'LEFT' })
  assert.deepEqual(await propose({ coin_move: not }), [false])
})

test('a proposal is found with its coins and the shared connection of their chain, and is confirmed once', async () => {
  const shared = { id: 'shared', mode: 'SANDBOX', method: 'CRYPTO', settings: { chain: ours } }
  const claim = { move, merchant_id: owner, proposed_by: 'ana' }
  const wallet = bareId(81) as WalletId
  const tables = {
    connection: [
      shared,
      ...beside(
        { ...shared, id: 'x' },
        { method: 'PIX' },
        { settings: { chain: other } },
        { merchant_id: owner },
      ),
    ],
    coin_claim: [
      claim,
      { ...claim, move: second, confirmed_by: 'eva', confirmed_at: earlier },
      { ...claim, move: bareId(43) },
      { ...claim, move: bareId(44) },
    ],
    coin_move: [
      { id: move, chain: ours, booked_as: 'FOUND', minor: 7 },
      { id: second, chain: ours, booked_as: 'PAID', minor: 8 },
      { id: bareId(44), chain: ours, booked_as: 'FOUND', minor: 9 },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    const proposals = await queries.selectProposals(tx, [move, second, bareId(43)])
    assert.deepEqual(
      [...proposals],
      [
        {
          move,
          mode: 'SANDBOX',
          connection: 'shared',
          minor: 7n,
          merchantId: owner,
          proposedBy: 'ana',
          confirmedBy: null,
        },
      ],
    )
    await queries.writeConfirmed(
      tx,
      [move, second].map((each) => ({ move: each, walletId: wallet, by: 'eva' })),
      at,
    )
    const confirmed =
      await tx`select move from coin_claim where confirmed_at = ${at} and wallet_id = ${wallet}`
    assert.deepEqual(
      confirmed.map((row) => row['move'] as string),
      [move],
    )
  })
})
