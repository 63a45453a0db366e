// Loaded before the program (node --import). Tracks whether the running code is inside a database transaction, and records each outgoing
// call that is made there. Law 3: no network call inside a transaction.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { GuardReport } from './network-reports.ts'

const counted = { transactions: 0, calls: 0 }
const violations: string[] = []
/** The database's addresses, ports and paths of Unix sockets: calls to them are what a transaction consists of. */
const databases = new Set<number | string>()

/** The transaction that the running code belongs to, together with everything it started. */
const current = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs the work of a transaction. Called by watched-transaction.ts, which the program loads in place of its own module. */
export async function inTransaction<T>(work: () => T | Promise<T>): Promise<T> {
  const transaction = { isOpen: true }
  counted.transactions += 1
  try {
    return await current.run(transaction, work)
  } finally {
    transaction.isOpen = false
  }
}

export function exempt(address: number | string): void {
  databases.add(address)
}

/** What was recorded since the last call. */
export function takeReport(): GuardReport {
  const report = { ...counted, violations: violations.splice(0) }
  counted.transactions = 0
  counted.calls = 0
  return report
}

function outgoing(what: string): void {
  counted.calls += 1
  if (current.getStore()?.isOpen !== true) return
  const limit = Error.stackTraceLimit
  // Clients are deep, and the stack must reach their caller.
  Error.stackTraceLimit = 60
  violations.push(`${what} inside a transaction\n${new Error('made here').stack ?? ''}`)
  Error.stackTraceLimit = limit
}

// A kept connection is reused without a new socket, so requests are watched besides sockets.
subscribe('http.client.request.created', () => outgoing('an HTTP request'))
subscribe('undici:request:create', () => outgoing('a fetch'))

// Every socket of node:net and node:tls is connected by this one.
const connect = Reflect.get(Socket.prototype, 'connect') as (...args: unknown[]) => Socket
Reflect.set(Socket.prototype, 'connect', function (this: Socket, ...args: unknown[]): Socket {
  const address = addressOf(args)
  if (address === undefined || !databases.has(address)) outgoing(`a connection to ${address ?? 'somewhere'}`)
  return Reflect.apply(connect, this, args)
})

/** From `connect(options)`, `connect(port)`, `connect(path)`, or the list in which node:net wraps its own arguments. */
function addressOf(args: readonly unknown[]): number | string | undefined {
  const [first] = args
  if (Array.isArray(first)) return addressOf(first)
  const named = (name: 'path' | 'port'): unknown =>
    typeof first === 'object' && first !== null ? Reflect.get(first, name) : first
  const [path, port] = [named('path'), named('port')]
  if (typeof path === 'string' && path.startsWith('/')) return path
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
  exempt(Number(process.env['PORT']) + 20)
  process.on('exit', () => {
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(takeReport()))
  })
}
