// When a payment ends unpaid its charge is canceled at the bank; and only its own merchant can end a payment.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hourMs, minuteMs } from '#/kernel/time.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import type { Payment } from './payment.ts'

let bank: PixBank
let world: PixWorld

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

const create = async () => (await world.create()).payment
const close = ({ id }: Payment, event: 'canceled' | 'expired', merchantId = world.merchant.id) =>
  world.core.lane.submit(world.core.endKind, {
    merchantId,
    paymentId: id,
    event,
    ...(event === 'expired' ? { early: true as const } : {}),
  })
const statusOf = async (payment: Payment) => {
  const [charge] = await bank.charges(await world.txidOf(payment))
  return charge?.status
}
const closings = async () => {
  const [row] = await world.core.sql<{ count: number }[]>`
    select count(*)::integer as count from attempt_closing`
  return row?.count
}

for (const event of ['canceled', 'expired'] as const) {
  test(`the charge of a payment that was ${event} is removed at the bank, once`, async () => {
    const payment = await create()
    assert.equal((await close(payment, event)).kind, 'closed')
    assert.equal(await statusOf(payment), 'ATIVA')
    assert.equal(await world.revoke(), 1)
    assert.equal(await statusOf(payment), 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
    assert.deepEqual([await world.revoke(), await closings()], [0, 0])
  })
}

test('a PAID payment keeps its charge, and a charge that is paid in the same moment is no error', async () => {
  const [paid, race] = [await create(), await create()]
  const pix = await bank.pay(await world.txidOf(paid), { webhook: 'lose' })
  await world.callback({ pix })
  assert.equal((await close(paid, 'canceled')).kind, 'refused')
  assert.equal(await closings(), 0)
  await close(race, 'canceled')
  const late = await bank.pay(await world.txidOf(race), { webhook: 'lose' })
  await world.revoke()
  assert.deepEqual([await statusOf(race), await closings()], ['CONCLUIDA', 0])
  await world.callback({ pix: late })
  const { status, receivedMinor } = await world.payment(race.id)
  assert.deepEqual([status, receivedMinor], ['CANCELED', 1_000n])
})

test('a charge is canceled when the bank is back, and given up if it never is', async () => {
  const [one, other] = [await create(), await create()]
  await close(one, 'canceled')
  await bank.control('POST', '/down', { down: true })
  await world.revoke()
  assert.equal(await closings(), 1)
  await bank.control('POST', '/down', { down: false })
  assert.equal(await world.revoke(), 0)
  await world.clock.advance(minuteMs)
  assert.equal(await world.revoke(), 1)
  assert.equal(await statusOf(one), 'REMOVIDA_PELO_USUARIO_RECEBEDOR')

  await close(other, 'canceled')
  await bank.control('POST', '/down', { down: true })
  let tries = 0
  for (; (await closings()) !== 0; tries++) {
    assert.ok(tries < 30, 'it is given up')
    await world.clock.advance(2 * hourMs)
    await world.revoke()
  }
  await bank.control('POST', '/down', { down: false })
  assert.ok(tries >= 10, `${tries} tries`)
})

test('when two merchants name one payment at the same time only its own ends it', async () => {
  const stranger = await world.newMerchant()
  for (const isFirst of [true, false]) {
    const [payment, busy] = [await create(), await create()]
    const order = isFirst ? [world.merchant.id, stranger.id] : [stranger.id, world.merchant.id]
    // The first one keeps the lane busy, so that the others are in one batch.
    const verdicts = await Promise.all([
      close(busy, 'canceled'),
      ...order.map((merchantId) => close(payment, 'canceled', merchantId)),
    ])
    const expected = order.map((merchantId) => (merchantId === stranger.id ? 'not_found' : 'closed'))
    assert.deepEqual(
      verdicts.slice(1).map(({ kind }) => kind),
      expected,
    )
  }
  const payment = await create()
  const refused = await Promise.all([
    close(payment, 'canceled', stranger.id),
    close(payment, 'canceled', stranger.id),
  ])
  assert.deepEqual(new Set(refused.map(({ kind }) => kind)), new Set(['not_found']))
  assert.equal((await world.payment(payment.id)).status, 'WAITING_PAYMENT')
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.verify()).faults, [])
})
