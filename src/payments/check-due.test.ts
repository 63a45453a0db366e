// What one check of an attempt at its provider changes, and when the next one is due, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { silentLog, type Log } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Checked } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { bank, ours } from '../../test/bare-attempts.ts'
import { attemptOf, attemptRows, paymentRow, paymentTables, railsThatOpen } from '../../test/bare-payments.ts'
import { onRows, type RowsTx } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { checkAttempt, checkDue, firstCheckMs, nextCheckMs } from './check.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const key = { merchantId: ours, id: attemptOf(0, 1) }
const dayMs = 24 * hourMs

type Start = {
  /** How long ago the attempt was opened, and in how long its payment expires; null: never. */
  readonly agoMs?: number
  readonly endsMs?: number | null
  readonly silent?: number
  readonly isChecked?: boolean
}

/** Asks a provider that answers so, once. `waits`: whether the next check is due after this time. */
async function check(
  answer: (tx: RowsTx) => Promise<Checked>,
  { agoMs = 0, endsMs = null, silent = 0, isChecked = true }: Start = {},
  by: 'worker' | 'caller' = 'worker',
) {
  const now = await readNow(sql)
  const row = {
    merchant_id: ours,
    attempt_id: key.id,
    connection: bank,
    opened_at: addMs(now, -agoMs),
    due_at: addMs(now, -secondMs),
    takes: 0,
    silent,
  }
  const tables = {
    ...paymentTables(
      [paymentRow(0, { expires_at: endsMs === null ? null : addMs(now, endsMs) })],
      attemptRows(0, [{ artifacts: {} }]),
    ),
    attempt_check: isChecked ? [row] : [],
  }
  return onRows(sql, tables, async (tx) => {
    const settled: (readonly Receipt[])[] = []
    const warned: string[] = []
    const log = { ...silentLog, warn: (_of: unknown, text?: string) => void warned.push(text ?? '') } as Log
    const rails = railsThatOpen({ PAGE: { check: () => answer(tx) } })
    const settle = async (receipts: readonly Receipt[]) => void settled.push(receipts)
    const deps = { sql: tx, rails, log, settle }
    const before = await readNow(tx)
    const claimed = by === 'worker' ? await checkDue(deps) : await checkAttempt(deps, key)
    const after = await readNow(tx)
    const [left] = await tx<{ due_at: Date; silent: number; checked_at: Date | null }[]>`
      select due_at, silent, checked_at from attempt_check`
    const [attempt] = await tx<{ over_at: Date | null }[]>`select over_at from attempt`
    const waits = (ms: number) => {
      const { due_at } = must(left, 'it is checked again')
      return addMs(before, ms) <= due_at && due_at <= addMs(after, ms)
    }
    return { claimed, settled, warned, left, waits, isOver: attempt?.over_at !== null }
  })
}

const nothing = async (): Promise<Checked> => ({ receipts: [], isOver: false })
const away = async (): Promise<Checked> => {
  throw new ProviderError('unavailable', 'away')
}

test('an attempt is checked every 10 s for five minutes, every minute for an hour, then every ten minutes, and at its payment’s end', () => {
  const openedAt = new Date('2026-11-21T12:00:00.000Z')
  const cases: readonly (readonly [ageMs: number, endsInMs: number | null, waitMs: number])[] = [
    [0, null, 10 * secondMs],
    [5 * minuteMs - 1, null, 10 * secondMs],
    [5 * minuteMs, null, minuteMs],
    [hourMs - 1, null, minuteMs],
    [hourMs, null, 10 * minuteMs],
    [0, 1, 1],
    [0, 10 * secondMs - 1, 10 * secondMs - 1],
    [0, 10 * secondMs + 1, 10 * secondMs],
    [0, 0, 10 * secondMs],
    [0, -1, 10 * secondMs],
  ]
  for (const [ageMs, endsInMs, waitMs] of cases) {
    const claimedAt = addMs(openedAt, ageMs)
    const expiresAt = endsInMs === null ? null : addMs(claimedAt, endsInMs)
    assert.equal(nextCheckMs({ openedAt, expiresAt, claimedAt }), waitMs, `${ageMs} ${endsInMs}`)
  }
  assert.equal(firstCheckMs, 10 * secondMs)
})

test('an answer is settled, and the attempt is checked again', async () => {
  const receipt = partly<Receipt>({ outcome: 'paid' })
  const found = await check(async () => ({ receipts: [receipt], isOver: false }), { silent: 2 })
  assert.deepEqual([found.claimed, found.settled], [1, [[receipt]]])
  assert.deepEqual([found.left?.silent, found.isOver, found.warned], [0, false, []])
  assert.ok(found.left?.checked_at instanceof Date && found.waits(10 * secondMs))
  const none = await check(nothing, { agoMs: 10 * minuteMs })
  assert.deepEqual([none.settled, none.waits(minuteMs)], [[], true])
})

test('an attempt that cannot be paid any more, or is a week old, is not checked again', async () => {
  const over = await check(async () => ({ receipts: [], isOver: true }))
  assert.deepEqual([over.left, over.isOver], [undefined, true])
  const old = await check(nothing, { agoMs: 7 * dayMs + secondMs })
  assert.deepEqual([old.left, old.isOver], [undefined, false])
  const silent = await check(away, { agoMs: 7 * dayMs + secondMs })
  assert.equal(silent.left, undefined)
  const younger = { agoMs: 7 * dayMs - hourMs }
  assert.ok((await check(nothing, younger)).waits(10 * minuteMs))
  assert.ok((await check(away, younger)).waits(10 * secondMs))
})

test('a silent provider is asked again later each time, up to a minute, and every 10 s while an expired payment waits', async () => {
  for (const [silent, waitMs] of [10, 20, 40, 60, 60].map(
    (seconds, index) => [index, seconds * secondMs] as const,
  )) {
    const found = await check(away, { silent, endsMs: hourMs })
    assert.deepEqual([found.left?.silent, found.waits(waitMs)], [silent + 1, true], String(silent))
    assert.equal(found.warned.length, 1)
  }
  assert.ok((await check(away, { silent: 3, endsMs: -secondMs })).waits(10 * secondMs))
  assert.ok((await check(away, { silent: 3 })).waits(minuteMs))
})

test('an attempt that another worker has claimed since stays as that worker leaves it', async () => {
  const { left, warned } = await check(async (tx) => {
    await tx`update attempt_check set takes = takes + 1`
    return away()
  })
  assert.deepEqual([left?.silent, warned.length], [0, 2])
})

test('a caller can have an attempt checked now, as long as it is checked at all', async () => {
  const receipt = partly<Receipt>({ outcome: 'paid' })
  const answer = async () => ({ receipts: [receipt], isOver: false })
  assert.deepEqual((await check(answer, {}, 'caller')).settled, [[receipt]])
  assert.deepEqual((await check(answer, { isChecked: false }, 'caller')).settled, [])
  await assert.rejects(check(away, {}, 'caller'), ProviderError)
})
