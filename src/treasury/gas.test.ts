// Native coin at the wallets that send: what arrived, and how long it lasts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { bytesOf } from '#/evm/address.ts'
import { bareNode } from '../../test/bare-node.ts'
import { bareId } from '../../test/bare-rows.ts'
import { bareSender } from '../../test/bare-sender.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { findFills, forecastGas } from './gas.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

for (const [purpose, gas, low] of [
  ['hot', 52_000n, 1_000n],
  ['gas', 83_000n, 1_000n],
  ['treasury', 52_000n, 20n],
] as const)
  test(`the ${purpose} wallet pays ${gas} gas for each of its transactions, and is low below ${low} of them`, async () => {
    const node = bareNode()
    const { deps } = await bareSender(sql, { rpc: node.rpc, purpose })
    const price = 7n
    const forecast = async (wei: bigint, floor = price) => {
      node.wei.set(deps.wallet.address, wei)
      const [each] = await forecastGas(sql, node.rpc, deps.chain, { floor, cap: price })
      return [each?.transactions, each?.isLow]
    }
    assert.deepEqual(await forecast(low * gas * price), [low, false])
    assert.deepEqual(await forecast(low * gas * price - 1n), [low - 1n, true])
    assert.deepEqual(await forecast(5_000n, 0n), [5_000n, false], 'where gas costs nothing')
  })

test('what a wallet holds beyond what is recorded arrived; a wallet whose nonces differ is left to the next check', async () => {
  const node = bareNode()
  const { deps } = await bareSender(sql, { rpc: node.rpc })
  const { address } = deps.wallet
  const find = async (wei: bigint) => {
    node.wei.set(address, wei)
    return (await findFills(sql, node.rpc, deps.chain)).map(({ totalWei }) => totalWei)
  }
  await sql`
    insert into gas_fill (id, chain, wallet, wei, gwei, evidence, at)
    values (${bareId(1)}, ${deps.chain.key}, ${bytesOf(address)}, 100, 0, '', now())`
  await sql`update hot_wallet set gas_wei = 30 where chain = ${deps.chain.key}`
  assert.deepEqual(await find(70n), [])
  assert.deepEqual(await find(71n), [101n])
  node.mine({ hash: `0x${'1'.repeat(64)}`, from: address })
  node.final = 2n
  assert.deepEqual(await find(71n), [])
})
