// Plays one case against the receiver and judges it: sends the deliveries of its script, compares each answer with the expected one, and
// then asks what the receiver has made of the payments.
import { given } from '#/kernel/given.ts'
import { newId, type EventId, type PaymentId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import { monotonicMs, sleep, type Clock } from '#/kernel/time.ts'
import type { Answer, Sender } from '#/webhooks/send.ts'
import type { CaseResult, SentDelivery } from './rehearsal.ts'
import type { Script, Send, ExpectedState, StateFields } from './scripts.ts'
import { signed, type Signed } from './signing.ts'
import type { Message } from './story.ts'

/** How long things may take, in milliseconds. */
export type Pace = {
  /** How long after the last delivery effects may still come. */
  readonly settleMs: number
  /** The pause between two tries of a delivery, and between two readings of the state. */
  readonly pauseMs: number
}

type PlayDeps = {
  readonly sender: Sender
  readonly clock: Clock
  readonly pace: Pace
  readonly url: string
  readonly stateUrl: string | null
  /** The name of the rehearsal in a header of each request. */
  readonly rehearsalId: string
  readonly secrets: readonly Buffer[]
  /** Asked before each step: false ends the case without a result. */
  readonly mayGoOn: () => Promise<boolean>
  /** Aborted when this process ends. */
  readonly signal: AbortSignal
}

export type Outcome = Pick<CaseResult, 'observed' | 'deliveries'> & {
  readonly status: 'PASSED' | 'FAILED' | 'NOT_JUDGED'
  readonly observed: string
}

/** The most tries of one delivery. */
const triesMax = 3

/** Undefined: it was stopped. */
export async function play(deps: PlayDeps, script: Script): Promise<Outcome | undefined> {
  const deliveries: SentDelivery[] = []
  const faults: string[] = []
  const sent = new Map<Message, Signed>()
  for (const step of script.steps) {
    if (!(await deps.mayGoOn())) return undefined
    const results = await Promise.all(step.map((send) => deliver(deps, send, sent)))
    for (const result of results) {
      if (result === undefined) return undefined
      deliveries.push(...result.deliveries)
      if (result.fault !== undefined) faults.push(result.fault)
    }
    // Each further delivery would hang as long as this one.
    if (deliveries.some(({ error }) => error !== undefined)) break
  }
  if (faults.length > 0) return { status: 'FAILED', observed: faults.join(' '), deliveries }
  const slowest = Math.max(...deliveries.map(({ durationMs }) => durationMs))
  const answered = `${countOf(deliveries.length)}; the slowest answer came after ${slowest} ms.`
  if (script.states.length === 0) return { status: 'PASSED', observed: answered, deliveries }
  if (deps.stateUrl === null) {
    const observed = 'The deliveries were accepted. What they did can be seen with a stateUrl only.'
    return { status: 'NOT_JUDGED', observed, deliveries }
  }
  const verdict = await watchStates(deps, deps.stateUrl, script.states)
  if (verdict === undefined) return undefined
  if (verdict.kind === 'right') return { status: 'PASSED', observed: answered, deliveries }
  const status = verdict.kind === 'wrong' ? 'FAILED' : 'NOT_JUDGED'
  return { status, observed: verdict.observed, deliveries }
}

type Delivered = { readonly deliveries: readonly SentDelivery[]; readonly fault?: string }

/** Sends one delivery, and again after a refusal where a webhook would be sent again. Undefined: it was stopped. */
async function deliver(
  deps: PlayDeps,
  send: Send,
  sent: Map<Message, Signed>,
): Promise<Delivered | undefined> {
  const deliveries: SentDelivery[] = []
  for (let tries = 1; ; tries += 1) {
    const last = sent.get(send.message)
    const now = deps.clock.now()
    const request = signed(send.message, send.signing, {
      secrets: deps.secrets,
      now,
      ...given({ last }),
    })
    sent.set(send.message, request)
    const answer = await post(deps, deps.url, request)
    if (answer === undefined) return undefined
    const fault = faultOf(send, answer)
    deliveries.push(recordOf(send, answer, fault !== undefined))
    const isLast = send.wants !== 'DELIVERED' || tries === triesMax || 'error' in answer
    if (fault === undefined) return { deliveries }
    if (isLast) return { deliveries, fault }
    await sleep(deps.pace.pauseMs, deps.signal)
    if (!(await deps.mayGoOn())) return undefined
  }
}

function faultOf({ what, wants }: Send, answer: Answer): string | undefined {
  if ('error' in answer) {
    const time = answer.error === 'timeout' ? ` after ${answer.durationMs} ms` : ''
    return `${capital(what)}: no answer (${answer.error}${time}).`
  }
  if (wants === 'ANYTHING') return undefined
  const { responseStatus } = answer
  const [first, last] = wants === 'REFUSED' ? [400, 499] : [200, 299]
  if (responseStatus >= first && responseStatus <= last) return undefined
  return `${capital(what)}: answered ${responseStatus}.`
}

function recordOf({ what, message }: Send, answer: Answer, isFault: boolean): SentDelivery {
  const { durationMs } = answer
  const frame = { what, type: message.type, durationMs }
  if ('error' in answer) return { ...frame, error: answer.error }
  const { responseStatus, responseBody } = answer
  const shown =
    isFault && responseBody !== '' ? { responseBody: responseBody.slice(0, 200).toWellFormed() } : {}
  return { ...frame, responseStatus, ...shown }
}

/** One request. Undefined: this process ends. */
async function post(deps: PlayDeps, url: string, { headers, body }: Signed): Promise<Answer | undefined> {
  const { signal, sender, rehearsalId } = deps
  if (signal.aborted) return undefined
  const message = { url, headers: { ...headers, 'vintem-rehearsal': rehearsalId }, body }
  const ended = Promise.withResolvers<undefined>()
  const end = () => ended.resolve(undefined)
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([sender.send(message), ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/**
 * Reads the receiver's view of the payments until all are right in two readings, or the time for effects is over. The second reading
 * detects an effect that happens twice, the second time a moment later. Undefined: the rehearsal was stopped.
 */
async function watchStates(
  deps: PlayDeps,
  stateUrl: string,
  states: readonly ExpectedState[],
): Promise<StateVerdict | undefined> {
  const { settleMs, pauseMs } = deps.pace
  const giveUpAt = monotonicMs() + settleMs
  let wasRight = false
  for (;;) {
    const verdict = await readStates(deps, stateUrl, states)
    if (verdict === undefined || verdict.kind === 'unseen') return verdict
    const isRight = verdict.kind === 'right'
    if (isRight ? wasRight : monotonicMs() >= giveUpAt) return verdict
    wasRight = isRight
    await sleep(pauseMs, deps.signal)
  }
}

/**
 * Reads the receiver's view of each payment once. The verdict names everything that is wrong; else the first thing that could not be read.
 */
async function readStates(
  deps: PlayDeps,
  stateUrl: string,
  states: readonly ExpectedState[],
): Promise<StateVerdict | undefined> {
  const verdicts: StateVerdict[] = []
  for (const state of states) {
    if (!(await deps.mayGoOn())) return undefined
    const now = deps.clock.now()
    const request = signed(stateRequest(state.paymentId, now), 'TRUE', { secrets: deps.secrets, now })
    const answer = await post(deps, stateUrl, request)
    if (answer === undefined) return undefined
    verdicts.push(judgeState(state, answer))
    if ('error' in answer) break
  }
  const wrong = verdicts.flatMap((each) => (each.kind === 'wrong' ? [capital(each.observed)] : []))
  if (wrong.length > 0) return { kind: 'wrong', observed: wrong.join(' ') }
  return verdicts.find(({ kind }) => kind === 'unseen') ?? { kind: 'right' }
}

function countOf(count: number): string {
  return count === 1 ? 'One delivery' : `${count} deliveries`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

// Asks the receiver what it has made of a payment: a signed POST to the stateUrl that the merchant may name. Effects can be judged only by
// its answer.

/** The type of the request: no event has it. */
const stateType = 'rehearsal.state'

/** The request for the receiver's view of a payment. Its shape is that of an event, so the code that verifies webhooks verifies it too. */
function stateRequest(paymentId: PaymentId, now: Date): Message {
  const id: EventId = newId()
  const frame = { id, type: stateType, timestamp: now.toISOString(), mode: 'SANDBOX' }
  return { id, type: stateType, body: Buffer.from(toJson({ ...frame, data: { paymentId } })) }
}

type StateVerdict =
  | { readonly kind: 'right' }
  /** `observed`: what differs, as a sentence. */
  | { readonly kind: 'wrong'; readonly observed: string }
  /** The answer does not say it. */
  | { readonly kind: 'unseen'; readonly observed: string }

/** Compares the receiver's answer with what a right receiver answers. Fields that are not expected do not matter. */
function judgeState({ what, fields }: ExpectedState, answer: Answer): StateVerdict {
  if ('error' in answer) return unseen(`stateUrl did not answer (${answer.error}).`)
  const { responseStatus, responseBody } = answer
  if (responseStatus === 404)
    return {
      kind: 'wrong',
      observed: `${what}: the receiver does not know the payment (stateUrl answered 404).`,
    }
  if (responseStatus !== 200) return unseen(`stateUrl answered ${responseStatus}, and not 200.`)
  const state = objectIn(responseBody)
  if (state === undefined) return unseen('stateUrl answered no JSON object.')
  const names = Object.keys(fields) as (keyof StateFields)[]
  const missing = names.filter((name) => state[name] === undefined || state[name] === null)
  const wrong = names.filter((name) => !missing.includes(name) && state[name] !== fields[name])
  const list = (of: readonly (keyof StateFields)[], from: Readonly<Record<string, unknown>>) =>
    of.map((name) => `${name} ${textOf(from[name], typeof fields[name])}`).join(', ')
  if (wrong.length > 0)
    return { kind: 'wrong', observed: `${what}: ${list(wrong, state)}; right is ${list(wrong, fields)}.` }
  return missing.length === 0
    ? { kind: 'right' }
    : unseen(`The answer of stateUrl does not have ${missing.join(', ')}.`)
}

function unseen(observed: string): StateVerdict {
  return { kind: 'unseen', observed }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

/** A value of the receiver's, short enough to be shown. A text in the place of a number has quotation marks. */
function textOf(value: unknown, expectedType: string): string {
  const text = typeof value === 'string' && expectedType === 'string' ? value : toJson(value)
  return text.slice(0, 60).toWellFormed()
}
