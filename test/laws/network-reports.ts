// Reports of processes under network-guard.ts: they are started with this environment, and write when they end.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type GuardReport = {
  readonly transactions: number
  /** Outgoing connections and requests, without those to the database. */
  readonly calls: number
  /** Those made while a transaction was open, each with its stack. */
  readonly violations: readonly string[]
}

export function guardEnvironment(folder: string): Readonly<Record<string, string>> {
  const guard = new URL('./network-guard.ts', import.meta.url).href
  return { NODE_OPTIONS: `--import=${guard}`, NETWORK_GUARD_REPORTS: folder }
}

/** The sum over all processes that wrote to the folder. */
export function readReports(folder: string): GuardReport {
  const reports = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as GuardReport,
  )
  return {
    transactions: reports.reduce((sum, each) => sum + each.transactions, 0),
    calls: reports.reduce((sum, each) => sum + each.calls, 0),
    violations: reports.flatMap((each) => each.violations),
  }
}
