// A clock was a day ahead for one batch, so the books are ahead. Due work still follows the database's clock.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../eventually.ts'
import { openPixWorld, type PixWorld } from '../pix-world.ts'
import { startPixBank, type PixBank } from '../rails/pix/bank.ts'

let bank: PixBank
let world: PixWorld
before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
  await world.core.sql`update head set at = clock_timestamp() + interval '25 hours'`
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

test('a payment is paid and refunded, and its merchant is notified, although the books are ahead', async () => {
  const { payment } = await world.create({ webhookUrl: 'https://shop.example/hook' })
  const pix = await bank.pay(await world.txidOf(payment), { webhook: 'lose' })
  await world.callback({ pix })
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  const made = await world.refund(payment, { amount: 100 })
  assert.ok(made.kind === 'created')
  await eventually('the refund is done', async () => {
    await world.sendRefunds()
    return (await world.refundOf(made.refund.id)).status === 'COMPLETED'
  })
  const late = await world.core.sql`select from delivery_due where due_at > clock_timestamp()`
  assert.equal(late.length, 0)
  const due = await world.core.sql`select from delivery_due`
  assert.ok(due.length >= 3)
})

test('a payment ends at its time and not before', async () => {
  const { payment } = await world.create()
  const { merchantId, id } = payment
  const item = { merchantId, paymentId: id, event: 'expired' } as const
  assert.equal((await world.core.lane.submit(world.core.endKind, item)).kind, 'refused')
  const end = payment.expiresAt?.getTime() ?? 0
  assert.ok(end - world.clock.now().getTime() <= 3_600_000)
  await world.clock.advance(2 * 3_600_000)
  assert.equal((await world.core.lane.submit(world.core.endKind, item)).kind, 'closed')
})
