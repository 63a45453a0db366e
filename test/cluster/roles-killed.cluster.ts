// api, worker, watcher and signer are processes of their own, and each is killed, or stands still for longer than its leases, while a live
// merchant is paid in USDT and withdraws, and a sandbox's merchant is paid by Pix, card, iDEAL and in the partner's app, captures, refunds and
// withdraws by PIX. On PostgreSQL 15, straight and behind PgBouncer 1.24 in transaction mode. PostgreSQL itself is killed too.
// Behind PgBouncer 1.18 it does not hold (decision 150).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { sleep } from '#/kernel/time.ts'
import { eventually } from '../eventually.ts'
import { goalOf, reached, startMethodsLoad } from '../journeys/crash-methods.ts'
import { keptByApp } from '../journeys/crash-pages.ts'
import type { LoadedInstallation } from '../journeys/installation.ts'
import { call, type Json } from '../journeys/merchant.ts'
import { root } from '../journeys/place.ts'
import { openLiveWorld, type LiveWorld } from './live-world.ts'
import { startPooler, type PoolerVersion } from './pgbouncer.ts'
import { createPagePayer } from './roles-sandbox.ts'
import { ownedFolder, serverUser, startSingleServer } from './single-server.ts'

/** Acknowledged between two blows: without them a blow proves nothing. */
const acknowledgedBetween = 3
/** Longer than a watcher's lease (5 s) and a transaction's idle timeout (3 s). */
const stillMs = 8_000
/** Only ends a hanging test. */
const limitMs = 300_000

const roles = ['api', 'worker', 'watcher'] as const

for (const pooler of [undefined, '1.24'] as const) {
  const where = pooler === undefined ? 'on PostgreSQL 15' : `behind PgBouncer ${pooler}`
  test(`nothing that was acknowledged is lost when processes are killed or stand still, ${where}`, (t) =>
    strike(t, pooler))
}

async function strike(t: TestContext, version: PoolerVersion | undefined): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-killed-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const user = serverUser()
  const server = stack.use(await startSingleServer(ownedFolder(folder, 'postgres', user), user))
  const pooler =
    version === undefined ? undefined : stack.use(await startPooler(version, folder, user, server.port))
  const urlOf = pooler?.through ?? ((url: string) => url)
  const world = await openLiveWorld({ folder, adminUrl: server.adminUrl, urlOf, withSandbox: true }, stack)
  const load = await startLoad(world, stack)
  await load.goOn('the first payments')

  for (const role of roles) {
    await world.replace(role)
    await load.goOn(`${role} was killed`)
    world.running[role].signal('SIGSTOP')
    await sleep(stillMs)
    world.running[role].signal('SIGCONT')
    await load.goOn(`${role} stood still`)
  }
  await world.replaceSigner()
  await load.goOn('the signer was killed')
  world.signer().process.kill('SIGSTOP')
  await sleep(stillMs)
  world.signer().process.kill('SIGCONT')
  await load.goOn('the signer stood still')
  await server.kill()
  await sleep(2_000)
  await server.start()
  await load.goOn('PostgreSQL was killed')
  await load.stop()
  t.diagnostic(await promisesHold(world, load.coins))
  await load.methods.holds(t)
  await appAgrees(load)
  const { code, output } = await world.place.run(root, 'verify')
  assert.equal(code, 0, output)
}

type Load = Awaited<ReturnType<typeof startLoad>>

/** A live merchant with coins, and a sandbox's merchant with the other methods. */
async function startLoad(world: LiveWorld, stack: AsyncDisposableStack) {
  const { place, sandbox = assert.fail('the world has a sandbox'), running } = world
  const installation: LoadedInstallation = {
    sandbox: () => sandbox,
    run: (...args) => place.run(root, ...args),
    databaseUrl: async () => place.databases.DATABASE_URL,
    output: () =>
      Object.values(running)
        .map((each) => each.output().slice(-2_000))
        .join('\n'),
  }
  const methods = await startMethodsLoad(installation, stack, createPagePayer(installation))
  const coins = startCoins(world, await world.merchantKey())
  // How it failed is shown where it is awaited.
  stack.defer(() => coins.stop().catch(() => {}))
  return {
    installation,
    methods,
    coins,
    goOn: async (after: string) => {
      const goals = [goalOf('USDT', coins.payments(), acknowledgedBetween), ...methods.goals()]
      const isGoingOn = reached(after, goals, installation.output)
      // A load that failed says why; it ends in no other way before it is stopped.
      await Promise.race([isGoingOn, coins.working])
    },
    stop: async () => {
      await Promise.all([coins.stop(), methods.stop()])
    },
  }
}

/** The wallet has what the app's payments brought and no refund took, as the app reports it. */
async function appAgrees({ installation, methods }: Load): Promise<void> {
  const { body } = await call(installation.sandbox(), 'GET', '/v1/wallets/balance')
  const wallet = (body['data'] as Json[]).find(({ currency }) => currency === 'USDT')
  const kept = await keptByApp(installation, methods.onPages)
  assert.deepEqual([wallet?.['balance'], wallet?.['heldBalance'], wallet?.['owed']], [kept, 0, 0])
}

type Payment = { readonly id: string; readonly amount: number }
type Withdrawal = Payment & { readonly to: string }
type Coins = ReturnType<typeof startCoins>

/** A merchant who is paid and withdraws. A call without an answer is sent again with the same key. */
function startCoins(world: LiveWorld, apiKey: string) {
  const api = { apiUrl: world.url, apiKey }
  const ending = new AbortController()
  const payments: Payment[] = []
  const withdrawals: Withdrawal[] = []
  let unanswered = 0

  /** The first answer that is no 503; undefined at the end. */
  async function persistently(method: string, path: string, body?: unknown): Promise<Json | undefined> {
    while (!ending.signal.aborted) {
      const answer = await call(api, method, path, body).catch(() => undefined)
      if (answer !== undefined && answer.status < 400) return answer.body
      const code = answer?.body['code']
      if (code === 'insufficient_funds') return undefined
      if (answer !== undefined) assert.equal(answer.status, 503, JSON.stringify(answer.body))
      unanswered += 1
      await sleep(200, ending.signal)
    }
    return undefined
  }

  async function bePaid(worker: number): Promise<void> {
    for (let made = 0; !ending.signal.aborted; made += 1) {
      const amount = 500 + made
      const idempotencyKey = `killed-${worker}-${made}`
      const request = { amount, currency: 'USDT', paymentMethods: ['CRYPTO'], idempotencyKey }
      const created = await persistently('POST', '/v1/payments', request)
      if (created === undefined) return
      const id = String(created['id'])
      payments.push({ id, amount })
      const shown =
        created['cryptoAddress'] ?? (await persistently('GET', `/v1/payments/${id}`))?.['cryptoAddress']
      // At the end it may not have been read: then it is not paid.
      if (typeof shown !== 'string') return void payments.pop()
      await world.pay(shown, amount)
      await sleep(500, ending.signal)
    }
  }

  async function withdraw(): Promise<void> {
    for (let made = 0; !ending.signal.aborted; made += 1) {
      const to = `0x${randomBytes(20).toString('hex')}`
      const request = {
        type: 'CRYPTO',
        amount: 100,
        currency: 'USDT',
        cryptoAddress: to,
        idempotencyKey: `out-${made}`,
      }
      const created = await persistently('POST', '/v1/withdrawals', request)
      if (created !== undefined) withdrawals.push({ id: String(created['id']), amount: 100, to })
      await sleep(1_500, ending.signal)
    }
  }

  const working = Promise.all([bePaid(1), bePaid(2), withdraw()])
  // Awaited at the end; a failure before is shown there.
  working.catch(() => {})
  return {
    api,
    payments: () => payments,
    withdrawals: () => withdrawals,
    unanswered: () => unanswered,
    working,
    stop: async () => {
      ending.abort()
      await working
    },
  }
}

/** Every payment is PAID with its coins, every withdrawal arrived once, and the wallet has the rest. */
async function promisesHold(
  world: LiveWorld,
  { api, payments, withdrawals, unanswered }: Coins,
): Promise<string> {
  let [paid, out] = [0, 0]
  for (const { id, amount } of payments()) {
    const found = await eventually(
      `${id} is PAID`,
      async () => {
        const { body } = await call(api, 'GET', `/v1/payments/${id}`)
        return body['status'] === 'PAID' && body
      },
      limitMs,
    )
    assert.equal(found['amountReceived'], amount)
    paid += amount
  }
  assert.ok(withdrawals().length > 0, 'there were withdrawals')
  for (const { id, amount, to } of withdrawals()) {
    await eventually(
      () => `${id} is COMPLETED; ${world.running.worker.output().slice(-2_000)}`,
      async () => (await call(api, 'GET', `/v1/withdrawals/${id}`)).body['status'] === 'COMPLETED',
      limitMs,
    )
    assert.equal(await world.centsAt(to), BigInt(amount), `${id} arrived once`)
    out += amount
  }
  const { body } = await call(api, 'GET', '/v1/wallets')
  const wallet = (body['data'] as Json[]).find(({ currency }) => currency === 'USDT')
  assert.deepEqual(
    [wallet?.['balance'], wallet?.['pendingBalance'], wallet?.['heldBalance']],
    [paid - out, 0, 0],
  )
  return `USDT: ${payments().length} payments, ${withdrawals().length} withdrawals, ${unanswered()} calls without an answer`
}
