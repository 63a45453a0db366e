// The answer to a call that is refused.
import type { Reply } from './http.ts'

export class Refusal extends Error {
  override name = 'Refusal'
  readonly reply: Reply
  constructor(message: string, reply: Reply) {
    super(message)
    this.reply = reply
  }
}

/** A refusal of a control call (RFC 9457). */
export function controlProblem(status: number, code: string, detail: string): Refusal {
  return new Refusal(detail, {
    status,
    type: 'application/problem+json',
    body: { type: `urn:simulator:${code}`, title: detail, status, code },
  })
}

/** What a control call names; refused when there is no such thing. */
export function found<T>(value: T | undefined, detail: string): T {
  if (value === undefined) throw controlProblem(404, 'not_found', detail)
  return value
}
