// One asker's connection: its token first, then its requests.
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

/** Requests of one connection that may be under way; then it is not read until some are answered. */
const underWayMax = 256

/** What an asker may leave unread before it is given up. */
const unreadMax = 4 * 1024 * 1024

/** How long an asker may take to read its last answers when the signer ends. */
const partingMs = 500

/**
 * Answers one connection. Whatever goes wrong with it ends it and nothing else; what it had asked for is done, and may be
 * asked for again. Returns what ends it once all answers are out.
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
    if (!hear(chunk)) turnAway('a line is too long')
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
      turnAway('it does not know the token')
      return
    }
    clearTimeout(impatience)
    isWelcome = true
    socket.write(writeLine({ welcome: true }))
  }

  async function serve(line: string): Promise<void> {
    const read = readRequest(line)
    if (!('request' in read)) {
      // Without an id nobody can be told.
      if (read.id === undefined) return turnAway(read.fault)
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
    if (socket.writableLength > unreadMax) turnAway('it does not read')
  }

  function turnAway(why: string): void {
    answering.log.warn({ why }, 'a connection was turned away')
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

/** Compared as hashes, in constant time, so that not even the length tells. */
function knowsToken(line: string, token: Buffer): boolean {
  try {
    const hello = readJson(line, readHello, 'the greeting')
    return equalSecrets(sha256(hello.token), sha256(token))
  } catch (error) {
    if (error instanceof ShapeError) return false
    throw error
  }
}
