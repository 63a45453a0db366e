// Loaded before the program (node --import): knows at every moment whether the code that runs is inside a database
// transaction, and notes each outgoing call that is made there. Law 3: no network call inside a transaction.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { GuardReport } from './network-reports.ts'

const seen = { transactions: 0, calls: 0 }
const violations: string[] = []
/** Where the database is: what goes there is what a transaction is made of. */
const databasePorts = new Set<number>()

/** The transaction that the running code belongs to, with everything that it started. */
const current = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs the work of a transaction: for watched-transaction.ts, which every part of the program gets in its place. */
export async function inTransaction<T>(work: () => T | Promise<T>): Promise<T> {
  const transaction = { isOpen: true }
  seen.transactions += 1
  try {
    return await current.run(transaction, work)
  } finally {
    transaction.isOpen = false
  }
}

export function exemptPort(port: number): void {
  databasePorts.add(port)
}

/** What was seen since the last call. */
export function takeReport(): GuardReport {
  const report = { ...seen, violations: violations.splice(0) }
  seen.transactions = 0
  seen.calls = 0
  return report
}

function outgoing(what: string): void {
  seen.calls += 1
  if (current.getStore()?.isOpen !== true) return
  const limit = Error.stackTraceLimit
  // Clients are deep, and who called them is what is asked for.
  Error.stackTraceLimit = 60
  violations.push(`${what} inside a transaction\n${new Error('made here').stack ?? ''}`)
  Error.stackTraceLimit = limit
}

// A kept connection is used again without a new socket, so requests are watched besides sockets.
subscribe('http.client.request.created', () => outgoing('an HTTP request'))
subscribe('undici:request:create', () => outgoing('a fetch'))

// Every socket of node:net and node:tls is connected by this one.
const connect = Reflect.get(Socket.prototype, 'connect') as (...args: unknown[]) => Socket
Reflect.set(Socket.prototype, 'connect', function (this: Socket, ...args: unknown[]): Socket {
  const port = portOf(args)
  if (port === undefined || !databasePorts.has(port)) outgoing(`a connection to ${port ?? 'somewhere'}`)
  return Reflect.apply(connect, this, args)
})

/** From `connect(options)`, `connect(port)`, or the list in which node:net wraps its own arguments. */
function portOf(args: readonly unknown[]): number | undefined {
  const [first] = args
  if (Array.isArray(first)) return portOf(first)
  const port: unknown = typeof first === 'object' && first !== null && 'port' in first ? first.port : first
  return typeof port === 'number' || typeof port === 'string' ? Number(port) : undefined
}

const original = new URL('../../src/db/transaction.ts', import.meta.url).href
const watched = new URL('./watched-transaction.ts', import.meta.url).href
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return found.url === original && context.parentURL !== watched ? { ...found, url: watched } : found
  },
})

const folder = process.env['NETWORK_GUARD_REPORTS']
if (folder !== undefined) {
  // As config.ts has it: the embedded PostgreSQL listens twenty above the API.
  exemptPort(Number(process.env['PORT']) + 20)
  process.on('exit', () => {
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(takeReport()))
  })
}
