// One step of a sandbox's clock, as work for the ledger lane: under the lane's lock nothing else changes the dates that it moves.
// Dates and progress are committed together, so a step is made only once, even if a worker dies or several work.
import { given } from '#/kernel/given.ts'
import { hourMs } from '#/kernel/time.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './queries.ts'
import type { AdvanceKey, ClockAdvance } from './queries.ts'
import { insertStep, moveDates, selectAhead } from './step-queries.ts'

/** `steps`: how many steps of the advance the caller knows. */
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

/** The most steps of one advance. Work that recurs more often than the clock stops is done once at each stop. */
const stepsMax = 64
/**
 * The fewest steps of one advance: providers act by themselves, and their actions have consequences, so the clock stops for these.
 * Steps of up to an hour are not divided further.
 */
const stepsMin = 16

export function stepKind(): StepKind {
  return runnable<StepItem, View, Change, StepVerdict, EventDraft>({
    name: 'advance the clock of a sandbox',
    // Always alone in its batch: otherwise an item of another kind would write back the dates that it had loaded.
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
      const byMs = stepOf({ spanMs, movedMs, steps, ...given({ nextInMs }) })
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
 * How far the next step goes, in milliseconds: to the next date, within what is left of the advance. No advance has more than 64
 * steps or, as a rule, fewer than 16.
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
