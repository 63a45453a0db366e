// Opening, checking and closing orders, and their callbacks, at the sandbox's wallet app over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { addMs, hourMs, minuteMs, secondMs, systemClock } from '#/kernel/time.ts'
import { eventually } from '../../../test/eventually.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import {
  artifactsOf,
  brief,
  check,
  cancel,
  connectionOf,
  open,
  openingOf,
  railAtProvider,
  railOf,
  read,
  shopAt,
  toldTo,
} from '../../../test/rails/partner-pay/rail.ts'
import { failure, startTestWallet } from '../../../test/rails/partner-pay/wallet.ts'
import { errorOf, merchantId } from '../../../test/rails/rail.ts'
import { createPartnerClient } from './client.ts'
import { toReference } from './receipts.ts'

const wallet = openForTests(startTestWallet)

test('it accepts only USDT, at the first connection of the mode', async (t) => {
  const parts = { settings: {}, secrets: { apiKey: 'key01234', apiSecret: 'secret01' } }
  const [first, second] = [connectionOf(parts), connectionOf(parts)]
  const rail = railOf(t, [first, second])
  const routing = (currency?: string, mode: Mode = 'SANDBOX') =>
    rail.route({ mode, merchantId, ...given({ currency }) })
  assert.deepEqual(routing(), { ok: true, connection: first.id, currency: 'USDT' })
  assert.deepEqual(routing('USDT'), routing())
  const wrong = routing('BRL')
  assert.ok(!wrong.ok && wrong.code === 'currency_not_supported' && wrong.pointer === '/currency')
  const none = routing('USDT', 'LIVE')
  assert.ok(!none.ok && none.code === 'method_not_available')
  assert.deepEqual(
    [rail.method, rail.opens.at, rail.opens.page, rail.amounts, rail.lifetimeMs],
    ['PARTNER_PAY', 'PAGE', 'PARTNER', 'EXACT', 3_600_000],
  )
})

test('an order is placed with our number and the exact amount, and its links are shown', async (t) => {
  const { rail, orderOf, opened, prepayIdsOf } = await openedShop(t)
  const { opening, attempt, prepayId } = await opened()
  const order = must(await orderOf(opening), 'it is there')
  assert.deepEqual([order.prepayId, order.status, order.amount], [prepayId, 'INITIAL', '12.34000000'])
  const shown = rail.opens.present(attempt)
  assert.ok(shown.kind === 'APP')
  assert.equal(shown.code, `${wallet.apiUrl}/pay/${prepayId}`)
  assert.equal(shown.appUrl, `${wallet.apiUrl}/pay/${prepayId}`)
  assert.equal(shown.expiresAt.getTime(), opening.expiresAt.getTime())
  assert.deepEqual(await prepayIdsOf(opening), [prepayId])
})

/** A shop, and the orders that the wallet has of an attempt. */
async function openedShop(t: Parameters<typeof shopAt>[1]) {
  const shop = await shopAt(wallet, t)
  const prepayIdsOf = async ({ id }: { readonly id: string }) => {
    const { orders } = await wallet.control('GET', '/state')
    const all = orders as readonly { prepayId: string; merchantTradeNo: string }[]
    return all.flatMap((each) => (each.merchantTradeNo === id.replaceAll('-', '') ? [each.prepayId] : []))
  }
  return { ...shop, prepayIdsOf }
}

test('a payment that lives longer than an order gets an order of at most an hour', async (t) => {
  const { opened, id } = await shopAt(wallet, t)
  const { attempt } = await opened(openingOf(id, { expiresAt: addMs(systemClock.now(), 24 * hourMs) }))
  const leftMs = new Date(String(attempt.artifacts['expiresAt'])).getTime() - systemClock.now().getTime()
  assert.ok(leftMs > hourMs - minuteMs && leftMs <= hourMs, String(leftMs))
})

test('a confirmed payment is reported by callback and by check, as the same money, once', async (t) => {
  const { rail, id, opened, heard } = await shopAt(wallet, t)
  const { opening, attempt, prepayId, act } = await opened()
  assert.deepEqual(await check(rail, attempt), { receipts: [], isOver: false })
  await act('begin')
  assert.deepEqual(await check(rail, attempt), { receipts: [], isOver: false })
  await act('confirm')
  const checked = await check(rail, attempt)
  assert.equal(checked.isOver, true)
  assert.deepEqual(checked.receipts.map(brief), [['paid', opening.id, prepayId, 1_234n]])
  const [receipt] = checked.receipts
  assert.ok(receipt?.attempt !== undefined)
  assert.deepEqual(
    [receipt.method, receipt.connection, receipt.amount.currency, receipt.occurrence, receipt.attempt],
    ['PARTNER_PAY', id, 'USDT', 1, { id: opening.id }],
  )
  assert.ok(receipt.evidence.includes('"PAID"'))
  const { body } = await heard('PAY_SUCCESS', prepayId)
  const receipts = await read(rail, id, body)
  assert.deepEqual(receipts, checked.receipts)
  assert.deepEqual(await read(rail, id, body), receipts)
})

test('a refused order is over and declined, without money', async (t) => {
  const { rail, id, opened, heard } = await shopAt(wallet, t)
  const { opening, attempt, prepayId, act } = await opened()
  await act('refuse')
  const checked = await check(rail, attempt)
  assert.equal(checked.isOver, true)
  assert.deepEqual(checked.receipts.map(brief), [
    ['declined', opening.id, prepayId, 1_234n, 'order_canceled'],
  ])
  const { body } = await heard('PAY_CLOSED', prepayId)
  assert.deepEqual(await read(rail, id, body), checked.receipts)
})

test('a payer without enough money can try again', async (t) => {
  const { rail, opened } = await shopAt(wallet, t)
  const { attempt, act } = await opened()
  await act('insufficient')
  assert.deepEqual(await check(rail, attempt), { receipts: [], isOver: false })
})

test('an order that expired is over; a late payment is money nevertheless', async (t) => {
  const { rail, id, opened, heard } = await shopAt(wallet, t)
  const { opening, attempt, prepayId, act } = await opened()
  await act('expire')
  assert.deepEqual(await check(rail, attempt), { receipts: [], isOver: true })
  await act('confirm', { force: true })
  const { body } = await heard('PAY_SUCCESS', prepayId)
  assert.deepEqual((await read(rail, id, body)).map(brief), [['paid', opening.id, prepayId, 1_234n]])
})

test('a callback is only a hint: its claims about an unpaid order do not count', async (t) => {
  const { rail, id, opened } = await shopAt(wallet, t)
  const { opening, prepayId } = await opened()
  const data = JSON.stringify({ merchantTradeNo: toReference(opening.id), totalFee: 1_000_000 })
  const forged = { bizType: 'PAY', bizIdStr: prepayId, bizStatus: 'PAY_SUCCESS', data }
  assert.deepEqual(await read(rail, id, JSON.stringify(forged)), [])
})

test('repeated callbacks in any order report the current state', async (t) => {
  const { rail, id, opened, heard } = await shopAt(wallet, t)
  const { opening, prepayId, act } = await opened()
  await act('expire')
  await act('confirm', { force: true })
  const bodies = [await heard('PAY_SUCCESS', prepayId), await heard('PAY_CLOSED', prepayId)].map(
    ({ body }) => body,
  )
  const results = await Promise.all([...bodies, ...bodies.toReversed()].map((body) => read(rail, id, body)))
  for (const receipts of results)
    assert.deepEqual(receipts.map(brief), [['paid', opening.id, prepayId, 1_234n]])
})

test('callbacks about anything else, nothing, or an unknown order have no receipt', async (t) => {
  const { rail, id } = await shopAt(wallet, t)
  const unknown = { bizType: 'PAY', bizIdStr: '1', bizStatus: 'PAY_SUCCESS', data: '{}' }
  for (const body of [
    '',
    '[]',
    'hello',
    '{"bizType":"BALANCE","bizIdStr":"1","bizStatus":"X"}',
    JSON.stringify(unknown),
  ])
    assert.deepEqual(await read(rail, id, body), [])
})

test('money of an order that another program created at the same account names no attempt', async (t) => {
  const { rail, id, connection, heard } = await shopAt(wallet, t)
  const { apiKey, apiSecret } = connection.secrets as { apiKey: string; apiSecret: string }
  const client = createPartnerClient({
    apiUrl: wallet.apiUrl,
    credentials: { apiKey, apiSecret },
    clock: systemClock,
  })
  t.after(() => client.close())
  const { value } = await client.placeOrder({
    tradeNo: 'INVOICE42',
    amount: 500n,
    expiresAt: addMs(systemClock.now(), minuteMs),
    description: 'Sold elsewhere',
    reference: newId(),
    goodsId: 'INVOICE42',
  })
  await wallet.control('POST', `/orders/${value.prepayId}`, { action: 'confirm' })
  const { body } = await heard('PAY_SUCCESS', value.prepayId)
  assert.deepEqual((await read(rail, id, body)).map(brief), [['paid', undefined, value.prepayId, 500n]])
})

test('a canceled order cannot be paid; canceling it again, or one that is over or never existed, is no error', async (t) => {
  const { rail, id, opened, orderOf } = await shopAt(wallet, t)
  const { opening, attempt } = await opened()
  await cancel(rail, opening)
  assert.equal((await orderOf(opening))?.status, 'CANCELED')
  const { receipts, isOver } = await check(rail, attempt)
  assert.deepEqual([receipts.map(({ outcome }) => outcome), isOver], [['declined'], true])
  await cancel(rail, opening)
  await cancel(rail, openingOf(id))
  const paid = await opened()
  await paid.act('confirm')
  await cancel(rail, paid.opening)
  assert.equal((await orderOf(paid.opening))?.status, 'PAID')
})

test('an order that its payer is just paying cannot be canceled, and is canceled later', async (t) => {
  const { rail, opened, orderOf } = await shopAt(wallet, t)
  const { opening, act } = await opened()
  await act('begin')
  assert.equal((await errorOf(cancel(rail, opening))).outcome, 'unknown')
  assert.equal((await orderOf(opening))?.status, 'PENDING')
})

test('an attempt that the provider does not know is over, and an unknown order of a callback is told of', async (t) => {
  const { log, told } = toldTo()
  const { rail, id } = await railAtProvider(t, () => failure('400202'), systemClock, log)
  assert.deepEqual(await check(rail, { ...openingOf(id), artifacts: {} }), { receipts: [], isOver: true })
  assert.deepEqual(told, ['the wallet provider does not know an order of ours any more'])
  const callback = { bizType: 'PAY', bizIdStr: '1', bizStatus: 'PAY_SUCCESS', data: '{}' }
  assert.deepEqual(await read(rail, id, JSON.stringify(callback)), [])
  assert.equal(told[1], 'a callback names an order that the wallet provider does not know')
})

test('an order that expires by itself is found expired, without a callback', async (t) => {
  const { rail, id, opened, advance } = await shopAt(wallet, t)
  await wallet.control('POST', '/webhooks', { mode: 'no_close' })
  t.after(() => wallet.control('POST', '/webhooks', { mode: 'normal' }))
  const { attempt } = await opened(openingOf(id, { expiresAt: addMs(systemClock.now(), 5 * secondMs) }))
  assert.equal((await check(rail, attempt)).isOver, false)
  await advance(6)
  const checked = await eventually('the attempt is over', async () => {
    const found = await check(rail, attempt)
    return found.isOver && found
  })
  assert.deepEqual(checked.receipts, [])
})

test('an attempt that is opened again has no second order', async (t) => {
  const { rail, opened, prepayIdsOf } = await openedShop(t)
  const { opening, prepayId } = await opened()
  // The process that opened it first may be about to store its links.
  assert.equal((await errorOf(open(rail, opening))).outcome, 'unknown')
  assert.deepEqual(await prepayIdsOf(opening), [prepayId])
})

test('a refusal of the order is reported in our words, with the provider’s beside them', async (t) => {
  const { rail, id } = await shopAt(wallet, t)
  const opened = await open(rail, openingOf(id, { expiresAt: addMs(systemClock.now(), -minuteMs) }))
  assert.ok(!opened.ok && opened.code === 'refused_by_provider')
  assert.equal(opened.message, 'The provider does not take this payment.')
  assert.match(opened.said ?? '', /400102/)
  assert.throws(() => artifactsOf(opened))
})
