// What an item costs in processor time now and as of another commit, each on a PostgreSQL of its own. The rounds alternate, so that a
// disturbance affects both. Processor time is measured, because a shared processor changes elapsed time much more.
import { copyFileSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connect, type Sql } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import { startPixBank } from '../rails/pix/bank.ts'
import { git, checkOut } from '../releases.ts'
import type { ChargeLineOptions } from './charge-line.ts'
import type { fund as fundHere } from './funds.ts'
import type { HttpLoadOptions } from './http-load.ts'
import type { HttpServerOptions } from './http-server.ts'
import type { LedgerLaneOptions } from './ledger-lane.ts'
import { connectionOf, keepConnection } from './pix.ts'
import type { openPlace as openPlaceHere, BenchSetup } from './place.ts'
import { startChild, type Child } from './process.ts'
import { databasePid, databaseWorkedMs, workedMs } from './processor.ts'
import type { Pace } from './rounds.ts'
import { median } from './stats.ts'

const root = join(import.meta.dirname, '../..')

type PixBank = Awaited<ReturnType<typeof startPixBank>>

/** A source tree, and a database that its own migrations made. */
type Side = {
  readonly tree: string
  readonly setup: BenchSetup
  readonly bank: PixBank
  readonly sql: Sql
  readonly databasePid: number
  vacuum(): Promise<unknown>
}

/** The process that works on an item besides PostgreSQL, what starts it, and the table with one row for each item. */
type Line = {
  readonly working: Child
  readonly driving: Child
  readonly table: 'payment' | 'withdrawal' | 'event'
}

/** Microseconds for one item. */
type Cost = { readonly node: number; readonly database: number }

const lines: Readonly<Record<string, (side: Side) => Promise<Line>>> = {
  creation: (side) => serve(side, { creator: 'lane' }, { connections: 100 }, 'payment'),
  pix: async (side) => {
    const pix = connectionOf(await side.bank.customer())
    await keepConnection(side.setup.ownerUrl, pix)
    const wanted = { for: 'pix', status: 201 } as const
    return serve(side, { creator: 'lane', pix }, { connections: 100, asks: wanted }, 'payment')
  },
  withdrawals: async (side) => {
    const { fund } = (await import(scriptOf(side.tree, 'funds.ts'))) as { fund: typeof fundHere }
    await fund(side.setup.place)
    const wanted = { for: 'withdrawals', status: 201 } as const
    return serve(side, { creator: 'lane' }, { connections: 200, asks: wanted }, 'withdrawal')
  },
  transfers: async (side) => {
    const merchants = [{ id: newId<'merchant'>(), wallets: Array.from({ length: 1_000 }, () => newId()) }]
    const options = {
      place: side.setup.place,
      merchants,
      isHot: true,
      clients: 1_000,
      itemsMax: 500,
      busy: 0,
    }
    const both = await startIn(side, 'ledger-lane.ts', options satisfies LedgerLaneOptions)
    return { working: both, driving: both, table: 'event' }
  },
  charges: async (side) => {
    const options = { place: side.setup.place, clients: 1_000 } satisfies ChargeLineOptions
    const both = await startIn(side, 'charge-line.ts', options)
    return { working: both, driving: both, table: 'payment' }
  },
}

async function serve(
  side: Side,
  options: Omit<HttpServerOptions, 'place'>,
  load: Omit<HttpLoadOptions, 'url' | 'apiKey'>,
  table: Line['table'],
): Promise<Line> {
  const { place, apiKey } = side.setup
  const served = { place, ...options } satisfies HttpServerOptions
  const working = await startIn(side, 'http-server.ts', served)
  const target = { url: String(working.opened), apiKey, ...load } satisfies HttpLoadOptions
  return { working, driving: await startIn(side, 'http-load.ts', target), table }
}

/**
 * The cost of the requested lines, as a table in Markdown. Throws when git does not know the commit. Needs Linux, which counts
 * the processor time of processes, and a commit whose benchmark has these lines.
 */
export async function measureAgainst(
  named: string,
  wanted: ReadonlySet<string>,
  pace: Pace,
): Promise<string> {
  const commit = git('rev-parse', '--verify', '--quiet', `${named}^{commit}`)
  if (commit === undefined) throw new Error(`git knows no commit ${named}`)
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'vintem-against-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const tree = join(folder, 'before')
  checkOut(commit, tree)
  // If its benchmark did not have the script, our script runs with that tree's own parts.
  const lent = 'test/bench/funds.ts'
  if (!existsSync(join(tree, lent))) copyFileSync(join(root, lent), join(tree, lent))
  const bank = stack.use(await startPixBank())
  const before = await openSide(tree, bank, stack)
  const after = await openSide(root, bank, stack)
  const rows: string[] = []
  for (const [name, start] of Object.entries(lines)) {
    if (wanted.has(name)) rows.push(rowOf(name, await compare([before, after], start, pace)))
  }
  return [
    `| µs of processor time an item | ${commit.slice(0, 7)}: Node + PostgreSQL | now: Node + PostgreSQL | now, compared |`,
    '|---|--:|--:|--:|',
    ...rows,
  ].join('\n')
}

async function openSide(tree: string, bank: PixBank, stack: AsyncDisposableStack): Promise<Side> {
  const { openPlace } = (await import(scriptOf(tree, 'place.ts'))) as { openPlace: typeof openPlaceHere }
  const setup = stack.use(await openPlace())
  const sql = connect(setup.ownerUrl, { max: 1 })
  stack.defer(() => sql.end())
  const vacuum = await takeVacuumOver(sql)
  return { tree, setup, bank, sql, databasePid: await databasePid(sql), vacuum }
}

/**
 * Switches autovacuum off: once a minute it runs for seconds, which would disturb some rounds by chance. Each round ends with a vacuum
 * of its own instead, and its cost counts.
 */
export async function takeVacuumOver(sql: Sql): Promise<() => Promise<unknown>> {
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  for (const { name } of tables) await sql.unsafe(`alter table ${name} set (autovacuum_enabled = off)`)
  return () => sql.unsafe(`vacuum ${tables.map(({ name }) => name).join(', ')}`)
}

const scriptOf = (tree: string, name: string) => pathToFileURL(join(tree, 'test/bench', name)).href

const startIn = ({ tree }: Side, script: string, options: unknown) =>
  startChild(scriptOf(tree, script), options)

type Costs = readonly [before: readonly Cost[], after: readonly Cost[]]

async function compare(
  sides: readonly [before: Side, after: Side],
  start: (side: Side) => Promise<Line>,
  { rounds, spanMs }: Pace,
): Promise<Costs> {
  const contenders = await Promise.all(
    sides.map(async (side) => ({ side, line: await start(side), costs: [] as Cost[] })),
  )
  for (const { side, line } of contenders) {
    await costOf(side, line, spanMs)
    await side.sql`analyze`
  }
  for (let round = 0; round < rounds; round += 1) {
    // They take turns in going first, because the first one leaves its traces on the machine.
    for (const { side, line, costs } of round % 2 === 0 ? contenders : contenders.toReversed())
      costs.push(await costOf(side, line, spanMs))
  }
  for (const { line } of contenders)
    for (const child of new Set([line.driving, line.working])) await child.close()
  const [before = [], after = []] = contenders.map(({ costs }) => costs)
  return [before, after]
}

async function costOf(side: Side, { working, driving, table }: Line, spanMs: number): Promise<Cost> {
  const worked = () => [workedMs(working.pid), databaseWorkedMs(side.databasePid)] as const
  const already = await countOf(side, table)
  const [nodeMs, databaseMs] = worked()
  await driving.run(spanMs)
  await side.vacuum()
  const [nodeEndMs, databaseEndMs] = worked()
  const items = (await countOf(side, table)) - already
  if (items === 0) throw new Error(`${side.tree} wrote no row of ${table}`)
  return {
    node: ((nodeEndMs - nodeMs) * 1_000) / items,
    database: ((databaseEndMs - databaseMs) * 1_000) / items,
  }
}

async function countOf({ sql }: Side, table: Line['table']): Promise<number> {
  const [row] = await sql<{ count: bigint }[]>`select count(*) from ${sql(table)}`
  return Number(row?.count)
}

function rowOf(name: string, [before, after]: Costs): string {
  const shown = (costs: readonly Cost[]) =>
    [costs.map(({ node }) => node), costs.map(({ database }) => database)]
      .map((each) => Math.round(median(each)))
      .join(' + ')
  const sum = (cost: Cost | undefined) => (cost === undefined ? Number.NaN : cost.node + cost.database)
  const ratio = median(after.map((cost, round) => sum(cost) / sum(before[round])))
  return `| ${name} | ${shown(before)} | ${shown(after)} | ${ratio.toFixed(2)} × |`
}
