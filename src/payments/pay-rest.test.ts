// A charge was paid with less than its amount: the payer gets one for exactly the rest, and never two at a time. At the sandbox's bank.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs } from '#/kernel/time.ts'
import type { OpensInRequest, Rails } from '#/rails/rail.ts'
import { openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import { lastOf, restWorld, txidOf, type RestWorld } from '../../test/rest-world.ts'
import { endKind } from './end.ts'
import { createRestPayer } from './pay-rest.ts'
import type { Payment } from './payment.ts'

let bank: PixBank
let world: PixWorld
let rest: RestWorld

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
  rest = restWorld(world, bank)
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

/** A payment of 50.07 of which 30.00 were paid. */
async function underpaid(): Promise<Payment> {
  const payment = await rest.open(5_007)
  const [first] = await rest.tried(payment)
  await rest.pay(txidOf(first ?? assert.fail()), 3_000)
  const now = await world.payment(payment.id)
  assert.deepEqual(
    [now.status, now.receivedMinor, now.exceptions],
    ['WAITING_PAYMENT', 3_000n, ['UNDERPAID']],
  )
  return now
}

const amounts = async (payment: Payment) =>
  (await rest.tried(payment)).map(({ amountMinor, charge, overAt }) => [
    amountMinor,
    charge?.valor.original,
    charge?.status,
    overAt !== null,
  ])

async function assertFine(): Promise<void> {
  assert.deepEqual((await world.verify()).faults, [])
}

test('the rest is one new charge of exactly what is missing; paying it completes the payment', async () => {
  const payment = await underpaid()
  const { attempt } = await rest.press(payment)
  assert.deepEqual(attempt?.amount, { minor: 2_007n, currency: 'BRL' })
  assert.deepEqual(await amounts(payment), [
    [5_007n, '50.07', 'CONCLUIDA', true],
    [2_007n, '20.07', 'ATIVA', false],
  ])
  // A reload, a double click and another press get the same charge.
  const again = await rest.press(payment)
  assert.deepEqual(again.attempt, attempt)
  await assertFine()
  await rest.pay(txidOf(lastOf(await rest.tried(payment))), 2_007)
  const paid = await world.payment(payment.id)
  assert.deepEqual([paid.status, paid.receivedMinor, paid.exceptions], ['PAID', 5_007n, []])
  const types = (await world.eventsOf(payment.id)).map(({ type }) => type)
  assert.deepEqual(types, ['payment.waiting', 'payment.underpaid', 'payment.completed'])
  assert.equal(((await world.shown(payment.id))['endToEndIds'] as readonly string[]).length, 2)
  // Nothing is left to be canceled at the bank, and nothing more is offered.
  assert.equal((await rest.press(payment)).attempt, undefined)
  assert.equal((await rest.tried(payment)).length, 2)
  await assertFine()
})

test('presses in two tabs, twice each, in two processes make one charge', async () => {
  const payment = await underpaid()
  const other = await rest.openTab()
  const answers = await Promise.all([
    rest.press(payment),
    rest.press(payment, other),
    rest.press(payment),
    rest.press(payment, other),
  ])
  assert.equal(new Set(answers.map(({ attempt }) => attempt?.id)).size, 1)
  assert.deepEqual((await rest.payable(payment)).length, 1)
  assert.equal((await rest.tried(payment)).length, 2)
  await assertFine()
})

test('the rest may be paid in parts: each press asks for what is missing then', async () => {
  const payment = await underpaid()
  await rest.press(payment)
  await rest.pay(txidOf(lastOf(await rest.tried(payment))), 1_000)
  await rest.press(payment)
  assert.deepEqual(await amounts(payment), [
    [5_007n, '50.07', 'CONCLUIDA', true],
    [2_007n, '20.07', 'CONCLUIDA', true],
    [1_007n, '10.07', 'ATIVA', false],
  ])
  await rest.pay(txidOf(lastOf(await rest.tried(payment))), 1_107)
  const paid = await world.payment(payment.id)
  assert.deepEqual([paid.status, paid.receivedMinor, paid.exceptions], ['PAID', 5_107n, ['OVERPAID']])
  await assertFine()
})

test('money that the bank has and did not report is booked before the rest is computed', async () => {
  const payment = await underpaid()
  await rest.press(payment)
  // The charge for the rest is paid in part, and the callback is lost. A refund makes the amount stale.
  await bank.pay(txidOf(lastOf(await rest.tried(payment))), { amount: '10.00', webhook: 'lose' })
  const refunded = await world.refund(payment, { amount: 500 })
  assert.equal(refunded.kind, 'created')
  const { attempt } = await rest.press(payment)
  // 50.07 − 30.00 − 10.00 + 5.00
  assert.equal(attempt?.amount.minor, 1_507n)
  assert.equal((await world.payment(payment.id)).receivedMinor, 4_000n)
  await assertFine()
})

test('money that completes the payment at the same moment leaves nothing to open', async () => {
  const payment = await underpaid()
  await rest.press(payment)
  await bank.pay(txidOf(lastOf(await rest.tried(payment))), { amount: '20.07', webhook: 'lose' })
  await world.refund(payment, { amount: 1 })
  await rest.press(payment)
  const now = await world.payment(payment.id)
  // One cent went back meanwhile: it is all that is missing.
  assert.deepEqual([now.status, now.receivedMinor], ['WAITING_PAYMENT', 5_007n])
  assert.equal(lastOf(await rest.tried(payment)).amountMinor, 1n)
  await assertFine()
})

test('when all of a part was refunded, the rest is the whole amount, by a new charge', async () => {
  const payment = await underpaid()
  await world.refund(payment)
  const { attempt } = await rest.press(payment)
  assert.equal(attempt?.amount.minor, 5_007n)
  assert.equal((await rest.payable(payment)).length, 1)
  await assertFine()
})

test('a charge that is refunded in part after the rest was opened is replaced, and the old one is removed at the bank', async () => {
  const payment = await underpaid()
  const first = await rest.press(payment)
  await world.refund(payment, { amount: 700 })
  const second = await rest.press(payment)
  assert.deepEqual([first.attempt?.amount.minor, second.attempt?.amount.minor], [2_007n, 2_707n])
  assert.deepEqual((await amounts(payment)).slice(1), [
    [2_007n, '20.07', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', true],
    [2_707n, '27.07', 'ATIVA', false],
  ])
  // A Pix that was already on its way to the removed charge is credited all the same.
  await bank.pay(txidOf((await rest.tried(payment))[1] ?? assert.fail()), { amount: '20.07', force: true })
  await world.reconcile()
  assert.equal((await world.payment(payment.id)).receivedMinor, 5_007n)
  const third = await rest.press(payment)
  assert.equal(third.attempt?.amount.minor, 700n)
  assert.equal((await rest.payable(payment)).length, 1)
  await assertFine()
})

test('nothing is opened before a part came, without a page, after the end, or for a payer who waits for nothing', async () => {
  const fresh = await rest.open(1_000)
  assert.equal((await rest.press(fresh)).attempt, undefined)
  const { payment: direct } = await world.create({ amount: 1_000 })
  await rest.pay(await world.txidOf(direct), 400)
  assert.equal((await rest.press(direct)).attempt, undefined)
  const canceled = await underpaid()
  await world.core.lane.submit(endKind(world.core.rails), {
    merchantId: canceled.merchantId,
    paymentId: canceled.id,
    event: 'canceled',
  })
  assert.equal((await rest.press(canceled)).attempt, undefined)
  for (const payment of [fresh, direct, canceled]) assert.equal((await rest.tried(payment)).length, 1)
})

test('choosing PIX again after a part came opens no charge of the whole amount', async () => {
  const payment = await underpaid()
  const choose = async () =>
    world.core.pageOpener.openChosen(await world.payment(payment.id), { method: 'PIX' }, {})
  assert.equal((await choose()).attempt, undefined)
  await rest.press(payment)
  assert.equal((await choose()).attempt, undefined)
  assert.equal((await rest.tried(payment)).length, 2)
})

test('when the payment expires or is canceled, the charge for the rest is removed at the bank', async () => {
  for (const event of ['expired', 'canceled'] as const) {
    const payment = await underpaid()
    await rest.press(payment)
    const { lane, rails } = world.core
    await lane.submit(endKind(rails), {
      merchantId: payment.merchantId,
      paymentId: payment.id,
      event,
      ...(event === 'expired' ? { early: true } : {}),
    })
    await world.revoke()
    assert.deepEqual(await rest.payable(payment), [])
    await assertFine()
  }
})

/** The rail with another close or open. */
function railsWith(change: Partial<OpensInRequest>): Rails {
  const { rails } = world.core
  const pix = rails.get('PIX') ?? assert.fail()
  assert.equal(pix.opens.at, 'REQUEST')
  return new Map([...rails, ['PIX', { ...pix, opens: { ...pix.opens, ...change } }]])
}

test('while the bank does not end the earlier charge, nothing is opened, and the next press goes on', async () => {
  const payment = await underpaid()
  const away = async () => Promise.reject(new ProviderError('unavailable', 'the bank is away'))
  const open = async () => ({ receipts: [], isOver: false })
  for (const close of [away, open]) {
    const tab = rest.tabOf(world.core, railsWith({ close }))
    await assert.rejects(rest.press(payment, tab), { code: 'provider_unavailable' })
    assert.equal((await rest.tried(payment)).length, 1)
  }
  assert.equal((await rest.press(payment)).attempt?.amount.minor, 2_007n)
})

test('while money of the earlier charge is not booked, nothing is opened', async () => {
  const payment = await underpaid()
  await rest.press(payment)
  await bank.pay(txidOf(lastOf(await rest.tried(payment))), { amount: '10.00', webhook: 'lose' })
  await world.refund(payment, { amount: 100 })
  const { sql, rails, pageOpener } = world.core
  const putAside = createRestPayer({
    sql,
    rails,
    log: silentLog,
    opener: pageOpener,
    settle: async () => {},
  })
  await assert.rejects(rest.press(payment, putAside), { code: 'provider_unavailable' })
  assert.equal((await rest.tried(payment)).length, 2)
  assert.equal((await rest.press(payment)).attempt?.amount.minor, 1_107n)
  await assertFine()
})

test('a process that dies after the bank ended the charge, before it was recorded, leaves nothing behind', async () => {
  const payment = await underpaid()
  const pix = world.core.rails.get('PIX')?.opens
  assert.ok(pix?.at === 'REQUEST')
  const dying = rest.tabOf(
    world.core,
    railsWith({
      async close(attempt) {
        await pix.close(attempt)
        throw new Error('the process died')
      },
    }),
  )
  await assert.rejects(rest.press(payment, dying), /died/)
  assert.equal((await rest.press(payment)).attempt?.amount.minor, 2_007n)
  assert.equal((await rest.payable(payment)).length, 1)
  await assertFine()
})

test('an answer of the bank that was lost leaves no second charge, also when the amount has changed since', async () => {
  const pix = world.core.rails.get('PIX')?.opens
  assert.ok(pix?.at === 'REQUEST')
  const cutOff = rest.tabOf(
    world.core,
    railsWith({
      async open(opening) {
        await pix.open(opening)
        throw new ProviderError('unknown', 'the answer was lost')
      },
    }),
  )
  const same = await underpaid()
  await assert.rejects(rest.press(same, cutOff), { code: 'provider_unavailable' })
  assert.equal((await rest.press(same)).attempt?.amount.minor, 2_007n)
  assert.equal((await rest.tried(same)).length, 2)
  const changed = await underpaid()
  await assert.rejects(rest.press(changed, cutOff), { code: 'provider_unavailable' })
  await world.refund(changed, { amount: 100 })
  assert.equal((await rest.press(changed)).attempt?.amount.minor, 2_107n)
  assert.deepEqual((await amounts(changed)).slice(1), [
    [2_007n, '20.07', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', true],
    [2_107n, '21.07', 'ATIVA', false],
  ])
  await assertFine()
})

test('a bank that is killed before its answer: the next press continues the same charge', async () => {
  const payment = await underpaid()
  await rest.press(payment)
  await world.refund(payment, { amount: 100 })
  await bank.kill()
  await assert.rejects(rest.press(payment), { code: 'provider_unavailable' })
  await bank.start()
  const { attempt } = await rest.press(payment)
  assert.equal(attempt?.amount.minor, 2_107n)
  assert.equal((await rest.payable(payment)).length, 1)
  await assertFine()
})

test('the rest can be paid until the payment’s end, and not after it', async () => {
  const payment = await underpaid()
  const { attempt } = await rest.press(payment)
  const [, second] = await rest.tried(payment)
  assert.equal(second?.terms?.expiresAt, payment.expiresAt?.toISOString())
  assert.ok(attempt !== undefined)
  await world.clock.advance(25 * hourMs)
  assert.equal((await rest.press(payment)).attempt, undefined)
})
