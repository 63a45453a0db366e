import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mainToken } from '#/coins/chain.ts'
import { baseUnitsPerCent as cent } from '#/coins/units.ts'
import { connect, type Sql } from '#/db/client.ts'
import { bytesOf, hexOf } from '#/evm/address.ts'
import { bareSender } from '../../test/bare-sender.ts'
import { partly } from '../../test/partly.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import type { KnownChain } from './compare.ts'
import { unitsToRefill, refillDue, refillOf, refillTransfer } from './refill.ts'

const watermarks = { low: 100n * cent, high: 500n * cent }
const state = (units: bigint, owed: bigint, treasuryUnits: bigint, aged = 0n) => ({
  units: units * cent,
  owed: owed * cent,
  aged: aged * cent,
  treasuryUnits: treasuryUnits * cent,
})

test('nothing is moved while the wallet covers what it owes and the low watermark', () => {
  assert.equal(refillOf(state(100n, 0n, 9_000n), watermarks), 0n)
  assert.equal(refillOf(state(350n, 250n, 9_000n), watermarks), 0n)
})

test('below the low watermark the wallet is filled to the high one, plus what is owed', () => {
  assert.equal(refillOf(state(99n, 0n, 9_000n), watermarks), 401n * cent)
  assert.equal(refillOf(state(0n, 2_000n, 9_000n), watermarks), 2_500n * cent)
})

test('what has waited long counts twice, so that newer payouts cannot use its coins again and again', () => {
  assert.equal(refillOf(state(400n, 2_000n, 9_000n, 1_500n), watermarks), 3_600n * cent)
  assert.equal(refillOf(state(400n, 2_000n, 2_500n, 1_500n), watermarks), 2_500n * cent)
})

test('at most what the treasury has, and only whole cents', () => {
  assert.equal(refillOf(state(0n, 0n, 30n), watermarks), 30n * cent)
  assert.equal(
    refillOf({ units: 0n, owed: 0n, aged: 0n, treasuryUnits: 30n * cent + 7n }, watermarks),
    30n * cent,
  )
  assert.equal(refillOf({ units: 0n, owed: 0n, aged: 0n, treasuryUnits: cent - 1n }, watermarks), 0n)
  assert.equal(refillOf({ units: 0n, owed: 0n, aged: 0n, treasuryUnits: -cent }, watermarks), 0n)
})

test('a high watermark below the low one fills to the low one', () => {
  assert.equal(refillOf(state(0n, 0n, 9_000n), { low: 500n * cent, high: 100n * cent }), 500n * cent)
})

describe('a refill that is due', () => {
  let database: TestDatabase
  let sql: Sql
  before(async () => {
    database = await testDatabase()
    sql = connect(database.ownerUrl, { max: 2 })
  })
  after(async () => {
    await sql.end({ timeout: 1 })
    await database[Symbol.asyncDispose]()
  })

  /** A wallet with so many cents, and a treasury with plenty; what a pass handled, and the transfers that it queued. */
  async function scene(cents: bigint) {
    const sender = await bareSender(sql)
    const { chain, wallet, clock, log } = sender.deps
    let queued = 0
    const deps = {
      sql,
      chain,
      hot: wallet.address,
      watermarks,
      clock,
      log,
      onQueued: () => void (queued += 1),
    }
    await sql`
      insert into coin_place (chain, address, place, units)
      values (${chain.key}, ${bytesOf(wallet.address)}, 'hot', ${String(cents * cent)}),
             (${chain.key}, ${bytesOf(chain.treasury)}, 'treasury', ${String(9_000n * cent)})`
    const transfers = async () => {
      const rows = await sql`
        select value::text, units::text, data, target from chain_tx where chain = ${chain.key} and purpose = 'REFILL' order by id`
      return rows.map(({ value, units, data, target }) => ({
        value: value as string,
        units: BigInt(units as string),
        to: hexOf(target as Buffer),
        data: hexOf(data as Buffer),
      }))
    }
    return { sender, pass: async () => [await refillDue(deps), queued] as const, transfers, deps }
  }

  test('it is queued once, as a transfer of the token to the wallet', async () => {
    const { pass, transfers, deps } = await scene(0n)
    assert.deepEqual(await pass(), [1, 1])
    const units = 500n * cent
    assert.deepEqual(await transfers(), [
      { value: '0', units, ...refillTransfer(mainToken(deps.chain), deps.hot, units) },
    ])
    assert.deepEqual(await pass(), [0, 1])
    await sql`update chain_tx set state = 'FAILED', final_at = now() where chain = ${deps.chain.key}`
    assert.deepEqual(await pass(), [2, 2], 'one that ended, and the next')
  })

  test('a wallet that has enough gets none', async () => {
    const { pass, transfers } = await scene(100n)
    assert.deepEqual(await pass(), [0, 0])
    assert.deepEqual(await transfers(), [])
  })

  test('a payout that has waited for ten minutes counts twice', async () => {
    const { sender, pass, transfers, deps } = await scene(0n)
    await sender.queue({ units: 7n * cent })
    await sql`
      update chain_tx set created_at = clock_timestamp() - interval '10 minutes 10 seconds' where chain = ${deps.chain.key}`
    assert.deepEqual(await pass(), [1, 1])
    assert.deepEqual(
      (await transfers()).map(({ units }) => units / cent),
      [514n],
    )
  })

  test('by hand it is as much, or there is a reason for none', async () => {
    for (const [cents, treasuryCents, expected] of [
      [0n, 9_000n, { ok: true, units: 500n * cent }],
      [99n, 0n, { ok: false, reason: 'treasury_empty' }],
      [100n, 0n, { ok: false, reason: 'enough' }],
      [100n, 9_000n, { ok: false, reason: 'enough' }],
    ] as const) {
      const { chain, hot } = (await scene(cents)).deps
      await sql`
        update coin_place set units = ${String(treasuryCents * cent)} where chain = ${chain.key} and place = 'treasury'`
      const known = partly<KnownChain>({ key: chain.key, treasury: chain.treasury })
      assert.deepEqual(
        await unitsToRefill(sql, known, { hot, watermarks }),
        expected,
        `${cents} ${treasuryCents}`,
      )
    }
  })
})
