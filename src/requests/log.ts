// The request log's queue. A call is noted in memory after its answer, and written with others about once a second on a connection of
// its own. The log may lose calls, and nothing waits for it: with the database away or slow, calls are dropped and counted.
import { waitForNoDisk, type Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { LoggedCall } from './call.ts'
import { createLines, type Lines } from './lines.ts'
import { writeChunks } from './queries.ts'

export type RequestLog = {
  /** Takes less than a microsecond, waits for nothing, and never throws. */
  note(call: LoggedCall): void
  /** How many calls of a merchant are kept. */
  readonly keep: number
  /** Writes what waits, if the database answers soon. */
  close(): Promise<void>
}

export type RequestLogOptions = {
  /** Opens a client that nothing else uses. */
  readonly openSql: () => Sql
  readonly log: Log
  readonly keep: number
  /** How long a call waits for others before they are written. Default: a second. */
  readonly waitMs?: number
  /** Bytes of calls that wait in memory at most: of all merchants, and of one. Default: 2 MiB, and 512 KiB. */
  readonly bytesMax?: number
  readonly bytesOfOneMax?: number
}

/** When this many calls wait, they are written without waiting for more. */
const enough = 2_000

/** How long the end of a process waits for the last calls to be written. */
const closingMs = 5 * secondMs

/** How often missing calls are reported at most. */
const reportMs = minuteMs

/** Undefined where no calls are kept. */
export function openRequestLog(options: RequestLogOptions): RequestLog | undefined {
  return options.keep === 0 ? undefined : createRequestLog(options)
}

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { log, keep, waitMs = secondMs, bytesMax = 2_097_152, bytesOfOneMax = 524_288 } = options
  const sql = options.openSql()
  const missing = createMissing(log)
  let waiting = new Map<MerchantId, Lines>()
  let count = 0
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    const [taken, size] = [waiting, count]
    waiting = new Map()
    count = 0
    bytes = 0
    if (size === 0) return
    const chunks = [...taken].map(([merchantId, lines]) => [merchantId, lines.end()] as const)
    await sql
      .begin(async (tx) => {
        // A crash of the database may lose the last of these commits. In return no commit waits for the disk.
        await Promise.all([waitForNoDisk(tx), writeChunks(tx, chunks, keep)])
      })
      .catch((error: unknown) => missing.add(size, messageOf(error)))
  }

  async function flush(): Promise<void> {
    await writing
    await write()
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    // Calls that come during a write wait until the write has ended.
    writing ??= write().finally(() => {
      writing = undefined
      if (count > 0) wait()
    })
  }

  function wait(): void {
    if (count >= enough) start()
    else timer ??= setTimeout(start, waitMs).unref()
  }

  return {
    keep,
    note(call) {
      let lines = waiting.get(call.merchantId)
      if (bytes >= bytesMax || (lines !== undefined && lines.size > bytesOfOneMax)) {
        missing.add(1, 'too many calls wait to be written')
        return
      }
      if (lines === undefined) waiting.set(call.merchantId, (lines = createLines()))
      bytes += lines.add(call)
      count += 1
      if (timer === undefined || count === enough) wait()
    },
    async close() {
      // A database that does not answer must not delay the end of the process.
      await Promise.race([flush(), sleep(closingMs)])
      missing.report()
      await sql.end({ timeout: 1 })
    },
  }
}

/** Counts calls that are missing in the log, and says so at most once in a while. */
function createMissing(log: Log) {
  let calls = 0
  let reason = ''
  let reportedAtMs = Number.NEGATIVE_INFINITY

  function report(): void {
    if (calls > 0) log.warn({ calls, error: reason }, 'calls are missing in the request log')
    calls = 0
    reportedAtMs = monotonicMs()
  }

  return {
    add(more: number, why: string): void {
      calls += more
      reason = why
      if (monotonicMs() - reportedAtMs >= reportMs) report()
    },
    report,
  }
}
