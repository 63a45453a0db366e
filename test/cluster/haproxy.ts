// HAProxy in front of API processes, as docs/operating.md shows it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
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
