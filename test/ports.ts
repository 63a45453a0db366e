// Ports for servers of tests. They are below the range from which the system assigns ports (Linux: from 32768), so the system gives
// none of them to another process between the check and the server's start.
import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A port of the loopback address that was free a moment ago. None that belongs to a group of `freePorts`. */
export async function freePort(): Promise<number> {
  while (true) {
    const port = groupBase() + groupSpan + randomInt(groupSpan)
    if ((await isFree(port)) && claim(`port ${port}`)) return port
  }
}

/** The base of a group of ports that are all free: `offsets` are those that are used, each below 50. */
export async function freePorts(offsets: readonly number[]): Promise<number> {
  while (true) {
    const base = groupBase()
    const free = await Promise.all(offsets.map((offset) => isFree(base + offset)))
    if (free.every(Boolean) && claim(`ports from ${base}`)) return base
  }
}

const groupSpan = 50

function groupBase(): number {
  return 10_000 + randomInt(220) * 2 * groupSpan
}

/**
 * Claims `what` for this process; false when another process of this run has it. A check alone is not enough: on a busy machine seconds
 * pass between the check and the server's start. A claim stays until the run's folder is removed. A test file that is run by hand has no
 * such folder and needs no claims, because no other file runs beside it.
 */
function claim(what: string): boolean {
  if (process.env['VINTEM_TEST_RUN'] === undefined) return true
  try {
    mkdirSync(join(tmpdir(), what))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)))
  })
}
