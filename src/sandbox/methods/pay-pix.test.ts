// The payer of PIX: each scenario does at the bank what it says.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import type { Payment } from '#/payments/payment.ts'
import { pix } from '#/rails/pix/method.ts'
import { openPixWorld, type PixWorld } from '../../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../../test/rails/pix/bank.ts'
import { createPixPayer } from './pay-pix.ts'

let bank: PixBank
let world: PixWorld
let payer: ReturnType<typeof createPixPayer>

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
  const control = (method: 'GET' | 'POST', path: string, body?: unknown) =>
    bank.control(method, path.replace('/_sim', ''), body as Readonly<Record<string, unknown>>)
  payer = createPixPayer({
    sql: world.core.sql,
    provider: { control },
    expire: async (merchantId, paymentId) => {
      const { lane, endKind } = world.core
      await lane.submit(endKind, { merchantId, paymentId, event: 'expired', early: true })
    },
  })
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

const refOf = ({ merchantId, id }: Payment) => ({ merchantId, paymentId: id })

/** The result of each scenario, written by hand: amounts in cents, and the exceptions. */
const expected = {
  exact: { received: [1_000n], status: 'PAID', exceptions: [], disputed: 0n },
  under: { received: [500n], status: 'WAITING_PAYMENT', exceptions: ['UNDERPAID'], disputed: 0n },
  over: { received: [1_100n], status: 'PAID', exceptions: ['OVERPAID'], disputed: 0n },
  twice: { received: [1_000n, 1_000n], status: 'PAID', exceptions: ['DUPLICATE'], disputed: 0n },
  late: { received: [1_000n], status: 'PAID', exceptions: ['LATE'], disputed: 0n },
  lost_webhook: { received: [1_000n], status: 'PAID', exceptions: [], disputed: 0n },
  repeated_webhook: { received: [1_000n], status: 'PAID', exceptions: [], disputed: 0n },
  med: { received: [1_000n], status: 'PAID', exceptions: [], disputed: 1_000n },
} as const

for (const scenario of pix.sandbox.scenarios) {
  test(`${scenario} happens at the bank, and here after a reconciliation`, async () => {
    const { payment } = await world.create()
    const { endToEndIds = [] } = await payer.pay(refOf(payment), { minor: 1_000n, scenario })
    const [charge] = await bank.charges(await world.txidOf(payment))
    assert.deepEqual(
      charge?.pix?.map(({ endToEndId, valor }) => [endToEndId, BigInt(valor.replace('.', ''))]),
      endToEndIds.map((name, index) => [name, expected[scenario].received[index]]),
    )
    await world.reconcile()
    const now = await world.payment(payment.id)
    const { received, status, exceptions, disputed } = expected[scenario]
    const sum = received.reduce((total, each) => total + each, 0n)
    assert.deepEqual(
      [now.receivedMinor, now.status, [...now.exceptions], now.disputedMinor],
      [sum, status, [...exceptions], disputed],
    )
  })
}

test('half of one cent is one cent, and one more than one is two', async () => {
  const { payment } = await world.create({ amount: 1 })
  await payer.pay(refOf(payment), { minor: 1n, scenario: 'under' })
  const other = (await world.create({ amount: 1 })).payment
  await payer.pay(refOf(other), { minor: 1n, scenario: 'over' })
  await world.reconcile()
  assert.equal((await world.payment(payment.id)).receivedMinor, 1n)
  assert.equal((await world.payment(other.id)).receivedMinor, 2n)
})

test('a payment without a charge is not found', async () => {
  const ref = { merchantId: world.merchant.id, paymentId: newId<'payment'>() }
  await assert.rejects(payer.pay(ref, { minor: 1n, scenario: 'exact' }), { code: 'not_found' })
})
