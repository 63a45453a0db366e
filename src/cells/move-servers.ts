// What a move reads and does at the two servers. Each act may be repeated.
import type { Sql } from '#/db/client.ts'
import { repeated } from '#/db/migrator.ts'
import { secondMs, sleep } from '#/kernel/time.ts'
import type { ServerFacts } from './move-decision.ts'
import * as queries from './server-queries.ts'

const pollMs = 50
/** object_in_use. */
const inUse: ReadonlySet<string> = new Set(['55006'])
const dropMs = 30 * secondMs

/** Servers are `host:port`. */
export type MoveServers = {
  facts(server: string): Promise<ServerFacts>
  /** How many bytes of the source's log the target has not replayed. */
  behindBytes(source: string, target: string): Promise<number>
  /** From now on the server keeps its log until the target has read it. */
  keepSlot(server: string): Promise<void>
  dropSlot(server: string): Promise<void>
  /** Lets nobody into the cell's database any more, or everybody again. */
  setOpen(server: string, isOpen: boolean): Promise<void>
  /** Ends all sessions of the cell's database, which is closed. Returns where the log ends then: no commit is after it. */
  empty(server: string, signal: AbortSignal): Promise<string>
  /** Resolves when the target has everything until there. Rejects when `signal` is aborted first. */
  awaitReplay(target: string, lsn: string, signal: AbortSignal): Promise<void>
  /** False: the standby did not become a primary in time. */
  promote(target: string, seconds: number): Promise<boolean>
}

/** `at`: a client of a server as a superuser, in another database than the cell's, which is called `database`. */
export function moveServers(at: (server: string) => Sql, database: string): MoveServers {
  return {
    async facts(server) {
      const facts = await queries.selectServerFacts(at(server), database)
      const admitsReplication = facts.isSuperuser && (await queries.selectAdmitsReplication(at(server)))
      return { ...facts, admitsReplication }
    },
    behindBytes: (source, target) => queries.selectBehindBytes(at(source), at(target)),
    keepSlot: (server) => queries.keepSlot(at(server)),
    // A standby that lost its connection waits for seconds before it connects once more.
    dropSlot: (server) => repeated(inUse, dropMs, () => queries.dropSlot(at(server))),
    setOpen: (server, isOpen) => queries.setOpen(at(server), database, isOpen),
    async empty(server, signal) {
      const sql = at(server)
      // Those that begin later are not let in.
      const starting = new Set(await queries.selectStarting(sql, database))
      for (;;) {
        const left = (await queries.selectStarting(sql, database)).filter((pid) => starting.has(pid))
        const ended = await queries.terminateSessions(sql, database)
        if (left.length === 0 && ended === 0) return queries.flushLog(sql)
        await pause(signal)
      }
    },
    async awaitReplay(target, lsn, signal) {
      while (!(await queries.selectIsReplayed(at(target), database, lsn))) await pause(signal)
    },
    promote: (target, seconds) => queries.promote(at(target), seconds),
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await sleep(pollMs)
}
