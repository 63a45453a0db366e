// Keeps the figures of the overview: a worker follows each merchant's events and creations, and adds them to the figures of their days.
// What is added and the merchant's watermark change in one transaction that has locked the watermark, so nothing counts twice, whatever
// dies and however many workers there are. It takes no lock that the ledger or a creation needs. Days are days in UTC.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { addMs, dayMs } from '#/kernel/time.ts'
import * as queries from './count-queries.ts'

export type CountOptions = {
  readonly sql: Sql
  readonly limits?: Partial<CountLimits>
}

/** What one transaction may count. */
export type CountLimits = {
  readonly merchants: number
  /** Of all merchants together. */
  readonly events: number
  /** Notes of creations, of each merchant. */
  readonly notes: number
  /** Payments from before the figures began. The whole of their oldest day is counted with them. */
  readonly payments: number
}

const usual: CountLimits = { merchants: 100, events: 4_000, notes: 2_000, payments: 50_000 }

/** Merchants of one page. */
const pageRows = 1_000

/** Goes through all merchants once. Returns whether one of them has more to count at once. */
export async function countRound({ sql, limits }: CountOptions): Promise<boolean> {
  const bounds = { ...usual, ...limits }
  let hasMore = false
  let last: MerchantId | undefined
  for (;;) {
    const page = await queries.selectMerchants(sql, last, pageRows)
    const due = page.flatMap(({ id, hasWork }) => (hasWork ? [id] : []))
    for (let first = 0; first < due.length; first += bounds.merchants)
      hasMore = (await countFor(sql, due.slice(first, first + bounds.merchants), bounds)) || hasMore
    last = page.at(-1)?.id
    if (page.length < pageRows) return hasMore
  }
}

/** Counts for these merchants once, within the limits. Returns whether there is more. */
async function countFor(sql: Sql, merchantIds: readonly MerchantId[], limits: CountLimits): Promise<boolean> {
  await queries.insertWatermarks(sql, merchantIds)
  const { hasMore, partial } = await sql.begin((tx) => countNews(tx, merchantIds, limits))
  // Each in a transaction of its own: there may be many older payments.
  const areWhole: boolean[] = []
  for (const merchantId of partial)
    areWhole.push(await sql.begin((tx) => countEarlier(tx, merchantId, limits.payments)))
  return hasMore || areWhole.includes(false)
}

/** Counts events and notes. `partial`: the merchants whose older payments are not all counted. */
async function countNews(
  tx: Tx,
  merchantIds: readonly MerchantId[],
  limits: CountLimits,
): Promise<{ readonly hasMore: boolean; readonly partial: readonly MerchantId[] }> {
  const locked = await queries.lockWatermarks(tx, merchantIds)
  const behind = locked.filter(({ after, head }) => after < head)
  const each = BigInt(Math.max(1, Math.floor(limits.events / Math.max(1, behind.length))))
  const stretches = behind.map(({ merchantId, after, head }) => ({
    merchantId,
    after,
    upTo: head - after > each ? after + each : head,
  }))
  if (stretches.length > 0) await queries.countEvents(tx, stretches)
  const notes = await queries.countCreated(tx, merchantIds, limits.notes)
  const isBehind = behind.some(({ head, after }) => head - after > each)
  return {
    hasMore: isBehind || notes >= limits.notes,
    partial: locked.flatMap(({ merchantId, isWhole }) => (isWhole ? [] : [merchantId])),
  }
}

/**
 * Counts a merchant's payments that are older than the notes, from the newest to the oldest: as many days as have `most` payments. Returns
 * whether these were the last.
 */
async function countEarlier(tx: Tx, merchantId: MerchantId, most: number): Promise<boolean> {
  const [locked] = await queries.lockWatermarks(tx, [merchantId])
  const { createdFrom, isWhole: wasWhole } = must(locked, 'the watermark was made')
  if (wasWhole) return true
  // A process whose clock is ahead may have created payments tomorrow.
  const to =
    createdFrom === null
      ? addMs(await queries.selectToday(tx), 2 * dayMs)
      : new Date(`${createdFrom}T00:00:00Z`)
  const oldest = await queries.selectCreatedBack(tx, merchantId, to, most)
  const isWhole = oldest?.isOldest ?? true
  // The oldest day may have more payments than were read: the whole day is counted.
  const day = oldest === undefined ? addMs(to, -dayMs) : startOfDay(oldest.at)
  const from = day < to ? day : addMs(to, -dayMs)
  await queries.recountCreated(tx, merchantId, { from, to }, isWhole)
  return isWhole
}

function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs)
}

/** Counts everything of a merchant again, in the passes that follow. Until then the figures say up to when they are complete. */
export async function recountMerchant(sql: Sql, merchantId: MerchantId): Promise<void> {
  await queries.insertWatermarks(sql, [merchantId])
  await sql.begin(async (tx) => {
    await queries.lockWatermarks(tx, [merchantId])
    await queries.forget(tx, merchantId)
  })
}
