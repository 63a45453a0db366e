// Carries out advances step by step. Each step begins after the work that became due by the step before is done. If a worker dies,
// another one continues after the lease. A step is committed once, and a simulated provider counts the step's id once.
import type { Sql } from '#/db/client.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import { messageOf } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import * as queries from './queries.ts'
import type { ClockAdvance, DueAdvance } from './queries.ts'
import type { SimulatorsOf } from './simulators.ts'
import { selectWaiting, type Waiting } from './step-queries.ts'
import { stepKind, type StepKind } from './step.ts'

export type ClockWorkerDeps = {
  readonly sql: Sql
  readonly lane: LedgerLane<EventDraft>
  readonly log: Log
  /** Absent: no simulated provider runs here. */
  readonly simulators?: SimulatorsOf
  /** Called when something may have become due, so that workers of this process need not wait for their next poll. */
  readonly onMoved?: () => void
  /** How long to wait after a step for the work that it made due. */
  readonly patienceMs?: number
  readonly leaseMs?: number
}

/** Renewed before providers are notified, and while it waits for what is due. */
const usualLeaseMs = 10 * secondMs
const usualPatienceMs = 10 * secondMs
/** The longest that one advance waits in all for work that stays due. After that it does not wait for such work. */
const stuckPatienceMs = 60 * secondMs
const pollMs = 50
/** Workers are woken every so many polls, because work may become due a moment after the step. */
const wakeEvery = 4
/** The lease is renewed every so many polls. */
const renewEvery = 20
/** A step is done when nothing was due for this long: work can cause further work, and a provider's callback takes a moment. */
const quietMs = 60
const quietWithProvidersMs = 250
/** The most items of one kind that are counted. */
const waitingMax = 1_000
/** After the end of an advance, how often a provider is tried. Then the provider stays behind. */
const triesMax = 300
/** How many steps are reported to providers in one go: those of one advance. */
const pendingStepsMax = 64

type State = {
  /** The work that was still due when a wait ended. It is not waited for again. */
  stuck: readonly Waiting[]
  waitedMs: number
}

export function createClockWorker(deps: ClockWorkerDeps): DueWorker {
  const { sql, log, leaseMs = usualLeaseMs } = deps
  const kind = stepKind()
  let stopping: AbortSignal | undefined
  const worker = dueWorker<DueAdvance>({
    name: 'clock advance',
    log,
    leaseMs,
    isDue: queries.isAdvanceDue,
    claim: (slots, forMs) => queries.claimAdvances(sql, slots, forMs),
    run: (due) => carryOut({ ...deps, leaseMs, isStopping: () => stopping?.aborted === true }, kind, due),
    postpone: (due, waitMs) => queries.postponeAdvance(sql, due, waitMs),
    backoff: () => secondMs,
    concurrency: { each: 1, total: 50 },
  })
  return {
    ...worker,
    run(signal, restMs) {
      stopping = signal
      return worker.run(signal, restMs)
    },
  }
}

type Run = ClockWorkerDeps & { readonly leaseMs: number; readonly isStopping: () => boolean }

async function carryOut(deps: Run, kind: StepKind, due: DueAdvance): Promise<'done' | 'later'> {
  const { sql, lane, leaseMs, isStopping } = deps
  const { merchantId, id } = due.advance
  const state: State = { stuck: due.advance.stuck ?? [], waitedMs: 0 }
  const renew = () => queries.postponeAdvance(sql, due, leaseMs)
  let advance = due.advance
  for (;;) {
    // Another worker has claimed the advance, and continues it.
    if (!(await renew())) return 'done'
    if (isStopping()) return leave(deps, due)
    const areNotified = await notifyProviders(deps, merchantId)
    if (advance.status === 'DONE') return endNotifying(deps, due, areNotified)
    await untilQuiet(deps, advance, state, renew)
    if (isStopping()) return leave(deps, due)
    if (advance.movedMs >= advance.spanMs) {
      await queries.endAdvance(sql, advance, state.stuck)
      return endNotifying(deps, due, areNotified)
    }
    const verdict = await lane.submit(kind, { merchantId, id, steps: advance.steps })
    if (verdict.kind === 'not_found') return 'done'
    if (verdict.kind === 'too_many') return waitForFewer(deps, due)
    advance = verdict.advance
    deps.onMoved?.()
  }
}

/** The process stops. Another process continues at once, or this one after its next start. */
async function leave({ sql }: Run, due: DueAdvance): Promise<'done'> {
  await queries.postponeAdvance(sql, due, 0)
  return 'done'
}

/** Since the advance was accepted, more dates came than one step may move: the advance continues when there are fewer. */
async function waitForFewer({ sql, log }: ClockWorkerDeps, due: DueAdvance): Promise<'done'> {
  log.warn({ merchant: due.advance.merchantId }, 'a sandbox has more dates ahead than its clock can move')
  await queries.postponeAdvance(sql, due, minuteMs)
  return 'done'
}

/** Nothing is left but a provider that did not answer: it is notified later. */
async function endNotifying(
  { sql }: ClockWorkerDeps,
  due: DueAdvance,
  areNotified: boolean,
): Promise<'done'> {
  const isOver = areNotified || due.claim.number > triesMax
  if (isOver) await queries.dropAdvance(sql, due)
  else await queries.postponeNotifying(sql, due)
  return 'done'
}

/** Whether every provider has confirmed every step of the merchant. */
async function notifyProviders(
  { sql, log, simulators }: ClockWorkerDeps,
  merchantId: MerchantId,
): Promise<boolean> {
  const pending = await queries.selectPendingSteps(sql, merchantId, pendingStepsMax)
  if (pending.length === 0) return true
  const accounts =
    (await simulators?.(merchantId, (method) => queries.isAloneAt(sql, merchantId, method))) ?? []
  const away = new Set<string>()
  for (const { number, advanceId, byMs, notified } of pending) {
    const answered: string[] = []
    await Promise.all(
      accounts.map(async ({ name, move }) => {
        if (notified.includes(name) || away.has(name)) return
        try {
          await move({ id: `${advanceId}/${number}`, byMs })
          answered.push(name)
        } catch (error) {
          // The provider gets the missed steps later, in their order.
          away.add(name)
          log.warn(
            { provider: name, step: number, error: messageOf(error) },
            'a provider did not move its clock',
          )
        }
      }),
    )
    const behind = accounts
      .map(({ name }) => name)
      .filter((name) => away.has(name) && !notified.includes(name))
    await queries.writeNotified(sql, merchantId, { number, notified: answered, behind: [...new Set(behind)] })
  }
  return away.size === 0
}

/** Waits until nothing of the merchant is due or under way, except what is stuck. */
async function untilQuiet(
  { sql, simulators, patienceMs = usualPatienceMs, onMoved, isStopping }: Run,
  { merchantId, id }: ClockAdvance,
  state: State,
  renew: () => Promise<boolean>,
): Promise<void> {
  const startedMs = monotonicMs()
  const neededMs = simulators === undefined ? quietMs : quietWithProvidersMs
  const patience = Math.min(patienceMs, Math.max(0, stuckPatienceMs - state.waitedMs))
  let quietSinceMs: number | undefined
  for (let polls = 1; ; polls += 1) {
    const waiting = await selectWaiting(sql, merchantId, waitingMax)
    const nowMs = monotonicMs()
    if (isStuck(waiting, state.stuck)) quietSinceMs ??= nowMs
    else quietSinceMs = undefined
    if (quietSinceMs !== undefined && nowMs - quietSinceMs >= neededMs) {
      state.stuck = waiting
      return
    }
    if (quietSinceMs === undefined && nowMs - startedMs > patience) {
      state.stuck = waiting
      state.waitedMs += nowMs - startedMs
      return queries.writeStuck(sql, { merchantId, id }, waiting)
    }
    if (quietSinceMs === undefined && polls % wakeEvery === 0) onMoved?.()
    if (polls % renewEvery === 0) await renew()
    if (isStopping()) return
    await sleep(pollMs)
  }
}

/** Whether no work waits except the work for which an earlier step stopped waiting. */
function isStuck(waiting: readonly Waiting[], stuck: readonly Waiting[]): boolean {
  const expected = new Map(stuck.map(({ work, count }) => [work, count]))
  return waiting.every(({ work, count }) => count <= (expected.get(work) ?? 0))
}
