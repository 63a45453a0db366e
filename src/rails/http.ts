// The one outgoing HTTP client of the rails. It adds to undici: a client certificate, one deadline for a whole call, a limit on
// the size of the answer, and whether the request had been sent when something went wrong. No error text contains a path, a
// header or a body: these hold tax ids, keys and secrets.
import { Agent, type Dispatcher } from 'undici'
import { invariant } from '#/kernel/check.ts'
import { traceHeader } from '#/kernel/context.ts'
import { messageOf, NoAnswerError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { monotonicMs } from '#/kernel/time.ts'
import type { EndedCall } from './connection.ts'

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly signal?: AbortSignal
}

/** One call of a provider's API, as data: a method and a path, in which `{name}` stands for one part. */
export type Route = `${HttpRequest['method']} /${string}`

/**
 * All calls that a client makes. The client builds each request from this table. A test compares the table with the simulator,
 * and finds a call that the simulator never answered.
 */
export type Routes = Readonly<Record<string, Route>>

/** Returns the method, and the path with its parts filled in. A missing part is a bug of ours. */
export function requestTo(
  route: Route,
  parts: Readonly<Record<string, string>> = {},
): Pick<HttpRequest, 'method'> & { readonly path: string } {
  const [method, template] = route.split(' ') as [HttpRequest['method'], string]
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name]
    invariant(part !== undefined && part !== '', `${route} has its ${name}`)
    return encodeURIComponent(part)
  })
  return { method, path }
}

export type HttpAnswer = {
  readonly status: number
  /** Names in lower case; several of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type HttpClient = {
  /**
   * Sends one request and returns one answer, with any status; redirects are answers too. Throws NoAnswerError:
   * - `unavailable`: nothing was sent.
   * - `unknown`: the request was sent, or may have been, and no complete answer came. In TLS 1.3 this includes a server that
   *   rejects our certificate: the client may send before the server has checked it.
   */
  request(request: HttpRequest): Promise<HttpAnswer>
  /** Waits for calls under way, then closes all connections. */
  close(): Promise<void>
}

export type HttpClientOptions = {
  /** Called for each call that has ended, except those that we broke off. */
  readonly observe?: ((call: EndedCall) => void) | undefined
  /** Our client certificate: PEM texts, or a PKCS #12 file with its passphrase. */
  readonly tls?:
    | { readonly cert: string; readonly key: string }
    | { readonly pfx: Buffer; readonly passphrase: string }
  /** The authorities that we trust instead of the public ones: PEM. */
  readonly ca?: string
  /** From the DNS look-up to the end of the TLS handshake. */
  readonly connectMs: number
  /** From the call to the last byte of the answer, including the wait for a free connection. */
  readonly totalMs: number
  /** Per origin. */
  readonly maxConnections: number
  /** The longest answer that is read. Default: 1 MiB. */
  readonly answerBytesMax?: number
}

const defaultAnswerBytesMax = 1024 * 1024

/** A client that authenticates with `tls`. Its connections are kept and never shared with another client. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { tls = {}, ca, connectMs, totalMs, maxConnections, answerBytesMax = defaultAnswerBytesMax } = options
  const agent = new Agent({
    connections: maxConnections,
    allowH2: false,
    // We set one deadline for the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { ...tls, ...given({ ca }), timeout: connectMs, minVersion: 'TLSv1.2' },
  })
  return {
    request: (request) =>
      observed(options.observe, request, () => exchange(agent, request, { totalMs, answerBytesMax })),
    close: () => agent.close(),
  }
}

/** An answer with such a status says nothing about the request: the provider failed, or refuses all our calls. */
const isUseless = (status: number) => status >= 500 || [401, 403, 429].includes(status)

async function observed(
  observe: HttpClientOptions['observe'],
  { signal }: HttpRequest,
  call: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  if (observe === undefined) return call()
  const beganMs = monotonicMs()
  const tell = (fault: string | undefined) => observe({ ms: monotonicMs() - beganMs, ...given({ fault }) })
  try {
    const answer = await call()
    tell(isUseless(answer.status) ? `HTTP ${answer.status}` : undefined)
    return answer
  } catch (error) {
    if (signal?.aborted !== true) tell(messageOf(error))
    throw error
  }
}

/** Uses dispatch, because only a dispatch handler is notified when a request starts to be sent. */
function exchange(
  agent: Agent,
  request: HttpRequest,
  { totalMs, answerBytesMax }: { readonly totalMs: number; readonly answerBytesMax: number },
): Promise<HttpAnswer> {
  const url = URL.parse(request.url)
  invariant(url !== null && /^https?:$/.test(url.protocol), 'a provider is at an http(s) URL')
  const { method, headers = {}, body, signal } = request
  const options: Dispatcher.DispatchOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { ...headers, ...traceHeader() },
    body: body ?? null,
  }
  return new Promise((resolve, reject) => {
    const state: { controller?: Dispatcher.DispatchController; ended: boolean } = { ended: false }
    const fail = (why: string) => {
      if (state.ended) return
      end()
      const outcome = state.controller === undefined ? 'unavailable' : 'unknown'
      reject(new NoAnswerError(outcome, `${method} ${url.host}: ${why}`))
      state.controller?.abort(new Error(why))
    }
    const giveUp = () => fail('broken off by us')
    const timer = setTimeout(() => fail(`no answer within ${totalMs} ms`), totalMs)
    const end = () => {
      state.ended = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
    if (signal?.aborted) return giveUp()
    signal?.addEventListener('abort', giveUp, { once: true })
    const start = (controller: Dispatcher.DispatchController) => {
      // The caller has given up while the request waited for a connection: it must not be sent.
      if (state.ended) controller.abort(new Error('given up'))
      else state.controller = controller
    }
    const finish = (answer: HttpAnswer) => {
      if (state.ended) return
      end()
      resolve(answer)
    }
    agent.dispatch(options, createHandler({ start, fail, finish }, answerBytesMax))
  })
}

type Turns = {
  readonly start: (controller: Dispatcher.DispatchController) => void
  readonly fail: (why: string) => void
  readonly finish: (answer: HttpAnswer) => void
}

function createHandler({ start, fail, finish }: Turns, answerBytesMax: number): Dispatcher.DispatchHandler {
  let status = 0
  let headers: HttpAnswer['headers'] = {}
  let parts: Buffer[] = []
  let length = 0
  return {
    onRequestStart: start,
    onResponseStart(_controller, statusCode, sent) {
      // 1xx come before the final answer.
      if (statusCode < 200) return
      status = statusCode
      headers = flatten(sent)
    },
    onResponseData(_controller, part) {
      length += part.length
      if (length > answerBytesMax) {
        parts = []
        return fail(`the answer is over ${answerBytesMax} bytes`)
      }
      parts.push(part)
    },
    onResponseEnd: () => finish({ status, headers, body: Buffer.concat(parts) }),
    onResponseError: (_controller, error) => fail(codeOf(error)),
  }
}

function flatten(sent: Readonly<Record<string, string | string[] | undefined>>): HttpAnswer['headers'] {
  const entries = Object.entries(sent).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(entries)
}

/** The message of a network error can contain a name or a path; its code cannot. */
function codeOf(error: Error & { readonly code?: unknown; readonly cause?: unknown }): string {
  const { code, cause } = error
  if (typeof code === 'string') return code
  return cause instanceof Error ? codeOf(cause) : error.name
}
