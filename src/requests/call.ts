// One call of the API, as the request log has it: a request whose key was accepted, and how it was answered.
import type { callMethods, statusClasses } from '#/contract/requests.ts'
import type { ProblemCode } from '#/kernel/error.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'

export type CallMethod = (typeof callMethods)[number]

export type StatusClass = (typeof statusClasses)[number]

/** How many calls of a merchant are kept at most; an operator may keep fewer. */
export const callsMax = 10_000

export type LoggedCall = {
  readonly merchantId: MerchantId
  readonly keyId: ApiKeyId
  /** Milliseconds since 1970: when the request came. */
  readonly receivedAtMs: number
  readonly durationMs: number
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Absent: the caller closed the connection before the answer. */
  readonly status: number | undefined
  /** The problem that was answered. */
  readonly code: ProblemCode | undefined
  readonly requestId: string
}
