import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import { shiftDatabaseClock } from '../../test/clock.ts'
import { testDatabase } from '../../test/postgres.ts'
import { claimSignals, insertSignals, postponeSignal, withdrawSignals } from './inbox-queries.ts'

test('signals are claimed in the order of their arrival, wherever their rows are stored and whenever they are due', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  try {
    const at = new Date('2026-11-21T12:00:00.000Z')
    const signal = { method: 'CRYPTO' as const, connection: 'a1-x' as ConnectionId, body: Buffer.from('{}') }
    await insertSignals(
      sql,
      Array.from({ length: 9 }, () => signal),
      at,
    )
    // An updated row is stored behind the others; a postponed one is due after them.
    const [first] = await sql<{ id: bigint }[]>`select min(id) as id from inbox`
    await sql`update inbox set last_error = 'once', due_at = clock_timestamp() - interval '1 second' where id = ${first?.id ?? 0n}`
    await sql`update inbox set due_at = clock_timestamp() - interval '1 hour' where id = ${first?.id ?? 0n} + 7`
    const claimed = await claimSignals(
      sql,
      { total: 100, each: 100, byConnection: [] },
      { leaseMs: minuteMs, isCrowded: false },
    )
    assert.deepEqual(
      claimed.map(({ id }) => id - (first?.id ?? 0n)),
      [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n],
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
})

test('crowded signals are claimed separately from the others', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  try {
    const at = new Date('2026-11-21T12:00:00.000Z')
    const signal = { method: 'CRYPTO' as const, connection: 'a1-x' as ConnectionId, body: Buffer.from('{}') }
    const crowd = Array.from({ length: 30 }, () => ({ ...signal, isCrowded: true }))
    await insertSignals(sql, crowd, at)
    await insertSignals(sql, [signal, signal, signal], at)
    const take = async (isCrowded: boolean) => {
      const rows = await claimSignals(
        sql,
        { total: 10, each: 10, byConnection: [] },
        { leaseMs: minuteMs, isCrowded },
      )
      return rows.length
    }
    assert.deepEqual([await take(false), await take(true), await take(false)], [3, 10, 0])
  } finally {
    await sql.end({ timeout: 1 })
  }
})

test('only crowded signals that no worker has claimed are withdrawn, by their content', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  try {
    const at = new Date('2026-11-21T12:00:00.000Z')
    const connection = 'a1-x' as ConnectionId
    const said = (outcome: string, blockHash: string, more: object = {}) => ({
      method: 'CRYPTO' as const,
      connection,
      body: Buffer.from(JSON.stringify({ outcome, blockHash, log: { of: 'it' } })),
      isCrowded: true,
      ...more,
    })
    await insertSignals(sql, [said('seen', 'claimed')], at)
    const slots = { total: 10, each: 10, byConnection: [] }
    await claimSignals(sql, slots, { leaseMs: minuteMs, isCrowded: true })
    const kept = [
      said('seen', 'other', { waitMs: minuteMs }),
      said('paid', 'final', { waitMs: minuteMs }),
      said('seen', 'final'),
      said('seen', 'final', { waitMs: minuteMs, isCrowded: false }),
      said('seen', 'final', { waitMs: minuteMs, connection: 'a1-y' as ConnectionId }),
    ]
    const gone = said('seen', 'final', { waitMs: minuteMs })
    await insertSignals(sql, [...kept, gone, gone], at)
    const waiting = async () => {
      const rows = await sql<
        { body: string }[]
      >`select convert_from(body, 'UTF8') as body from inbox order by id`
      return rows.map(({ body }) => body)
    }
    assert.equal((await waiting()).length, 8)
    const final = [
      { outcome: 'seen', blockHash: 'final' },
      { outcome: 'seen', blockHash: 'claimed' },
    ]
    await sql.begin((tx) => withdrawSignals(tx, connection, final))
    assert.deepEqual(
      await waiting(),
      [said('seen', 'claimed'), ...kept].map(({ body }) => body.toString()),
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
})

test('a signal with a delay is due after it', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  try {
    const signal = { method: 'CRYPTO' as const, connection: 'a1-x' as ConnectionId, body: Buffer.from('{}') }
    await insertSignals(sql, [{ ...signal, waitMs: minuteMs }, signal], new Date())
    const claimed = await claimSignals(
      sql,
      { total: 10, each: 10, byConnection: [] },
      { leaseMs: minuteMs, isCrowded: false },
    )
    assert.equal(claimed.length, 1)
    await shiftDatabaseClock(database, 2 * minuteMs)
    const slots = { total: 10, each: 10, byConnection: [] }
    assert.equal((await claimSignals(sql, slots, { leaseMs: minuteMs, isCrowded: false })).length, 2)
  } finally {
    await sql.end({ timeout: 1 })
  }
})

test('a postponed signal is due at its new time, not at the end of its lease', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  try {
    const signal = { method: 'CRYPTO' as const, connection: 'a1-x' as ConnectionId, body: Buffer.from('{}') }
    await insertSignals(sql, [signal], new Date())
    const claim = () =>
      claimSignals(sql, { total: 10, each: 10, byConnection: [] }, { leaseMs: minuteMs, isCrowded: false })
    const [claimed] = await claim()
    assert.deepEqual(await claim(), [])
    const outcome = { tries: 1, waitMs: 0, parked: false, error: 'away' }
    assert.ok(claimed !== undefined && (await postponeSignal(sql, claimed, outcome)))
    assert.deepEqual(
      (await claim()).map(({ id }) => id),
      [claimed.id],
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
})
