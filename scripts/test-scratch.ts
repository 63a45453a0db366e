// Where a test run keeps its files: databases, data directories, profiles of browsers.
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Scratch = Disposable & { readonly folder: string }

/** Linux keeps these files in memory. */
const inMemory = '/dev/shm'
/** A run has been seen to take a twentieth of it. */
const neededBytes = 6 * 2 ** 30
const prefix = 'vintem-run-'

/**
 * A folder of this run's own, gone at its end. `memory`: where the system lets us, in memory, because some disks take twenty
 * times as long to copy the hundreds of files of a database, and a run copies hundreds of databases.
 */
export function openScratch(where: 'memory' | 'disk'): Scratch {
  const parent = where === 'memory' && isRoomy(inMemory) ? inMemory : tmpdir()
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // Started by root, PostgreSQL runs as another user, who has to get through.
  chmodSync(folder, 0o711)
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Whether there is room for a run, and programs may be started from it: some containers allow neither. */
function isRoomy(parent: string): boolean {
  try {
    accessSync(parent, constants.W_OK)
    const { bavail, bsize } = statfsSync(parent)
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes && canRun(parent)
  } catch {
    return false
  }
}

function canRun(parent: string): boolean {
  const folder = mkdtempSync(join(parent, 'vintem-probe-'))
  try {
    const program = join(folder, 'probe')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    return spawnSync(program).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of runs that were killed: nobody else would ever give the memory back. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
