import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/postgres.ts'
import { connect } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import { claimSignals, insertSignals } from './queries.ts'

test('signals are taken in the order of their arrival, wherever their rows lie and whenever they are due', async () => {
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
    // A row that was written anew lies behind the others; one that was postponed is due after them.
    const [first] = await sql<{ id: bigint }[]>`select min(id) as id from inbox`
    await sql`update inbox set last_error = 'once', due_at = clock_timestamp() - interval '1 second' where id = ${first?.id ?? 0n}`
    await sql`update inbox set due_at = clock_timestamp() - interval '1 hour' where id = ${first?.id ?? 0n} + 7`
    const claimed = await claimSignals(
      sql,
      { total: 100, each: 100, own: [] },
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

test('what came in a crowd is taken apart from what did not', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  try {
    const at = new Date('2026-11-21T12:00:00.000Z')
    const signal = { method: 'CRYPTO' as const, connection: 'a1-x' as ConnectionId, body: Buffer.from('{}') }
    const crowd = Array.from({ length: 30 }, () => ({ ...signal, isCrowded: true }))
    await insertSignals(sql, crowd, at)
    await insertSignals(sql, [signal, signal, signal], at)
    const take = async (isCrowded: boolean) => {
      const rows = await claimSignals(sql, { total: 10, each: 10, own: [] }, { leaseMs: minuteMs, isCrowded })
      return rows.length
    }
    assert.deepEqual([await take(false), await take(true), await take(false)], [3, 10, 0])
  } finally {
    await sql.end({ timeout: 1 })
  }
})
