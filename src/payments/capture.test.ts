// Captures and voids, as a merchant requests them: once for any number of calls, and continued after the provider was away.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import { hourMs, minuteMs } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { openCardWorld, type CardWorld } from '../../test/card-world.ts'

let world: CardWorld
before(async () => {
  world = await openCardWorld()
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})
beforeEach(() => {
  world.provider.requests.length = 0
  world.provider.capture = 'is away'
  world.provider.void = 'is away'
})

let names = 0
async function approved() {
  const { payment, attempt } = await world.create({ captureMode: 'MANUAL' })
  const ref = `pi_${(names += 1)}`
  await world.settle(world.receipt(attempt, 'authorised', ref, { pendingRef: ref }))
  return {
    ref: { merchantId: payment.merchantId, paymentId: payment.id },
    id: payment.id,
    attempt,
    name: ref,
  }
}

const captured = (attempt: Attempt, name: string, minor: bigint): readonly Receipt[] => [
  world.receipt(attempt, 'paid', name, {
    pendingRef: name,
    authorised: attempt.amount,
    amount: { ...attempt.amount, minor },
  }),
]
const voided = (attempt: Attempt, name: string): readonly Receipt[] => [
  world.receipt(attempt, 'voided', name, { pendingRef: name }),
]

const code = (expected: AppError['code']) => (error: unknown) =>
  error instanceof AppError && error.code === expected

test('ten concurrent captures in two processes are one, and all return the same', async () => {
  const { ref, id, attempt, name } = await approved()
  world.provider.capture = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return captured(attempt, name, 700n)
  }
  const capturers = [world.capturer, world.newCapturer()]
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, nth) => (capturers[nth % 2] ?? world.capturer).capture(ref, 700n)),
  )
  for (const { status, receivedMinor } of answers) assert.deepEqual([status, receivedMinor], ['PAID', 700n])
  assert.ok(world.provider.requests.length <= 2)
  assert.deepEqual(await world.eventsOf(id), ['payment.approved', 'payment.completed'])
  assert.equal((await world.capturer.capture(ref, 700n)).status, 'PAID')
  await assert.rejects(world.capturer.capture(ref, 701n), code('invalid_state'))
  await assert.rejects(world.capturer.capture(ref), code('invalid_state'))
  await assert.rejects(world.capturer.cancel(ref), code('invalid_state'))
})

test('no amount is all of it, and repeating it with or without the amount is the same', async () => {
  const { ref, attempt, name } = await approved()
  world.provider.capture = () => captured(attempt, name, 1_000n)
  assert.equal((await world.capturer.capture(ref)).receivedMinor, 1_000n)
  assert.equal((await world.capturer.capture(ref, 1_000n)).status, 'PAID')
  assert.deepEqual(world.provider.requests, [{ what: 'capture', attempt: attempt.id, minor: 1_000n }])
})

test('more than is authorised is refused without a call to the provider, and a smaller capture is still possible', async () => {
  const { ref, attempt, name } = await approved()
  await assert.rejects(
    world.capturer.capture(ref, 1_001n),
    (error: unknown) =>
      error instanceof AppError &&
      error.code === 'limit_exceeded' &&
      error.faults[0]?.pointer === '/amount' &&
      error.extra['authorised'] === 1_000,
  )
  assert.deepEqual(world.provider.requests, [])
  world.provider.capture = () => captured(attempt, name, 1n)
  assert.equal((await world.capturer.capture(ref, 1n)).status, 'PAID')
})

test('only an APPROVED payment is captured, and another merchant’s payment is not found', async () => {
  const { payment } = await world.create()
  const ref = { merchantId: payment.merchantId, paymentId: payment.id }
  await assert.rejects(world.capturer.capture(ref), code('invalid_state'))
  await assert.rejects(world.capturer.cancel(ref), code('invalid_state'))
  const { ref: approvedRef } = await approved()
  await assert.rejects(world.capturer.capture({ ...approvedRef, merchantId: newId() }), code('not_found'))
  await assert.rejects(world.capturer.capture({ ...approvedRef, paymentId: newId() }), code('not_found'))
})

test('a provider that is away: 503 with the payment’s id, no other request is accepted, and a worker goes on', async () => {
  const { ref, id, attempt, name } = await approved()
  await assert.rejects(
    world.capturer.capture(ref, 600n),
    (error: unknown) =>
      error instanceof AppError && error.code === 'provider_unavailable' && error.extra['paymentId'] === id,
  )
  assert.equal((await world.payment(id)).status, 'APPROVED')
  await assert.rejects(world.capturer.cancel(ref), code('invalid_state'))
  await assert.rejects(world.capturer.capture(ref, 500n), code('invalid_state'))
  assert.equal(await world.capturer.sendDue(), 1)
  assert.equal((await world.payment(id)).status, 'APPROVED')
  world.provider.capture = () => captured(attempt, name, 600n)
  await world.line.clock.advance(minuteMs)
  assert.equal(await world.capturer.sendDue(), 1)
  const now = await world.payment(id)
  assert.deepEqual([now.status, now.receivedMinor], ['PAID', 600n])
  await world.line.clock.advance(hourMs)
  assert.equal(await world.capturer.sendDue(), 0)
})

test('a worker carries out an order whose process died', async () => {
  const { ref, id, attempt, name } = await approved()
  world.provider.capture = () => new Promise(() => {})
  void world.newCapturer().capture(ref, 10n)
  while (world.provider.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  world.provider.capture = () => captured(attempt, name, 10n)
  assert.equal(await world.capturer.sendDue(), 0)
  await world.line.clock.advance(2 * minuteMs)
  assert.equal(await world.capturer.sendDue(), 1)
  assert.equal((await world.payment(id)).status, 'PAID')
})

test('a provider that refuses: nothing was done, and another request is accepted', async () => {
  const { ref, attempt, name } = await approved()
  world.provider.capture = 'refuses'
  await assert.rejects(world.capturer.capture(ref, 5n), (error: unknown) => {
    assert.ok(error instanceof AppError && error.code === 'invalid_state')
    assert.equal(error.message, 'The provider refuses the request. Nothing was done.')
    return true
  })
  world.provider.void = () => voided(attempt, name)
  assert.equal((await world.capturer.cancel(ref)).status, 'CANCELED')
})

test('a capture or cancel of a payment that the provider captured at once says that it is captured already', async () => {
  const { payment, attempt } = await world.create()
  await world.openPage(payment)
  await world.settle(world.receipt(attempt, 'paid', 'at-once'))
  const ref = { merchantId: payment.merchantId, paymentId: payment.id }
  for (const [asking, message] of [
    [() => world.capturer.capture(ref), 'The payment is PAID: it is captured already.'],
    [
      () => world.capturer.cancel(ref),
      'The payment is PAID: it is captured already, and cannot be voided any more. A refund returns the money.',
    ],
  ] as const)
    await assert.rejects(asking(), { code: 'invalid_state', message })
})

test('canceling voids the authorisation: CANCELED, with one event, and a repeated call returns the same', async () => {
  const { ref, id, attempt, name } = await approved()
  const start = await world.balances()
  world.provider.void = () => voided(attempt, name)
  const answers = await Promise.all([world.capturer.cancel(ref), world.capturer.cancel(ref)])
  for (const { status, seenMinor } of answers) assert.deepEqual([status, seenMinor], ['CANCELED', 0n])
  assert.equal((await world.capturer.cancel(ref)).status, 'CANCELED')
  assert.deepEqual(await world.eventsOf(id), ['payment.approved', 'payment.canceled'])
  assert.equal((await world.balances()).pending, start.pending - 1_000n)
  await assert.rejects(world.capturer.capture(ref), code('invalid_state'))
})

test('an authorisation that lapsed before the capture: the payment is EXPIRED, and the answer says so', async () => {
  const { ref, id, attempt, name } = await approved()
  world.provider.capture = () => voided(attempt, name)
  await assert.rejects(
    world.capturer.capture(ref),
    (error: unknown) => error instanceof AppError && error.extra['paymentStatus'] === 'EXPIRED',
  )
  assert.deepEqual(await world.eventsOf(id), ['payment.approved', 'payment.expired'])
})
