// One call: its attempts, its deadline, and when the same call may be sent again.
import { connectionError, problemOf, VintemError, VintemProblem } from './errors.ts'

/** What a method of the client needs to know of its operation. */
export type OperationRow = {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: true
  readonly query?: true
  readonly pages?: true
  /** The operation takes an idempotency key. */
  readonly key?: true
}

export type CallOptions = {
  /** Makes the call safe to repeat, also by another process. Default: the body's `idempotencyKey`, else a random one for this call. */
  readonly idempotencyKey?: string
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs?: number
  /** How many more attempts after the first; 0 turns repeating off. */
  readonly maxRetries?: number
  readonly signal?: AbortSignal
}

/** Where calls go, and as whom. */
export type Target = {
  readonly baseUrl: string
  readonly apiKey: string
  readonly subAccount?: string | undefined
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly fetch: typeof fetch
}

export type Request = {
  readonly verb: OperationRow['verb']
  /** From the base URL, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a call without an answer may be sent again: it is a read, or the service recognises it. */
  readonly isRepeatable: boolean
}

const firstPauseMs = 500
const longestPauseMs = 8_000
/** When the server demands a longer wait, the caller gets the error instead. */
const longestRetryAfterMs = 60_000

/**
 * Sends a call until it is answered or no further attempt is allowed, and returns what `read` makes of the answer. An answer that breaks
 * off counts as none. Throws `VintemProblem` for an answer of 4xx or 5xx, and `VintemConnectionError` without an answer: then the call may
 * or may not have been carried out.
 */
export async function send<Result>(
  target: Target,
  request: Request,
  options: CallOptions,
  read: (response: Response) => Result | Promise<Result>,
): Promise<Result> {
  const maxRetries = options.maxRetries ?? target.maxRetries
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(target, request, options, read)
    if ('result' in outcome) return outcome.result
    const pauseMs =
      attempt < maxRetries ? pauseBefore(attempt, outcome.error, request.isRepeatable) : undefined
    if (pauseMs === undefined) throw outcome.error
    await pause(pauseMs, options.signal)
  }
}

async function attemptOnce<Result>(
  target: Target,
  { verb, path, body, headers }: Request,
  { timeoutMs = target.timeoutMs, signal }: CallOptions,
  read: (response: Response) => Result | Promise<Result>,
): Promise<{ readonly result: Result } | { readonly error: VintemError }> {
  signal?.throwIfAborted()
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await target.fetch(`${target.baseUrl}${path}`, {
      method: verb,
      headers: {
        apikey: target.apiKey,
        accept: 'application/json',
        ...(target.subAccount === undefined ? {} : { 'sub-account': target.subAccount }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'error',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.ok ? { result: await read(response) } : { error: await problemOf(response) }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof VintemError) throw error
    return { error: connectionError(verb, path, error) }
  }
}

/** Milliseconds until the next attempt; undefined when there is none. */
function pauseBefore(attempt: number, error: VintemError, isRepeatable: boolean): number | undefined {
  const backoff = Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt)
  if (!(error instanceof VintemProblem)) return isRepeatable ? backoff : undefined
  // 429 says that nothing was done. After 5xx only what the service recognises is sent again.
  if (error.status !== 429 && !(isRepeatable && error.status >= 500)) return undefined
  const { retryAfterMs } = error
  if (retryAfterMs === undefined) return backoff
  return retryAfterMs > longestRetryAfterMs ? undefined : retryAfterMs + backoff
}

/** Waits. Throws the signal's reason when it aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/**
 * The JSON of an answer. An integer that a JavaScript number cannot hold exactly is an error and never a rounded amount.
 * An answer without a body is undefined.
 */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  return text === '' ? undefined : parseExactly(text)
}

/** `JSON.parse` for amounts: see `jsonOf`. What merchants wrote into `metadata` is theirs, and is not checked. */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  assertExact('the answer', value)
  return value
}

function assertExact(name: string, value: unknown): void {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new VintemError(`${name} is ${value}: more than a number holds exactly`)
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) if (key !== 'metadata') assertExact(key, part)
}
