// For tests: a simulator in this process or as a program of its own, and a server that receives its webhooks.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { closed, listen } from './serve.ts'

export type Json = Readonly<Record<string, unknown>>

/** Starts in `dataDir`, or in a temporary folder that is removed at its end. It may be closed more than once. */
export async function hosted<Running extends { close(): Promise<void> }>(
  dataDir: string | undefined,
  start: (dataDir: string) => Promise<Running>,
): Promise<Running & AsyncDisposable & { readonly dataDir: string }> {
  const folder = dataDir ?? freshDir()
  const running = await start(folder)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= running.close())
  return {
    ...running,
    dataDir: folder,
    close,
    [Symbol.asyncDispose]: async () => {
      await close()
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Listens on `port`, or on any free one. Its end cuts open connections. */
export async function hearing(
  server: HttpServer | HttpsServer,
  port = 0,
): Promise<AsyncDisposable & { readonly port: number }> {
  return { port: await listen(server, port), [Symbol.asyncDispose]: () => closed(server) }
}

export type Program = AsyncDisposable & {
  readonly apiUrl: string
  readonly controlUrl: string
  readonly seed: number
  readonly dataDir: string
  /** A control call. Returns its answer, parsed. Rejects with the refusal when it is refused. */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Json): Promise<Json>
  /** Resolves to the exit code. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Closes the pipe between the program and its parent, as the parent's end would. */
  leave(): Promise<number | null>
  /** Starts it again after its end, with its data, at the same addresses. */
  start(): Promise<void>
}

export type ProgramOptions = {
  readonly args?: readonly string[]
  /** A folder that stays after the end. Default: a temporary one. */
  readonly dataDir?: string
}

/** Starts a simulator as a program that ends with this process. */
export async function startProgram(
  name: 'pix-bank' | 'acquirer' | 'partner-wallet' | 'sepa-bank',
  { args = [], dataDir }: ProgramOptions = {},
): Promise<Program> {
  const folder = dataDir ?? freshDir()
  const main = join(import.meta.dirname, '..', name, 'main.ts')
  const run = (ports: readonly string[]) => {
    const all = [main, ...ports, '--data-dir', folder, '--die-with-parent', ...args]
    return spawn(process.execPath, all, { stdio: ['pipe', 'pipe', 'inherit'] })
  }
  let child = run(portsOf(name, '0', '0'))
  const ready = await readyLine(child)
  const { apiUrl, controlUrl } = ready
  return {
    ...ready,
    dataDir: folder,
    control: (method, path, body) => callControl(controlUrl, method, path, body),
    kill: (signal) => endedBy(child, () => child.kill(signal)),
    leave: () => endedBy(child, () => child.stdin?.end()),
    start: async () => {
      child = run(portsOf(name, new URL(apiUrl).port, new URL(controlUrl).port))
      await readyLine(child)
    },
    [Symbol.asyncDispose]: async () => {
      await endedBy(child, () => child.stdin?.end())
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One call of the control interface at `url`, also of a simulator that the test did not start. */
export async function callControl(
  url: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: Json,
): Promise<Json> {
  const answer = await fetch(`${url}/_sim${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await answer.text()
  const parsed = text === '' ? {} : (JSON.parse(text) as Json)
  if (answer.ok) return parsed
  throw new Error(
    `${answer.status} ${String(parsed['code'])}: ${String(parsed['title'])} (${method} ${path})`,
  )
}

function portsOf(name: string, api: string, control: string): readonly string[] {
  return name === 'pix-bank' ? ['--port', api, '--control-port', control] : ['--port', api]
}

type Ready = Pick<Program, 'apiUrl' | 'controlUrl' | 'seed'>

async function readyLine(child: ChildProcess): Promise<Ready> {
  const { stdout } = child
  if (stdout === null) throw new Error('it has no output')
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`it ended with ${String(code)}`)
  })
  const [line] = (await Promise.race([once(createInterface({ input: stdout }), 'line'), ended])) as [string]
  ended.catch(() => undefined)
  const { apiUrl, controlUrl, seed } = JSON.parse(line) as Ready
  return { apiUrl, controlUrl, seed }
}

async function endedBy(child: ChildProcess, end: () => unknown): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    end()
    await gone
  }
  return child.exitCode
}

function freshDir(): string {
  return mkdtempSync(join(tmpdir(), 'simulator-'))
}

/** The body of a clock call that brings what is ahead of an account closer. `account`: what authenticates it. */
export function closer(account: string, seconds: number, id: string = randomUUID()): Json {
  return { account, advanceMs: seconds * 1000, id }
}
