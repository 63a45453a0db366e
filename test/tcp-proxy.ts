// A TCP proxy in front of PostgreSQL that loses connections at the worst moments, chosen by the statement that passes.
import { createServer, connect as connectTcp, type AddressInfo, type Socket } from 'node:net'

/**
 * The fate of a statement and its connection:
 * - `lost`: the server never receives it
 * - `answer lost`: the server executes it, the client never learns it
 * - `unanswered`: the server executes it and nothing comes back, but the connection stays
 * - `wait cut`: the server executes it, and says before its answer that it did not wait for the synchronous standby
 * - `answeredWith`: the server executes it, and the client gets an error with this SQLSTATE in place of the answer.
 */
export type Fate = 'lost' | 'answer lost' | 'unanswered' | 'wait cut' | { readonly answeredWith: string }

export type TcpProxy = AsyncDisposable & {
  /** The URL of the database through the proxy. */
  readonly url: string
  /** Open connections. */
  readonly connections: number
  /** How many connections were opened so far, those included that were greeted badly. */
  readonly opened: number
  /** Applies the fate to the next statement that matches. Resolves when it has. */
  strike(statement: RegExp, fate: Fate): Promise<void>
  /** Cuts every connection now. */
  cutAll(): void
  /** Passes nothing more on any open connection, and closes none: the other machine has lost its power. */
  muteAll(): void
  /** How new connections are greeted: normally, closed at once, or left without an answer. */
  greet(how: 'well' | 'by closing' | 'with silence'): void
}

type Blow = { readonly statement: RegExp; readonly fate: Fate; readonly done: () => void }
type Pair = { readonly client: Socket; readonly server: Socket; isMute: boolean }

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  const silent = new Set<Socket>()
  const blows: Blow[] = []
  let greeting: 'well' | 'by closing' | 'with silence' = 'well'

  let opened = 0
  const proxy = createServer((client) => {
    opened += 1
    client.on('error', () => {})
    if (greeting !== 'well') {
      silent.add(client)
      client.on('close', () => silent.delete(client)).resume()
      if (greeting === 'by closing') client.end()
      return
    }
    const server = connectTcp({ host: target.hostname, port: Number(target.port || 5432) })
    const pair = { client, server, isMute: false }
    pairs.add(pair)
    relay(pair, blows)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.searchParams.delete('host')
  url.port = String((proxy.address() as AddressInfo).port)

  const cutAll = () => {
    for (const { client, server } of pairs) {
      client.destroy()
      server.destroy()
    }
    for (const socket of silent) socket.destroy()
    silent.clear()
  }
  return {
    url: url.href,
    get connections() {
      return pairs.size
    },
    get opened() {
      return opened
    },
    strike: (statement, fate) => new Promise((done) => blows.push({ statement, fate, done })),
    cutAll,
    muteAll: () => pairs.forEach((pair) => (pair.isMute = true)),
    greet: (how) => {
      greeting = how
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => proxy.close(resolve))
      cutAll()
      await closed
    },
  }
}

function relay(pair: Pair, blows: Blow[]): void {
  const { client, server } = pair
  const read = statementReader()
  let isMute = false
  client.on('data', (bytes: Buffer) => {
    if (pair.isMute) return
    const blow = takeBlow(blows, read(bytes))
    if (blow === undefined) return void server.write(bytes)
    if (blow.fate === 'lost') {
      server.destroy()
      client.destroy()
      return blow.done()
    }
    if (blow.fate === 'wait cut') {
      server.prependOnceListener('data', () => {
        client.write(cutWaitWarning)
        blow.done()
      })
      return void server.write(bytes)
    }
    isMute = true
    server.once('data', () => {
      if (blow.fate === 'answer lost') client.destroy()
      if (typeof blow.fate === 'object') {
        client.write(errorAnswer(blow.fate.answeredWith))
        setImmediate(() => (isMute = false))
      }
      blow.done()
    })
    server.write(bytes)
  })
  server.on('data', (bytes: Buffer) => {
    if (!isMute && !pair.isMute) client.write(bytes)
  })
}

/** An ErrorResponse and ReadyForQuery outside of a transaction (PostgreSQL protocol 3.0, §54.7 and §54.8). */
function errorAnswer(code: string): Buffer {
  const error = message('E', ['SERROR', 'VERROR', `C${code}`, 'Mthe proxy answers this'])
  return Buffer.concat([error, Buffer.from('Z\0\0\0\x05I', 'latin1')])
}

/** What PostgreSQL says when `pg_cancel_backend` ends the wait of a COMMIT (src/backend/replication/syncrep.c). */
const cutWaitWarning = message('N', [
  'SWARNING',
  'VWARNING',
  'C01000',
  'Mcanceling wait for synchronous replication due to user request',
  'Fsyncrep.c',
  'RSyncRepWaitForLSN',
])

function message(type: 'E' | 'N', fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

function takeBlow(blows: Blow[], statements: readonly string[]): Blow | undefined {
  const index = blows.findIndex(({ statement }) => statements.some((each) => statement.test(each)))
  return index < 0 ? undefined : blows.splice(index, 1)[0]
}

/**
 * Reads the texts of the statements that a client executes (PostgreSQL protocol 3.0, §54.7): simple queries, and prepared statements,
 * which are known by their name, when they are bound.
 */
function statementReader(): (bytes: Buffer) => readonly string[] {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const statements: string[] = []
    for (;;) {
      // The first message has no type.
      const typeBytes = isStarted ? 1 : 0
      if (rest.length < typeBytes + 4) return statements
      const length = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < length) return statements
      const body = rest.subarray(typeBytes + 4, length)
      const [first = '', second = ''] = body.toString('latin1').split('\0', 2)
      const type = isStarted ? String.fromCharCode(rest[0] ?? 0) : ''
      if (type === 'Q') statements.push(first)
      if (type === 'P') prepared.set(first, second)
      if (type === 'B') statements.push(prepared.get(second) ?? '')
      rest = rest.subarray(length)
      isStarted = true
    }
  }
}
