// What the operating system reports of other processes. It uses process numbers again, so only the number together with the
// time of the start identifies a process.
import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { monotonicMs, sleep } from '#/kernel/time.ts'

/** Identifies one process: its number and the time of its start, in the notation of this system. */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string }

/**
 * Returns the identity of the running process with this number, or undefined. A zombie counts as running only while some of its
 * threads run, because they hold its ports.
 */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const facts = process.platform === 'linux' ? factsFromProc(pid) : factsFromPs(pid)
  if (facts === undefined || (facts.state.startsWith('Z') && facts.threads <= 1)) return undefined
  return { pid, startedAt: facts.startedAt }
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startedAt === identity.startedAt
}

/** Whether any process has this number: running, or a zombie. */
export function isNumberInUse(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

/** The command and its arguments, separated by blanks, or '' when the process is gone or hides them. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform !== 'linux') return ps(pid, 'command=')
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean).join(' ')
  } catch {
    return ''
  }
}

/** Sends a signal to this process only. Does nothing when it has ended. */
export function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return
  try {
    process.kill(identity.pid, signal)
  } catch {
    // It ended between the check and the signal.
  }
}

/** Waits until the process has ended, at most `timeoutMs`. Returns whether it has. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = monotonicMs() + timeoutMs
  while (isRunning(identity)) {
    if (monotonicMs() >= deadline) return false
    await sleep(20)
  }
  return true
}

/** Whether no process listens on this port of the loopback address. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/**
 * Acquires the lock file `path` for this process. Returns undefined when acquired, else the running process that holds it. The
 * lock of a process that has ended is ignored. The file is linked into place, so no process reads it half written.
 */
export function acquireLock(path: string): ProcessIdentity | undefined {
  const identity = JSON.stringify(identityOf(process.pid))
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, identity, { mode: 0o644 })
  try {
    for (;;) {
      if (tryLink(draft, path)) return undefined
      const holder = readIdentity(path)
      if (holder !== undefined && isRunning(holder)) return holder
      // Another process may do the same at the same time, so a renamed file that turns out to be a valid lock is put back.
      const stale = `${draft}.stale`
      if (!tryRename(path, stale)) continue
      const removed = readIdentity(stale)
      if (removed !== undefined && isRunning(removed)) tryLink(stale, path)
      rmSync(stale, { force: true })
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Returns the identity in a file, or undefined when there is no such file or no identity in it. */
export function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity>
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : undefined
  } catch {
    return undefined
  }
}

type Facts = { readonly state: string; readonly threads: number; readonly startedAt: string }

/** proc(5): after the command's closing bracket come the fields 3, state; 20, threads; 22, start in clock ticks. */
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
