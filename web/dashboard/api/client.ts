// Calls of the dashboard's server. Every refusal is a ProblemError. When the session has ended, the sign-in page opens. When an action
// needs a fresh second factor, the user is asked for the factor, and then the same request is sent again.
import type { FactorMethod, QueryValue } from './generated.ts'
import { parseJson, writeJson } from './json.ts'
import { ProblemError, type ProblemBody } from './problem.ts'

export type QueryValues = Readonly<Record<string, QueryValue>>

export type CallOptions = {
  readonly query?: QueryValues | undefined
  readonly body?: unknown
  /** A part of a file, instead of a body. */
  readonly bytes?: Blob | undefined
  /** The Idempotency-Key: the same for each repetition of one request. */
  readonly key?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The request goes on when the page is left. For small ones: a browser refuses more than 64 KiB. */
  readonly keepalive?: boolean
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Paths of calls that give a password or a code: there 401 may mean that it is wrong, and not that the session has ended. The next call
 * tells.
 */
const pathsWithFactor = /^\/(?:session|links|step-up|me\/password|me\/totp\/confirm)\b/

type Handlers = {
  /** The session has ended. */
  signedOut: () => void
  /** Asks the user for a second factor; true when it was given. */
  stepUp: (methods: readonly FactorMethod[]) => Promise<boolean>
}

const handlers: Handlers = { signedOut: () => undefined, stepUp: () => Promise.resolve(false) }

/** Says what to do when the server asks for a session or for a second factor. The page's frame calls it once for each. */
export function handle(given: Partial<Handlers>): void {
  Object.assign(handlers, given)
}

let isLeaving = false

/** Ends the session, and then does what `leave` says. What notices the end meanwhile, as the feed does, leads nowhere else. */
export async function signOut(leave: () => Promise<void>): Promise<void> {
  isLeaving = true
  try {
    await request('DELETE', '/session')
    await leave()
  } finally {
    isLeaving = false
  }
}

function showSignedOut(): void {
  if (!isLeaving) handlers.signedOut()
}

/** Calls `/api` + path. */
export async function request<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  try {
    return await send<T>(method, path, options)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { code, status, methods } = error.problem
    if (status === 401 && !pathsWithFactor.test(path)) showSignedOut()
    if (code !== 'second_factor_needed') throw error
    if (!(await handlers.stepUp(methods ?? []))) throw error
    return send<T>(method, path, options)
  }
}

/** Asks whether the session is still there, after the server closed something that it keeps open for a session. */
export async function checkSession(): Promise<void> {
  await send('GET', '/session', {}).catch((error: unknown) => {
    if (error instanceof ProblemError && error.problem.status === 401) showSignedOut()
  })
}

/** The address of a call, for links such as a CSV file. */
export function addressOf(path: string, query: QueryValues = {}): string {
  const values = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') values.append(name, String(value))
  const text = values.toString()
  return `/api${path}${text === '' ? '' : `?${text}`}`
}

async function send<T>(method: Method, path: string, options: CallOptions): Promise<T> {
  const { query, body, bytes, key, signal, keepalive = false } = options
  const answer = await fetch(addressOf(path, query), {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    keepalive,
    ...(signal === undefined ? {} : { signal }),
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: writeJson(body) }),
    ...(bytes === undefined ? {} : { body: bytes }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new ProblemError({ status: 0, code: 'offline', title: 'Offline', detail: String(error) })
  })
  const content = await read(answer)
  if (answer.ok) return content as T
  throw new ProblemError(problemOf(answer, content))
}

async function read(answer: Response): Promise<unknown> {
  const text = await answer.text()
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** A proxy in between may answer without a problem of ours. */
function problemOf(answer: Response, content: unknown): ProblemBody {
  const given = (typeof content === 'object' && content !== null ? content : {}) as Partial<ProblemBody>
  return {
    ...given,
    status: answer.status,
    code: given.code ?? (answer.status >= 500 ? 'unavailable' : 'unknown'),
    title: given.title ?? answer.statusText,
    detail: given.detail ?? answer.statusText,
  }
}
