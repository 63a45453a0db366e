// Readers of events that wait for the next one. All readers of this process together cost one small query at each interval, and a second
// one when some wait for certain types and there are new events. No event is missed: numbers have no gaps, each reader says up to which
// number it has read, and each poll compares all numbers since the last one.
import type { Sql } from '#/db/client.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs, sleep } from '#/kernel/time.ts'
import { createWakeUp } from '#/kernel/wake-up.ts'
import type { EventType } from './event.ts'
import * as queries from './queries.ts'

export type Reader = {
  readonly merchantId: MerchantId
  readonly keyId: ApiKeyId
  /** It has read all events up to this number. */
  readonly from: bigint
  /** Absent: any event. */
  readonly types?: readonly EventType[]
  readonly waitMs: number
  /** Calls the listener when nobody waits for the answer any more. */
  readonly whenGone: (listener: () => void) => void
}

export type Waited = {
  /** Whether there is an event for it after `readTo`. */
  readonly hasNews: boolean
  /** There is none for it up to this number. */
  readonly readTo: bigint
}

export type WaitingReaders = {
  /**
   * Resolves when there is an event for the reader, when its time is over or it is gone, and at the end of the process. Rejects with
   * 429 when its key or merchant has too many readers waiting, with 503 when the process has.
   */
  wait(reader: Reader): Promise<Waited>
  /** There may be new events. */
  wake(): void
  /** Ends all waiting, now and from now on. */
  close(): void
}

export type WaitingReadersDeps = {
  readonly sql: Sql
  readonly log: Log
  /** Milliseconds between two polls, when nothing wakes them. Other processes write events too. */
  readonly tickMs?: number
  readonly caps?: Caps
}

type Caps = { readonly key: number; readonly merchant: number; readonly process: number }

const usualCaps: Caps = { key: 5, merchant: 50, process: 1_000 }

/** The least time between two polls, because each commit wakes them. */
const leastMs = 50
const usualTickMs = secondMs / 2

type Waiting = Pick<Reader, 'keyId' | 'from'> & {
  readonly types: ReadonlySet<EventType> | undefined
  readonly end: (hasNews: boolean) => void
}

/** The readers of one merchant. */
type Group = {
  /** Events up to this number were compared with the types of every reader here. */
  comparedTo: bigint
  readonly readers: Set<Waiting>
}

type Groups = Map<MerchantId, Group>

export function createWaitingReaders(deps: WaitingReadersDeps): WaitingReaders {
  const { sql, log, tickMs = usualTickMs, caps = usualCaps } = deps
  const groups: Groups = new Map()
  const wakeUp = createWakeUp()
  let isClosed = false
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (groups.size > 0) {
      await sleep(leastMs)
      await wakeUp.wait(tickMs - leastMs)
      wakeUp.reset()
      const isBehind = await poll(sql, groups).catch((error: unknown) => {
        log.warn({ error: messageOf(error) }, 'waiting readers cannot be notified of new events')
        return false
      })
      if (isBehind) wakeUp.wake()
    }
    isRunning = false
  }

  return {
    async wait(reader) {
      if (isClosed) return { hasNews: false, readTo: reader.from }
      refuseTooMany(groups, reader, caps)
      const waited = enter(groups, reader)
      if (!isRunning) void run()
      return waited
    },
    wake: wakeUp.wake,
    close() {
      isClosed = true
      for (const { readers } of groups.values()) for (const { end } of readers) end(false)
      wakeUp.wake()
    },
  }
}

function refuseTooMany(groups: Groups, { merchantId, keyId }: Reader, caps: Caps): void {
  const ofMerchant = [...(groups.get(merchantId)?.readers ?? [])]
  const retry = { retryAfterMs: secondMs }
  if (ofMerchant.filter((each) => each.keyId === keyId).length >= caps.key)
    throw new AppError(
      'rate_limited',
      `At most ${caps.key} requests of a key wait for events at once.`,
      retry,
    )
  if (ofMerchant.length >= caps.merchant)
    throw new AppError('rate_limited', `At most ${caps.merchant} of your requests wait at once.`, retry)
  let count = 0
  for (const { readers } of groups.values()) count += readers.size
  if (count >= caps.process)
    throw new AppError('unavailable', 'Too many requests wait for events here. Ask without `wait`.', retry)
}

/** Takes a place for the reader, and frees it at the end of its waiting. */
function enter(groups: Groups, reader: Reader): Promise<Waited> {
  const { merchantId, keyId, from, types, waitMs, whenGone } = reader
  const group = groups.get(merchantId) ?? { comparedTo: from, readers: new Set() }
  groups.set(merchantId, group)
  // Events after the reader's last read may have been compared before it came: they are compared again.
  if (from < group.comparedTo) group.comparedTo = from
  const result = Promise.withResolvers<Waited>()
  const waiting: Waiting = {
    keyId,
    from,
    types: types === undefined ? undefined : new Set(types),
    end(hasNews) {
      if (!group.readers.delete(waiting)) return
      clearTimeout(timer)
      if (group.readers.size === 0 && groups.get(merchantId) === group) groups.delete(merchantId)
      result.resolve({ hasNews, readTo: !hasNews && group.comparedTo > from ? group.comparedTo : from })
    },
  }
  group.readers.add(waiting)
  const timer = setTimeout(() => waiting.end(false), waitMs)
  whenGone(() => waiting.end(false))
  return result.promise
}

/** Ends the waiting of every reader that has news. Returns whether there are more events than were compared. */
async function poll(sql: Sql, groups: Groups): Promise<boolean> {
  const last = await queries.selectLastSequences(sql, [...groups.keys()])
  const behind: { merchantId: MerchantId; after: bigint }[] = []
  for (const { merchantId, sequence } of last) {
    const group = groups.get(merchantId)
    if (group === undefined || sequence <= group.comparedTo) continue
    for (const { types, from, end } of group.readers) if (types === undefined && from < sequence) end(true)
    if (group.readers.size > 0) behind.push({ merchantId, after: group.comparedTo })
  }
  if (behind.length === 0) return false
  const news = Map.groupBy(await queries.selectTypesAfter(sql, behind, newsMax), (each) => each.merchantId)
  let isBehind = false
  for (const { merchantId, after } of behind) {
    const group = groups.get(merchantId)
    const events = news.get(merchantId) ?? []
    const end = events.at(-1)
    if (group === undefined || end === undefined) continue
    // A reader came in the meantime that has read less: the next poll begins at its position.
    if (group.comparedTo !== after) isBehind = true
    else group.comparedTo = end.sequence
    for (const reader of group.readers) if (events.some((event) => isFor(reader, event))) reader.end(true)
    if (events.length === newsMax) isBehind = true
  }
  return isBehind
}

/** Events of one merchant that are compared in one poll. */
const newsMax = 200

function isFor({ types, from }: Waiting, event: queries.EventNews): boolean {
  return event.sequence > from && (types === undefined || types.has(event.type))
}
