// Transactions that end with their connection. When the connection of a transaction is lost, the driver uses the same
// connection object for a new connection at the next query. Then:
// - a statement that the transaction's code still sends runs outside of the transaction and is committed at once;
// - its `commit` or `rollback` ends another transaction;
// - or a write into the closed socket ends the process.
// So each transaction has its own client with one connection, which is discarded when that connection closes. From then on no
// statement of the transaction reaches the client. Nor does a statement that a part of its work sends after the whole has
// failed, because it would be committed by itself.
import type postgres from 'postgres'
import { invariant, InvariantError } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import { classify, ConnectionLost, notReplicated, spendsConnection } from './failure.ts'
import { lengthened } from './limits.ts'
import type { Primary } from './primary.ts'
import { type Types, answeredBy, withoutHoles } from './statement.ts'

type Client = postgres.Sql<Types>
type Tx = postgres.TransactionSql<Types>
type Work<T> = (tx: Tx) => T | Promise<T>

export type Transactions = {
  /**
   * Runs `work` between BEGIN (with these options) and COMMIT. Rejects only after `work` has ended. When what the connection has prepared
   * is stale, `work` runs once more on a new one; not after an error of the COMMIT, which may have been carried out all the same.
   */
  begin<T>(options: string, work: Work<T>): Promise<T>
  end(options: { readonly timeout?: number }): Promise<void>
}

/** What a client of the driver reports besides answers. */
export type ClientEvents = {
  readonly onClose: () => void
  /** A COMMIT of this client is about to be answered with success, although it did not wait for the synchronous standby. */
  readonly onCutWait: () => void
}

/** The default of `spanMs`. */
export const usualSpanMs = 30 * secondMs

export type TransactionLimits = {
  /** The maximum of concurrent transactions; others wait for their turn. */
  readonly max: number
  /** The time limit from BEGIN to COMMIT; after it the connection is discarded. Zero: no limit, in the database too. */
  readonly spanMs: number
  /** Called with the time that each transaction waited for its turn, for metrics. */
  readonly onWait?: ((ms: number) => void) | undefined
  /** Rejects transactions that get no answer because their server is gone. */
  readonly attend?: Primary['attend']
}

/**
 * Limits that the database enforces, because a process that is stopped, or whose machine is gone, must not lock a row for ever.
 * `set local` sets them, so a pooler may be in between. A transaction that needs shorter limits sets its own.
 */
function limitsOf({ parameters }: Client, spanMs: number): string {
  // A client with a longer limit, such as a test that fills a table, may use it for one statement too.
  const isPatient = spanMs > lengthened(usualSpanMs)
  const mostMs = isPatient ? spanMs : lengthened(5 * secondMs)
  const idleMs = isPatient ? spanMs : lengthened(3 * secondMs)
  const limits = `set local lock_timeout = ${lengthened(2 * secondMs)}; set local statement_timeout = ${mostMs};
    set local idle_in_transaction_session_timeout = ${idleMs}`
  // While a client is stopped between two messages of one statement, the transaction is not idle and no statement runs. Only the
  // limit of the whole transaction ends it, which PostgreSQL has since 17 (manual, 20.11.1).
  const version = Number.parseInt(String(parameters['server_version']), 10)
  return version >= 17 ? `${limits}; set local transaction_timeout = ${mostMs}` : limits
}

/** `open` creates a client with one connection, and reports when that connection closes. */
export function createTransactions(
  open: (events: ClientEvents) => Client,
  limits: TransactionLimits,
): Transactions {
  const { max, onWait } = limits
  const lines = new Set<Line>()
  const idle: Line[] = []
  const waiting: PromiseWithResolvers<Line>[] = []
  let isEnded = false

  function acquire(): Promise<Line> | Line {
    if (isEnded) throw new ConnectionLost('the database client was ended', 'CONNECTION_ENDED')
    const free = idle.pop()
    if (free !== undefined) return free
    if (lines.size < max) return openNew()
    const turn = Promise.withResolvers<Line>()
    waiting.push(turn)
    return turn.promise
  }

  function openNew(): Line {
    const line = openLine(open, () => {
      lines.delete(line)
      const place = idle.indexOf(line)
      if (place >= 0) idle.splice(place, 1)
    })
    lines.add(line)
    return line
  }

  function release(line: Line): void {
    const next = waiting.shift()
    if (next !== undefined) next.resolve(line.error === undefined ? line : openNew())
    else if (line.error === undefined) idle.push(line)
  }

  async function runOnce<T>(options: string, work: Work<T>, progress: Progress): Promise<T> {
    const sinceMs = monotonicMs()
    const line = await acquire()
    onWait?.(monotonicMs() - sinceMs)
    try {
      return await runOn(line, options, work, { ...limits, progress })
    } finally {
      release(line)
    }
  }

  return {
    async begin(options, work) {
      const progress: Progress = { isCommitting: false }
      try {
        return await runOnce(options, work, progress)
      } catch (error) {
        // After an error of the COMMIT only the database knows whether the transaction is written.
        if (classify(error) !== 'stale' || progress.isCommitting) throw error
        // The others have prepared the same statements. The failed transaction has written nothing.
        for (const line of idle.splice(0)) line.die(new ConnectionLost(messageOf(error), 'CONNECTION_CLOSED'))
        return runOnce(options, work, progress)
      }
    },
    async end(options) {
      isEnded = true
      const error = new ConnectionLost('the database client was ended', 'CONNECTION_ENDED')
      for (const turn of waiting.splice(0)) turn.reject(error)
      await Promise.all([...lines].map((line) => line.client.end(options)))
    },
  }
}

/**
 * A line: a client with one connection, and the `reject` functions of its unanswered statements. It is dead when that
 * connection is lost.
 */
type Line = {
  readonly client: Client
  readonly unanswered: Set<(error: ConnectionLost) => void>
  /** Rejects when the connection is lost. */
  readonly death: Promise<never>
  /** Why the connection was lost. */
  error?: ConnectionLost
  die(error: ConnectionLost): void
}

function openLine(open: (events: ClientEvents) => Client, onDeath: () => void): Line {
  const death = Promise.withResolvers<never>()
  death.promise.catch(() => {})
  const line: Line = {
    client: open({
      onClose: () =>
        line.die(new ConnectionLost('the connection to the database closed', 'CONNECTION_CLOSED')),
      // This comes before the answer to the COMMIT, which then finds the line dead.
      onCutWait: () => line.die(notReplicated()),
    }),
    unanswered: new Set(),
    death: death.promise,
    die(error) {
      if (line.error !== undefined) return
      line.error = error
      onDeath()
      // The driver settles statements that it has sent, but not those that it still queues.
      for (const reject of line.unanswered) reject(error)
      death.reject(error)
      line.client.end({ timeout: 0 }).catch(() => {})
    },
  }
  return line
}

/** `isCommitting`: the work has succeeded, so the COMMIT may have been sent. */
type Progress = { isCommitting: boolean }

async function runOn<T>(
  line: Line,
  options: string,
  work: Work<T>,
  { spanMs, attend, progress }: TransactionLimits & { readonly progress: Progress },
): Promise<T> {
  const result: { value?: T } = {}
  let running: Promise<void> | undefined
  const timer = spanMs > 0 ? setTimeout(() => line.die(tooLong(spanMs)), spanMs) : undefined
  const attended = attend?.(line.die)
  try {
    const transaction = line.client.begin(options, (tx) => {
      const scope = { line, isOver: false }
      // Sent together with the first statement of the work. If it fails, the transaction fails.
      const handle = watch(tx, scope)
      if (spanMs > 0) handle.unsafe(limitsOf(line.client, spanMs)).catch(() => {})
      running = run(work, handle, result).finally(() => {
        scope.isOver = true
      })
      // The driver sends COMMIT or ROLLBACK when this promise settles. On a dead line it must send neither, so the promise never settles.
      return running.then(
        () => {
          progress.isCommitting = true
          return line.error === undefined ? undefined : never()
        },
        (error: unknown) => (line.error === undefined ? Promise.reject(asError(error)) : never()),
      )
    })
    await Promise.race([transaction, line.death])
  } catch (error) {
    if (spendsConnection(error)) line.die(new ConnectionLost(messageOf(error), 'CONNECTION_CLOSED'))
    throw error
  } finally {
    clearTimeout(timer)
    attended?.()
    // A second run of the work must not overlap the first.
    await running?.catch(() => {})
  }
  invariant('value' in result, 'a transaction that was committed has a result')
  return result.value
}

async function run<T>(work: Work<T>, tx: Tx, result: { value?: T }): Promise<void> {
  result.value = await work(tx)
}

function never(): Promise<never> {
  return new Promise(() => {})
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

function tooLong(spanMs: number): ConnectionLost {
  return new ConnectionLost(`a transaction took longer than ${spanMs} ms`, 'ETIMEDOUT')
}

/** A transaction on a line. It is over as soon as its work has ended, even if a part of the work still runs. */
type Scope = { readonly line: Line; isOver: boolean }

/** The transaction's handle, with `watched` applied to every statement. */
function watch(tx: Tx, scope: Scope): Tx {
  return new Proxy(tx, {
    apply: (target, self, args): unknown => watched(Reflect.apply(target, self, args), scope),
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name)
      if ((name !== 'unsafe' && name !== 'file') || typeof member !== 'function') {
        invariant(name !== 'savepoint', 'transactions have no savepoints here')
        return member
      }
      return (...args: unknown[]): unknown => watched(Reflect.apply(member, target, args), scope)
    },
  })
}

/**
 * The same statement, bound to its transaction. After the connection was lost, or after the end of the transaction, it is
 * refused and not sent. It rejects when the connection is lost before the answer.
 */
function watched<Made>(made: Made, scope: Scope): Made {
  const { line } = scope
  return answeredBy(made, (send) => {
    if (line.error !== undefined) return Promise.reject(line.error)
    if (scope.isOver)
      return Promise.reject(new InvariantError('a statement was sent after the end of its transaction'))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const settled = () => line.unanswered.delete(reject)
    line.unanswered.add(reject)
    send(
      (result) => {
        settled()
        resolve(withoutHoles(result))
      },
      (error) => {
        settled()
        reject(error)
      },
    )
    return promise
  })
}
