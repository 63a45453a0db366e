// The connection of one client: first its token, then its requests.
import type { Socket } from 'node:net'
import type { Log } from '#/kernel/log.ts'
import { equalSecrets, sha256 } from '#/kernel/secret.ts'
import { secondMs } from '#/kernel/time.ts'
import type { Desk } from './desk.ts'
import type { Policy } from './policy-file.ts'
import {
  createLines,
  helloMax,
  lineMax,
  readHello,
  readRequest,
  writeLine,
  type Reply,
  type Request,
} from './protocol.ts'
import { readJson, ShapeError } from './shape.ts'

export type Answering = {
  readonly desk: Desk
  readonly token: Buffer
  readonly policy: Policy
  readonly log: Log
}

const helloTimeoutMs = 5 * secondMs

/** Requests of one connection that may be under way; with more, reading pauses until some are answered. */
const underWayMax = 256

/** How many bytes a client may leave unread before its connection is closed. */
const unreadMax = 4 * 1024 * 1024

/** How long a client may take to read its last answers when the signer ends. */
const partingMs = 500

/**
 * Serves one connection. A fault on it ends only this connection; its requests are still executed, and may be repeated.
 * Returns a function that ends the connection once all answers are sent.
 */
export function answerConnection(socket: Socket, answering: Answering): () => void {
  let isWelcome = false
  let underWay = 0
  const impatience = setTimeout(() => socket.destroy(), helloTimeoutMs)

  const hear = createLines(
    () => (isWelcome ? lineMax : helloMax),
    (line) => {
      if (socket.destroyed || socket.writableEnded) return
      if (isWelcome) void serve(line)
      else greet(line)
    },
  )
  socket.on('data', (chunk: Buffer) => {
    if (!hear(chunk)) refuse('a line is too long')
  })
  socket.on('error', () => socket.destroy())
  socket.once('close', () => clearTimeout(impatience))
  return () => {
    socket.end()
    setTimeout(() => socket.destroy(), partingMs).unref()
  }

  function greet(line: string): void {
    if (!knowsToken(line, answering.token)) {
      socket.end(writeLine({ welcome: false }))
      refuse('it does not know the token')
      return
    }
    clearTimeout(impatience)
    isWelcome = true
    socket.write(writeLine({ welcome: true }))
  }

  async function serve(line: string): Promise<void> {
    const read = readRequest(line)
    if (!('request' in read)) {
      // Without an id no answer can be sent.
      if (read.id === undefined) return refuse(read.fault)
      return write(read.id, { kind: 'refused', code: 'bad_request', reason: read.fault, mayExist: false })
    }
    underWay += 1
    if (underWay >= underWayMax) socket.pause()
    write(read.id, await replyTo(read.request, answering))
    underWay -= 1
    if (socket.isPaused()) socket.resume()
  }

  function write(id: number, reply: Reply): void {
    if (!socket.writable) return
    socket.write(writeLine({ id, ...reply }))
    if (socket.writableLength > unreadMax) refuse('it does not read')
  }

  function refuse(why: string): void {
    answering.log.warn({ why }, 'a connection was refused')
    if (socket.writableEnded) socket.destroySoon()
    else socket.destroy()
  }
}

async function replyTo(request: Request, { desk, policy }: Answering): Promise<Reply> {
  switch (request.op) {
    case 'sign':
      return await desk.sign(request.tx)
    case 'status':
      return { kind: 'status', status: desk.status() }
    case 'addresses': {
      const keys = policy.keys.map(({ address, purpose, chains }) => ({
        address,
        purpose,
        chainIds: chains.map(({ chainId }) => chainId),
      }))
      return { kind: 'addresses', keys }
    }
  }
}

/** Compares hashes, in constant time, so that not even the length leaks. */
function knowsToken(line: string, token: Buffer): boolean {
  try {
    const hello = readJson(line, readHello, 'the greeting')
    return equalSecrets(sha256(hello.token), sha256(token))
  } catch (error) {
    if (error instanceof ShapeError) return false
    throw error
  }
}
