// An upgrade while merchants keep working: the previous release, from git, and this one side by side on one database. The
// migrations of this release run under load, processes are replaced one after another, and every request gets its answer.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { sleep } from '#/kernel/time.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { eventually } from '../eventually.ts'
import { startTestCluster } from '../postgres.ts'
import { freePorts } from '../ports.ts'
import { git, checkOut } from '../releases.ts'
import { call, type Answer } from './merchant.ts'

const root = join(import.meta.dirname, '../..')
/** The number of payments created before each next step. */
const paymentsBetween = 30

test('the previous release and this one, side by side under load, lose no request', async (t) => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-rolling-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { before, commit } = checkOutBefore(folder)
  const place = await openPlace(folder, stack)

  assert.equal((await place.run(before, 'migrate')).code, 0)
  const outside = await place.launch(before, 'start')
  const sandbox = await eventually(
    'the sandbox is ready',
    async () => (await outside.isReady()) && place.sandbox(),
  )
  const old = await place.launch(before, 'api')
  await eventually('the API of the previous release is ready', old.isReady)

  const load = startLoad(sandbox, [old.url])
  stack.defer(load.stop)
  await load.goOn()
  const migrated = await place.run(root, 'migrate')
  assert.equal(migrated.code, 0, migrated.output)
  assert.match(migrated.output, /applied 00/, `there was nothing to migrate since ${commit}`)
  await load.goOn()

  const fresh = await place.launch(root, 'api')
  const worker = await place.launch(root, 'worker')
  await eventually('the API of this release is ready', fresh.isReady)
  load.use([old.url, fresh.url])
  await load.goOn()

  // First out of the load balancer, as the operator's page says; then its last requests end.
  load.use([fresh.url])
  await eventually('the requests to the previous release are answered', () => load.pendingAt(old.url) === 0)
  assert.equal(await old.stop(), 0, old.output())
  await load.goOn()
  await load.stop()

  assert.deepEqual(load.lost(), [])
  for (const id of load.created()) {
    await eventually(`${id} is PAID`, async () => {
      const { body } = await call({ ...sandbox, apiUrl: fresh.url }, 'GET', `/v1/payments/${id}`)
      return body['status'] === 'PAID'
    })
  }
  t.diagnostic(
    `${load.created().length} payments, ${load.answered()} requests, before: ${commit}, ${migrated.output.trim()}`,
  )
  assert.equal(await worker.stop(), 0, worker.output())
  const { code, output } = await place.run(root, 'verify')
  assert.equal(code, 0, output)
})

/**
 * Checks out the commit before the one that last added a migration, in a folder of its own, with its dependencies.
 * Fails if git does not have that commit: then nothing was tested.
 */
function checkOutBefore(folder: string): { readonly before: string; readonly commit: string } {
  const why = (what: string) =>
    `${what}, so the release before cannot be started. This test needs the repository with its history (git fetch --unshallow).`
  assert.ok(git('rev-parse', '--git-dir'), why('This is no git repository'))
  const last = git('log', '-1', '--format=%H', '--diff-filter=A', '--', ':(glob)migrations/0*.sql')
  const commit = last && git('rev-parse', '--verify', '--quiet', `${last}^`)
  assert.ok(commit, why('The history does not reach back to the last migration'))
  const before = join(folder, 'before')
  checkOut(commit, before)
  return { before, commit: commit.slice(0, 12) }
}

type Running = {
  readonly url: string
  isReady(): Promise<boolean>
  output(): string
  /** Ends the process as an operator does. Returns the exit code. */
  stop(): Promise<number | null>
}

/** A database and keys that all processes share. */
async function openPlace(folder: string, stack: AsyncDisposableStack) {
  const cluster = await startTestCluster()
  stack.defer(cluster.stop)
  const databases = await makeDatabase(cluster.url)
  const dataDir = join(folder, 'data')
  mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 })
  const key = () => randomBytes(32).toString('hex')
  const shared = {
    ...process.env,
    ...databases,
    VINTEM_DATA_DIR: dataDir,
    VINTEM_MASTER_KEY: key(),
    VINTEM_WORKER_KEY: key(),
    VINTEM_AUDIT_KEY: key(),
    VINTEM_RECONCILE_SECONDS: '2',
  }
  const begin = (release: string, args: readonly string[], port: number) => {
    const env = { ...shared, PORT: String(port) }
    const child = spawn(process.execPath, [join(release, 'src/main.ts'), ...args], {
      cwd: release,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => printed.push(part.toString('utf8')))
    return { child, output: () => printed.join('') }
  }

  return {
    /** Runs a command of the release to its end. */
    async run(release: string, ...args: readonly string[]) {
      const { child, output } = begin(release, args, 4000)
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, output: output() }
    },
    async launch(release: string, role: string): Promise<Running> {
      const port = await freePorts([0, 1, 2, 3, 4, 10, 11, 12, 13, 20, 21])
      const { child, output } = begin(release, [role], port)
      const stop = () => end(child)
      stack.defer(async () => void (await stop()))
      const url = `http://127.0.0.1:${port}`
      const isReady = async () => {
        assert.equal(child.exitCode, null, `${role} ended: ${output()}`)
        const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
        await answer?.body?.cancel()
        return answer?.status === 200
      }
      return { url, isReady, output, stop }
    },
    /** The content of the sandbox's file; undefined until the file is written. */
    sandbox: () => {
      const file = join(dataDir, 'sandbox.json')
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SandboxFile) : undefined
    },
  }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  return child.exitCode
}

/** An empty database with an owner, and the role of the application. */
async function makeDatabase(adminUrl: string) {
  const sql = connect(adminUrl, { max: 1 })
  const urlOf = (role: string) => {
    const url = new URL(adminUrl)
    url.username = role
    url.pathname = '/rolling'
    return url.href
  }
  try {
    const password = decodeURIComponent(new URL(adminUrl).password).replaceAll("'", "''")
    for (const role of ['rolling_owner', 'rolling_app']) {
      await sql.unsafe(`create role ${role} login password '${password}'`)
    }
    await sql`create database rolling template template0 owner rolling_owner`
  } finally {
    await sql.end()
  }
  return { DATABASE_URL: urlOf('rolling_app'), DATABASE_OWNER_URL: urlOf('rolling_owner') }
}

/** Merchants that create Pix payments, read them and have them paid, at one API after another. */
function startLoad(sandbox: SandboxFile, urls: readonly string[]) {
  const created: string[] = []
  const lost: string[] = []
  const ending = new AbortController()
  let used = urls
  let answered = 0
  let turns = 0
  const pending = new Map<string, number>()
  const count = (url: string, by: number) => pending.set(url, (pending.get(url) ?? 0) + by)

  async function ask(
    expected: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer | undefined> {
    const url = used[turns++ % used.length] ?? ''
    count(url, 1)
    const answer = await call({ ...sandbox, apiUrl: url }, method, path, body).catch((error: unknown) =>
      String(error),
    )
    count(url, -1)
    answered += 1
    if (typeof answer === 'object' && answer.status === expected) return answer
    lost.push(`${method} ${path} at ${url}: ${JSON.stringify(answer)}`)
    return undefined
  }

  async function work(worker: number): Promise<void> {
    for (let made = 0; !ending.signal.aborted; made += 1) {
      const idempotencyKey = `rolling-${worker}-${made}`
      const request = { amount: 1_234, currency: 'BRL', paymentMethods: ['PIX'], idempotencyKey }
      const answer = await ask(201, 'POST', '/v1/payments', request)
      if (answer === undefined) continue
      const id = String(answer.body['id'])
      await ask(200, 'GET', `/v1/payments/${id}`)
      await ask(200, 'GET', '/v1/payments?limit=10')
      // The payer does not use the API: the sandbox plays the payer.
      const paid = await call(sandbox, 'POST', `/v1/sandbox/payments/${id}/pay`, { scenario: 'exact' })
      if (paid.status === 202) created.push(id)
      else lost.push(`the payer of ${id}: ${JSON.stringify(paid)}`)
      await sleep(50, ending.signal)
    }
  }

  const working = Promise.all([1, 2, 3].map(work))
  return {
    created: () => created,
    lost: () => lost,
    answered: () => answered,
    pendingAt: (url: string) => pending.get(url) ?? 0,
    use: (next: readonly string[]) => {
      used = next
    },
    /** Waits until this number of further payments has been created. */
    goOn: async () => {
      const goal = created.length + paymentsBetween
      await eventually(
        () => `${created.length} of ${goal} payments; lost: ${lost.join('\n')}`,
        () => created.length >= goal || lost.length > 0,
      )
      assert.deepEqual(lost, [])
    },
    stop: async () => {
      ending.abort()
      await working
    },
  }
}
