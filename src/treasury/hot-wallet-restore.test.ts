// What each of our wallets and places gets on a chain that replaces a lost one. The node is what it was told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import { toQuantity } from '#/evm/wire.ts'
import { silentLog } from '#/kernel/log.ts'
import { bareAddress, bareBytes, ours } from '../../test/bare-coins.ts'
import { onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { restoreWallets } from './hot-wallet-sandbox.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const bnb = 10n ** 18n
const wallet = (number: number, nextNonce: number, spentWei: bigint) => ({
  chain: ours,
  address: bareBytes(number),
  purpose: 'hot',
  next_nonce: nextNonce,
  gas_wei: spentWei,
})

/** Restores on a node where each account has this next nonce. Returns what the node was told, and what was logged. */
async function restore(tables: BareRows, nonce = 0n) {
  const told: (readonly [method: string, address: unknown, value: bigint])[] = []
  const logged: unknown[] = []
  const rpc = partly<Rpc>({
    async call(method, [address, value]) {
      if (method === 'eth_getTransactionCount') return toQuantity(nonce)
      told.push([method, address, BigInt(String(value))])
      return null
    },
  })
  const log = { ...silentLog, error: (about: unknown) => void logged.push(about) }
  const all = { hot_wallet: [], gas_fill: [], chain_tx: [], coin_place: [], coin_move: [], ...tables }
  const places = await onRows(sql, all, (tx) => restoreWallets(tx, rpc, { chain: ours, log }))
  return { places, told, logged }
}

test('a wallet has the gas of the books, but ten coins where those are less than five', async () => {
  const fill = { chain: ours, wei: 7n * bnb }
  const { told } = await restore({
    hot_wallet: [
      wallet(1, 0, 2n * bnb),
      wallet(2, 0, 2n * bnb + 1n),
      wallet(3, 0, 0n),
      wallet(4, 0, 8n * bnb),
    ],
    gas_fill: [1, 2, 3, 4].map((number) => ({ ...fill, wallet: bareBytes(number) })),
  })
  assert.deepEqual(told, [
    ['anvil_setBalance', bareAddress(1), 5n * bnb],
    ['anvil_setBalance', bareAddress(2), 10n * bnb],
    ['anvil_setBalance', bareAddress(3), 7n * bnb],
    ['anvil_setBalance', bareAddress(4), 10n * bnb],
  ])
})

test('an account goes on with the first nonce that has no end, and never goes back', async () => {
  const { told } = await restore({ hot_wallet: [wallet(1, 4, 0n), wallet(2, 5, 0n), wallet(3, 6, 0n)] }, 5n)
  assert.deepEqual(told.slice(3), [['anvil_setNonce', bareAddress(3), 6n]])
})

test('a place gets what it has by the books; one with less than nothing gets none, and that is an error', async () => {
  const units = [-3n, 0n, 1n, 7n]
  const { places, logged } = await restore({
    coin_place: units.map((each, index) => ({
      chain: ours,
      address: bareBytes(index),
      place: 'hot',
      units: each,
    })),
  })
  assert.deepEqual(
    places.map(({ address, units: each }) => [address, each]),
    [0n, 0n, 1n, 7n].map((each, index) => [bareAddress(index), each]),
  )
  assert.deepEqual(logged, [{ chain: ours, address: bareAddress(0), units: '-3' }])
})
