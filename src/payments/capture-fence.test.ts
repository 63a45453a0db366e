// Two processes and one authorisation, where one process is stalled after a refusal of the provider.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { silentLog } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { openCardWorld, type CardWorld } from '../../test/card-world.ts'
import { authorisationKind } from './capture-kind.ts'
import { createCapturer } from './capture.ts'

let world: CardWorld
before(async () => {
  world = await openCardWorld()
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})
beforeEach(() => {
  world.provider.capture = 'refuses'
  world.provider.void = 'is away'
})

let names = 0
async function approved() {
  const { payment, attempt } = await world.create({ captureMode: 'MANUAL' })
  const name = `pi_fence_${(names += 1)}`
  await world.settle(world.receipt(attempt, 'authorised', name, { pendingRef: name }))
  return { ref: { merchantId: payment.merchantId, paymentId: payment.id }, id: payment.id, attempt, name }
}

/** A process that is stalled between a refusal and dropping the order. */
function slowCapturer() {
  const [refused, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { sql, lane } = world.line
  const submit: LedgerLane<EventDraft>['submit'] = async (kind, item) => {
    if ((item as { readonly request?: string }).request === 'DROP') {
      refused.resolve()
      await goesOn.promise
    }
    return lane.submit(kind, item)
  }
  const capturer = createCapturer({
    sql,
    rails: world.rails,
    lane: { ...lane, submit },
    kind: authorisationKind(),
    log: silentLog,
    settle: (receipts) => world.settle(...receipts),
  })
  return { capturer, refused: refused.promise, goOn: goesOn.resolve }
}

const ordersOf = async (attemptId: string) => [
  ...(await world.line.sql<{ kind: string; isOpen: boolean }[]>`
    select kind, ended_at is null as "isOpen" from authorisation_order where attempt_id = ${attemptId}`),
]
const code = (expected: AppError['code']) => (error: unknown) =>
  error instanceof AppError && error.code === expected

test('a refusal of a stalled process drops no newer order', async () => {
  const { ref, id, attempt, name } = await approved()
  const slow = slowCapturer()
  const answer = slow.capturer.capture(ref, 500n)
  answer.catch(() => {})
  await slow.refused
  // A worker repeats the request, is refused too, and the merchant decides anew.
  await world.line.clock.advance(2 * minuteMs)
  assert.equal(await world.newCapturer().sendDue(), 1)
  await assert.rejects(world.newCapturer().cancel(ref), code('provider_unavailable'))
  assert.deepEqual(await ordersOf(attempt.id), [{ kind: 'VOID', isOpen: true }])
  slow.goOn()
  await assert.rejects(answer, AppError)
  assert.deepEqual(await ordersOf(attempt.id), [{ kind: 'VOID', isOpen: true }])
  world.provider.void = () => [world.receipt(attempt, 'voided', name, { pendingRef: name })]
  await world.line.clock.advance(2 * minuteMs)
  assert.equal(await world.newCapturer().sendDue(), 1)
  assert.equal((await world.payment(id)).status, 'CANCELED')
})

test('a refusal of a stalled process does not drop an order that the provider accepted from another one', async () => {
  const { ref, id, attempt, name } = await approved()
  const slow = slowCapturer()
  const answer = slow.capturer.capture(ref, 600n)
  answer.catch(() => {})
  await slow.refused
  // Accepted, and not done.
  world.provider.capture = () => []
  await world.line.clock.advance(2 * minuteMs)
  assert.equal(await world.newCapturer().sendDue(), 1)
  slow.goOn()
  await assert.rejects(answer, code('provider_unavailable'))
  assert.deepEqual(await ordersOf(attempt.id), [{ kind: 'CAPTURE', isOpen: true }])
  await assert.rejects(world.newCapturer().cancel(ref), code('invalid_state'))
  const amount = { ...attempt.amount, minor: 600n }
  world.provider.capture = () => [
    world.receipt(attempt, 'paid', name, { pendingRef: name, authorised: attempt.amount, amount }),
  ]
  await world.line.clock.advance(2 * minuteMs)
  assert.equal(await world.newCapturer().sendDue(), 1)
  const paid = await world.payment(id)
  assert.deepEqual([paid.status, paid.receivedMinor], ['PAID', 600n])
})
