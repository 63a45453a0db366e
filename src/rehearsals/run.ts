// The worker that plays rehearsals. A claim is prolonged before each request; when a worker dies, another one goes on with the case that
// was under way, with new ids. A rehearsal whose time is over ends with what was judged.
import type { Sql } from '#/db/client.ts'
import { dueWorker, usualBackoff, type DueWorker } from '#/jobs/worker.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import { createSender, type SenderOptions } from '#/webhooks/send.ts'
import { caseNames } from './case-texts.ts'
import { play, type Outcome, type Pace } from './play.ts'
import * as queries from './queries.ts'
import type { DueRehearsal } from './queries.ts'
import { endOf, isOpen, skipRest, timeOver, type CaseResult } from './rehearsal.ts'
import { scriptOf } from './scripts.ts'
import { createRandom } from './story.ts'

export type RehearserDeps = {
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  /** The merchant's webhook secrets in force, the newest first. */
  readonly secretsOf: (merchantId: MerchantId) => Promise<readonly Buffer[]>
  /** Where the requests may go, and how long an answer may take: by default as long as a webhook's. */
  readonly sending: SenderOptions
  readonly pace?: Partial<Pace>
}

/** Longer than any request: the claim is prolonged before each. */
const leaseMs = minuteMs
/** A merchant has one rehearsal at a time; a process plays this many of all merchants at once. */
const concurrency = { each: 1, total: 20 }
const usualPace: Pace = { settleMs: 10 * secondMs, pauseMs: 500 }

/** Its `run` breaks off what is under way when it is to stop; that is due for the next worker. */
export type Rehearser = DueWorker

export function createRehearser(deps: RehearserDeps): Rehearser {
  const { sql, log } = deps
  const sender = createSender(deps.sending)
  const stopping = new AbortController()
  const worker = dueWorker<DueRehearsal>({
    name: 'rehearsal',
    log,
    leaseMs,
    isDue: queries.isRehearsalDue,
    claim: (slots, ms) => queries.claimRehearsals(sql, slots, ms),
    run: (due) => rehearse(deps, sender, due, stopping.signal),
    postpone: (due, waitMs) => queries.postponeRehearsal(sql, due, waitMs),
    backoff: (claims) => (stopping.signal.aborted ? 0 : usualBackoff(claims)),
    concurrency,
  })
  return {
    ...worker,
    async run(signal, restMs) {
      signal.addEventListener('abort', () => stopping.abort(), { once: true })
      await worker.run(signal, restMs)
      sender.close()
    },
  }
}

async function rehearse(
  deps: RehearserDeps,
  sender: ReturnType<typeof createSender>,
  due: DueRehearsal,
  signal: AbortSignal,
): Promise<'done' | 'later'> {
  const { sql } = deps
  const { rehearsal, claim } = due
  const secrets = await deps.secretsOf(rehearsal.merchantId)
  let { cases } = rehearsal
  for (;;) {
    if (signal.aborted) return 'later'
    const next = cases.find(isOpen)
    if (next === undefined) break
    cases = cases.map((each) => (each === next ? { ...each, status: 'RUNNING' } : each))
    const standing = await queries.renewRehearsal(sql, due, leaseMs, cases)
    if (standing === 'lost') return 'done'
    if (standing === 'over') {
      cases = skipRest(cases, timeOver)
      break
    }
    const outcome = await playCase(deps, { sender, due, secrets, signal }, next)
    if (outcome !== undefined) cases = withOutcome(cases, next, outcome)
  }
  await queries.endRehearsal(sql, rehearsal, { status: endOf(cases), cases, claim })
  return 'done'
}

/** Undefined: it was stopped. */
function playCase(
  deps: RehearserDeps,
  under: {
    readonly sender: ReturnType<typeof createSender>
    readonly due: DueRehearsal
    readonly secrets: readonly Buffer[]
    readonly signal: AbortSignal
  },
  { name }: CaseResult,
): Promise<Outcome | undefined> {
  const { rehearsal } = under.due
  const { merchantId, id, url, stateUrl, seed } = rehearsal
  // Each case has numbers of its own, so that it has the same ones when it is played alone.
  let sequence = 100 * caseNames.indexOf(name)
  const script = scriptOf(name, {
    merchantId,
    rehearsalId: id,
    random: createRandom(seed, name),
    now: deps.clock.now(),
    url,
    nextSequence: () => (sequence += 1),
  })
  const mayGoOn = async () => (await queries.renewRehearsal(deps.sql, under.due, leaseMs)) === 'ours'
  return play(
    {
      sender: under.sender,
      clock: deps.clock,
      pace: { ...usualPace, ...deps.pace },
      url,
      stateUrl,
      rehearsalId: id,
      secrets: under.secrets,
      mayGoOn,
      signal: under.signal,
    },
    script,
  )
}

/** As long as a good delivery is not accepted, the other cases say nothing about the receiver. */
function withOutcome(
  cases: readonly CaseResult[],
  { name }: CaseResult,
  outcome: Outcome,
): readonly CaseResult[] {
  const results = cases.map((each) => (each.name === name ? { name, ...outcome } : each))
  const isUseless = name === 'GOOD_DELIVERY' && outcome.status === 'FAILED'
  return isUseless
    ? skipRest(results, 'A good delivery is not accepted yet: GOOD_DELIVERY comes first.')
    : results
}
