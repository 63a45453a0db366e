// Three kinds of error, never mixed: the caller's (AppError), a provider's (ProviderError), and ours (InvariantError, in check.ts).

/** Every problem of the API: its HTTP status, its title, and whether the same call may be sent again. */
export const problems = {
  invalid_request: { status: 400, title: 'The request is not well formed', retry: false },
  unauthenticated: { status: 401, title: 'A valid API key is needed', retry: false },
  forbidden: { status: 403, title: 'The caller may not do that', retry: false },
  cross_site: { status: 403, title: 'Only the dashboard’s own pages may call this', retry: false },
  second_factor_needed: { status: 403, title: 'A second factor is needed', retry: false },
  sign_in_refused: { status: 403, title: 'This does not sign anyone in', retry: false },
  address_not_allowed: { status: 403, title: 'The key may not be used from this address', retry: false },
  frozen: { status: 403, title: 'Money out is frozen by the operator', retry: false },
  merchant_suspended: { status: 403, title: 'The operator has suspended this merchant', retry: false },
  not_found: { status: 404, title: 'There is nothing here', retry: false },
  method_not_allowed: { status: 405, title: 'The address does not take this method', retry: false },
  request_timeout: { status: 408, title: 'The request did not come in time', retry: true },
  idempotency_conflict: { status: 409, title: 'This key was used with another payload', retry: false },
  invalid_state: { status: 409, title: 'Not possible in the present state', retry: false },
  directory_needed: { status: 409, title: 'Only a command can do that here', retry: false },
  link_used: { status: 410, title: 'The link does not work any more', retry: false },
  payload_too_large: { status: 413, title: 'The body is too large', retry: false },
  unsupported_media_type: { status: 415, title: 'Only application/json is understood', retry: false },
  headers_too_large: { status: 431, title: 'The headers are too large', retry: false },
  currency_not_supported: { status: 422, title: 'This currency is not supported here', retry: false },
  method_not_available: { status: 422, title: 'This payment method is not available', retry: false },
  network_not_supported: { status: 422, title: 'This network or token is not supported', retry: false },
  checkout_not_found: { status: 422, title: 'There is no such checkout', retry: false },
  insufficient_funds: { status: 422, title: 'The wallet does not hold enough', retry: false },
  wallet_not_spendable: { status: 422, title: 'This wallet cannot be debited', retry: false },
  limit_exceeded: { status: 422, title: 'A limit would be exceeded', retry: false },
  destination_not_allowed: { status: 422, title: 'This destination is not allowed', retry: false },
  transfer_not_granted: { status: 422, title: 'The sub-account has not granted this', retry: false },
  split_refused: { status: 422, title: 'The payment cannot be split like this', retry: false },
  refund_exceeds_payment: { status: 422, title: 'More than can be refunded', retry: false },
  rate_limited: { status: 429, title: 'Too many requests', retry: true },
  internal: { status: 500, title: 'Something broke on our side', retry: true },
  provider_unavailable: { status: 503, title: 'The payment provider cannot be reached', retry: true },
  unavailable: { status: 503, title: 'The service cannot answer right now', retry: true },
} as const satisfies Record<string, { status: number; title: string; retry: boolean }>

export type ProblemCode = keyof typeof problems

/** Problems of people in the dashboard, which no caller with a key gets. */
export const dashboardProblems: readonly ProblemCode[] = [
  'cross_site',
  'second_factor_needed',
  'sign_in_refused',
  'directory_needed',
  'link_used',
]

/** The address of a problem's page. */
export function problemUrl(code: ProblemCode): string {
  return `https://vintem.dev/problems/${code}`
}

/** What is wrong with a value: `code` for programs, `message` for people, as a sentence without its subject. */
export type Fault = { readonly code: string; readonly message: string }

/** One thing that is wrong with an input. `pointer` is a JSON pointer (RFC 6901) into it: a body, a query or a file. */
export type FieldFault = Fault & { readonly pointer: string }

/** The result of checking an input: the values that were read, or all faults at once. */
export type Checked<Read extends object> =
  | ({ readonly ok: true } & Read)
  | { readonly ok: false; readonly faults: readonly FieldFault[] }

/** The caller's fault, or a state that the caller must know. Translated to problem+json once, in http/errors.ts. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ProblemCode
  /** What is wrong with the input; the problem document calls them `errors`. */
  readonly faults: readonly FieldFault[]
  /** Extra members of the problem document, such as `paymentId`. */
  readonly extra: Readonly<Record<string, unknown>>
  readonly retryAfterMs: number | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      faults?: readonly FieldFault[]
      extra?: Readonly<Record<string, unknown>>
      retryAfterMs?: number
      cause?: unknown
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.faults = more.faults ?? []
    this.extra = more.extra ?? {}
    this.retryAfterMs = more.retryAfterMs
  }
}

/** The answer about what is not there; `what` names it in the sentence. */
export function noSuch(what: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`)
}

/** What was looked for. Throws 404 where it is not there. */
export function existing<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw noSuch(what)
  return value
}

/**
 * The failure of a call to a provider.
 * - `refused`: the provider refused it, nothing happened.
 * - `unavailable`: nothing was sent.
 * - `unknown`: it may have happened; look it up by our own reference, never repeat it blindly.
 */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly outcome: 'refused' | 'unavailable' | 'unknown'

  constructor(outcome: 'refused' | 'unavailable' | 'unknown', detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.outcome = outcome
  }
}

/** No complete answer arrived: the connection broke or the call timed out. For a call that changes nothing, it means only that. */
export class NoAnswerError extends ProviderError {
  override name = 'NoAnswerError'
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
