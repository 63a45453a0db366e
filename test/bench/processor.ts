// Processor time of processes, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'

/** Clock ticks a second in /proc/<pid>/stat, the same on every Linux that Node has a build for (proc(5), sysconf(3)). */
const ticksPerSecond = 100

type Stat = { readonly parent: number; readonly ownTicks: number; readonly endedTicks: number }

/** Processor time of a process so far, in milliseconds. */
export function workedMs(pid: number): number {
  return (must(statOf(pid), `process ${pid} runs`).ownTicks * 1_000) / ticksPerSecond
}

/** Processor time of a PostgreSQL so far, in milliseconds: its first process, its running ones, and those that have ended. */
export function databaseWorkedMs(first: number): number {
  const stats = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [],
  )
  const firstStat = must(statOf(first), `PostgreSQL runs as ${first}`)
  const running = stats.filter(({ parent }) => parent === first)
  const ticks = running.reduce(
    (sum, { ownTicks }) => sum + ownTicks,
    firstStat.ownTicks + firstStat.endedTicks,
  )
  return (ticks * 1_000) / ticksPerSecond
}

/** The first process of the PostgreSQL behind `sql`, which must run on this machine. */
export async function databasePid(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return must(statOf(must(row, 'a row').pid), 'PostgreSQL runs on this machine').parent
}

/** Undefined when the process has ended. */
function statOf(pid: number): Stat | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name, in parentheses, may contain anything. The fields after it begin with the third (proc(5)).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (nth: number) => Number(fields[nth - 3])
  return { parent: field(4), ownTicks: field(14) + field(15), endedTicks: field(16) + field(17) }
}
