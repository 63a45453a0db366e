// One signed POST to a URL that a merchant chose. Every outcome is returned as data: nothing here throws.
import http from 'node:http'
import https from 'node:https'
import { given } from '#/kernel/given.ts'
import { monotonicMs } from '#/kernel/time.ts'
import {
  AddressRefused,
  checkUrl,
  createResolve,
  guardedLookup,
  hostOf,
  type GuardPolicy,
  type Resolve,
} from './guard.ts'

/** Why there was no answer. */
export const sendErrors = [
  'timeout',
  'url_not_allowed',
  'address_not_allowed',
  'name_not_found',
  'connection_refused',
  'connection_failed',
  'tls_failed',
  'invalid_response',
] as const
export type SendError = (typeof sendErrors)[number]

export type Answer =
  | {
      readonly durationMs: number
      readonly responseStatus: number
      /** The first 4 KiB, as text. */
      readonly responseBody: string
      readonly retryAfter?: string
    }
  | { readonly durationMs: number; readonly error: SendError }

export type Sender = {
  /** Sends `body` as it is. Redirects are answers like any other: they are never followed. */
  send(message: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Buffer
  }): Promise<Answer>
  /** Breaks off all sends under way and closes all connections. */
  close(): void
}

export type SenderOptions = {
  readonly policy: GuardPolicy
  readonly resolve?: Resolve
  /** From the look-up of the name to the end of the TLS handshake. */
  readonly connectMs?: number
  /** From the call of `send` to the end of the answer. */
  readonly totalMs?: number
}

/** How much of an answer is read before the connection is closed, and how much of that is kept. */
const readBytesMax = 65_536
const keptBytesMax = 4_096

/** How long a connection stays open for the next delivery: less than the usual five seconds of receivers. */
const idleMs = 4_000

/**
 * Senders of different policies share no connection: a connection that one policy allowed must not be reused under the other.
 */
export function createSender(options: SenderOptions): Sender {
  const agent = { keepAlive: true, timeout: idleMs, maxFreeSockets: 64 }
  const agents = { 'http:': new http.Agent(agent), 'https:': new https.Agent(agent) }
  const lookup = guardedLookup(options.policy, options.resolve ?? createResolve())
  const connectMs = options.connectMs ?? 5_000
  const totalMs = options.totalMs ?? 15_000

  return {
    async send({ url: text, headers, body }) {
      const startedMs = monotonicMs()
      const verdict = checkUrl(text, options.policy)
      if (!verdict.ok) {
        const error = verdict.fault.code === 'address_not_allowed' ? verdict.fault.code : 'url_not_allowed'
        return { durationMs: 0, error }
      }
      const { url } = verdict
      const secure = url.protocol === 'https:'
      const call: http.RequestOptions = {
        method: 'POST',
        protocol: url.protocol,
        hostname: hostOf(url),
        port: url.port,
        path: url.pathname + url.search,
        agent: secure ? agents['https:'] : agents['http:'],
        lookup,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          'user-agent': 'Vintem-Webhooks/1',
          ...headers,
        },
      }
      const patience = { connectMs, deadlineMs: startedMs + totalMs }
      let outcome = await exchange(secure, call, body, patience)
      // The receiver closed a kept connection at the moment we used it, so it got nothing of the call.
      if (outcome === 'stale') outcome = await exchange(secure, call, body, patience)
      const durationMs = Math.round(monotonicMs() - startedMs)
      return { durationMs, ...(outcome === 'stale' ? { error: 'connection_failed' } : outcome) }
    },
    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

type Outcome =
  | { readonly responseStatus: number; readonly responseBody: string; readonly retryAfter?: string }
  | { readonly error: SendError }
  | 'stale'

class TookTooLong extends Error {}

/** One request on one connection. */
function exchange(
  secure: boolean,
  call: http.RequestOptions,
  body: Buffer,
  patience: { readonly connectMs: number; readonly deadlineMs: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = secure ? https.request(call) : http.request(call)
    const giveUp = () => request.destroy(new TookTooLong())
    const timers = [setTimeout(giveUp, Math.max(0, patience.deadlineMs - monotonicMs()))]
    const finish = (outcome: Outcome) => {
      for (const timer of timers) clearTimeout(timer)
      resolve(outcome)
    }
    request.on('socket', (socket) => {
      if (request.reusedSocket) return
      const timer = setTimeout(giveUp, patience.connectMs)
      timers.push(timer)
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(timer))
    })
    let answered = false
    request.on('response', (response) => {
      answered = true
      readAnswer(request, response, finish)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (answered) return
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      finish(stale ? 'stale' : { error: nameOf(error) })
    })
    // For a connection that ends without an answer and without an error.
    request.on('close', () => {
      if (!answered) finish({ error: 'connection_failed' })
    })
    request.end(body)
  })
}

/** Only the status counts. The body is kept for people to read, as far as it arrives. */
function readAnswer(
  request: http.ClientRequest,
  response: http.IncomingMessage,
  finish: (outcome: Outcome) => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  let over = false
  const done = () => {
    if (over) return
    over = true
    const retryAfter = response.headers['retry-after']
    finish({
      responseStatus: response.statusCode ?? 0,
      responseBody: keptText(chunks, bytes),
      ...given({ retryAfter }),
    })
  }
  response.on('data', (chunk: Buffer) => {
    if (bytes < keptBytesMax) chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= readBytesMax) return
    done()
    request.destroy()
  })
  response.on('end', done)
  response.on('error', done)
  response.on('close', done)
}

/** Text that the database can store, for any bytes. */
function keptText(chunks: readonly Buffer[], bytes: number): string {
  const text = Buffer.concat(chunks).toString('utf8', 0, Math.min(bytes, keptBytesMax))
  const whole = bytes > keptBytesMax ? text.replace(/\ufffd$/, '') : text
  return whole.replaceAll('\0', '\ufffd')
}

function nameOf(error: NodeJS.ErrnoException): SendError {
  if (error instanceof TookTooLong) return 'timeout'
  if (error instanceof AddressRefused) return 'address_not_allowed'
  const code = error.code ?? ''
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (code === 'ETIMEDOUT' || code === 'ETIMEOUT') return 'timeout'
  if (/^(?:ENOTFOUND|ENODATA|ESERVFAIL|EAI_)/.test(code)) return 'name_not_found'
  if (/^(?:HPE_|ERR_HTTP)/.test(code)) return 'invalid_response'
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code)) return 'tls_failed'
  return 'connection_failed'
}
