// Runs the payout schedules that are due. Several workers may: the lane decides each schedule once for each due time.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './schedule-queries.ts'
import type { ScheduleKind } from './schedule-run.ts'

export type ScheduleWorkerDeps = {
  readonly sql: Sql
  readonly log: Log
  readonly lane: LedgerLane<EventDraft>
  readonly kind: ScheduleKind
  /** Called when a schedule requested a withdrawal. */
  readonly onReady?: () => void
}

/** The most schedules in one round. */
const roundMax = 200
/** How long a schedule waits whose run failed by a fault of ours. */
const failedMs = 5 * minuteMs

/** Runs what is due now, once. Returns how many schedules were due. */
export async function runDueSchedules({
  sql,
  log,
  lane,
  kind,
  onReady,
}: ScheduleWorkerDeps): Promise<number> {
  const due = await queries.selectDueSchedules(sql, roundMax)
  const outcomes = await Promise.all(
    due.map(async (key) => {
      try {
        return await lane.submit(kind, key)
      } catch (error) {
        log.error({ schedule: key.id, error: messageOf(error) }, 'a payout schedule could not be run')
        await queries.postponeSchedule(sql, key, failedMs)
        return undefined
      }
    }),
  )
  if (outcomes.some((verdict) => verdict?.kind === 'run' && verdict.outcome === 'REQUESTED')) onReady?.()
  return due.length
}
