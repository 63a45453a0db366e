// The folder for a test run's files: databases, data directories, profiles of browsers.
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
/** Measured runs needed a twentieth of it. */
const neededBytes = 6 * 2 ** 30
const prefix = 'vintem-run-'

/**
 * Creates this run's own folder, which is removed at its end. `memory`: in memory if the system allows it. A run copies
 * hundreds of databases of hundreds of files each, and some disks need twenty times as long for that.
 */
export function openScratch(where: 'memory' | 'disk'): Scratch {
  const parent = where === 'memory' && isRoomy(inMemory) ? inMemory : tmpdir()
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // If root started the run, PostgreSQL runs as another user, who needs to enter the folder.
  chmodSync(folder, 0o711)
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Whether the folder has room for a run and allows programs to start from it: some containers allow neither. */
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

/** Removes the folders of killed runs: nothing else releases their memory. */
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
