// Finds and ends the processes that a test run has started and not ended.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type RunTraces = {
  /** `NAME=value`, which every process with our environment inherits. */
  readonly marker: string
  /** The run's own folder. PostgreSQL and the EVM node do not get our environment, but work in this folder or write to it. */
  readonly folder: string
}

type Leftover = { readonly pid: number; readonly command: string }

/**
 * Ends the leftover processes of the run by id, and returns their ids and commands. To be called before the folder is removed.
 * Finds nothing without /proc (macOS, Windows).
 */
export async function endLeftovers(of: RunTraces): Promise<readonly string[]> {
  let found = leftoversOf(of)
  // A process that is ending is no leftover.
  for (let tries = 0; tries < 20 && found.length > 0; tries += 1) {
    await wait(100)
    found = leftoversOf(of)
  }
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself between the scan and the kill.
    }
  }
  return found.map(({ pid, command }) => `${pid} ${command}`)
}

function leftoversOf(of: RunTraces): readonly Leftover[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const place = join('/proc', name)
        const words = readFileSync(join(place, 'cmdline'), 'utf8').split('\0')
        if (!isOfRun(place, words, of)) return []
        return [{ pid: Number(name), command: words.join(' ').trim().slice(0, 200) }]
      } catch {
        // It has ended, or belongs to another user.
        return []
      }
    })
}

function isOfRun(place: string, words: readonly string[], { marker, folder }: RunTraces): boolean {
  if (readFileSync(join(place, 'environ'), 'latin1').split('\0').includes(marker)) return true
  const isInside = (path: string) => path === folder || path.startsWith(folder + sep)
  return (
    words.some((word) => isInside(word)) ||
    ['cwd', 'fd/1'].some((link) => isInside(readlinkSync(join(place, link))))
  )
}
