// Checks of attempts at providers: how often, and that no payment expires although its provider has the money.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { openCardWorld, type CardWorld } from '../../test/card-world.ts'
import { checkAttempt, checkDue, nextCheckMs } from './check.ts'
import { endKind, expireDue } from './end.ts'
import type { Payment } from './payment.ts'

let world: CardWorld
before(async () => {
  world = await openCardWorld()
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})
beforeEach(() => {
  world.provider.check = 'is away'
})

const deps = () => {
  const { sql } = world.line
  const settle = (receipts: readonly Receipt[]) => world.settle(...receipts)
  return { sql, rails: world.rails, log: silentLog, settle }
}
const expire = () => {
  const { sql, lane } = world.line
  return expireDue({ sql, lane, kind: endKind(world.rails) })
}
const nothing = () => ({ receipts: [], isOver: false })
let names = 0

/** A payment whose page was opened, and that is long due to expire by the database's clock. */
async function overdue(agoMs = 5 * minuteMs) {
  const { payment, attempt } = await world.create()
  const opened = await world.openPage(payment)
  await world.line.owner`
    update payment set expires_at = clock_timestamp() - make_interval(secs => ${agoMs / 1_000}) where id = ${payment.id}`
  await world.line.owner`
    update attempt_check set due_at = clock_timestamp() - interval '1 s' where attempt_id = ${attempt.id}`
  return { payment, attempt, opened }
}

const statusOf = async ({ id }: Payment) => (await world.payment(id)).status
const isChecked = async ({ id }: { readonly id: string }) => {
  const rows = await world.line.sql`select from attempt_check where attempt_id = ${id}`
  return rows.length === 1
}

test('often at first, seldom later, and when the payment expires', () => {
  const openedAt = new Date('2026-11-21T12:00:00.000Z')
  const after = (ageMs: number, endsMs: number) => {
    const claimedAt = addMs(openedAt, ageMs)
    return nextCheckMs({ openedAt, expiresAt: addMs(openedAt, endsMs), claimedAt }) / secondMs
  }
  assert.equal(after(0, hourMs), 10)
  assert.equal(after(6 * minuteMs, hourMs), 60)
  assert.equal(after(2 * hourMs, 24 * hourMs), 600)
  assert.equal(after(hourMs - 30 * secondMs, hourMs), 30)
  assert.equal(after(2 * hourMs, hourMs), 600)
})

test('a payment expires only after a check at its expiry', async () => {
  const { payment } = await overdue()
  assert.equal(await expire(), 0)
  assert.equal((await world.close(payment, 'expired')).kind, 'refused')
  world.provider.check = nothing
  assert.equal(await checkDue(deps()), 1)
  assert.equal(await expire(), 1)
  assert.equal(await statusOf(payment), 'EXPIRED')
})

test('that check finds money without a callback, and the payment is PAID instead', async () => {
  const { payment, attempt } = await overdue()
  const paid = world.receipt(attempt, 'paid', `pi_${(names += 1)}`)
  world.provider.check = () => ({ receipts: [paid], isOver: true })
  await checkDue(deps())
  assert.equal(await expire(), 0)
  assert.equal(await statusOf(payment), 'PAID')
  assert.equal(await isChecked(attempt), false)
})

test('a silent provider delays the expiry for ten minutes at most', async () => {
  const { payment } = await overdue(9 * minuteMs)
  assert.equal(await checkDue(deps()), 1)
  assert.equal(await expire(), 0)
  const longer = await overdue(11 * minuteMs)
  assert.equal(await checkDue(deps()), 1)
  assert.equal(await expire(), 1)
  assert.deepEqual([await statusOf(payment), await statusOf(longer.payment)], ['WAITING_PAYMENT', 'EXPIRED'])
})

test('money that comes after the expiry is found later, and credited', async () => {
  const { payment, attempt } = await overdue(11 * minuteMs)
  await expire()
  assert.equal(await statusOf(payment), 'EXPIRED')
  const paid = world.receipt(attempt, 'paid', `pi_${(names += 1)}`, { happenedAt: new Date() })
  world.provider.check = () => ({ receipts: [paid], isOver: true })
  await checkDue(deps())
  assert.equal(await statusOf(payment), 'PAID')
})

test('a payment whose page was never opened expires on time, and an attempt that is over is not checked any more', async () => {
  const { payment } = await world.create()
  await world.line
    .owner`update payment set expires_at = clock_timestamp() - interval '1 s' where id = ${payment.id}`
  await world.line.clock.advance(2 * secondMs)
  assert.equal(await expire(), 1)
  const over = await overdue()
  world.provider.check = () => ({ receipts: [], isOver: true })
  await checkDue(deps())
  assert.equal(await isChecked(over.attempt), false)
  assert.equal(await expire(), 1)
})

test('a caller can check at once; an attempt that is over is not checked', async () => {
  const { payment } = await world.create()
  const opened = await world.openPage(payment)
  const paid = world.receipt(opened, 'paid', `pi_${(names += 1)}`)
  world.provider.check = () => ({ receipts: [paid], isOver: true })
  await checkAttempt(deps(), opened)
  assert.equal(await statusOf(payment), 'PAID')
  world.provider.check = 'is away'
  await checkAttempt(deps(), opened)
})
