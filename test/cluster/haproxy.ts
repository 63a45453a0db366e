// HAProxy in front of API processes, as docs/operating.md shows it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { freePort } from '../ports.ts'
import { program, programEnv } from './debian.ts'

export type Haproxy = AsyncDisposable & {
  readonly url: string
  /** The names of the servers that get requests now. */
  up(): Promise<readonly string[]>
}

/** `servers`: the ports on the loopback address, by name. A request is never tried again: what is lost here is lost. */
export async function startHaproxy(
  folder: string,
  servers: Readonly<Record<string, number>>,
): Promise<Haproxy> {
  const [port, statsPort] = [await freePort(), await freePort()]
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, statsPort, servers))
  const child = spawn(program('haproxy'), ['-db', '-f', file], {
    env: { ...process.env, ...programEnv() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  const up = async () => {
    const csv = await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text()
    const rows = csv.split('\n').map((line) => line.split(','))
    const status = rows[0]?.indexOf('status') ?? -1
    return rows.flatMap((row) =>
      row[0] === 'apis' && row[1] !== 'BACKEND' && row[status]?.startsWith('UP') ? [String(row[1])] : [],
    )
  }
  await eventually(
    () => `HAProxy answers: ${printed}`,
    () => up().catch(() => undefined),
  )
  return {
    url: `http://127.0.0.1:${port}`,
    up,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** How often each server was given a call, by `backend/server`. */
export type Sessions = Readonly<Record<string, number>>

export type MasterHaproxy = AsyncDisposable & {
  readonly socket: string
  output(): string
  sessions(): Promise<Sessions>
}

/** An HAProxy with this file, in master-worker mode with the master's socket, as a service manager runs it. */
export async function runHaproxy(file: string, socket: string): Promise<MasterHaproxy> {
  const child = spawn(program('haproxy'), ['-W', '-db', '-S', socket, '-f', file], {
    env: { ...process.env, ...programEnv() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  const sessions = async () => {
    const rows = (await askMaster(socket, '@1 show stat')).split('\n').map((line) => line.split(','))
    const total = rows[0]?.indexOf('stot') ?? -1
    return Object.fromEntries(rows.slice(1).map((row) => [`${row[0]}/${row[1]}`, Number(row[total] ?? 0)]))
  }
  await eventually(
    () => `HAProxy answers: ${printed}`,
    async () => Object.keys(await sessions().catch(() => ({}))).length > 0,
  )
  return {
    socket,
    output: () => printed,
    sessions,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      // Its workers keep open connections for as long as callers do.
      child.kill('SIGINT')
      await gone
    },
  }
}

function askMaster(socket: string, command: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const connection = createConnection(socket)
  let answer = ''
  connection.setTimeout(5_000, () => connection.destroy(new Error('HAProxy does not answer')))
  connection.on('error', reject)
  connection.on('data', (part: Buffer) => (answer += part.toString('utf8')))
  connection.on('close', () => resolve(answer))
  connection.end(`${command}\n`)
  return promise
}

function configuration(port: number, statsPort: number, servers: Readonly<Record<string, number>>): string {
  const lines = Object.entries(servers).map(([name, at]) => `  server ${name} 127.0.0.1:${at}`)
  return `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  retries 0
frontend merchants
  bind 127.0.0.1:${port}
  default_backend apis
backend apis
  balance roundrobin
  option httpchk GET /health/ready
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1
${lines.join('\n')}
frontend stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`
}
