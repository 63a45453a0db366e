// Which addresses are collected in one transaction, and what happens with them when it ends. Without a chain.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import type { Sql } from '#/db/client.ts'
import {
  bytesOf,
  createDepositAddresses,
  depositSalt,
  factoryAddress,
  hexOf,
  implementationAddress,
  keccak,
  type Address,
} from '#/evm/address.ts'
import { toTopic } from '#/evm/wire.ts'
import { silentLog } from '#/kernel/log.ts'
import { bareAddress } from '../../test/bare-coins.ts'
import { bareId } from '../../test/bare-rows.ts'
import { bareChain } from '../../test/bare-sender.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { sweepCall, sweepDue, sweepGas, waitingSweeps } from './sweep.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner), 3)

const at = new Date('2026-11-22T00:00:00Z')
let count = 0

/** A chain of its own with our contracts, the addresses of its payments, and what was queued and logged. */
async function scene() {
  const factory = factoryAddress(bareChain.treasury)
  const implementation = implementationAddress(bareChain.treasury)
  const chain = { ...bareChain, factory, implementation, key: `chain-${(count += 1)}` }
  const told = { queued: 0, logged: [] as string[] }
  const log = { ...silentLog, warn: (...said: readonly unknown[]) => void told.logged.push(String(said[1])) }
  const deps = {
    sql,
    chain,
    log,
    clock: { now: () => at },
    unitsMin: 1n,
    onQueued: () => void (told.queued += 1),
  }
  const addressOf = createDepositAddresses(chain)
  await sql`
    insert into chain (key, chain_id, factory, token, treasury, final_number)
    values (${chain.key}, 1, ${bytesOf(factory)}, '', '', 10)`
  return {
    deps,
    told,
    /** The address of a payment that holds so much, or another address that claims to be. */
    async deposit(
      units: bigint,
      address?: Address,
    ): Promise<{ readonly address: Address; readonly paymentId: string }> {
      const paymentId = bareId((count += 1))
      const own = address ?? addressOf(paymentId)
      await sql`
        insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, received, held, created_at)
        values (${chain.key}, ${bytesOf(own)}, ${paymentId}, ${paymentId}, ${paymentId}, 1, ${String(units)}, ${String(units)}, ${at})`
      return { address: own, paymentId }
    },
    async queued() {
      const rows = await sql`
        select id, value::integer, gas::integer, data, target from chain_tx where chain = ${chain.key} order by id`
      return rows.map(({ id, value, gas, data, target }) => ({
        id: id as string,
        value: value as number,
        gas: BigInt(gas as number),
        data: hexOf(data as Buffer),
        to: hexOf(target as Buffer),
      }))
    },
    /** The sweep ends like that. */
    async end(id: string, end: { state: 'FINAL' | 'FAILED'; failure?: string; evidence?: string }) {
      const evidence = end.evidence === undefined ? null : Buffer.from(end.evidence)
      await sql`
        update chain_tx
           set state = ${end.state}, failure = ${end.failure ?? null}, evidence = ${evidence}, block_number = 10, final_at = ${at},
               wallet = '', nonce = ${(count += 1)}
         where id = ${id}`
    },
    async bound() {
      const rows = await sql`select address from sweep where chain = ${chain.key} and tx is not null`
      return rows.map(({ address }) => hexOf(address as Buffer))
    },
  }
}

test('a sweep has gas for what the factory keeps back and for each address, up to the most of a transaction', () => {
  assert.equal(sweepGas(1), 1_280_000n)
  assert.equal(sweepGas(194), 1_200_000n + 194n * 80_000n)
  assert.equal(sweepGas(195), 2n ** 24n)
})

describe('collecting', () => {
  test('what an address holds is collected by one call of the factory, which names its payment’s salt', async () => {
    const at1 = await scene()
    const { address, paymentId } = await at1.deposit(5n)
    assert.equal(await sweepDue(at1.deps), 1)
    const [{ id: _id, ...sweep } = {}] = await at1.queued()
    const { chain } = at1.deps
    assert.deepEqual(sweep, {
      value: 0,
      gas: sweepGas(1),
      data: sweepCall(mainToken(chain).address, [depositSalt(chain.chainId, paymentId)]),
      to: chain.factory,
    })
    assert.deepEqual([await at1.bound(), at1.told.queued], [[address], 1])
    assert.equal(await sweepDue(at1.deps), 0)
    assert.equal(at1.told.queued, 1)
  })

  test('an address of another factory is left to its own sweeper', async () => {
    const at1 = await scene()
    await at1.deposit(5n, bareAddress(77))
    assert.equal(await sweepDue(at1.deps), 0)
    assert.deepEqual([await at1.queued(), at1.told.queued], [[], 0])
  })

  test('at most two hundred are collected at once, and at most four sweeps are under way', async () => {
    const at1 = await scene()
    for (let each = 0; each < 201; each += 1) await at1.deposit(5n)
    assert.equal(await sweepDue(at1.deps), 200)
    assert.equal(await sweepDue(at1.deps), 1)
    for (const open of [3, 4, 5]) {
      await at1.deposit(5n)
      assert.equal(await sweepDue({ ...at1.deps, batchMax: 1 }), open < 5 ? 1 : 0)
    }
  })
})

describe('the end of a sweep', () => {
  const sweepFailed = keccak(Buffer.from('SweepFailed(address,bytes32)'))

  /** Two addresses in one sweep that has ended; `refused`: the log of the first one's failure. */
  async function ended(
    end: (factory: Address) => {
      state: 'FINAL' | 'FAILED'
      failure?: string
      topic?: `0x${string}`
      by?: Address
    },
  ) {
    const at1 = await scene()
    const { chain } = at1.deps
    const [first, second] = [await at1.deposit(5n), await at1.deposit(4n)]
    await sweepDue(at1.deps)
    const { topic, by, ...rest } = end(chain.factory)
    const place = {
      blockHash: `0x${'1'.repeat(64)}`,
      blockNumber: '0xa',
      transactionHash: `0x${'2'.repeat(64)}`,
      transactionIndex: '0x0',
    }
    const topics = [
      topic ?? sweepFailed,
      toTopic(mainToken(chain).address),
      depositSalt(chain.chainId, first.paymentId),
    ]
    const logs =
      by === undefined ? [] : [{ ...place, address: by, topics, data: '0x', logIndex: '0x0', removed: false }]
    const gas = { gasUsed: '0x1', cumulativeGasUsed: '0x1', logsBloom: `0x${'0'.repeat(512)}` }
    const [sweep] = await at1.queued()
    await at1.end(sweep?.id ?? '', {
      ...rest,
      evidence: JSON.stringify({ ...place, ...gas, status: '0x1', logs }),
    })
    // What left is not booked yet, so that nothing is collected again.
    await sql`update deposit_address set held = 0 where chain = ${chain.key}`
    assert.equal(await sweepDue(at1.deps), 2)
    const waiting = (await waitingSweeps(sql, chain.key)).map(({ address, reason }) => [address, reason])
    return { first, second, waiting, logged: at1.told.logged, bound: await at1.bound() }
  }

  test('addresses that were emptied are free again', async () => {
    const { waiting, logged, bound } = await ended(() => ({ state: 'FINAL' }))
    assert.deepEqual([waiting, logged, bound], [[], [], []])
  })

  test('an address that the factory says it could not empty waits, and that is told', async () => {
    const { first, waiting, logged, bound } = await ended((factory) => ({ state: 'FINAL', by: factory }))
    assert.deepEqual(waiting, [[first.address, 'the token refused the transfer']])
    assert.deepEqual([logged, bound], [['a sweep did not empty all its addresses'], []])
  })

  test('nobody else’s word counts, nor another event of the factory', async () => {
    const others = await ended(() => ({ state: 'FINAL', by: bareAddress(99) }))
    assert.deepEqual(others.waiting, [])
    const event = await ended((factory) => ({ state: 'FINAL', by: factory, topic: `0x${'3'.repeat(64)}` }))
    assert.deepEqual(event.waiting, [])
  })

  test('all addresses of a sweep that failed wait, for its reason', async () => {
    const { first, second, waiting } = await ended(() => ({ state: 'FAILED', failure: 'reverted' }))
    const both = [first.address, second.address].toSorted().map((address) => [address, 'reverted'])
    assert.deepEqual(waiting, both)
  })
})
