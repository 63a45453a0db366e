// Ports for servers of tests. They lie below the range from which the system takes ports for outgoing connections and for
// whoever asks for any (Linux: from 32768), so nobody takes one between the look and the server's start.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** A port of the loopback address that was free a moment ago. None that belongs to a group of `freePorts`. */
export async function freePort(): Promise<number> {
  while (true) {
    const port = groupBase() + groupSpan + randomInt(groupSpan)
    if (await isFree(port)) return port
  }
}

/** The base of a group of ports that are all free: `offsets` are those that are used, each below 50. */
export async function freePorts(offsets: readonly number[]): Promise<number> {
  while (true) {
    const base = groupBase()
    const free = await Promise.all(offsets.map((offset) => isFree(base + offset)))
    if (free.every(Boolean)) return base
  }
}

const groupSpan = 50

function groupBase(): number {
  return 10_000 + randomInt(220) * 2 * groupSpan
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)))
  })
}
