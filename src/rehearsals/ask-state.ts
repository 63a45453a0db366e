// Asks the receiver what it has made of a payment: a signed POST to the stateUrl that the merchant may name. Effects can be judged only by
// its answer.
import { newId, type EventId, type PaymentId } from '#/kernel/id.ts'
import { toJson } from '#/kernel/json.ts'
import type { Answer } from '#/webhooks/send.ts'
import type { StateFields, ExpectedState } from './scripts.ts'
import type { Message } from './story.ts'

/** The type of the request: no event has it. */
const stateType = 'rehearsal.state'

/** The request for the receiver's view of a payment. Its shape is that of an event, so the code that verifies webhooks verifies it too. */
export function stateRequest(paymentId: PaymentId, now: Date): Message {
  const id: EventId = newId()
  const frame = { id, type: stateType, timestamp: now.toISOString(), mode: 'SANDBOX' }
  return { id, type: stateType, body: Buffer.from(toJson({ ...frame, data: { paymentId } })) }
}

export type StateVerdict =
  | { readonly kind: 'right' }
  /** `observed`: what differs, as a sentence. */
  | { readonly kind: 'wrong'; readonly observed: string }
  /** The answer does not say it. */
  | { readonly kind: 'unseen'; readonly observed: string }

/** Compares the receiver's answer with what a right receiver answers. Fields that are not expected do not matter. */
export function judgeState({ what, fields }: ExpectedState, answer: Answer): StateVerdict {
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
