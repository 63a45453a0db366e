// A worker in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { minuteMs } from '#/kernel/time.ts'
import { eventually } from './eventually.ts'

export type WorkerProcess = {
  /** What it printed, when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>
  /** Resolves when it has printed the text. */
  isSaid(text: string): Promise<unknown>
  kill(): void
}

const main = new URL('../src/main.ts', import.meta.url).pathname

export function startWorkerProcess(settings: Readonly<Record<string, string>>): WorkerProcess {
  const child = spawn(process.execPath, [main, 'worker'], {
    env: { ...settings, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
    timeout: 2 * minuteMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString()))
  return {
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, printed })),
    isSaid: (text) => eventually(text, () => Promise.resolve(printed.includes(text))),
    kill: () => void child.kill('SIGKILL'),
  }
}
