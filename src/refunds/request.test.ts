// Requests for refunds, decided under the lock: never more than came, once for each key, and never another merchant's money.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Payment } from '#/payments/payment.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import { refundKind, refundsMax, type RefundVerdict } from './request.ts'

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

async function paid(more: Readonly<Record<string, unknown>> = {}): Promise<Payment> {
  const { payment } = await world.create()
  const pix = await bank.pay(await world.txidOf(payment), { webhook: 'lose', ...more })
  await world.callback({ pix })
  return world.payment(payment.id)
}

const kinds = (verdicts: readonly RefundVerdict[]) => verdicts.map(({ kind }) => kind)

test('partial refunds add up to what came and not a cent more; without an amount the rest is refunded', async () => {
  const payment = await paid()
  const before = await world.balances()
  const first = await world.refund(payment, { amount: 400, reason: 'one chair' })
  assert.ok(first.kind === 'created')
  const { status, amountMinor, currency, walletId } = first.refund
  assert.deepEqual([status, amountMinor, currency, walletId], ['PENDING', 400n, 'BRL', payment.walletId])
  const tooMuch = await world.refund(payment, { amount: 601 })
  assert.ok(tooMuch.kind === 'exceeds')
  assert.deepEqual([tooMuch.refundableMinor, tooMuch.atOnceMinor], [600n, 600n])
  const rest = await world.refund(payment)
  assert.ok(rest.kind === 'created' && rest.refund.amountMinor === 600n)
  assert.equal((await world.refund(payment)).kind, 'exceeds')
  assert.equal((await world.refund(payment, { amount: 1 })).kind, 'exceeds')
  const now = await world.balances()
  assert.deepEqual([before.available - now.available, now.held - before.held], [1_000n, 1_000n])
  assert.equal((await world.payment(payment.id)).refundedMinor, 1_000n)
  assert.deepEqual(
    (await world.eventsOf(first.refund.id)).map(({ type, data }) => [type, data['status'], data['amount']]),
    [['refund.created', 'PENDING', 400]],
  )
})

test('a payment without money has nothing to refund', async () => {
  const { payment } = await world.create()
  const verdict = await world.refund(payment)
  assert.ok(verdict.kind === 'exceeds')
  assert.deepEqual([verdict.refundableMinor, verdict.atOnceMinor], [0n, 0n])
})

test('many concurrent refunds hold exactly what there is', async () => {
  const payment = await paid()
  const verdicts = await Promise.all(
    Array.from({ length: 25 }, (_, n) => world.refund(payment, { amount: 99 + (n % 3) })),
  )
  const created = verdicts.flatMap((each) => (each.kind === 'created' ? [each.refund.amountMinor] : []))
  const sum = created.reduce((total, each) => total + each, 0n)
  assert.ok(sum <= 1_000n && sum > 1_000n - 99n, String(sum))
  assert.equal((await world.payment(payment.id)).refundedMinor, sum)
})

test('one key is one refund, however many requests come at once; another body or payment is a conflict', async () => {
  const [payment, other] = [await paid(), await paid()]
  const key = newId()
  const verdicts = await Promise.all(
    Array.from({ length: 10 }, () => world.refund(payment, { amount: 100 }, key)),
  )
  assert.deepEqual(kinds(verdicts).toSorted(), ['created', ...Array.from({ length: 9 }, () => 'replayed')])
  assert.equal(new Set(verdicts.map((each) => 'refund' in each && each.refund.id)).size, 1)
  assert.equal((await world.refund(payment, { amount: 101 }, key)).kind, 'conflict')
  assert.equal((await world.refund(payment, {}, key)).kind, 'conflict')
  assert.equal((await world.refund(other, { amount: 100 }, key)).kind, 'conflict')
  assert.equal((await world.payment(payment.id)).refundedMinor, 100n)
  assert.equal((await world.payment(other.id)).refundedMinor, 0n)
})

test('a refusal leaves its key free', async () => {
  const payment = await paid()
  const key = newId()
  assert.equal((await world.refund(payment, { amount: 5_000 }, key)).kind, 'exceeds')
  assert.equal((await world.refund(payment, { amount: 5 }, key)).kind, 'created')
})

test('money that came in pieces is refunded in pieces', async () => {
  const payment = await paid({ times: 2 })
  assert.equal(payment.receivedMinor, 2_000n)
  const whole = await world.refund(payment, { amount: 1_500 })
  assert.ok(whole.kind === 'exceeds')
  assert.deepEqual([whole.refundableMinor, whole.atOnceMinor], [2_000n, 1_000n])
  const refunds = [
    await world.refund(payment, { amount: 1_000 }),
    await world.refund(payment, { amount: 1_000 }),
  ]
  assert.deepEqual(kinds(refunds), ['created', 'created'])
  const refs = refunds.flatMap((each) => (each.kind === 'created' ? [each.refund.paidRef] : []))
  assert.equal(new Set(refs).size, 2)
})

test('the newest piece that has enough is chosen, and a duplicate before it', async () => {
  const { payment } = await world.create()
  const txid = await world.txidOf(payment)
  const pay = async (amount: string) => {
    const [pix] = await bank.pay(txid, { amount, webhook: 'lose', force: true })
    await world.callback({ pix: [pix] })
    return pix?.endToEndId
  }
  const early = await pay('2.00')
  const completing = await pay('9.00')
  const twice = await pay('3.00')
  const refs: unknown[] = []
  for (const amount of [100, 900, 200, 200]) {
    const verdict = await world.refund(payment, { amount })
    assert.ok(verdict.kind === 'created')
    refs.push(verdict.refund.paidRef)
  }
  assert.deepEqual(refs, [twice, completing, twice, early])
})

test('money from before the provider’s window is not refundable', async () => {
  const at = (days: number) => new Date(world.clock.now().getTime() - days * 24 * hourMs).toISOString()
  const old = await paid({ happenedAt: at(91), force: true })
  assert.equal(old.receivedMinor, 1_000n)
  assert.equal((await world.refund(old, { amount: 1 })).kind, 'exceeds')
  const younger = await paid({ happenedAt: at(89), force: true })
  assert.equal((await world.refund(younger, { amount: 1 })).kind, 'created')
})

test('disputed money cannot be refunded', async () => {
  const payment = await paid()
  const [pix] = (await world.shown(payment.id))['endToEndIds'] as string[]
  await bank.control('POST', '/med', { endToEndId: pix, amount: '7.00', outcome: 'EM_PROCESSAMENTO' })
  await world.callback({ pix: [{ endToEndId: pix }] })
  const verdict = await world.refund(payment)
  assert.ok(verdict.kind === 'created' && verdict.refund.amountMinor === 300n)
})

test('a refund from a wallet without enough money is refused, and nothing is written', async () => {
  const payment = await paid()
  const aside = await world.newWallet('RESERVE')
  const [wallet] = await world.wallets()
  assert.ok(wallet)
  await world.move(wallet.id, aside, wallet.available)
  const before = [await world.balances(), await world.eventsOf()]
  const verdict = await world.refund(payment, { amount: 1_000 })
  assert.ok(verdict.kind === 'insufficient_funds')
  assert.equal(verdict.missingMinor, 1_000n)
  assert.deepEqual([await world.balances(), await world.eventsOf()], before)
  assert.equal((await world.payment(payment.id)).refundedMinor, 0n)
  await world.move(aside, wallet.id, wallet.available)
  assert.equal((await world.refund(payment, { amount: 1_000 })).kind, 'created')
})

test('when two merchants name one payment at the same time only its own gets a refund', async () => {
  const stranger = await world.newMerchant()
  const { lane, rails } = world.core
  const kind = refundKind(rails)
  const ask = (merchantId: typeof stranger.id, payment: Payment) =>
    lane.submit(kind, {
      merchantId,
      mode: 'SANDBOX',
      paymentId: payment.id,
      id: newId<'refund'>(),
      request: { amount: 10 },
    })
  for (const isFirst of [true, false]) {
    const payment = await paid()
    const order = isFirst ? [payment.merchantId, stranger.id] : [stranger.id, payment.merchantId]
    // The first ones keep the lane busy, so that the others are in one batch.
    const verdicts = await Promise.all(
      [payment.merchantId, ...order, ...order].map((merchantId) => ask(merchantId, payment)),
    )
    const expected = [payment.merchantId, ...order, ...order].map((merchantId) =>
      merchantId === stranger.id ? 'not_found' : 'created',
    )
    assert.deepEqual(kinds(verdicts), expected)
    assert.equal((await world.payment(payment.id)).refundedMinor, 30n)
  }
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.verify()).faults, [])
})

test('the number of refunds of a payment is limited, failed ones included', async () => {
  const payment = await paid()
  assert.equal((await world.refund(payment, { amount: 1 })).kind, 'created')
  await world.core.sql`
    insert into refund (merchant_id, id, payment_id, attempt_id, method, connection, paid_ref, wallet_id, amount_minor, currency,
                        status, unreleased_minor, fingerprint, request, created_at)
    select merchant_id, gen_random_uuid(), payment_id, attempt_id, method, connection, paid_ref, wallet_id, 1, currency,
           'FAILED', 0, fingerprint, request, created_at
      from refund, generate_series(2, ${refundsMax}) where payment_id = ${payment.id}`
  assert.equal((await world.refund(payment, { amount: 1 })).kind, 'too_many')
})
