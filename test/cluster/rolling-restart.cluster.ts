// Two API processes behind HAProxy are replaced one after the other, under a hundred requests a second: none fails.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sleep } from '#/kernel/time.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { eventually } from '../eventually.ts'
import { call } from '../journeys/merchant.ts'
import { openPlace, root, type Running } from '../journeys/place.ts'
import { startTestCluster } from '../postgres.ts'
import { startHaproxy } from './haproxy.ts'

const perSecond = 100
/** HAProxy notices within two checks, one a second; the machine may be slow. */
const drain = { VINTEM_DRAIN_SECONDS: '10' }
/** A machine that does other things too is slow to start a process. */
const startMs = 300_000

test('two API processes behind HAProxy are replaced under load, and no request fails', async (t) => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-restart-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const cluster = await startTestCluster()
  stack.defer(cluster.stop)
  const place = await openPlace({ folder, adminUrl: cluster.url }, stack)
  assert.equal((await place.run(root, 'migrate')).code, 0)
  // With all keys in its environment, on a directory that does not exist.
  const outside = await place.launch(root, 'start')
  const sandbox = await eventually(
    () => `the sandbox is ready: ${outside.output()}`,
    async () => (await outside.isReady()) && place.sandbox(),
    startMs,
  )
  const launch = async (env: Readonly<Record<string, string>>, at?: number) => {
    const api = await place.launch(root, 'api', env, at)
    await eventually('the API is ready', api.isReady, startMs)
    return api
  }
  const apis: [Running, Running] = [await launch(drain), await launch(drain)]
  const proxy = stack.use(await startHaproxy(folder, { a: apis[0].port, b: apis[1].port }))
  await eventually('both get requests', async () => (await proxy.up()).length === 2)

  const load = await startLoad({ ...sandbox, apiUrl: proxy.url })
  stack.defer(load.stop)
  await load.goOn()
  for (const index of [0, 1] as const) {
    const old = apis[index]
    const stream = await openStream({ ...sandbox, apiUrl: old.url })
    const waiting = call({ ...sandbox, apiUrl: old.url }, 'GET', '/v1/events?after=900000000&wait=30')
    // Under way before the signal.
    await sleep(500)
    old.signal('SIGTERM')
    // A request may overtake the signal.
    const answer = await eventually('it is not ready', async () => {
      const said = await fetch(`${old.url}/health/ready`)
      const body: unknown = await said.json()
      return said.status === 503 && body
    })
    assert.deepEqual(answer, {
      status: 'not_ready',
      checks: { end: false },
      reasons: { end: 'It is ending: send requests elsewhere.' },
    })
    await old.ended()
    assert.equal(await old.stop(), 0, old.output())
    assert.equal((await waiting).status, 200, 'who waits for events is answered')
    await stream.ended
    apis[index] = await launch(drain, old.port)
    await eventually('both get requests again', async () => (await proxy.up()).length === 2)
    await load.goOn()
  }
  t.diagnostic(`${load.answered()} requests, ${load.failed().length} failed`)
  assert.deepEqual(load.failed(), [])

  // What the wait is for: a process that ends at once loses requests, and this load shows it.
  await apis[0].stop()
  apis[0] = await launch({ VINTEM_DRAIN_SECONDS: '0' }, apis[0].port)
  await eventually('both get requests again', async () => (await proxy.up()).length === 2)
  await load.goOn()
  const before = load.failed().length
  assert.equal(await apis[0].stop(), 0)
  await load.goOn()
  t.diagnostic(`without the wait ${load.failed().length - before} failed`)
  assert.ok(load.failed().length > before, 'the load finds requests that are lost')
  await load.stop()
})

/** An open page's stream of states. Resolves when the server has ended it. */
async function openStream(
  api: Pick<SandboxFile, 'apiUrl' | 'apiKey'>,
): Promise<{ readonly ended: Promise<void> }> {
  const made = await call(api, 'POST', '/v1/payments', {
    amount: 1_000,
    currency: 'BRL',
    paymentMethods: ['CREDIT_CARD'],
    idempotencyKey: `stream-${process.hrtime.bigint()}`,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const answer = await fetch(`${String(made.body['cardRedirectUrl'])}/events`)
  assert.equal(answer.status, 200)
  return { ended: answer.text().then(() => {}) }
}

/** A merchant's requests, one each ten milliseconds whether earlier ones were answered or not, and three callers that wait for events. */
async function startLoad(api: Pick<SandboxFile, 'apiUrl' | 'apiKey'>) {
  const ending = new AbortController()
  const failed: string[] = []
  const pending = new Set<Promise<void>>()
  let answered = 0
  let sent = 0
  let id: string | undefined

  async function ask(expected: number, method: string, path: string, body?: unknown) {
    const answer = await call(api, method, path, body).catch((error: unknown) => String(error))
    answered += 1
    if (typeof answer === 'object' && answer.status === expected) return answer.body
    failed.push(`${method} ${path}: ${JSON.stringify(answer)}`)
    return undefined
  }

  async function create(): Promise<void> {
    const idempotencyKey = `restart-${sent}`
    const request = { amount: 1_234, currency: 'BRL', paymentMethods: ['PIX'], idempotencyKey }
    const made = (await ask(201, 'POST', '/v1/payments', request))?.['id']
    if (typeof made === 'string') id = made
  }

  const reads = () => [`/v1/payments/${id}`, '/v1/wallets', '/v1/events?limit=5', `/v1/payments/${id}`]
  await create()

  async function tick(): Promise<void> {
    const beganAt = performance.now()
    for (
      let due = 0;
      !ending.signal.aborted;
      due = ((performance.now() - beganAt) / 1_000) * perSecond - sent
    ) {
      for (; due >= 1; due -= 1) {
        sent += 1
        const path = reads()[sent % 4] ?? ''
        const request = (sent % 20 === 0 ? create() : ask(200, 'GET', path)).then(() => {})
        pending.add(request)
        void request.finally(() => pending.delete(request))
      }
      await sleep(10)
    }
    await Promise.all(pending)
  }

  async function waitForEvents(): Promise<void> {
    let after = 0
    while (!ending.signal.aborted) {
      const body = await ask(200, 'GET', `/v1/events?after=${after}&wait=5&limit=100`)
      after = Number(body?.['readTo'] ?? after)
    }
  }

  const working = Promise.all([tick(), waitForEvents(), waitForEvents(), waitForEvents()])
  return {
    failed: () => failed,
    answered: () => answered,
    /** Until ten seconds' requests more have been answered. */
    goOn: async () => {
      const goal = answered + 10 * perSecond
      await eventually('requests are answered', () => answered >= goal, startMs)
    },
    stop: async () => {
      ending.abort()
      await working
    },
  }
}
