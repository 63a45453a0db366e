// Orders whose answer was lost: the provider returns an order's links once, so the order is closed and its attempt given up. Two
// orders of one attempt can never both be paid.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { addMs, hourMs, minuteMs, secondMs, systemClock, testClock, type Clock } from '#/kernel/time.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import {
  artifactsOf,
  brief,
  cancel,
  check,
  open,
  openingOf,
  orderAnswer,
  placedOf,
  railAtProvider,
  shopAt,
} from '../../../test/rails/partner-pay/rail.ts'
import { failure, startTestWallet, success } from '../../../test/rails/partner-pay/wallet.ts'
import type { Reply } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { toReference } from './receipts.ts'

/** Before there is a connection. */
const nowhere = newId<'connection'>()

const wallet = openForTests(startTestWallet)

/** A clock that can be ahead of the machine's; the wallet uses it too. */
function movableClock(t: TestContext) {
  let aheadMs = 0
  const clock: Clock = { now: () => addMs(systemClock.now(), aheadMs) }
  const moveTo = async (ms: number) => {
    aheadMs = ms
    await wallet.control('POST', '/skew', { skewMs: ms })
  }
  t.after(() => moveTo(0))
  return { clock, moveTo }
}

test('an order whose answer was cut off is closed, and its attempt is expired from the beginning', async (t) => {
  const { clock, moveTo } = movableClock(t)
  const { rail, id, orderOf } = await shopAt(wallet, t, clock)
  const opening = openingOf(id)
  await wallet.control('POST', '/faults', { mode: 'reset_after_commit', times: 1 })
  // Another process may have created it, and be about to store its links.
  const first = await errorOf(open(rail, opening))
  assert.equal(first.outcome, 'unknown')
  const made = await orderOf(opening)
  assert.equal(made?.status, 'INITIAL')
  assert.equal((await errorOf(open(rail, opening))).outcome, 'unknown')

  await moveTo(11 * secondMs)
  const artifacts = artifactsOf(await open(rail, opening))
  assert.deepEqual(Object.keys(artifacts).toSorted(), ['expiresAt', 'prepayId'])
  assert.equal(artifacts['prepayId'], made?.prepayId)
  assert.ok(new Date(String(artifacts['expiresAt'])) <= clock.now())
  assert.equal((await orderOf(opening))?.status, 'CANCELED')
  const { receipts, isOver } = await check(rail, { ...opening, artifacts })
  assert.deepEqual([receipts.map(({ outcome }) => outcome), isOver], [['declined'], true])
  // A second call returns the same.
  assert.deepEqual(Object.keys(artifactsOf(await open(rail, opening))).toSorted(), ['expiresAt', 'prepayId'])

  const next = { ...opening, id: newId<'attempt'>() }
  const links = artifactsOf(await open(rail, next))
  assert.equal(typeof links['code'], 'string')
  const states = [await orderOf(opening), await orderOf(next)].map((order) => order?.status)
  assert.deepEqual(states, ['CANCELED', 'INITIAL'])
})

test('a call that created no order creates it the next time, after any failure', async (t) => {
  const { rail, id, orderOf } = await shopAt(wallet, t)
  const opening = openingOf(id)
  await wallet.control('POST', '/faults', { mode: '5xx', times: 1 })
  assert.equal((await errorOf(open(rail, opening))).outcome, 'unavailable')
  assert.equal(await orderOf(opening), undefined)
  assert.equal(typeof artifactsOf(await open(rail, opening))['code'], 'string')

  let count = 0
  const other = openingOf(nowhere)
  const cut = await railAtProvider(t, ({ path }) => {
    if (path.endsWith('/query')) return failure('400202')
    return (count += 1) === 1 ? { status: 0, cut: true } : placedOf(other)
  })
  const attempt = { ...other, connection: cut.id }
  assert.equal((await errorOf(open(cut.rail, attempt))).outcome, 'unknown')
  assert.equal(artifactsOf(await open(cut.rail, attempt))['prepayId'], '112233445566778899')
  assert.deepEqual(cut.paths(), ['v3/order', 'v2/order/query', 'v3/order'])
})

test('two processes that open one attempt at once create one order, and neither closes the other’s', async (t) => {
  const { clock } = movableClock(t)
  const { rail, id, orderOf } = await shopAt(wallet, t, clock)
  const opening = openingOf(id)
  const results = await Promise.allSettled([open(rail, opening), open(rail, opening), open(rail, opening)])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected'])
  assert.equal((await orderOf(opening))?.status, 'INITIAL')
})

/** A provider that already has an order with this number, in some state, and accepts no other. */
const havingOrder =
  (opening: ReturnType<typeof openingOf>, more: object, closing: Reply = success(true)) =>
  ({ path }: { readonly path: string }): Reply => {
    if (path.endsWith('/v3/order')) return failure('400201')
    return path.endsWith('/order/close') ? closing : orderAnswer(opening, more)
  }
const longAgo = systemClock.now().getTime() - hourMs

test('an order without stored links that its payer is paying is not followed by another', async (t) => {
  const opening = openingOf(nowhere)
  const answers = havingOrder(opening, { status: 'PENDING', createTime: longAgo }, failure('400204'))
  const { rail, id, paths } = await railAtProvider(t, answers)
  const { outcome } = await errorOf(open(rail, { ...opening, connection: id }))
  assert.equal(outcome, 'unknown')
  assert.deepEqual(paths(), ['v3/order', 'v2/order/query', 'order/close', 'v2/order/query'])
})

for (const status of ['CANCELED', 'EXPIRED', 'ERROR']) {
  test(`an order that is ${status} already is abandoned without closing it, at any age`, async (t) => {
    const opening = openingOf(nowhere)
    const { rail, id, paths } = await railAtProvider(t, havingOrder(opening, { status }))
    const artifacts = artifactsOf(await open(rail, { ...opening, connection: id }))
    assert.equal(artifacts['code'], undefined)
    assert.deepEqual(paths(), ['v3/order', 'v2/order/query'])
  })
}

test('an order that was paid although its links were lost is found by check', async (t) => {
  const opening = openingOf(nowhere)
  const { rail, id } = await railAtProvider(
    t,
    havingOrder(opening, { status: 'PAID', transactionId: '9', transactTime: longAgo, createTime: longAgo }),
  )
  const attempt = { ...opening, connection: id }
  const artifacts = artifactsOf(await open(rail, attempt))
  const { receipts, isOver } = await check(rail, { ...attempt, artifacts })
  assert.equal(isOver, true)
  assert.deepEqual(receipts.map(brief), [['paid', opening.id, '112233445566778899', 1_234n]])
})

test('an order that another process may just have made is given up ten seconds after it was made', async (t) => {
  const clock = testClock(systemClock.now())
  const opening = openingOf(nowhere)
  const made = { createTime: clock.now().getTime() }
  const { rail, id, paths } = await railAtProvider(t, havingOrder(opening, made), clock)
  const attempt = { ...opening, connection: id }
  clock.advance(10 * secondMs - 1)
  assert.equal((await errorOf(open(rail, attempt))).outcome, 'unknown')
  assert.ok(!paths().includes('order/close'))
  clock.advance(1)
  assert.equal(artifactsOf(await open(rail, attempt))['code'], undefined)
  assert.ok(paths().includes('order/close'))
})

test('an order lives five seconds less than an hour at most', async (t) => {
  const clock = testClock(systemClock.now())
  const opening = openingOf(nowhere, { expiresAt: addMs(clock.now(), 2 * hourMs) })
  const { rail, id, calls } = await railAtProvider(t, () => placedOf(opening), clock)
  await open(rail, { ...opening, connection: id })
  const sent = JSON.parse(String(calls[0]?.body)) as Record<string, unknown>
  assert.equal(sent['orderExpireTime'], addMs(clock.now(), hourMs - 5 * secondMs).getTime())
})

test('an order that cannot be closed may only be over, not open', async (t) => {
  const opening = openingOf(nowhere)
  for (const [found, outcome] of [
    [orderAnswer(opening, { status: 'PENDING' }), 'unknown'],
    [orderAnswer(opening, { status: 'PAID' }), undefined],
    [failure('400202'), undefined],
  ] as const) {
    const { rail, id } = await railAtProvider(t, ({ path }) =>
      path.endsWith('/order/close') ? failure('400204') : found,
    )
    const canceling = cancel(rail, { ...opening, connection: id })
    if (outcome === undefined) await canceling
    else assert.equal((await errorOf(canceling)).outcome, outcome)
  }
})

test('a number in use by an order that cannot be found is unknown', async (t) => {
  const { rail, id } = await railAtProvider(t, ({ path }) =>
    failure(path.endsWith('/v3/order') ? '400201' : '400202'),
  )
  assert.equal((await errorOf(open(rail, openingOf(id)))).outcome, 'unknown')
})

test('without a connection no order was placed', async (t) => {
  const { rail, id, calls } = await railAtProvider(t, () => ({ status: 503 }))
  assert.equal((await errorOf(open(rail, openingOf(id)))).outcome, 'unavailable')
  assert.equal(calls.length, 1)
})

test('the order ends with the payment, and the sub-merchant of a channel partner is named', async (t) => {
  const opening = openingOf(nowhere, { expiresAt: addMs(systemClock.now(), 7 * minuteMs) })
  const { rail, connection, calls } = await railAtProvider(t, () =>
    placedOf(opening, { expireTime: undefined }),
  )
  Object.assign(connection.settings, { subMerchantId: '98765' })
  const artifacts = artifactsOf(await open(rail, { ...opening, connection: connection.id }))
  assert.equal(artifacts['expiresAt'], opening.expiresAt.toISOString())
  const sent = JSON.parse(String(calls[0]?.body)) as Record<string, unknown>
  assert.equal(sent['orderExpireTime'], opening.expiresAt.getTime())
  assert.deepEqual(sent['merchant'], { subMerchantId: '98765' })
  assert.deepEqual(
    [sent['merchantTradeNo'], sent['passThroughInfo']],
    [toReference(opening.id), opening.paymentId],
  )
})

test('an amount that cannot be read is unknown, neither money nor zero', async (t) => {
  for (const more of [{ orderAmount: '0.001' }, { currency: 'BUSD' }, { orderAmount: '0.00' }]) {
    const opening = openingOf(nowhere)
    const { rail, id } = await railAtProvider(t, () => orderAnswer(opening, { status: 'PAID', ...more }))
    const { outcome } = await errorOf(check(rail, { ...opening, connection: id, artifacts: {} }))
    assert.equal(outcome, 'unknown')
  }
})

test('the answer about another order is not used for this attempt', async (t) => {
  const other = openingOf(nowhere)
  const { rail, id } = await railAtProvider(t, () => orderAnswer(other, { status: 'PAID' }))
  assert.equal((await errorOf(check(rail, { ...openingOf(id), artifacts: {} }))).outcome, 'unknown')
})
