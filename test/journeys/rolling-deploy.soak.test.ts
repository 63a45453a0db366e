// An upgrade while merchants keep working: the previous release, from git, and this one side by side on one database. The
// migrations of this release run under load, processes are replaced one after another, and every request gets its answer.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sleep } from '#/kernel/time.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { eventually } from '../eventually.ts'
import { startTestCluster } from '../postgres.ts'
import { git, checkOut } from '../releases.ts'
import { call, type Answer } from './merchant.ts'
import { openPlace, root } from './place.ts'

/** The number of payments created before each next step. */
const paymentsBetween = 30

test('the previous release and this one, side by side under load, lose no request', async (t) => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-rolling-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { before, commit } = checkOutBefore(folder)
  const cluster = await startTestCluster()
  stack.defer(cluster.stop)
  const place = await openPlace({ folder, adminUrl: cluster.url }, stack)

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
 * Checks out the parent of the commit that last added a migration, in a folder of its own, with its dependencies.
 * Fails if git does not have that parent, because then nothing would be tested.
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
