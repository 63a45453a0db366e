// Three kinds of failure that call for different reactions: the service refused, there was no answer, a signature does not hold.
import type { FieldError, Open, ProblemCode } from './generated/types.ts'

/** Anything that this library throws. */
export class VintemError extends Error {
  override readonly name: string = 'VintemError'
}

/**
 * The service answered with an error (RFC 9457). Decide by `code`: https://vintem.dev/problems lists them, with what to do and whether the
 * same call may be sent again.
 */
export class VintemProblem extends VintemError {
  override readonly name = 'VintemProblem'
  readonly status: number
  readonly code: Open<ProblemCode>
  /** Name it when you ask the operator. */
  readonly requestId: string | undefined
  /** The fields that were refused; empty when the refusal is not about fields. */
  readonly errors: readonly FieldError[]
  readonly retryAfterMs: number | undefined
  /** The whole answer, when it was JSON. */
  readonly body: unknown

  constructor(status: number, body: unknown, retryAfterMs?: number) {
    const { title, detail, code, requestId, errors } = (body ?? {}) as Partial<Record<string, unknown>>
    const sentences = [title, detail].filter((text) => typeof text === 'string')
    super(sentences.length > 0 ? sentences.join(': ') : `the service answered ${status}`)
    this.status = status
    this.code = typeof code === 'string' ? code : 'unknown'
    this.requestId = typeof requestId === 'string' ? requestId : undefined
    this.errors = Array.isArray(errors) ? (errors as FieldError[]) : []
    this.retryAfterMs = retryAfterMs
    this.body = body
  }
}

/**
 * No answer came: the call may or may not have been carried out. Sent again with the same idempotency key, it is carried out at most once.
 */
export class VintemConnectionError extends VintemError {
  override readonly name = 'VintemConnectionError'
  /** Whether the time of the attempt was over. */
  readonly isTimeout: boolean

  constructor(message: string, options: { readonly cause: unknown; readonly isTimeout: boolean }) {
    super(message, { cause: options.cause })
    this.isTimeout = options.isTimeout
  }
}

export type SignatureFault =
  | 'parsed_body'
  | 'missing_header'
  | 'bad_secret'
  | 'too_old'
  | 'too_new'
  | 'no_match'
  | 'not_json'

/** A webhook that must not be believed. Answer 400, and do nothing. */
export class VintemSignatureError extends VintemError {
  override readonly name = 'VintemSignatureError'
  readonly reason: SignatureFault

  constructor(reason: SignatureFault, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Whether the error is an answer of the service with this code, such as `insufficient_funds`. */
export function isProblem<Code extends ProblemCode>(
  error: unknown,
  code: Code,
): error is VintemProblem & { readonly code: Code } {
  return error instanceof VintemProblem && error.code === code
}

/** The error of an answer that is not 2xx. A body that is not JSON (a proxy's page) leaves only the status. */
export async function problemOf(response: Response): Promise<VintemProblem> {
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  return new VintemProblem(response.status, body, retryAfterOf(response.headers.get('retry-after')))
}

export function connectionError(verb: string, path: string, cause: unknown): VintemConnectionError {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
  const why = isTimeout ? 'no answer in time' : `no answer: ${messagesOf(cause)}`
  return new VintemConnectionError(`${verb} ${path}: ${why}`, { cause, isTimeout })
}

/** `fetch failed` says little: its cause names the host. */
function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
