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

export async function measureRequestLog({ place, apiKey, ownerUrl }: Site, pace: Pace): Promise<string> {
  await using stack = new AsyncDisposableStack()
  const sql = connect(ownerUrl, { max: 1 })
  stack.defer(() => sql.end())
  const vacuum = await takeVacuumOver(sql)
  const database = await databasePid(sql)
  const sides = []
  for (const logs of [false, true]) {
    const server = await startChild('./http-server.ts', {
      place,
      creator: 'lane',
      logs,
    } satisfies HttpServerOptions)
    stack.defer(() => server.close())
    const target = { url: String(server.opened), apiKey, connections: 100 } satisfies HttpLoadOptions
    const load = await startChild('./http-load.ts', target)
    stack.defer(() => load.close())
    sides.push({ server, load, costs: [] as Cost[] })
  }
  for (const { load } of sides) await load.run(pace.spanMs)
  await sql`analyze`
  for (let round = 0; round < pace.rounds; round += 1) {
    // They take turns in going first, because the first one leaves its traces on the machine.
    for (const { server, load, costs } of round % 2 === 0 ? sides : sides.toReversed()) {
      const [nodeMs, databaseMs] = [workedMs(server.pid), databaseWorkedMs(database)]
      const { perSecond } = await load.run(pace.spanMs)
      // What was noted last is written within a second.
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      await vacuum()
      const calls = (perSecond * pace.spanMs) / 1_000
      const perCall = (ms: number) => (ms * 1_000) / calls
      costs.push({
        node: perCall(workedMs(server.pid) - nodeMs),
        database: perCall(databaseWorkedMs(database) - databaseMs),
      })
    }
  }
  const [without = [], withLog = []] = sides.map(({ costs }) => costs)
  return table(without, withLog)
}

function table(without: readonly Cost[], withLog: readonly Cost[]): string {
  const sum = (cost: Cost | undefined) => (cost === undefined ? Number.NaN : cost.node + cost.database)
  const ratios = withLog.map((cost, round) => sum(cost) / sum(without[round]))
  const shown = (costs: readonly Cost[]) =>
    `${median(costs.map(({ node }) => node)).toFixed(1)} + ${median(costs.map(({ database }) => database)).toFixed(1)}`
  const sorted = ratios.toSorted((a, b) => a - b)
  const quarter = (share: number) =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(3)
  return [
    `| POST /v1/payments, 100 connections, ${ratios.length} pairs of rounds | without the log: Node + PostgreSQL, µs a call | with it | ratio, median (quartiles) |`,
    '|---|--:|--:|--:|',
    `| the request log | ${shown(without)} | ${shown(withLog)} | ${median(ratios).toFixed(3)} × (${quarter(0.25)} to ${quarter(0.75)}) |`,
  ].join('\n')
}
