import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Payment } from '#/payments/payment.ts'
import { openCheckoutWorld, type CheckoutWorld } from '../../test/checkout-world.ts'
import { eventually } from '../../test/eventually.ts'
import { createFeed, type Feed } from './feed.ts'
import type { PageState } from './page-state.ts'
import { selectVersions } from './queries.ts'
import type { Snapshot } from './snapshot.ts'

type Event = { readonly id: string; readonly state: PageState }

async function listen(world: CheckoutWorld, payment: Payment, more = '') {
  const leaving = new AbortController()
  const response = await fetch(`${world.url}${world.path(payment)}/events${more}`, { signal: leaving.signal })
  const events = eventsOf(response)
  return {
    response,
    async next(): Promise<Event | undefined> {
      const result = await events.next()
      return result.done === true ? undefined : result.value
    },
    leave: () => leaving.abort(),
  }
}

async function* eventsOf(response: Response): AsyncGenerator<Event, undefined> {
  let rest = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(part) ?? []
      if (id !== undefined && data !== undefined) yield { id, state: JSON.parse(data) as PageState }
    }
  }
}

test('a stream sends the whole state at once and after every change, in order, and ends when nothing can change', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment({ method: 'CRYPTO', currency: 'USDT' })
  const stream = await listen(world, payment, '/pt-BR')
  const { headers } = stream.response
  assert.equal(headers.get('content-type'), 'text/event-stream')
  assert.equal(headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  const first = await stream.next()
  assert.equal(first?.state.step, 'waiting')
  assert.equal(first?.state.locale, 'pt-BR')
  assert.deepEqual(Object.keys(first.state).includes('texts'), true)

  world.providers.deposits.push({
    txHash: '0xab',
    amount: '8000000000000000000',
    confirmations: 1,
    final: false,
  })
  await world.change(payment, { seenMinor: 800n })
  const detected = await stream.next()
  assert.equal(detected?.state.step, 'underpaid')
  // One more block changes no row of the payment.
  world.providers.deposits[0] = {
    txHash: '0xab',
    amount: '8000000000000000000',
    confirmations: 2,
    final: false,
  }
  const block = await stream.next()
  assert.ok(block?.state.panel?.method === 'CRYPTO')
  assert.equal(block.state.panel.deposits[0]?.confirmations, 2)

  world.providers.deposits[0] = {
    txHash: '0xab',
    amount: '8000000000000000000',
    confirmations: 3,
    final: true,
  }
  await world.change(payment, { seenMinor: 0n, receivedMinor: 1_000n, status: 'PAID' })
  const paid = await stream.next()
  assert.deepEqual([paid?.state.step, paid?.state.isFinal], ['paid', true])
  assert.equal(await stream.next(), undefined, 'the stream has ended')
  const ids = [first, detected, block, paid].map((event) => Number(event?.id))
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(ids).size, ids.length)
})

test('a stream that is opened when the payment is over gets its state once', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment({ status: 'PAID', receivedMinor: 1_000n })
  const stream = await listen(world, payment)
  assert.equal((await stream.next())?.state.step, 'paid')
  assert.equal(await stream.next(), undefined)
})

test('a Pix that arrives after the page showed the deadline as over is still shown on it', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment({
    method: 'PIX',
    status: 'EXPIRED',
    expiresAt: world.clock.now(),
  })
  const stream = await listen(world, payment)
  assert.equal((await stream.next())?.state.step, 'expired')
  await world.change(payment, { receivedMinor: 1_000n, status: 'PAID', exceptions: ['LATE'] })
  assert.equal((await stream.next())?.state.step, 'late')
  assert.equal(await stream.next(), undefined)
})

test('the provider’s answer reaches the open page by itself', async () => {
  await using world = await openCheckoutWorld()
  world.providers.openMs = 300
  const payment = await world.newPayment()
  const stream = await listen(world, payment)
  assert.equal((await stream.next())?.state.step, 'preparing')
  assert.equal((await stream.next())?.state.step, 'waiting')
  stream.leave()
})

test('two tabs in two languages get the same change; a closed tab is dropped', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment()
  await world.state(payment)
  const [pt, es, gone] = await Promise.all([
    listen(world, payment, '/pt-BR'),
    listen(world, payment, '/es'),
    listen(world, payment),
  ])
  for (const each of [pt, es, gone]) await each.next()
  gone.leave()
  await world.change(payment, { lastError: { code: 'expired_card', message: '' } })
  assert.equal((await pt.next())?.state.problem, 'O cartão está vencido. Tente outro cartão.')
  assert.equal((await es.next())?.state.problem, 'La tarjeta está vencida. Pruebe con otra.')
  pt.leave()
  es.leave()
})

test('the number of streams of a page is limited, and the server stops with streams open', async () => {
  const world = await openCheckoutWorld()
  const payment = await world.newPayment()
  await world.state(payment)
  const streams = await Promise.all(Array.from({ length: 8 }, () => listen(world, payment)))
  assert.ok(streams.every(({ response }) => response.status === 200))
  const refused = await listen(world, payment)
  assert.equal(refused.response.status, 429)
  const other = await listen(world, await world.newPayment())
  assert.equal(other.response.status, 200)
  await world[Symbol.asyncDispose]()
})

const snapshotOf = (payment: Payment): Snapshot => ({
  payment,
  means: { fields: {} },
  opened: 0,
  attempts: [],
})

/** A server of one route, which answers with the feed's stream for the payment of that number. */
async function serveFeed(feed: Feed, payments: readonly Payment[]) {
  const server = Fastify({ forceCloseConnections: true })
  server.get('/:at', async (request, reply) => {
    const { at } = request.params as { readonly at: string }
    const payment = must(payments[Number(at)], 'one of them')
    await feed.join(reply, snapshotOf(payment), 'en')
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const streams = await Promise.all(payments.map((_, at) => fetch(`${url}/${at}`)))
  return {
    streams,
    async [Symbol.asyncDispose]() {
      feed.close()
      for (const { body } of streams) if (body?.locked === false) await body.cancel()
      await server.close()
    },
  }
}

test('one query finds the changes of all open pages, and snapshots are read only of what changed', async () => {
  await using world = await openCheckoutWorld()
  const payments = [await world.newPayment(), await world.newPayment(), await world.newPayment()]
  for (const payment of payments) await world.state(payment)
  const sizes: { versions: number[]; snapshots: number[] } = { versions: [], snapshots: [] }
  const feed = createFeed({
    log: silentLog,
    versions: (refs) => {
      sizes.versions.push(refs.length)
      return selectVersions(world.sql, refs)
    },
    snapshots: async (refs) => {
      sizes.snapshots.push(refs.length)
      return new Map()
    },
    stateOf: (snapshot) => world.state(snapshot.payment),
    onSnapshot: () => {},
    tickMs: 250,
  })
  await using _server = await serveFeed(feed, payments)
  await eventually('two polls of all three without a change', () => sizes.versions.slice(-2).join() === '3,3')
  const before = sizes.snapshots.length
  await world.change(must(payments[1], 'the second'), { seenMinor: 1n })
  await eventually('a read of snapshots', () => sizes.snapshots.length > before)
  assert.equal(sizes.snapshots.at(-1), 1)
})

test('a change whose read failed is sent after the next poll', async () => {
  await using world = await openCheckoutWorld()
  const payment = await world.newPayment({ method: 'CRYPTO', currency: 'USDT' })
  let reads = 0
  let isAway = false
  const feed = createFeed({
    log: silentLog,
    versions: (refs) => selectVersions(world.sql, refs),
    snapshots: async (refs) => {
      reads += 1
      if (isAway) throw new Error('the database went away')
      return new Map(refs.map(({ paymentId }) => [paymentId, snapshotOf(payment)]))
    },
    stateOf: (snapshot) => world.state(snapshot.payment),
    onSnapshot: () => {},
    tickMs: 250,
  })
  await using server = await serveFeed(feed, [payment])
  const events = eventsOf(must(server.streams[0], 'the only one'))
  assert.equal((await events.next()).value?.state.step, 'waiting')
  await eventually('a read', () => reads > 0)
  isAway = true
  const before = reads
  await world.change(payment, { seenMinor: 1n })
  await eventually('a read that fails', () => reads > before)
  isAway = false
  assert.equal((await events.next()).value?.state.step, 'underpaid')
})
