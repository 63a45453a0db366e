// A payer who goes back and forth opens a payment more than once: after one attempt was paid, the others must not be paid too.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { checkAttempt } from '#/payments/check.ts'
import { createPageOpener } from '#/payments/open.ts'
import type { Payment } from '#/payments/payment.ts'
import { listRails } from '#/rails/all.ts'
import { pageOf } from '#/rails/rail.ts'
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

/** The attempts of a payment that are still to be canceled at their providers. */
async function closingsOf({ id }: Payment): Promise<readonly string[]> {
  const rows = await world.line.sql<{ id: string }[]>`
    select attempt.id
      from attempt_closing as closing
      join attempt on attempt.merchant_id = closing.merchant_id and attempt.id = closing.attempt_id
     where attempt.payment_id = ${id}`
  return rows.map((row) => row.id)
}

for (const [outcome, status] of [
  ['paid', 'PAID'],
  ['authorised', 'APPROVED'],
] as const)
  test(`when the frame is ${outcome}, the provider's own page is canceled, and the frame is not`, async () => {
    const { payment } = await world.create(outcome === 'authorised' ? { captureMode: 'MANUAL' } : {})
    const frame = await world.openPage(payment)
    const hosted = await world.openPage(payment, 'HOSTED')
    assert.notEqual(frame.id, hosted.id)
    assert.deepEqual(await closingsOf(payment), [])
    await world.settle(world.receipt(frame, outcome, `pi_${outcome}_in_frame`))
    assert.equal((await world.payment(payment.id)).status, status)
    assert.deepEqual(await closingsOf(payment), [hosted.id])
  })

for (const [outcome, status] of [
  ['paid', 'PAID'],
  ['authorised', 'APPROVED'],
] as const)
  test(`an attempt that opens while the frame is ${outcome} is canceled and not shown; the frame is not canceled`, async () => {
    const { payment } = await world.create(outcome === 'authorised' ? { captureMode: 'MANUAL' } : {})
    const frame = await world.openPage(payment)
    const { sql, lane, clock } = world.line
    const opens = must(pageOf(world.rail), 'it opens with the page')
    const rails = listRails([
      {
        ...world.rail,
        opens: {
          ...opens,
          async open(opening) {
            await world.settle(world.receipt(frame, outcome, `pi_${outcome}_meanwhile`))
            return opens.open(opening)
          },
        },
      },
    ])
    const opener = createPageOpener({ sql, rails, lane, clock, log: silentLog })
    const page = await opener.openPage(payment, { method: 'CREDIT_CARD', presentation: 'HOSTED' })
    assert.deepEqual([page.payment.status, page.attempt], [status, undefined])
    const [closing, ...more] = await closingsOf(payment)
    assert.ok(closing !== undefined && closing !== frame.id)
    assert.deepEqual(more, [])
  })

test('a declined try cancels no attempt', async () => {
  const { payment } = await world.create()
  const frame = await world.openPage(payment)
  await world.openPage(payment, 'HOSTED')
  const failure = { code: 'card_declined', message: 'No.' }
  await world.settle(world.receipt(frame, 'declined', 'ch_declined', { failure }))
  assert.deepEqual(await closingsOf(payment), [])
})

test('an attempt that its provider has ended is not shown, and its late money is credited', async () => {
  const { payment } = await world.create()
  const ended = await world.openPage(payment)
  const { sql, clock } = world.line
  const deps = {
    sql,
    clock,
    rails: world.rails,
    log: silentLog,
    settle: (receipts: readonly Receipt[]) => world.settle(...receipts),
  }
  world.provider.check = () => ({ receipts: [], isOver: false })
  await checkAttempt(deps, ended)
  assert.equal((await world.openPage(payment)).id, ended.id)
  world.provider.check = () => ({ receipts: [], isOver: true })
  await checkAttempt(deps, ended)
  const next = await world.openPage(payment)
  assert.notEqual(next.id, ended.id)
  await world.settle(world.receipt(ended, 'paid', 'pi_of_the_ended'))
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  assert.deepEqual(await closingsOf(payment), [next.id])
})
