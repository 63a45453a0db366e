// A provider that accepts calls and never answers: it delays only its own signals and passes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs, minuteMs, sleep } from '#/kernel/time.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { createHttpClient } from '#/rails/http.ts'
import type { Rail } from '#/rails/rail.ts'
import { eventually } from '../../test/eventually.ts'
import { startHangingServer } from '../../test/hanging-server.ts'
import { cent, openLine, type Line } from '../../test/line.ts'
import { insertSignals } from './inbox-queries.ts'
import { createInbox, drainOnce, type InboxDeps } from './inbox.ts'
import { createPassWorker } from './reconcile.ts'
import { settleKind } from './settle.ts'

const hangs = 't1-hangs' as ConnectionId
const patientMs = hourMs

/** CRYPTO, and a rail whose provider hangs; each of its calls times out after `totalMs`. */
async function openWorld(totalMs: number) {
  const [line, provider] = await Promise.all([openLine(), startHangingServer()])
  const http = createHttpClient({ connectMs: 1_000, totalMs, maxConnections: 500 })
  const call = async () => {
    await http.request({ method: 'GET', url: provider.url })
    return []
  }
  const crypto = createCryptoRail(() => [line.chain])
  const hanging: Rail = { ...crypto, method: 'PARTNER_PAY', read: call }
  const rails = listRails([crypto, hanging])
  const { sql, lane, clock } = line
  const deps: InboxDeps = { sql, rails, lane, kind: settleKind(rails), log: silentLog }
  return {
    line,
    provider,
    deps,
    call,
    keepHanging: (count: number) =>
      insertSignals(
        sql,
        Array.from({ length: count }, () => ({
          method: 'PARTNER_PAY' as const,
          connection: hangs,
          body: Buffer.from('{}'),
        })),
        new Date(clock.now().getTime() - minuteMs),
      ),
    async left(method: string) {
      const rows = await sql<{ parked: boolean; tries: number }[]>`
        select parked, tries from inbox where method = ${method}`
      return [...rows]
    },
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]()
      await http.close()
      await line[Symbol.asyncDispose]()
    },
  }
}

/** A payment of this number of deposits. Stores the watcher's signals of them. */
async function payInParts(line: Line, parts: number) {
  const payment = await line.create()
  const to = await line.addressOf(payment)
  await line.mine(Array.from({ length: parts }, () => ({ to, units: cent })))
  await line.finalize()
  const signals = line.drainSignals().map((signal) => ({ method: 'CRYPTO' as const, ...signal }))
  await insertSignals(line.sql, signals, line.clock.now())
  return { payment, count: signals.length }
}

test('hundreds of other signals are settled while calls to a provider that hangs are under way', async () => {
  await using world = await openWorld(patientMs)
  const { line, provider, deps, left } = world
  await world.keepHanging(300)
  const stopping = new AbortController()
  const inbox = createInbox({ ...deps, batchMax: 100 })
  const running = inbox.run(stopping.signal)
  // Repeated, so that a worker that waits for the calls under way falls behind.
  for (let round = 0; round < 5; round += 1) {
    const { payment, count } = await payInParts(line, 50)
    assert.equal(count, 100)
    inbox.wake()
    await eventually('the others are settled', async () => (await left('CRYPTO')).length === 0)
    assert.equal((await line.payment(payment.id)).receivedMinor, 50n)
    assert.equal((await left('PARTNER_PAY')).length, 300)
    await eventually('calls are open', () => provider.waiting > 0)
    assert.ok(provider.waiting <= 50, `${provider.waiting} calls`)
  }
  stopping.abort()
  provider.cutAll()
  await running
})

test('a provider that never answers parks no signal, however often it is queried', async () => {
  await using world = await openWorld(50)
  await world.keepHanging(3)
  for (let round = 0; round < 8; round += 1) {
    assert.equal(await drainOnce(world.deps), 3)
    await world.line.clock.advance(2 * minuteMs)
  }
  for (const { parked, tries } of await world.left('PARTNER_PAY'))
    assert.deepEqual([parked, tries], [false, 0])
})

test('connections are reconciled periodically while another one hangs', async () => {
  await using world = await openWorld(patientMs)
  const { line, provider, call } = world
  const passes = new Map<string, number>()
  const connections = [...['t1-a', 't1-b'].map((each) => each as ConnectionId), hangs]
  const reconciler = createPassWorker({ sql: line.sql, log: silentLog }, () => ({
    connections,
    passes: ['recent', 'day'].map((name) => ({ name, everyMs: 0, backMs: 0 })),
    settle: async (connection) => {
      if (connection === hangs) await call()
      passes.set(connection, (passes.get(connection) ?? 0) + 1)
      return 0
    },
  }))
  const stopping = new AbortController()
  const running = reconciler.run(stopping.signal)
  const isDone = (each: string) => (passes.get(each) ?? 0) >= 20
  await eventually('both are reconciled', () => isDone('t1-a') && isDone('t1-b'))
  assert.equal(passes.get(hangs), undefined)
  assert.equal(provider.waiting, 2)
  stopping.abort()
  const ended = running.then(() => true)
  // A pass that was claimed just before hangs like those before it.
  await eventually('it ends', () => {
    provider.cutAll()
    return Promise.race([ended, sleep(10).then(() => false)])
  })
})
