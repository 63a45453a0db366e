// What the operating system knows of other processes. A number alone names nobody, because numbers are used again;
// a number with the moment of its start does.
import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { monotonicMs, sleep } from '#/kernel/time.ts'

/** One process and no other: its number and the moment it started, in whatever notation this system has for it. */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string }

/**
 * The mark of the process that has this number now, or undefined when none runs. A zombie does not run, unless some of
 * its threads still do: they hold its ports.
 */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const facts = process.platform === 'linux' ? factsFromProc(pid) : factsFromPs(pid)
  if (facts === undefined || (facts.state.startsWith('Z') && facts.threads <= 1)) return undefined
  return { pid, startedAt: facts.startedAt }
}

export function isRunning(mark: ProcessIdentity): boolean {
  return identityOf(mark.pid)?.startedAt === mark.startedAt
}

/** Whether the system has given this number away: to a running process, to a zombie, to anybody. */
export function isNumberInUse(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

/** The command and its arguments with a blank between them, or '' when the process is gone or hides them. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform !== 'linux') return ps(pid, 'command=')
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean).join(' ')
  } catch {
    return ''
  }
}

/** Sends a signal to that very process. Nothing happens when it is gone. */
export function sendSignal(mark: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(mark)) return
  try {
    process.kill(mark.pid, signal)
  } catch {
    // It ended between the two lines, which is what the caller wanted or is about to see.
  }
}

/** Waits until the process is gone, at most `timeoutMs`. Says whether it is. */
export async function waitUntilGone(mark: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = monotonicMs() + timeoutMs
  while (isRunning(mark)) {
    if (monotonicMs() >= deadline) return false
    await sleep(20)
  }
  return true
}

/** Whether nobody listens on this port of the loopback address. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/**
 * Takes the lock file `path` for this process. Returns undefined when taken, else the running process that has it.
 * A lock whose holder is gone counts for nothing. The file is linked into place, so it is never seen half written.
 */
export function acquireLock(path: string): ProcessIdentity | undefined {
  const own = JSON.stringify(identityOf(process.pid))
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, own, { mode: 0o644 })
  try {
    for (;;) {
      if (tryLink(draft, path)) return undefined
      const holder = readIdentity(path)
      if (holder !== undefined && isRunning(holder)) return holder
      // Another start may do the same at the same moment: only what was judged dead may be taken away.
      const taken = `${draft}.stale`
      if (!tryRename(path, taken)) continue
      const removed = readIdentity(taken)
      if (removed !== undefined && isRunning(removed)) tryLink(taken, path)
      rmSync(taken, { force: true })
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The mark that a file holds, or undefined when there is no such file or no mark in it. */
export function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity>
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : undefined
  } catch {
    return undefined
  }
}

type Facts = { readonly state: string; readonly threads: number; readonly startedAt: string }

/** proc(5): after the command's closing bracket come field 3, the state; 20, threads; 22, the start in clock ticks. */
function factsFromProc(pid: number): Facts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', threads: Number(fields[17]), startedAt: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function factsFromPs(pid: number): Facts | undefined {
  try {
    return { state: ps(pid, 'stat='), threads: 1, startedAt: ps(pid, 'lstart=') }
  } catch {
    return undefined
  }
}

function ps(pid: number, field: string): string {
  return execFileSync('/bin/ps', ['-ww', '-o', field, '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
  }).trim()
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Whether a system call failed with this code, such as ENOENT. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
