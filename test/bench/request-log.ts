// What the request log costs a call, in processor time of the server and of PostgreSQL. Two servers of equal code differ by more than the
// log costs. So one server alternates between logging each call once and logging it 31 times. Needs Linux.
import { connect } from '#/db/client.ts'
import { invariant } from '#/kernel/check.ts'
import { takeVacuumOver } from './against.ts'
import type { HttpLoadOptions } from './http-load.ts'
import type { HttpServerOptions } from './http-server.ts'
import type { BenchSetup } from './place.ts'
import { startChild } from './process.ts'
import { databasePid, databaseWorkedMs, workedMs } from './processor.ts'
import type { Pace } from './rounds.ts'
import { median } from './stats.ts'

/** Microseconds for a call. */
type Cost = { readonly node: number; readonly database: number }

/** Of one round: what a call costs with its log, and what noting it once is of that. */
type Round = { readonly call: Cost; readonly noting: Cost }

/** Servers, one after another: each may be laid out in memory, and compiled, in another way. */
const servers = 5

const moreTimes = 30

export async function measureRequestLog(setup: BenchSetup, pace: Pace): Promise<string> {
  const sql = connect(setup.ownerUrl, { max: 1 })
  const vacuum = await takeVacuumOver(sql)
  const database = await databasePid(sql)
  const written = async () => {
    const [row] = await sql<
      { calls: number }[]
    >`select coalesce(sum(written), 0)::float8 as calls from request_count`
    return row?.calls ?? 0
  }
  const measured = []
  for (let each = 0; each < servers; each += 1)
    measured.push(await measureServer(setup, pace, { database, vacuum, written }))
  await sql.end()
  return table(measured)
}

type Database = {
  readonly database: number
  readonly vacuum: () => Promise<unknown>
  /** How many calls were ever written. */
  readonly written: () => Promise<number>
}

async function measureServer(
  { place, apiKey }: BenchSetup,
  { rounds, spanMs }: Pace,
  { database, vacuum, written }: Database,
): Promise<readonly Round[]> {
  await using stack = new AsyncDisposableStack()
  const options = { place, creator: 'lane', writesLog: true } satisfies HttpServerOptions
  const server = await startChild('./http-server.ts', options)
  stack.defer(() => server.close())
  const load = await startChild('./http-load.ts', {
    url: String(server.opened),
    apiKey,
    connections: 100,
  } satisfies HttpLoadOptions)
  stack.defer(() => load.close())
  const costOf = async (more: number): Promise<Cost> => {
    await server.set(more)
    const before = await written()
    const [nodeMs, databaseMs] = [workedMs(server.pid), databaseWorkedMs(database)]
    const { perSecond } = await load.run(spanMs)
    // What was noted last is written within a second.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    await vacuum()
    const calls = (perSecond * spanMs) / 1_000
    const missing = 1 - ((await written()) - before) / (calls * (1 + more))
    invariant(
      missing < 0.05,
      `the log drops ${(100 * missing).toFixed(0)} % of the calls that it is measured with`,
    )
    const perCall = (ms: number) => (ms * 1_000) / calls
    return {
      node: perCall(workedMs(server.pid) - nodeMs),
      database: perCall(databaseWorkedMs(database) - databaseMs),
    }
  }
  await load.run(spanMs)
  await server.set(moreTimes)
  await load.run(spanMs)
  const measured: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    // They take turns in going first, because the first one leaves its traces on the machine.
    const isFirst = round % 2 === 0
    const before = isFirst ? await costOf(0) : undefined
    const noted = await costOf(moreTimes)
    const call = before ?? (await costOf(0))
    const times = (part: keyof Cost) => (noted[part] - call[part]) / moreTimes
    measured.push({ call, noting: { node: times('node'), database: times('database') } })
  }
  return measured
}

function table(measured: readonly (readonly Round[])[]): string {
  const rounds = measured.flat()
  const of = (what: keyof Round, part: keyof Cost) => median(rounds.map((round) => round[what][part]))
  const shown = (what: keyof Round, digits: number) =>
    `${of(what, 'node').toFixed(digits)} + ${of(what, 'database').toFixed(digits)}`
  const shares = measured.map((of) => median(of.map(shareOf)))
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return [
    `| POST /v1/payments, 100 connections, ${measured.length} servers | a call with its log: Node + PostgreSQL, µs | of which the log | share | aim |`,
    '|---|--:|--:|--:|---|',
    `| the request log | ${shown('call', 1)} | ${shown('noting', 2)} | ${percent(median(rounds.map(shareOf)))} (of one server: ${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}) | ≤ 1 % |`,
  ].join('\n')
}

function shareOf({ call, noting }: Round): number {
  const sum = (cost: Cost) => cost.node + cost.database
  return sum(noting) / (sum(call) - sum(noting))
}
