// What the request log costs a call, in processor time of the server and of PostgreSQL: the same server with and without it, in
// rounds that take turns. Needs Linux.
import { connect } from '#/db/client.ts'
import { takeVacuumOver } from './against.ts'
import type { HttpLoadOptions } from './http-load.ts'
import type { HttpServerOptions } from './http-server.ts'
import type { Site } from './place.ts'
import { startChild } from './process.ts'
import { databasePid, databaseWorkedMs, workedMs } from './processor.ts'
import type { Pace } from './rounds.ts'
import { median } from './stats.ts'

/** Microseconds for a call. */
type Cost = { readonly node: number; readonly database: number }

/**
 * Processes, one after another. Each serves both with the log and without it: two processes of the same code differ by more than the log
 * costs, for as long as they live.
 */
const processes = 5

export async function measureRequestLog(site: Site, { rounds, spanMs }: Pace): Promise<string> {
  const sql = connect(site.ownerUrl, { max: 1 })
  const vacuum = await takeVacuumOver(sql)
  const database = await databasePid(sql)
  const costs = []
  for (let each = 0; each < processes; each += 1)
    costs.push(await measureProcess(site, { rounds, spanMs }, { database, vacuum }))
  await sql.end()
  return table(costs)
}

type Database = { readonly database: number; readonly vacuum: () => Promise<unknown> }

/** The costs in each round, without the log and with it. */
async function measureProcess(
  { place, apiKey }: Site,
  { rounds, spanMs }: Pace,
  { database, vacuum }: Database,
): Promise<readonly [without: Cost[], withLog: Cost[]]> {
  await using stack = new AsyncDisposableStack()
  const options = { place, creator: 'lane', besideLogged: true } satisfies HttpServerOptions
  const server = await startChild('./http-server.ts', options)
  stack.defer(() => server.close())
  const [without, withLog] = server.opened as readonly [string, string]
  const open = async (url: string) => {
    const load = await startChild('./http-load.ts', {
      url,
      apiKey,
      connections: 100,
    } satisfies HttpLoadOptions)
    stack.defer(() => load.close())
    await load.run(spanMs)
    return { load, costs: [] as Cost[] }
  }
  const sides = [await open(without), await open(withLog)] as const
  for (let round = 0; round < rounds; round += 1) {
    // They take turns in going first, because the first one leaves its traces on the machine.
    for (const { load, costs } of round % 2 === 0 ? sides : sides.toReversed()) {
      const [nodeMs, databaseMs] = [workedMs(server.pid), databaseWorkedMs(database)]
      const { perSecond } = await load.run(spanMs)
      // What was noted last is written within a second.
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      await vacuum()
      const calls = (perSecond * spanMs) / 1_000
      const perCall = (ms: number) => (ms * 1_000) / calls
      costs.push({
        node: perCall(workedMs(server.pid) - nodeMs),
        database: perCall(databaseWorkedMs(database) - databaseMs),
      })
    }
  }
  return [sides[0].costs, sides[1].costs]
}

function table(costs: readonly (readonly [without: Cost[], withLog: Cost[]])[]): string {
  const of = (side: 0 | 1, part: keyof Cost) =>
    median(costs.flatMap((process) => process[side].map((cost) => cost[part])))
  const shown = (side: 0 | 1) => `${of(side, 'node').toFixed(1)} + ${of(side, 'database').toFixed(1)}`
  const sum = (cost: Cost | undefined) => (cost === undefined ? Number.NaN : cost.node + cost.database)
  const ratios = costs.map(([without, withLog]) =>
    median(withLog.map((cost, round) => sum(cost) / sum(without[round]))),
  )
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  return [
    `| POST /v1/payments, 100 connections, ${costs.length} processes | without the log: Node + PostgreSQL, µs a call | with it | ratio |`,
    '|---|--:|--:|--:|',
    `| the request log | ${shown(0)} | ${shown(1)} | ${median(ratios).toFixed(3)} × (of one process: ${least.toFixed(3)} to ${most.toFixed(3)}) |`,
  ].join('\n')
}
