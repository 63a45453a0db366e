// How others ask the signer. Holds no key and needs none: what it gets are signed transactions.
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
   * Signs a transaction. Asked again for the same one, the signer gives the same bytes, so after `unavailable` and
   * `unknown` it may be asked again at any time.
   */
  sign(tx: Transaction): Promise<SignedTransaction>
  status(): Promise<readonly SignerStatus[]>
  /** Ends the connection; the next call opens another. */
  close(): void
}

/**
 * - `refused`: the policy says no, and nothing was ever signed for this reference. `code` tells why.
 * - `unavailable`: nothing was asked or nothing was done.
 * - `unknown`: it may have been signed. With a `code`, the policy says no to this request, but something was signed for its
 *   reference before.
 */
export class SignerError extends ProviderError {
  override name = 'SignerError'
  readonly code: RefusalCode | undefined

  constructor(outcome: ProviderError['outcome'], detail: string, code?: RefusalCode) {
    super(outcome, detail)
    this.code = code
  }

  /** Refused for now: the same request may pass when some of the last 24 hours is over. */
  get isForNow(): boolean {
    return this.code === 'daily_cap_exceeded' || this.code === 'daily_fee_cap_exceeded'
  }
}

/** The token that the signer's askers share with it, out of a file that is its owner's alone. */
export function readSignerToken(path: string): string {
  return readSecretFile(path).toString()
}

/** Asks the signer at this socket. Opens one connection when it is needed, and another when that one broke. */
export function createSignerClient(options: SignerClientOptions): SignerClient {
  let line: Promise<Line> | undefined

  async function ask(request: Request): Promise<Reply> {
    line ??= keepLine()
    const opened = await line
    return await opened.ask(request)
  }

  function keepLine(): Promise<Line> {
    const kept: Promise<Line> = openLine(options, () => {
      if (line === kept) line = undefined
    })
    return kept
  }

  return {
    async addresses() {
      const reply = await ask({ op: 'addresses' })
      return reply.kind === 'addresses' ? reply.keys : fail(reply)
    },
    async sign(tx) {
      const reply = await ask({ op: 'sign', tx })
      return reply.kind === 'signed' ? reply.signed : fail(reply)
    },
    async status() {
      const reply = await ask({ op: 'status' })
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

type Line = { ask(request: Request): Promise<Reply>; close(): void }
type Pending = {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Connects and shows the token. Rejects as unavailable when that fails: nothing was asked yet. */
async function openLine(
  { socketPath, token, timeoutMs }: SignerClientOptions,
  onGone: () => void,
): Promise<Line> {
  const socket = connect(socketPath)
  const pending = new Map<number, Pending>()
  const welcome = Promise.withResolvers<void>()
  let isWelcome = false
  let lastId = 0

  const hear = createLines(
    // A reply is not much longer than its request.
    () => 2 * lineMax,
    (text) => {
      if (isWelcome) take(text)
      else if (readJson(text, readWelcome, 'the welcome').welcome) welcome.resolve()
      else welcome.reject(new SignerError('unavailable', 'the signer does not know our token'))
      isWelcome = true
    },
  )
  socket.on('data', (chunk: Buffer) => {
    try {
      if (!hear(chunk)) socket.destroy()
    } catch {
      // Whatever answers there is no signer.
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
  // A line that nobody waits on keeps no process alive.
  socket.unref()
  return { ask, close: () => void socket.end() }

  function ask(request: Request): Promise<Reply> {
    if (!socket.writable)
      return Promise.reject(new SignerError('unavailable', 'the connection to the signer broke'))
    const id = ++lastId
    return new Promise((resolve, reject) => {
      // One that keeps silent for one request keeps silent for all: the next call opens another line.
      const timer = setTimeout(() => socket.destroy(), timeoutMs)
      pending.set(id, { resolve, reject, timer })
      socket.ref()
      socket.write(writeLine(wire(id, request)))
    })
  }

  function take(text: string): void {
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
