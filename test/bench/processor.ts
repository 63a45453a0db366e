// Processor time of processes, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
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

/**
 * The processor time, in milliseconds, that all processes of an installation have used so far, with their ended children, PostgreSQL and the chain. A process
 * belongs to the installation if its environment names the installation's folder. 0 on a system without /proc.
 */
export async function installationWorkedMs(data: string): Promise<number> {
  const names = await readdir('/proc').catch(() => [])
  const times = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
      if (!environment.split('\0').includes(`VINTEM_DATA_DIR=${data}`)) return 0
      // proc_pid_stat(5): after the name, the fields 14 to 17 are user and system time, own and of ended children, in hundredths.
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
      return fields.slice(11, 15).reduce((sum, each) => sum + 10 * Number(each), 0)
    })
  const found = await Promise.allSettled(times)
  return found.reduce((sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0), 0)
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
