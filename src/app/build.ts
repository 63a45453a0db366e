// Builds pages beside a running server, in a child process: the API does not wait for them, and they are built one after another.
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..', '..')

/** A build takes seconds. One that hangs must not delay those behind it. */
const buildMs = 600_000

/** What `scripts/web.ts` can build by name. */
export type PagesName = 'dashboard' | 'docs'

let last: Promise<unknown> = Promise.resolve()

/** Builds these pages where they are stale, after the builds that were requested before. Rejects with the output of the build. */
export function buildBeside(
  name: PagesName,
  isStale: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const built = last.then(async () => {
    signal.throwIfAborted()
    if (await isStale()) await runBuild(name, signal)
  })
  last = built.catch(() => undefined)
  return built
}

function runBuild(name: PagesName, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'web.ts'), name], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    timeout: buildMs,
  })
  giveWay(child.pid)
  let output = ''
  child.stderr.on('data', (part: Buffer) => (output = (output + part.toString('utf8')).slice(-2_000)))
  child.once('error', reject)
  child.once('exit', (code, ended) => {
    if (code === 0) resolve()
    else reject(new Error(output.trim() === '' ? `its build ended with ${code ?? ended}` : output.trim()))
  })
  return promise
}

/**
 * Until the API is ready, a build only gets the processor time that the API leaves: people wait for both, but programs wait for the API.
 */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Otherwise both share: the process has ended, or the system has no priorities.
  }
}
