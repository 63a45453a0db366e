// The books against a chain, to the base unit: which differences are reported, and in what words. On a node whose blocks a case writes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { baseUnitsPerCent as cent } from '#/coins/units.ts'
import type { Sql } from '#/db/client.ts'
import { bytesOf, type Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { hourMs } from '#/kernel/time.ts'
import { bareAddress } from '../../test/bare-coins.ts'
import { bareHash, bareNode, blockAt, type BareNode } from '../../test/bare-node.ts'
import { bareId } from '../../test/bare-rows.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { balancesOf, compareCoins, type Comparison } from './compare.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner), 3)

const at = new Date('2026-11-22T00:00:00Z')
const [hot, treasury, anybody] = [bareAddress(1), bareAddress(2), bareAddress(9)]
const deposits = [bareAddress(11), bareAddress(12)]
let count = 0

type Scene = {
  readonly node: BareNode
  /** Compares, up to twelve times without a pause. */
  compare(all?: boolean): Promise<Comparison>
  /** What is reported, as `where: what`. */
  differences(): Promise<readonly string[]>
  readonly chain: string
}

/** A chain at whose final block, 1, books and node agree: 5 and 4 units at deposit addresses, 30 at the wallet, 700 at the treasury. */
async function scene(): Promise<Scene> {
  const node = bareNode()
  const chain = `chain-${(count += 1)}`
  const final = await blockAt(node, 1n)
  await sql`
    insert into chain (key, chain_id, factory, token, treasury, final_number, final_hash)
    values (${chain}, 1, '', ${bytesOf(bareAddress(31))}, ${bytesOf(treasury)}, 1, ${bytesOf(final.hash)})`
  await sql`
    insert into chain_token (chain, symbol, address, decimals)
    values (${chain}, 'USDT', ${bytesOf(bareAddress(31))}, 18)`
  await sql`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${chain}, 'SANDBOX', 'CRYPTO', 'chain', jsonb_build_object('chain', ${chain}::text), ${at})`
  for (const [index, address] of deposits.entries()) {
    const [units, id] = [5n - BigInt(index), bareId((count += 1))]
    await sql`
      insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, received, held, created_at)
      values (${chain}, ${bytesOf(address)}, ${id}, ${id}, ${id}, 1, ${String(units)}, ${String(units)}, ${at})`
    await sql`
      insert into chain_transfer (chain, block_hash, log_index, block_number, block_at, tx_hash, ordinal, address, sender, value, state, log)
      values (${chain}, '', ${index}, 1, ${at}, '', ${index}, ${bytesOf(address)}, '', ${String(units)}, 'FINAL', '{}')`
    node.units.set(address, units)
  }
  await sql`
    insert into coin_place (chain, address, place, units)
    values (${chain}, ${bytesOf(hot)}, 'hot', 30), (${chain}, ${bytesOf(treasury)}, 'treasury', 700)`
  node.units.set(hot, 30n)
  node.units.set(treasury, 700n)
  const compare = (all = true) => compareCoins(sql, node.rpc, chain, { all, patienceMs: 0 })
  return {
    node,
    chain,
    compare,
    differences: async () => (await compare()).differences.map(({ where, what }) => `${where}: ${what}`),
  }
}

/** A movement of 3 units that nothing explains. */
async function insertStrange(chain: string, kind: 'LEFT' | 'FOUND', sender: Address): Promise<string> {
  const id = bareId((count += 1))
  await sql`
    insert into coin_move (id, chain, block_hash, log_index, block_number, block_at, tx_hash, sender, recipient, value, state, log,
                           booked_as, minor, booked_at)
    values (${id}, ${chain}, '', ${count}, 1, ${at}, ${bytesOf(bareHash(50))}, ${bytesOf(sender)}, ${bytesOf(anybody)}, 3, 'FINAL', '',
            ${kind}, 0, ${at})`
  return id
}

describe('books that agree with the chain', () => {
  test('nothing is reported; deposit addresses are one sum, and each other place stands alone', async () => {
    const { compare } = await scene()
    const { differences, places, residue, accounts, strange } = await compare()
    assert.deepEqual(differences, [])
    const place = { unbooked: 0n, addresses: 1 }
    assert.deepEqual(places, [
      { ...place, place: 'deposit', addresses: 2, units: 9n, onChain: 9n },
      { ...place, place: 'hot', address: hot, units: 30n, onChain: 30n },
      { ...place, place: 'treasury', address: treasury, units: 700n, onChain: 700n },
    ])
    assert.deepEqual([residue, strange], [739n, []])
    assert.deepEqual(accounts, { deposit: 0n, treasury: 0n, hot: 0n })
  })

  test('they are read once, without a pause', async () => {
    const { node, chain } = await scene()
    const { differences } = await compareCoins(sql, node.rpc, chain, { patienceMs: hourMs })
    assert.deepEqual(differences, [])
  })

  test('deposit addresses beyond the first page are compared, each once', async () => {
    const { node, chain, compare } = await scene()
    const more = 1_999
    await sql`
      insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, received, held, created_at)
      select ${chain}, decode('ff' || lpad(to_hex(nr), 38, '0'), 'hex'), id, id, id, 1, 1, 1, ${at}
        from generate_series(1, ${more}) as nr, lateral (select gen_random_uuid() as id where nr > 0) as made`
    await sql`
      insert into chain_transfer (chain, block_hash, log_index, block_number, block_at, tx_hash, ordinal, address, sender, value, state, log)
      select ${chain}, '\\x02', row_number() over (), 1, ${at}, '\\x02', row_number() over (), address, '', 1, 'FINAL', '{}'
        from deposit_address where chain = ${chain} and held = 1`
    // As the database does by itself after a while.
    await sql`analyze deposit_address, chain_transfer`
    for (let nr = 1; nr <= more; nr += 1) node.units.set(`0xff${nr.toString(16).padStart(38, '0')}`, 1n)
    const { places, differences } = await compare()
    const [{ addresses, units, onChain } = {}] = places
    assert.deepEqual([differences, addresses, units, onChain], [[], 2_001, 2_008n, 2_008n])
  })

  test('the residue is what all places hold beyond the whole cents of the accounts', async () => {
    const { compare, chain } = await scene()
    for (const [index, place] of ['deposit', 'treasury', 'hot'].entries()) {
      const id = (count += 1)
      await sql`
        insert into account (id, mode, name, currency, side, batch)
        values (${id}, 'SANDBOX', ${`coins:${chain}:USDT:${place}`}, 'USDT', 'DEBIT', 1)`
      await sql`insert into balance (account_id, minor, entries, floored) values (${id}, ${10 ** index}, 1, false)`
    }
    assert.equal((await compare()).residue, 739n - 111n * cent)
  })

  test('a difference that does not last is not reported, nor a node that fails for a while', async () => {
    const { node, chain } = await scene()
    let passes = 0
    const rpc: Rpc = {
      ...node.rpc,
      async ethCall(to, data, block) {
        const isHot = data.endsWith(hot.slice(2))
        if (isHot && (passes += 1) === 1) return '0x1'
        if (isHot && passes === 2) throw new Error('gone for a while')
        return node.rpc.ethCall(to, data, block)
      },
    }
    const { differences } = await compareCoins(sql, rpc, chain, { patienceMs: 0 })
    assert.deepEqual([differences, passes], [[], 3])
  })
})

describe('a difference', () => {
  test('too much or too little at a place is reported in base units', async () => {
    const { node, differences } = await scene()
    node.units.set(hot, 33n)
    node.units.set(bareAddress(11), 4n)
    assert.deepEqual(await differences(), [
      `deposit ${bareAddress(11)}: has 4 units on the chain and 5 by the books: 1 too few`,
      `hot ${hot}: has 33 units on the chain and 30 by the books: 3 too many`,
    ])
    node.units.set(hot, 31n)
    node.units.set(bareAddress(11), 5n)
    assert.deepEqual(await differences(), [
      `hot ${hot}: has 31 units on the chain and 30 by the books: 1 too many`,
    ])
  })

  test('with what left from there and is in no books, and nothing else', async () => {
    const { node, chain, differences, compare } = await scene()
    node.units.set(hot, 27n)
    await insertStrange(chain, 'LEFT', hot)
    await insertStrange(chain, 'LEFT', anybody)
    await insertStrange(chain, 'FOUND', hot)
    const left = `; 3 left for ${anybody} in ${bareHash(50)}`
    assert.deepEqual(await differences(), [
      `hot ${hot}: has 27 units on the chain and 30 by the books: 3 too few${left}`,
    ])
    assert.equal((await compare()).strange.length, 3)
  })

  test('a movement is shown until its owner is confirmed', async () => {
    const { chain, compare } = await scene()
    const [proposed, confirmed] = [
      await insertStrange(chain, 'FOUND', hot),
      await insertStrange(chain, 'FOUND', hot),
    ]
    await sql`
      insert into coin_claim (move, merchant_id, proposed_by, proposed_at, wallet_id, confirmed_by, confirmed_at)
      values (${proposed}, ${bareId(1)}, 'ana', ${at}, null, null, null),
             (${confirmed}, ${bareId(1)}, 'ana', ${at}, ${bareId(2)}, 'eva', ${at})`
    assert.deepEqual(
      (await compare()).strange.map(({ id }) => id),
      [proposed],
    )
  })

  test('another block at that height is reported', async () => {
    const { chain, node, differences } = await scene()
    await sql`update chain set final_hash = ${bytesOf(bareHash(77))} where key = ${chain}`
    const { hash } = await blockAt(node, 1n)
    assert.deepEqual(await differences(), [
      `block 1: is ${bareHash(77)} in the books and ${hash} at the node`,
    ])
  })

  test('native coin of a wallet is compared while its nonces agree', async () => {
    const { chain, node, differences, compare } = await scene()
    await sql`
      insert into hot_wallet (chain, address, purpose, next_nonce, created_at) values (${chain}, ${bytesOf(hot)}, 'hot', 0, ${at})`
    assert.deepEqual(await differences(), [])
    node.wei.set(hot, 5n)
    const about = `gas of hot ${hot}: is 5 wei on the chain and 0 by the books: 5 too many`
    assert.deepEqual(await differences(), [about])
    assert.deepEqual((await compare()).gas, [{ address: hot, purpose: 'hot', wei: 0n, onChain: 5n }])
    await sql`update hot_wallet set next_nonce = 1 where chain = ${chain}`
    assert.deepEqual(await differences(), [])
  })

  test('a node that never answers is the end of the comparison', async () => {
    const { node, chain } = await scene()
    let calls = 0
    const rpc: Rpc = {
      ...node.rpc,
      getBlockByNumber: () => {
        calls += 1
        return Promise.reject(new Error('gone'))
      },
    }
    await assert.rejects(compareCoins(sql, rpc, chain, { patienceMs: 0 }), /gone/)
    assert.equal(calls, 12)
  })
})

test('what addresses hold is asked of the token for each of them, in their order', async () => {
  const asked: unknown[] = []
  const said: Partial<Rpc> = {
    ethCall: async (_token, data) => {
      asked.push(data)
      return `0x${BigInt(asked.length).toString(16)}`
    },
  }
  const holders = Array.from({ length: 32 }, (_each, index) => `0xf${bareAddress(index).slice(3)}` as const)
  const held = await balancesOf(said as Rpc, bareAddress(31), 'latest', holders)
  assert.deepEqual(
    held,
    holders.map((_each, index) => ({ raw: BigInt(index + 1) })),
  )
  assert.deepEqual(
    asked,
    holders.map((each) => `0x70a08231${'0'.repeat(24)}${each.slice(2)}`),
  )
})
