import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { closer, type Json } from '../kit/harness.ts'
import { fetchAnswer, startTestWallet, terms } from './harness.ts'

const wallet = openForTests(startTestWallet)
const shop = makeForTests(() => wallet.merchant({ name: 'Padaria São João' }))

const create = (body: Json = terms()) => shop.data('/v3/order', body)
const query = (prepayId: unknown) => shop.data('/v2/order/query', { prepayId })
const codeOf = async (path: string, body: Json, merchant = shop) => {
  const answer = await merchant.call(path, body)
  assert.ok(answer.body['code'] === '000000' || answer.body['status'] === 'FAIL', answer.text)
  return answer.body['code']
}
const act = (prepayId: unknown, action: string, more: Json = {}) =>
  wallet.control(`orders/${String(prepayId)}`, { action, ...more })

test('a new order is answered as documented, and its links lead to its page', async () => {
  const before = Date.now()
  const answer = await shop.call('/v3/order', terms('1.50'))
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['status', 'code', 'data'])
  assert.deepEqual([answer.body['status'], answer.body['code']], ['SUCCESS', '000000'])
  const { prepayId, expireTime, deeplink, ...rest } = answer.body['data'] as Json
  const page = `${wallet.url}/pay/${String(prepayId)}`
  assert.deepEqual(rest, {
    terminalType: 'WEB',
    qrcodeLink: `${page}/qr.svg`,
    qrContent: page,
    checkoutUrl: page,
    universalUrl: page,
    currency: 'USDT',
    totalFee: '1.5',
  })
  assert.match(String(prepayId), /^\d{18}$/)
  assert.match(String(deeplink), /^bnc:\/\//)
  // Default: an hour.
  const lifeMs = Number(expireTime) - before
  assert.ok(lifeMs >= 3_600_000 && lifeMs < 3_610_000)
  const { status, headers } = await fetchAnswer(`${page}/qr.svg`)
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'])
})

test('an order is found by either name, with its amount as text of eight decimals', async () => {
  const body = terms('0.10', { passThroughInfo: 'payment 7' })
  const { prepayId } = await create(body)
  const found = await query(prepayId)
  assert.deepEqual(found, await shop.data('/v2/order/query', { merchantTradeNo: body['merchantTradeNo'] }))
  const { createTime, merchantId, ...rest } = found
  assert.deepEqual(rest, {
    prepayId,
    merchantTradeNo: body['merchantTradeNo'],
    status: 'INITIAL',
    currency: 'USDT',
    passThroughInfo: 'payment 7',
    orderAmount: '0.10000000',
  })
  assert.ok(Number.isSafeInteger(createTime) && Number.isSafeInteger(merchantId))
  await act(prepayId, 'confirm')
  const paid = await query(prepayId)
  assert.equal(paid['status'], 'PAID')
  assert.match(String(paid['transactionId']), /^M_P_\d{18}$/)
  assert.match(String(paid['openUserId']), /^[0-9a-f]{32}$/)
  assert.ok(Number.isSafeInteger(paid['transactTime']))
})

test('a prepayId is a number that a double cannot hold', async () => {
  const { prepayId } = await create()
  assert.notEqual(JSON.stringify(JSON.parse(String(prepayId))), String(prepayId))
})

test('amounts are text or numbers with at most eight decimals', async () => {
  for (const [given, shown] of [
    ['25.17', '25.17000000'],
    [25.17, '25.17000000'],
    ['0.00000001', '0.00000001'],
    [0.00000001, '0.00000001'],
    ['999999999999.12345678', '999999999999.12345678'],
  ] as const) {
    const { prepayId } = await create(terms(given))
    assert.equal((await query(prepayId))['orderAmount'], shown)
  }
  for (const wrong of ['0', '1.123456789', '-1', '1e3', '1,50', ' 1', 'NaN', true, '0x10', 0.000000001])
    assert.equal(await codeOf('/v3/order', terms(wrong)), '400102', String(wrong))
})

test('every field of a new order is checked', async () => {
  const goods = { goodsType: '02', goodsCategory: 'Z000', referenceGoodsId: '1', goodsName: 'A thing' }
  const long = (length: number) => 'x'.repeat(length)
  const cases: readonly (readonly [Json, string])[] = [
    [{ env: undefined }, '400100'],
    [{ env: {} }, '400100'],
    [{ env: { terminalType: 'TV' } }, '400102'],
    [{ merchantTradeNo: undefined }, '400100'],
    [{ merchantTradeNo: '' }, '400100'],
    [{ merchantTradeNo: long(33) }, '400101'],
    [{ merchantTradeNo: '3f2504e0-4f89-11d3-9a0c' }, '400103'],
    [{ orderAmount: undefined }, '400100'],
    [{ currency: undefined }, '400100'],
    [{ currency: 'usdt' }, '400102'],
    [{ currency: 'BRL' }, '400102'],
    [{ description: undefined }, '400100'],
    [{ description: long(257) }, '400101'],
    [{ goodsDetails: undefined }, '400100'],
    [{ goodsDetails: [] }, '400100'],
    [{ goodsDetails: [{ ...goods, goodsType: '03' }] }, '400102'],
    [{ goodsDetails: [{ ...goods, goodsCategory: 'food' }] }, '400102'],
    [{ goodsDetails: [{ ...goods, referenceGoodsId: undefined }] }, '400100'],
    [{ goodsDetails: [{ ...goods, goodsName: long(257) }] }, '400101'],
    [{ goodsDetails: [{ ...goods, goodsName: 'a "thing"' }] }, '400103'],
    [{ goodsDetails: [{ ...goods, goodsName: 'cake 🍰' }] }, '400103'],
    [{ merchant: { subMerchantId: '1' } }, '400206'],
    [{ returnUrl: 'javascript:alert(1)' }, '400102'],
    [{ webhookUrl: `http://localhost/${long(256)}` }, '400101'],
    [{ passThroughInfo: long(513) }, '400101'],
    [{ orderExpireTime: Date.now() - 1 }, '400102'],
    [{ orderExpireTime: Date.now() + 3_700_000 }, '400102'],
    [{ orderExpireTime: 'soon' }, '400100'],
  ]
  for (const [more, code] of cases)
    assert.equal(await codeOf('/v3/order', terms('1', more)), code, JSON.stringify(more).slice(0, 80))
  assert.equal(await codeOf('/v3/order', terms('1', { passThroughInfo: long(512) })), '000000')
})

test('a merchantTradeNo serves one order of its merchant, even after that order has ended', async () => {
  const body = terms()
  const { prepayId } = await create(body)
  assert.equal(await codeOf('/v3/order', body), '400201')
  await shop.data('/order/close', { prepayId })
  assert.equal(await codeOf('/v3/order', { ...body, orderAmount: '11' }), '400201')
  const other = await wallet.merchant({ name: 'Another' })
  assert.equal(await codeOf('/v3/order', body, other), '000000')
})

test('an order of another merchant is not found, and one without a name is refused', async () => {
  const { prepayId } = await create()
  const other = await wallet.merchant({ name: 'Another' })
  for (const path of ['/v2/order/query', '/order/close']) {
    assert.equal(await codeOf(path, { prepayId }, other), '400202')
    assert.equal(await codeOf(path, { merchantTradeNo: 'nobody' }), '400202')
    assert.equal(await codeOf(path, {}), '400100')
    assert.equal(await codeOf(path, { prepayId: null, merchantTradeNo: null }), '400100')
    assert.equal(await codeOf(path, { merchantTradeNo: 'a-b' }), '400103')
  }
})

test('only an order that no payer has started can be closed', async () => {
  const open = await create()
  const closed = await shop.call('/order/close', { prepayId: open['prepayId'] })
  assert.deepEqual(closed.body, { status: 'SUCCESS', code: '000000', data: true })
  assert.equal((await query(open['prepayId']))['status'], 'CANCELED')
  assert.equal(await codeOf('/order/close', { prepayId: open['prepayId'] }), '400204')
  const started = await create()
  await act(started['prepayId'], 'begin')
  assert.equal((await query(started['prepayId']))['status'], 'PENDING')
  assert.equal(await codeOf('/order/close', { prepayId: started['prepayId'] }), '400204')
  await act(started['prepayId'], 'confirm')
  assert.equal(await codeOf('/order/close', { prepayId: started['prepayId'] }), '400204')
})

test('a payer refuses, has too little money, or lets the order expire', async () => {
  const [refused, short, expired] = [await create(), await create(), await create()]
  assert.equal((await act(refused['prepayId'], 'refuse'))['status'], 'CANCELED')
  assert.equal((await act(short['prepayId'], 'insufficient'))['status'], 'INITIAL')
  assert.equal((await act(short['prepayId'], 'confirm'))['status'], 'PAID')
  assert.equal((await act(expired['prepayId'], 'expire'))['status'], 'EXPIRED')
  for (const { prepayId } of [refused, short, expired])
    await assert.rejects(act(prepayId, 'confirm'), /order_over/)
  // A payment that was under way when the order ended.
  assert.equal((await act(expired['prepayId'], 'confirm', { force: true }))['status'], 'PAID')
  await assert.rejects(act(short['prepayId'], 'confirm', { force: true }), /order_over/)
})

test('orders expire when their end has come closer, and those made later live their whole life', async () => {
  const soon = await create(terms('1', { orderExpireTime: Date.now() + 60_000 }))
  const started = await create(terms('1', { orderExpireTime: Date.now() + 60_000 }))
  await act(started['prepayId'], 'begin')
  await wallet.control('clock', closer(shop.apiKey, 45))
  assert.equal((await query(soon['prepayId']))['status'], 'INITIAL')
  await wallet.control('clock', closer(shop.apiKey, 15))
  assert.equal((await query(soon['prepayId']))['status'], 'EXPIRED')
  // An order that a payer has started stays open, and can be paid.
  assert.equal((await query(started['prepayId']))['status'], 'PENDING')
  assert.equal((await act(started['prepayId'], 'confirm'))['status'], 'PAID')
  const later = await create(terms('1', { orderExpireTime: Date.now() + 30_000 }))
  assert.equal((await query(later['prepayId']))['status'], 'INITIAL')
  await wallet.control('clock', closer(shop.apiKey, 30))
  assert.equal((await query(later['prepayId']))['status'], 'EXPIRED')
})

test('the balance is what was paid less what goes back, in the funding wallet', async () => {
  const merchant = await wallet.merchant({ name: 'Counting' })
  const available = async (name = 'FUNDING_WALLET') => {
    const { balance } = await merchant.data('/v2/balance', { wallet: name, currency: 'USDT' })
    return (balance as readonly Json[])[0]?.['available']
  }
  const { prepayId } = await merchant.data('/v3/order', terms('10'))
  assert.equal(await available(), '0.00000000')
  await act(prepayId, 'confirm')
  await merchant.data('/order/refund', { refundRequestId: 'r', prepayId, refundAmount: '2.5' })
  assert.equal(await available(), '7.50000000')
  assert.equal(await available('SPOT_WALLET'), '0.00000000')
  assert.equal(await codeOf('/v2/balance', { wallet: 'PIGGY' }, merchant), '400102')
})
