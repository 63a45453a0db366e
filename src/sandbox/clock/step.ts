// One step of a sandbox's clock, as work for the ledger lane: under the lane's lock nothing else changes what it moves. Dates and
// progress are committed together, so a step is made once, whoever dies and however many workers there are.
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import { hourMs } from '#/kernel/time.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './queries.ts'
import type { AdvanceKey, ClockAdvance } from './queries.ts'
import { insertStep, moveDates, selectAhead } from './step-queries.ts'

/** `steps`: how many the caller has seen. */
export type StepItem = AdvanceKey & { readonly steps: number }

export type StepVerdict =
  | { readonly kind: 'stepped'; readonly advance: ClockAdvance; readonly byMs: number }
  /** Another worker has made the step, or there is nothing left to move. */
  | { readonly kind: 'already'; readonly advance: ClockAdvance }
  /** More is ahead of the merchant than one step may move. */
  | { readonly kind: 'too_many' }
  | { readonly kind: 'not_found' }

export type StepKind = RunnableKind<StepItem, StepVerdict, EventDraft>

type Found = { readonly advance: ClockAdvance; readonly nextAt: Date | null; readonly dates: number }
type View = ReadonlyMap<string, Found>
type Change = AdvanceKey & { readonly byMs: number }

/** The most stops of one advance: what recurs more often than that happens once at each. */
const stepsMax = 64
/** The fewest, for what providers do of their own accord, and for what follows from it. Within an hour none is added. */
const stepsMin = 16

export function stepKind(): StepKind {
  return runnable<StepItem, View, Change, StepVerdict, EventDraft>({
    name: 'advance the clock of a sandbox',
    // Always alone in its batch: an item of another kind would write the dates that it loaded.
    weightOf: () => Number.POSITIVE_INFINITY,
    async load({ tx, now }, items) {
      const view = new Map<string, Found>()
      for (const item of items) {
        const advance = await queries.lockAdvance(tx, item)
        if (advance === undefined) continue
        const { next, count } = await selectAhead(tx, item.merchantId, { at: now, most: datesMax + 1 })
        view.set(item.id, { advance, nextAt: next, dates: count })
      }
      return view
    },
    decide(view, item, { now }) {
      const found = view.get(item.id)
      if (found === undefined) return { verdict: { kind: 'not_found' } }
      const { advance, nextAt, dates } = found
      const { merchantId, id, spanMs, movedMs, steps } = advance
      if (steps !== item.steps || movedMs >= spanMs) return { verdict: { kind: 'already', advance } }
      if (dates > datesMax) return { verdict: { kind: 'too_many' } }
      const nextInMs = nextAt === null ? undefined : nextAt.getTime() - now.getTime()
      const byMs = stepOf({ spanMs, movedMs, steps, ...(nextInMs === undefined ? {} : { nextInMs }) })
      const after = { ...advance, movedMs: movedMs + byMs, steps: steps + 1 }
      return { verdict: { kind: 'stepped', advance: after, byMs }, change: { merchantId, id, byMs } }
    },
    async write({ tx, at, now }, changes) {
      for (const { merchantId, id, byMs } of changes) {
        await moveDates(tx, merchantId, { at: now, byMs })
        await insertStep(tx, { merchantId, advanceId: id, at, byMs })
        await queries.writeMoved(tx, { merchantId, id }, byMs)
      }
    },
  })
}

/** The most dates of a merchant in one table that its clock can move. */
export const datesMax = 10_000

/**
 * How far the next step goes: to the next date, within what is left, so that no advance has more than 64 steps or, as a rule, fewer
 * than 16.
 */
export function stepOf(advance: {
  readonly spanMs: number
  readonly movedMs: number
  readonly steps: number
  readonly nextInMs?: number
}): number {
  const { spanMs, movedMs, steps, nextInMs = Number.POSITIVE_INFINITY } = advance
  const leftMs = spanMs - movedMs
  const least = Math.ceil(leftMs / Math.max(1, stepsMax - steps))
  const most = Math.max(hourMs, Math.ceil(spanMs / stepsMin))
  return Math.min(leftMs, Math.max(least, Math.min(nextInMs, most)))
}
