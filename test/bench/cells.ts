// Whole charges in several cells at the same time: how many a second together, and what one charge costs in processor time. Each cell has a
// process of its own, as in an installation, and the same total number of clients is divided among the cells.
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { ChargeLineOptions } from './charge-line.ts'
import { openPostgres, prepareCell, prepareMerchant, type Place } from './place.ts'
import { startChild, type Child } from './process.ts'
import { databasePid, databaseWorkedMs, workedMs } from './processor.ts'
import { header } from './report.ts'
import { takeTurns, type Pace } from './rounds.ts'
import { median, ratioOf, together, typical, type Sample } from './stats.ts'

const clients = 1_000
const sizes = [1, 2, 4] as const

/** Microseconds of processor time for one charge. `database`: undefined where PostgreSQL is on another machine. */
type Cost = { readonly node: number; readonly database: number | undefined }

type Group = {
  readonly size: number
  readonly costs: Cost[]
  run(spanMs: number): Promise<Sample>
  close(): Promise<void>
}

/** `urls`: the cells of a cluster that is there, migrated, as the application's role. Absent: a new PostgreSQL with a schema for each cell. */
export async function measureCells(pace: Pace, urls?: readonly string[]): Promise<string> {
  return urls === undefined ? measureHere(pace) : measureGiven(pace, urls)
}

async function measureHere(pace: Pace): Promise<string> {
  await using postgres = await openPostgres()
  const owner = connect(postgres.ownerUrl, { max: 1 })
  const pid = await databasePid(owner)
  const groups: Group[] = []
  for (const size of sizes) {
    const places: Place[] = []
    for (let nth = 1; nth <= size; nth += 1) {
      // Each group has cells of its own, so that none has more rows than another.
      const schema = `of${size}_c${nth}`
      await owner`create schema ${owner(schema)}`
      places.push((await prepareCell(inSchema(postgres, schema), `c${nth}`)).place)
    }
    groups.push(await openGroup(places, () => databaseWorkedMs(pid)))
  }
  await owner.end()
  // Awaited here: PostgreSQL ends with this block.
  return await report(await header(postgres.appUrl), groups, pace)
}

/** The first, the first two, and the first four of the cells that are given. */
async function measureGiven(pace: Pace, urls: readonly string[]): Promise<string> {
  const places: Place[] = []
  for (const [index, url] of urls.entries()) {
    const { place } = await prepareMerchant(url, `c${index + 1}`)
    places.push(place)
  }
  const groups: Group[] = []
  for (const size of sizes.filter((each) => each <= places.length))
    groups.push(await openGroup(places.slice(0, size), undefined))
  return report(await header(must(urls[0], 'a cell is given')), groups, pace)
}

function inSchema(urls: { readonly ownerUrl: string; readonly appUrl: string }, schema: string) {
  const own = (text: string) => {
    const url = new URL(text)
    url.searchParams.set('search_path', schema)
    return url.href
  }
  return { ownerUrl: own(urls.ownerUrl), appUrl: own(urls.appUrl) }
}

async function openGroup(places: readonly Place[], databaseMs: (() => number) | undefined): Promise<Group> {
  const size = places.length
  const children: Child[] = []
  const pools: Sql[] = []
  for (const place of places) {
    const options = { place, clients: Math.round(clients / size) } satisfies ChargeLineOptions
    children.push(await startChild('./charge-line.ts', options))
    pools.push(connect(place.url, { max: 1 }))
  }
  const costs: Cost[] = []
  const nodeMs = () => children.reduce((sum, { pid }) => sum + workedMs(pid), 0)
  const charges = async () => {
    const counted = await Promise.all(
      pools.map((sql) => sql<{ count: bigint }[]>`select count(*) from payment`),
    )
    return counted.reduce((sum, [row]) => sum + Number(row?.count ?? 0n), 0)
  }
  return {
    size,
    costs,
    async run(spanMs) {
      const before = { charges: await charges(), node: nodeMs(), database: databaseMs?.() ?? 0 }
      const samples = await Promise.all(children.map((child) => child.run(spanMs)))
      const used = { node: nodeMs() - before.node, database: (databaseMs?.() ?? 0) - before.database }
      const made = (await charges()) - before.charges
      costs.push({
        node: (used.node * 1_000) / made,
        database: databaseMs === undefined ? undefined : (used.database * 1_000) / made,
      })
      return together(samples)
    },
    async close() {
      await Promise.all([
        ...children.map((child) => child.close()),
        ...pools.map((sql) => sql.end({ timeout: 5 })),
      ])
    },
  }
}

async function report(head: string, groups: readonly Group[], pace: Pace): Promise<string> {
  const of = await takeTurns(
    groups.map(({ size, run, close }) => ({ name: String(size), run, close })),
    pace,
  )
  const first = of('1')
  const rows = groups.map(({ size, costs }) => {
    const samples = of(String(size))
    const { perSecond, p50, p99 } = typical(samples)
    // The first turn only warmed up.
    const counted = costs.slice(1)
    const node = Math.round(median(counted.map((each) => each.node)))
    const database = counted.flatMap((each) => (each.database === undefined ? [] : [each.database]))
    return `| ${[
      size,
      Math.round(perSecond).toLocaleString('en-US'),
      `${ratioOf(samples, first).toFixed(2)} ×`,
      Math.round(p50),
      Math.round(p99),
      `${node} µs`,
      database.length === 0 ? 'not seen from here' : `${Math.round(median(database))} µs`,
    ].join(' | ')} |`
  })
  return [
    `${head}\n`,
    `| Cells | charges per second, together | compared | p50 ms | p99 ms | processor time of Node, a charge | of PostgreSQL |`,
    '|--:|--:|--:|--:|--:|--:|--:|',
    ...rows,
    `\nmedians of ${pace.rounds} rounds of ${pace.spanMs / 1_000} s; ${clients.toLocaleString('en-US')} clients, shared between the cells\n`,
  ].join('\n')
}
