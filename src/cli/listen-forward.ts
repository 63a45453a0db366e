// The loop of `listen`: reads events by their numbers, forwards each in order, and notes each that is done before the next one.
import type { EventId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import { monotonicMs, secondMs, sleep, systemClock } from '#/kernel/time.ts'
import { member } from '#/sandbox/member.ts'
import { webhookSecretBytes } from '#/sandbox/verify-webhook.ts'
import { signatureHeaders } from '#/webhooks/sign.ts'
import { ApiCallError, causeOf, type ApiClient } from './api-client.ts'

export type ListenedEvent = {
  readonly sequence: number
  readonly id: string
  readonly type: string
  /** The body of its webhook. */
  readonly body: string
}

/** One try to forward an event. */
export type Forwarded = {
  readonly status?: number
  /** Why there was no answer. */
  readonly error?: string
  readonly ms: number
  /** Counts from 1. */
  readonly attempt: number
  /** What follows: nothing, because the event was accepted; another try; or the next event, because there were enough tries. */
  readonly outcome: 'accepted' | 'again' | 'given up'
}

export type ListenPlan = {
  readonly api: ApiClient
  readonly types: string | undefined
  /** Absent: events are only shown. */
  readonly forward?: { readonly url: string; readonly secret: string }
  readonly onEvent: (event: ListenedEvent, forwarded: Forwarded | undefined) => void
  /** The API does not answer; it is asked again. */
  readonly onSilence: (reason: string) => void
  /** Notes that everything up to this number is done. */
  readonly save: (cursor: number) => Promise<void>
  readonly signal: AbortSignal
}

const waitSeconds = 25
/** The pause after each failed answer. After the last one the event is given up. */
const pausesMs = [500, 1_000, 2_000, 4_000]
/** The longest pause while the receiver cannot be reached, or the API. */
const longestPauseMs = 15 * secondMs
const answerMs = 15 * secondMs

/** Runs until the signal is aborted. Throws when the API refuses the key. */
export async function listen(plan: ListenPlan, from: number): Promise<void> {
  const { api, types, signal } = plan
  let cursor = from
  let silences = 0
  while (!signal.aborted) {
    const query = `after=${cursor}&wait=${waitSeconds}&limit=100${types === undefined ? '' : `&types=${types}`}`
    const page = await api
      .call('GET', `/v1/events?${query}`, { waitMs: waitSeconds * secondMs, signal })
      .catch((error: unknown) => {
        if (!mayPass(error)) throw error
        return error
      })
    if (signal.aborted) return
    if (page instanceof ApiCallError) {
      plan.onSilence(page.message)
      silences += 1
      await sleep(page.retryAfterMs ?? pauseAfter(silences), signal)
      continue
    }
    silences = 0
    for (const event of eventsOf(page)) {
      if (signal.aborted) return
      if (!(await handle(plan, event))) return
      cursor = event.sequence
      await plan.save(cursor)
    }
    // Events of other types count as read too. Written only when something changed.
    const readTo = Number(member(page, 'readTo'))
    if (readTo > cursor) await plan.save((cursor = readTo))
  }
}

/** A refusal that will not pass by itself is thrown: a wrong key, a type that does not exist. */
function mayPass(error: unknown): error is ApiCallError {
  return error instanceof ApiCallError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, secondMs * 2 ** (failures - 1))
}

export function eventsOf(page: unknown): readonly ListenedEvent[] {
  const data = member(page, 'data')
  const list: readonly unknown[] = Array.isArray(data) ? data : []
  return list.map((each) => ({
    sequence: Number(member(each, 'sequence')),
    id: String(member(each, 'id')),
    type: String(member(each, 'type')),
    body: toJson(each),
  }))
}

/**
 * Forwards one event. A receiver that cannot be reached is waited for without an end, because it is being restarted; one that
 * answers something else than 2xx gets a few tries. Returns false when it was interrupted before the event was done.
 */
async function handle(plan: ListenPlan, event: ListenedEvent): Promise<boolean> {
  if (plan.forward === undefined) {
    plan.onEvent(event, undefined)
    return true
  }
  let refusals = 0
  for (let attempt = 1; ; attempt += 1) {
    const answer = await post(plan.forward, event)
    const isAccepted = answer.status !== undefined && answer.status >= 200 && answer.status < 300
    if (!isAccepted && answer.status !== undefined) refusals += 1
    const outcome = isAccepted ? 'accepted' : refusals > pausesMs.length ? 'given up' : 'again'
    plan.onEvent(event, { ...answer, attempt, outcome })
    if (outcome !== 'again') return true
    const pause = answer.status === undefined ? undefined : pausesMs[refusals - 1]
    await sleep(pause ?? pauseAfter(Math.min(attempt, 5)), plan.signal)
    if (plan.signal.aborted) return false
  }
}

type Answer = Pick<Forwarded, 'status' | 'error' | 'ms'>

/** Sends the event as a webhook is sent. An interruption waits for the answer, so that an accepted event is noted. */
async function post(
  { url, secret }: { readonly url: string; readonly secret: string },
  { id, body }: ListenedEvent,
): Promise<Answer> {
  const bytes = Buffer.from(body)
  const signature = signatureHeaders({
    id: id as EventId,
    attemptAt: systemClock.now(),
    body: bytes,
    secrets: [webhookSecretBytes(secret)],
  })
  const startedAt = monotonicMs()
  const took = () => Math.round(monotonicMs() - startedAt)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...signature, 'content-type': 'application/json', 'user-agent': 'Vintem-Listen/1' },
      body: bytes,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    })
    await response.body?.cancel()
    return { status: response.status, ms: took() }
  } catch (error) {
    return { error: causeOf(error), ms: took() }
  }
}

/** Whether the merchant has an event of this number. */
export async function hasEvent(api: ApiClient, sequence: number): Promise<boolean> {
  const [event] = eventsOf(await api.call('GET', `/v1/events?after=${sequence - 1}&limit=1`))
  return event?.sequence === sequence
}

/** The number of the merchant's last event, found by halving: an empty page begins at or after it. */
export async function lastSequence(api: ApiClient): Promise<number> {
  const isPast = async (after: number) =>
    eventsOf(await api.call('GET', `/v1/events?after=${after}&limit=1`)).length === 0
  if (await isPast(0)) return 0
  let below = 0
  let past = 1
  while (!(await isPast(past))) [below, past] = [past, past * 2]
  while (past - below > 1) {
    const middle = Math.floor((below + past) / 2)
    if (await isPast(middle)) past = middle
    else below = middle
  }
  return past
}
