// Refunds at the sandbox's wallet app: whole, in parts, refused, failed, repeated, and the tenth.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import type { EarlierRefund, RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { eventually } from '../../../test/eventually.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import {
  brief,
  connectionOf,
  railAtProvider,
  railOf,
  read,
  send,
  shopAt,
  toldTo,
} from '../../../test/rails/partner-pay/rail.ts'
import { failure, startTestWallet, success } from '../../../test/rails/partner-pay/wallet.ts'
import type { Call } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { toReference } from './receipts.ts'

const wallet = openForTests(startTestWallet)

/** A paid payment of 12.34 USDT, and its refunds. */
async function paidShop(t: TestContext) {
  const shop = await shopAt(wallet, t)
  const { opening, prepayId, act } = await shop.opened()
  await act('confirm')
  const earlier: EarlierRefund[] = []
  const orderFor = (minor: bigint, more: Partial<RefundOrder> = {}): RefundOrder => ({
    id: newId<'refund'>(),
    attempt: opening,
    connection: shop.id,
    paidRef: prepayId,
    amount: { minor, currency: 'USDT' },
    earlier: [...earlier],
    ...more,
  })
  /** Sends until the end is known, as the worker that sends refunds does. */
  const ended = async (order: RefundOrder): Promise<Receipt> => {
    let again = false
    const receipts = await eventually('the end of the refund', async () => {
      const found = await send(shop.rail, order, again)
      again = true
      return found.length > 0 && found
    })
    assert.equal(receipts.length, 1)
    const [receipt] = receipts
    assert.ok(receipt !== undefined)
    earlier.push({ id: order.id, status: receipt.outcome === 'refunded' ? 'COMPLETED' : 'FAILED' })
    return receipt
  }
  /** The refunds of the wallet, in the order of the requests. */
  const given = async () => {
    const { orders } = await wallet.control('GET', `/state?prepayId=${prepayId}`)
    const [order] = orders as readonly { readonly refunds: readonly { readonly amount: string }[] }[]
    return (order?.refunds ?? []).map(({ amount }) => amount)
  }
  return { ...shop, opening, prepayId, orderFor, ended, given }
}

const mode = async (t: TestContext, which: 'done' | 'pending' | 'fail') => {
  await wallet.control('POST', '/refunds', { mode: which })
  t.after(() => wallet.control('POST', '/refunds', { mode: 'done' }))
}

test('a payment goes back in parts and then whole, each once', async (t) => {
  const { opening, prepayId, orderFor, ended, given } = await paidShop(t)
  const part = orderFor(1_00n, { reason: 'Too "large" \u{1f600}' })
  const first = await ended(part)
  assert.deepEqual(brief(first), ['refunded', opening.id, `${prepayId}:${toReference(part.id)}`, 100n])
  assert.deepEqual([first.refund, first.amount.currency, first.occurrence], [part.id, 'USDT', 1])
  const rest = await ended(orderFor(11_34n))
  assert.deepEqual([rest.outcome, rest.amount.minor], ['refunded', 1_134n])
  assert.deepEqual(await given(), ['1.00000000', '11.34000000'])
})

test('a refund that may not leave now is not requested, and an existing one is still reported', async (t) => {
  const { rail, orderFor, ended, given } = await paidShop(t)
  const order = orderFor(1_00n)
  const kept = { ...order, mayLeave: async () => false }
  for (const again of [false, true])
    assert.equal((await errorOf(send(rail, kept, again))).outcome, 'unavailable')
  assert.deepEqual(await given(), [])
  await ended(order)
  assert.equal((await send(rail, kept, true)).length, 1)
})

test('a refund that is requested again, with or without knowledge of the first call, goes back once', async (t) => {
  const { rail, orderFor, ended, given } = await paidShop(t)
  const order = orderFor(5_00n)
  await ended(order)
  assert.deepEqual((await send(rail, order, true)).map(brief)[0]?.[0], 'refunded')
  assert.deepEqual((await send(rail, order, false)).map(brief)[0]?.[0], 'refunded')
  assert.deepEqual(await given(), ['5.00000000'])
})

test('a refund whose answer was cut off is looked up first, and goes back once', async (t) => {
  const { rail, orderFor, ended, given } = await paidShop(t)
  const order = orderFor(5_00n)
  await wallet.control('POST', '/faults', { mode: 'reset_after_commit', times: 1 })
  assert.equal((await errorOf(send(rail, order, false))).outcome, 'unknown')
  assert.equal((await ended(order)).outcome, 'refunded')
  assert.deepEqual(await given(), ['5.00000000'])
})

test('a refund that never arrived is requested again', async (t) => {
  const { rail, orderFor, ended, given } = await paidShop(t)
  const order = orderFor(5_00n)
  await wallet.control('POST', '/faults', { mode: '5xx', times: 1 })
  assert.equal((await errorOf(send(rail, order, false))).outcome, 'unavailable')
  assert.deepEqual(await given(), [])
  assert.equal((await ended(order)).outcome, 'refunded')
})

test('a refund under way has no end yet; the callback reports its end too', async (t) => {
  await mode(t, 'pending')
  const { rail, id, opening, prepayId, orderFor, heard } = await paidShop(t)
  const order = orderFor(5_00n)
  assert.deepEqual(await send(rail, order, false), [])
  assert.deepEqual(await send(rail, order, true), [])
  await wallet.control('POST', `/refunds/${toReference(order.id)}`, { outcome: 'succeed' })
  const { body } = await heard('REFUND_SUCCESS', prepayId)
  const reported = await read(rail, id, body)
  assert.deepEqual(reported.map(brief), [
    ['paid', opening.id, prepayId, 1_234n],
    ['refunded', opening.id, `${prepayId}:${toReference(order.id)}`, 500n],
  ])
  const sent = await send(rail, order, true)
  assert.deepEqual(sent.map(brief), reported.slice(1).map(brief))
})

test('a refund that the provider does not carry out has failed', async (t) => {
  await mode(t, 'fail')
  const { rail, id, opening, prepayId, orderFor, ended, heard } = await paidShop(t)
  const order = orderFor(5_00n)
  const expected = [
    'refund_failed',
    opening.id,
    `${prepayId}:${toReference(order.id)}`,
    500n,
    'refused_by_wallet',
  ]
  assert.deepEqual(brief(await ended(order)), expected)
  const { body } = await heard('REFUND_REJECTED', prepayId)
  assert.deepEqual((await read(rail, id, body)).map(brief).at(-1), expected)
})

test('a refused refund has failed, with our words as its failure and the provider’s as its evidence', async (t) => {
  const { connection, orderFor, ended, given } = await paidShop(t)
  const tooMuch = await ended(orderFor(12_35n))
  assert.deepEqual([tooMuch.outcome, tooMuch.failure?.code], ['refund_failed', 'refused_by_provider'])
  assert.equal(tooMuch.failure?.message, 'Less is left of the payment at the wallet provider.')
  assert.ok(tooMuch.evidence.includes('400303'))
  await wallet.control('POST', `/merchants/${String(connection.secrets['apiKey'])}`, { balance: '1.00' })
  const empty = await ended(orderFor(5_00n))
  assert.equal(empty.failure?.message, 'The account at the wallet provider does not hold enough.')
  assert.ok(empty.evidence.includes('400304'))
  assert.deepEqual(await given(), [])
})

test('the tenth refund gives back all that is left: another amount is refused, the exact rest is refunded', async (t) => {
  const { orderFor, ended, given } = await paidShop(t)
  for (let i = 1; i <= 9; i++) assert.equal((await ended(orderFor(1_00n))).outcome, 'refunded', `refund ${i}`)
  // 3.34 are left; the provider would give back all of it.
  const tenth = await ended(orderFor(1_00n))
  assert.deepEqual([tenth.outcome, tenth.failure?.code], ['refund_failed', 'refund_attempts_exhausted'])
  assert.equal((await given()).length, 9)
  const rest = await ended(orderFor(3_34n))
  assert.deepEqual([rest.outcome, rest.amount.minor], ['refunded', 334n])
  assert.equal((await given()).at(-1), '3.34000000')
  const eleventh = await ended(orderFor(1n))
  assert.deepEqual([eleventh.outcome, eleventh.failure?.code], ['refund_failed', 'refund_attempts_exhausted'])
  assert.equal((await given()).length, 10)
})

test('from the tenth on, a refund waits until all before it have ended', async (t) => {
  const { rail, orderFor, given } = await paidShop(t)
  const nine = Array.from({ length: 9 }, () => newId<'refund'>())
  const earlier = (status: EarlierRefund['status']) =>
    nine.map((id, index) => ({ id, status: index === 4 ? status : ('COMPLETED' as const) }))
  assert.deepEqual(await send(rail, orderFor(1_00n, { earlier: earlier('PENDING') }), false), [])
  assert.deepEqual(await given(), [])
  // None of these reached the provider, so its ten attempts are all left.
  const sent = await send(rail, orderFor(1_00n, { earlier: earlier('FAILED') }), false)
  assert.ok(sent.length <= 1)
  assert.deepEqual(await given(), ['1.00000000'])
})

test('refunds made by a person at the provider count towards the last refund', async (t) => {
  const ids = Array.from({ length: 9 }, () => newId<'refund'>())
  const { rail, id, paths } = await railAtProvider(t, ({ body }) => {
    const { refundRequestId } = JSON.parse(body.toString()) as { refundRequestId: string }
    if (!ids.some((each) => toReference(each) === refundRequestId)) return failure('400202')
    // 1.00 of the refunds is not ours.
    const sums = { orderAmount: '12.34', refundedAmount: '10.00', refundAmount: '1.00', remainingAttempts: 1 }
    return success({ refundRequestId, prepayId: '7', ...sums, refundStatus: 'REFUND_SUCCESS' })
  })
  const order = (minor: bigint) => ({
    id: newId<'refund'>(),
    attempt: { id: newId<'attempt'>(), merchantId: newId<'merchant'>(), paymentId: newId<'payment'>() },
    connection: id,
    paidRef: '7',
    amount: { minor, currency: 'USDT' as const },
    earlier: ids.map((each) => ({ id: each, status: 'COMPLETED' as const })),
  })
  for (const minor of [3_34n, 2_34n]) {
    const [receipt] = await send(rail, order(minor), false)
    assert.equal(receipt?.failure?.code, 'refund_attempts_exhausted')
  }
  assert.ok(!paths().includes('order/refund'))
})

test('after nine refunds the provider’s count decides: one more that is not the last, or the last with all that is left', async (t) => {
  const ids = Array.from({ length: 9 }, () => newId<'refund'>())
  for (const [remainingAttempts, minor, isAsked] of [
    [2, 1n, true],
    [1, 3_34n, true],
    [1, 3_33n, false],
    [0, 3_34n, false],
  ] as const) {
    const { rail, id, paths } = await railAtProvider(t, ({ path, body }) => {
      const { refundRequestId } = JSON.parse(body.toString()) as { refundRequestId: string }
      if (path.endsWith('/order/refund')) return failure('400304')
      if (!ids.some((each) => toReference(each) === refundRequestId)) return failure('400202')
      const sums = { orderAmount: '12.34', refundedAmount: '9.00', refundAmount: '1.00', remainingAttempts }
      return success({ refundRequestId, prepayId: '7', ...sums, refundStatus: 'REFUND_SUCCESS' })
    })
    const order = {
      id: newId<'refund'>(),
      attempt: { id: newId<'attempt'>(), merchantId: newId<'merchant'>(), paymentId: newId<'payment'>() },
      connection: id,
      paidRef: '7',
      amount: { minor, currency: 'USDT' as const },
      earlier: ids.map((each) => ({ id: each, status: 'COMPLETED' as const })),
    }
    await send(rail, order, false)
    assert.equal(paths().includes('order/refund'), isAsked, `${remainingAttempts}: ${minor}`)
  }
})

test('when a provider refunds another amount than requested, the result is unknown, and a person is told', async (t) => {
  const { log, told } = toldTo()
  const reply = ({ body }: Call) => {
    const { refundRequestId } = JSON.parse(body.toString()) as { refundRequestId: string }
    const sums = { orderAmount: '12.34', refundedAmount: '12.34', refundAmount: '3.34', remainingAttempts: 0 }
    return success({ refundRequestId, prepayId: '7', ...sums, refundStatus: 'REFUND_SUCCESS' })
  }
  const { rail, id } = await railAtProvider(t, reply, systemClock, log)
  const attempt = { id: newId<'attempt'>(), merchantId: newId<'merchant'>(), paymentId: newId<'payment'>() }
  const order = {
    id: newId<'refund'>(),
    attempt,
    connection: id,
    paidRef: '7',
    amount: { minor: 1_00n, currency: 'USDT' as const },
  }
  assert.equal((await errorOf(send(rail, order, false))).outcome, 'unknown')
  assert.deepEqual(told, ['the wallet provider refunds another amount than requested'])
  assert.equal((await errorOf(send(rail, order, true))).outcome, 'unknown')
})

test('a refund that the provider calls by another id, order or amount is unknown', async (t) => {
  const id = newId<'refund'>()
  const own = { refundRequestId: toReference(id), prepayId: '7', refundAmount: '1.00' }
  const changes = [{ refundRequestId: 'a'.repeat(32) }, { prepayId: '8' }, { refundAmount: '1.01' }]
  for (const change of changes) {
    const sums = { orderAmount: '12.34', refundedAmount: '1.00', remainingAttempts: 9 }
    const { rail, id: connection } = await railAtProvider(t, () =>
      success({ ...sums, ...own, ...change, refundStatus: 'REFUND_SUCCESS' }),
    )
    const attempt = { id: newId<'attempt'>(), merchantId: newId<'merchant'>(), paymentId: newId<'payment'>() }
    const order = {
      id,
      attempt,
      connection,
      paidRef: '7',
      amount: { minor: 1_00n, currency: 'USDT' },
    } as const
    assert.equal((await errorOf(send(rail, order, true))).outcome, 'unknown', JSON.stringify(change))
  }
})

test('a process without refund credentials refunds nothing and finds no refunds', async (t) => {
  const { refundSecrets: _none, ...parts } = await wallet.merchant()
  const connection = connectionOf(parts)
  const rail = railOf(t, [connection])
  const order = {
    id: newId<'refund'>(),
    attempt: { id: newId<'attempt'>(), merchantId: newId<'merchant'>(), paymentId: newId<'payment'>() },
    connection: connection.id,
    paidRef: '7',
    amount: { minor: 1n, currency: 'USDT' as const },
  }
  assert.equal((await errorOf(send(rail, order, false))).outcome, 'unavailable')
  const data = JSON.stringify({ refundInfo: { refundRequestId: toReference(newId<'refund'>()) } })
  const body = { bizType: 'PAY_REFUND', bizIdStr: '7', bizStatus: 'REFUND_SUCCESS', data }
  assert.deepEqual(await read(rail, connection.id, JSON.stringify(body)), [])
})
