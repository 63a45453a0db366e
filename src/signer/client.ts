// The client of the signer. It holds no key: it only receives signed transactions.
import { connect } from 'node:net'
import { ProviderError } from '#/kernel/error.ts'
import { readSecretFile } from './private-files.ts'
import {
  createLines,
  lineMax,
  readReply,
  readWelcome,
  writeLine,
  type RefusalCode,
  type Reply,
  type Request,
  type SignerKey,
  type SignerStatus,
} from './protocol.ts'
import { readJson } from './shape.ts'
import { writeTransaction, type SignedTransaction, type Transaction } from './transaction.ts'

export type SignerClientOptions = {
  readonly socketPath: string
  readonly token: string
  /** For a connection, and for each answer. */
  readonly timeoutMs: number
}

/** Every call rejects with SignerError alone. */
export type SignerClient = {
  addresses(): Promise<readonly SignerKey[]>
  /**
   * Signs a transaction. The signer returns the same bytes for the same request, so after `unavailable` and
   * `unknown` the request may be repeated at any time.
   */
  sign(tx: Transaction): Promise<SignedTransaction>
  status(): Promise<readonly SignerStatus[]>
  /** Closes the connection; the next call opens a new one. */
  close(): void
}

/**
 * - `refused`: the policy does not allow it, and nothing was ever signed for this reference. `code` says why.
 * - `unavailable`: the request was not sent or not executed.
 * - `unknown`: it may have been signed. With a `code`, the policy does not allow this request, but something was signed for its
 *   reference before.
 */
export class SignerError extends ProviderError {
  override name = 'SignerError'
  readonly code: RefusalCode | undefined

  constructor(outcome: ProviderError['outcome'], detail: string, code?: RefusalCode) {
    super(outcome, detail)
    this.code = code
  }

  /** Refused for now: the same request may pass later, when earlier amounts leave the window of 24 hours. */
  get isForNow(): boolean {
    return this.code === 'daily_cap_exceeded' || this.code === 'daily_fee_cap_exceeded'
  }
}

/** The token that the signer shares with its clients, from a file that only its owner can read. */
export function readSignerToken(path: string): string {
  return readSecretFile(path).toString()
}

/** A client of the signer at this socket. Opens a connection when it is needed, and a new one after it broke. */
export function createSignerClient(options: SignerClientOptions): SignerClient {
  let line: Promise<Connection> | undefined

  async function send(request: Request): Promise<Reply> {
    line ??= keepConnection()
    const opened = await line
    return await opened.send(request)
  }

  function keepConnection(): Promise<Connection> {
    const kept: Promise<Connection> = openConnection(options, () => {
      if (line === kept) line = undefined
    })
    return kept
  }

  return {
    async addresses() {
      const reply = await send({ op: 'addresses' })
      return reply.kind === 'addresses' ? reply.keys : fail(reply)
    },
    async sign(tx) {
      const reply = await send({ op: 'sign', tx })
      return reply.kind === 'signed' ? reply.signed : fail(reply)
    },
    async status() {
      const reply = await send({ op: 'status' })
      return reply.kind === 'status' ? reply.status : fail(reply)
    },
    close() {
      void line?.then(
        (opened) => opened.close(),
        () => {},
      )
      line = undefined
    },
  }
}

type Connection = { send(request: Request): Promise<Reply>; close(): void }
type Pending = {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Connects and sends the token. Rejects as unavailable when that fails: no request was sent yet. */
async function openConnection(
  { socketPath, token, timeoutMs }: SignerClientOptions,
  onGone: () => void,
): Promise<Connection> {
  const socket = connect(socketPath)
  const pending = new Map<number, Pending>()
  const welcome = Promise.withResolvers<void>()
  let isWelcome = false
  let lastId = 0

  const hear = createLines(
    // A reply is not much longer than its request.
    () => 2 * lineMax,
    (text) => {
      if (isWelcome) handleReply(text)
      else if (readJson(text, readWelcome, 'the welcome').welcome) welcome.resolve()
      else welcome.reject(new SignerError('unavailable', 'the signer does not know our token'))
      isWelcome = true
    },
  )
  socket.on('data', (chunk: Buffer) => {
    try {
      if (!hear(chunk)) socket.destroy()
    } catch {
      // A peer that sends anything else is no signer.
      socket.destroy()
    }
  })
  socket.once('error', () => socket.destroy())
  socket.once('close', () => {
    onGone()
    welcome.reject(new SignerError('unavailable', `no signer answers at ${socketPath}`))
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer)
      reject(new SignerError('unknown', 'the connection to the signer broke'))
    }
    pending.clear()
  })
  socket.setTimeout(timeoutMs, () => socket.destroy())
  socket.write(writeLine({ hello: 1, token }))
  try {
    await welcome.promise
  } catch (error) {
    socket.destroy()
    throw error
  }
  socket.setTimeout(0)
  // A connection without a waiting request must not keep the process alive.
  socket.unref()
  return { send, close: () => void socket.end() }

  function send(request: Request): Promise<Reply> {
    if (!socket.writable)
      return Promise.reject(new SignerError('unavailable', 'the connection to the signer broke'))
    const id = ++lastId
    return new Promise((resolve, reject) => {
      // A signer that does not answer one request answers none: the next call opens another connection.
      const timer = setTimeout(() => socket.destroy(), timeoutMs)
      pending.set(id, { resolve, reject, timer })
      socket.ref()
      socket.write(writeLine(wire(id, request)))
    })
  }

  function handleReply(text: string): void {
    const { id, ...reply } = readJson(text, readReply, 'the reply')
    const waiting = pending.get(id)
    if (waiting === undefined) return
    clearTimeout(waiting.timer)
    pending.delete(id)
    if (pending.size === 0) socket.unref()
    waiting.resolve(reply)
  }
}

function wire(id: number, request: Request): unknown {
  return request.op === 'sign' ? { id, op: request.op, tx: writeTransaction(request.tx) } : { id, ...request }
}

function fail(reply: Reply): never {
  if (reply.kind === 'refused')
    throw new SignerError(reply.mayExist ? 'unknown' : 'refused', reply.reason, reply.code)
  if (reply.kind === 'unavailable' || reply.kind === 'unknown')
    throw new SignerError(reply.kind, reply.reason)
  throw new SignerError('unknown', `the signer answered ${reply.kind} to something else`)
}
