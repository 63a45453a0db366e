// The primary is gone, its synchronous standby takes over, and later the roles go back, while payments of all kinds go on: by hand, and
// under Patroni. Nothing that was acknowledged is lost. The test prints for how long nothing is acknowledged (figures: docs/operating.md).
import { test, type TestContext } from 'node:test'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { eventually } from '../eventually.ts'
import { startCrashLoad } from '../journeys/crash-load.ts'
import { createInstallation, type Installation } from '../journeys/installation.ts'
import { call } from '../journeys/merchant.ts'
import { behindProxy } from '../journeys/shared-installation.ts'
import { startPatroniCluster, type PatroniCluster } from './patroni-cluster.ts'
import { startPostgresPair, type PairServer, type PostgresPair } from './postgres-pair.ts'

/** Only ends a hanging test. */
const limitMs = 300_000

type Urls = { urlOf(role: 'vintem_app' | 'vintem_owner'): string }

async function startOn(urls: Urls, stack: AsyncDisposableStack): Promise<Installation> {
  const env = {
    ...behindProxy,
    DATABASE_URL: urls.urlOf('vintem_app'),
    DATABASE_OWNER_URL: urls.urlOf('vintem_owner'),
  }
  const installation = stack.use(await createInstallation(env, { first: true }))
  await installation.start()
  return installation
}

/** The milliseconds from `sinceMs` until a new payment is acknowledged. */
async function untilAcknowledged(installation: Installation, sinceMs: number): Promise<number> {
  const idempotencyKey = `recovered-${sinceMs}`
  const request = { amount: 1_050, paymentMethods: ['PIX'], idempotencyKey }
  for (;;) {
    const answer = await call(installation.sandbox(), 'POST', '/v1/payments', request).catch(() => undefined)
    if (answer?.status === 201) return Math.round(monotonicMs() - sinceMs)
    await sleep(50)
  }
}

test('by hand: kill -9, promote and switch back lose nothing that was acknowledged', async (t) => {
  await using stack = new AsyncDisposableStack()
  const pair = stack.use(await startPostgresPair())
  const installation = await startOn(pair, stack)
  const load = await startCrashLoad(installation, stack)
  const [first, second] = pair.servers
  for (const { from, to, how } of [
    { from: first, to: second, how: 'kill' },
    { from: second, to: first, how: 'fast' },
    { from: first, to: second, how: 'kill' },
  ] as const) {
    t.diagnostic(await pair.stateOf(from))
    await load.goOn(`${from.name} is the primary`)
    const sinceMs = monotonicMs()
    await from.stop(how)
    await promote(pair, to)
    const ms = await untilAcknowledged(installation, sinceMs)
    t.diagnostic(`${how === 'kill' ? 'kill -9' : 'switch back'}: acknowledged again after ${ms} ms`)
    await load.goOn(`${to.name} took over`)
    await followAgain(pair, { primary: to, standby: from })
  }
  await load.stop()
  await load.holds(t)
})

/** Without a standby no commit would be answered. */
async function promote(pair: PostgresPair, server: PairServer): Promise<void> {
  await server.promote()
  await pair.setSynchronous(server, '')
}

async function followAgain(
  pair: PostgresPair,
  { primary, standby }: { readonly primary: PairServer; readonly standby: PairServer },
): Promise<void> {
  await standby.follow(primary)
  await pair.setSynchronous(primary, '*')
  await eventually('it is synchronous', async () => (await pair.stateOf(primary)).includes('streaming sync'))
}

test('under Patroni: kill -9 and switch back lose nothing that was acknowledged', async (t) => {
  await using stack = new AsyncDisposableStack()
  const cluster = stack.use(await startPatroniCluster())
  const installation = await startOn(cluster, stack)
  const load = await startCrashLoad(installation, stack)
  for (let round = 0; round < 2; round += 1) {
    const { leader, standby } = await complete(cluster, t)
    await load.goOn(`${leader} is the leader`)
    const sinceMs = monotonicMs()
    await cluster.member(leader).kill()
    t.diagnostic(`kill -9: acknowledged again after ${await untilAcknowledged(installation, sinceMs)} ms`)
    await load.goOn(`${standby} took over`)
    cluster.member(leader).start()
    await complete(cluster, t)
    const switchedMs = monotonicMs()
    await cluster.switchTo(leader)
    t.diagnostic(
      `switch back: acknowledged again after ${await untilAcknowledged(installation, switchedMs)} ms`,
    )
    await load.goOn(`${leader} is the leader again`)
  }
  await complete(cluster, t)
  await load.stop()
  await load.holds(t)
})

/** Waits until a leader and its standbys run. */
async function complete(cluster: PatroniCluster, t: TestContext) {
  const roles = await eventually('a leader and its standbys run', cluster.roles, limitMs)
  t.diagnostic(await cluster.state())
  return roles
}
