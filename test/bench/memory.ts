// What the processes of an installation take of memory: each as an operator starts it, when it is ready and after payments.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '#/db/embedded.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { openLiveWorld } from '../cluster/live-world.ts'
import { freePort } from '../ports.ts'
import { openClient, postOf } from './http-client.ts'
import { header } from './report.ts'

const connections = 100
const aimMebibytes = 120

/** In MiB: all that is resident, and what of it no file holds: processes of one machine share the program's own pages, not these. */
type Resident = { readonly all: number; readonly own: number }

/** Creates the payments over HTTP, and reports what each process has before and after. */
export async function measureMemory(payments: number): Promise<string> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'vintem-bench-memory-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'database')
  const cluster = await startCluster({ dataDir, port: await freePort(), log: silentLog, settings: {} })
  stack.defer(() => cluster.stop())
  const adminUrl = cluster.urlOf('admin', 'postgres')
  const first = await header(adminUrl)
  // The image and the systemd unit keep no compiled code either.
  const env = { VINTEM_RATE_LIMIT: '0', NODE_COMPILE_CACHE: '' }
  const world = await openLiveWorld({ folder, adminUrl, env }, stack)
  const apiKey = await world.merchantKey()
  const { api, worker, watcher } = world.running
  const processes = [
    { role: 'api', pid: api.pid },
    { role: 'worker', pid: worker.pid },
    { role: 'watcher', pid: watcher.pid },
    { role: 'signer', pid: world.signer().pid },
  ]
  const read = () => Promise.all(processes.map(({ pid }) => residentOf(pid)))
  const ready = await read()
  const startedAt = performance.now()
  await createPayments(world.url, apiKey, payments)
  const seconds = (performance.now() - startedAt) / 1_000
  const after = await read()
  const rows = processes.map(({ role }, index) => {
    const [before, then] = [must(ready[index], 'it runs'), must(after[index], 'it runs')]
    const aim = role === 'api' ? verdict(then.all) : ''
    return `| ${role} | ${shown(before)} | ${shown(then)} | ${aim} |`
  })
  const count = payments.toLocaleString('en-US')
  return [
    `${first}\n`,
    `| resident, MiB (of it in no file) | ready | after ${count} payments | aim |`,
    '|---|--:|--:|---|',
    ...rows,
    `\n${count} payments by USDT from ${connections} connections in ${seconds.toFixed(1)} s`,
  ].join('\n')
}

function verdict(mebibytes: number): string {
  const isMet = mebibytes <= aimMebibytes
  return `≤ ${aimMebibytes}: ${isMet ? 'met' : `missed by ${Math.round((mebibytes / aimMebibytes - 1) * 100)} %`}`
}

/** proc_pid_status(5): in KiB. */
async function residentOf(pid: number): Promise<Resident> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) =>
    Number(must(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1], name)) / 1_024
  return { all: field('VmRSS'), own: field('RssAnon') }
}

async function createPayments(url: string, apiKey: string, payments: number): Promise<void> {
  const { host } = new URL(url)
  let left = payments
  const callers = Array.from({ length: connections }, async () => {
    const client = await openClient(url)
    while (left > 0) {
      left -= 1
      const answer = await client.send(requestOf(host, apiKey))
      if (answer.status !== 201) throw new Error(`the answer was ${answer.status}: ${answer.body}`)
    }
    client.close()
  })
  await Promise.all(callers)
}

function requestOf(host: string, apiKey: string): string {
  return postOf('/v1/payments', [`host: ${host}`, `apikey: ${apiKey}`], {
    amount: 1234,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    customerName: 'Ana Souza',
    customerEmail: 'ana@example.com',
    metadata: { orderId: 'A-1000' },
    idempotencyKey: newId(),
  })
}

function shown({ all, own }: Resident): string {
  return `${Math.round(all)} (${Math.round(own)})`
}
