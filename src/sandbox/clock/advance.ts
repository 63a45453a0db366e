// Requests to advance the clock of a sandbox's merchant: each is accepted once, and a worker carries them out in their order.
import type { Sql, Tx } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { dayMs } from '#/kernel/time.ts'
import { selectMoved } from '#/merchants/queries.ts'
import * as queries from './queries.ts'
import type { ClockAdvance } from './queries.ts'
import { selectAhead } from './step-queries.ts'
import { datesMax } from './step.ts'

/** The longest single advance. */
export const advanceMaxMs = 400 * dayMs
/** How far a clock can be moved in all. */
export const totalMaxDays = 36_500
/** The most advances that wait or are under way. */
export const openMax = 10
/** How many advances are shown. */
const shownMax = 20

export type AdvanceVerdict =
  | { readonly kind: 'accepted'; readonly advance: ClockAdvance }
  /** The key requested it before. */
  | { readonly kind: 'replayed'; readonly advance: ClockAdvance }
  | AdvanceRefusal

export type AdvanceRefusal =
  /** The key was used with another span. */
  | { readonly kind: 'conflict'; readonly advance: ClockAdvance }
  /**
   * - `too_many_open`: too many advances wait already.
   * - `too_far`: the clock would be moved further than is possible in all.
   * - `too_many_dates`: the merchant has more dates ahead than one step can move.
   */
  | { readonly kind: 'too_many_open' | 'too_far' | 'too_many_dates' }

/**
 * Accepts an advance of a merchant of the sandbox. `at`: the database's clock. `beside`: written in the same transaction when the
 * advance is accepted.
 */
export function requestAdvance(
  sql: Sql,
  merchantId: MerchantId,
  request: {
    readonly advance: string
    readonly spanMs: number
    readonly idempotencyKey: string | undefined
    readonly at: Date
    readonly beside?: (tx: Tx) => Promise<void>
  },
): Promise<AdvanceVerdict> {
  return sql.begin(async (tx): Promise<AdvanceVerdict> => {
    const { advance, spanMs, idempotencyKey, at } = request
    const fingerprint = sha256(String(spanMs))
    await queries.lockClock(tx, merchantId)
    const earlier =
      idempotencyKey === undefined
        ? undefined
        : await queries.selectAdvanceByKey(tx, merchantId, idempotencyKey)
    if (earlier !== undefined)
      return { kind: earlier.fingerprint.equals(fingerprint) ? 'replayed' : 'conflict', advance: earlier }
    const open = await queries.selectOpen(tx, merchantId)
    if (open.count >= openMax) return { kind: 'too_many_open' }
    if ((await selectMoved(tx, merchantId)) + open.leftMs + spanMs > totalMaxDays * dayMs)
      return { kind: 'too_far' }
    const { count } = await selectAhead(tx, merchantId, { at, most: datesMax + 1 })
    if (count > datesMax) return { kind: 'too_many_dates' }
    const made: ClockAdvance = {
      merchantId,
      id: newId<'clock-advance'>(),
      advance,
      status: 'ADVANCING',
      spanMs,
      movedMs: 0,
      steps: 0,
      stuck: null,
      behind: [],
      fingerprint,
      createdAt: at,
      endedAt: null,
    }
    await queries.insertAdvance(tx, { ...made, idempotencyKey })
    await request.beside?.(tx)
    return { kind: 'accepted', advance: made }
  })
}

/** How far the merchant's clock was moved in all, and its last advances, newest first. */
export async function clockOf(
  sql: Sql,
  merchantId: MerchantId,
): Promise<{ readonly movedMs: number; readonly advances: readonly ClockAdvance[] }> {
  const [movedMs, advances] = await Promise.all([
    selectMoved(sql, merchantId),
    queries.listAdvances(sql, merchantId, shownMax),
  ])
  return { movedMs, advances }
}
