// What becomes of an attempt that is to be canceled at its provider, after each answer, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { at, bank, ours } from '../../test/bare-attempts.ts'
import { attemptOf, attemptRows, paymentRow, paymentTables, railsThatOpen } from '../../test/bare-payments.ts'
import { onRows } from '../../test/bare-rows.ts'
import { fileDatabase } from '../../test/file-database.ts'
import type { Sql } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { ProviderError } from '#/kernel/error.ts'
import { addMs, secondMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/words.ts'
import { cancelDue } from './cancel-at-provider.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

/** Tries once more, after so many tries. `waits`: whether the next try is due after this time. */
async function cancel(tries: number, isAway: boolean, method: Method = 'CREDIT_CARD') {
  const row = { merchant_id: ours, attempt_id: attemptOf(0, 1), connection: bank, due_at: at, tries }
  const tables = { ...paymentTables([paymentRow(0)], attemptRows(0, [{ method }])), attempt_closing: [row] }
  return onRows(sql, tables, async (tx) => {
    let [calls, warned] = [0, 0]
    const opens = {
      async cancel() {
        calls += 1
        if (isAway) throw new ProviderError('unavailable', 'away')
      },
    }
    const log = pino({}, { write: () => void (warned += 1) })
    const before = await readNow(tx)
    const claimed = await cancelDue({ sql: tx, rails: railsThatOpen({ PAGE: opens, REQUEST: opens }), log })
    const after = await readNow(tx)
    const [left] = await tx<{ due_at: Date }[]>`select due_at from attempt_closing`
    const waits = (ms: number) =>
      left !== undefined && addMs(before, ms) <= left.due_at && left.due_at <= addMs(after, ms)
    return { claimed, calls, warned, isLeft: left !== undefined, waits }
  })
}

test('an attempt is canceled once at its provider, and one that no provider knows without a call', async () => {
  for (const [method, calls] of [
    ['CREDIT_CARD', 1],
    ['PIX', 1],
    ['CRYPTO', 0],
  ] as const) {
    const canceled = await cancel(0, false, method)
    assert.deepEqual(
      [canceled.claimed, canceled.calls, canceled.isLeft, canceled.warned],
      [1, calls, false, 0],
    )
  }
})

test('a provider that is away is asked again later each time, and twelve times in all', async () => {
  for (const [tries, waitMs] of [
    [0, 2 * secondMs],
    [1, 4 * secondMs],
    [10, 2_048 * secondMs],
  ] as const) {
    const silent = await cancel(tries, true)
    assert.deepEqual([silent.isLeft, silent.waits(waitMs), silent.warned], [true, true, 1], String(tries))
  }
  assert.equal((await cancel(11, true)).isLeft, false)
})
