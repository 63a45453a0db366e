// Finds the processes that an installation has started by their command, so that a test can kill one by its id.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The postmaster of this installation: the process named postgres in its data directory whose parent is no postgres. */
export function postmasterOf(dataDir: string): number {
  const servers = pids().filter((pid) => isPostgresIn(pid, dataDir))
  const [postmaster] = servers.filter((pid) => {
    const parent = parentOf(pid)
    return parent !== undefined && !servers.includes(parent)
  })
  assert.ok(postmaster !== undefined, 'PostgreSQL runs')
  return postmaster
}

/** The bank of this installation; undefined while there is none. */
export function bankOf(dataDir: string): number | undefined {
  return simulatorOf(dataDir, 'pix-bank')
}

/** The simulator of this installation in that folder; undefined while there is none. */
export function simulatorOf(
  dataDir: string,
  name: 'pix-bank' | 'acquirer' | 'partner-wallet' | 'sepa-bank',
): number | undefined {
  return pids().find((pid) => {
    const command = commandOf(pid)
    return command.includes(`simulators/${name}/main.ts`) && command.includes(dataDir)
  })
}

/** Every process of this installation: those that name its data directory, and PostgreSQL's, which work in it. */
export function processesOf(dataDir: string): readonly { readonly pid: number; readonly command: string }[] {
  return pids()
    .filter((pid) => pid !== process.pid)
    .map((pid) => ({ pid, command: commandOf(pid) }))
    .filter(
      ({ pid, command }) =>
        command.includes(dataDir) || environmentOf(pid).includes(dataDir) || isPostgresIn(pid, dataDir),
    )
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

function pids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function isPostgresIn(pid: number, dataDir: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' &&
      (commandOf(pid).includes(dataDir) || readlinkSync(`/proc/${pid}/cwd`).includes(dataDir))
    )
  } catch {
    return false
  }
}

/** Returns undefined if the process has ended since it was found. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
