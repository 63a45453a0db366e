import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import * as wire from './wire.ts'

const dataOf = (text: string) => {
  const envelope = wire.parseEnvelope(Buffer.from(text))
  assert.ok(envelope.ok, text)
  return envelope.data
}
const answer = (data: string) => dataOf(`{"status":"SUCCESS","code":"000000","data":${data}}`)
const isNonsense = (error: unknown) => error instanceof ProviderError && error.outcome === 'unknown'

test('a new order is read, with an id of 19 digits to the last one', () => {
  const placed = wire.parsePlacedOrder(
    answer(`{"prepayId":9223372036854775807,"terminalType":"WEB","expireTime":1754003600123,
      "qrcodeLink":"https://x/qr.png","qrContent":"https://app.example/qr/dplk1","checkoutUrl":"https://pay.example/1",
      "deeplink":"bnc://app/1","universalUrl":"https://app.example/payment?_dp=1","currency":"USDT","totalFee":"10.00"}`),
  )
  assert.deepEqual(placed, {
    prepayId: '9223372036854775807',
    qrContent: 'https://app.example/qr/dplk1',
    universalUrl: 'https://app.example/payment?_dp=1',
    checkoutUrl: 'https://pay.example/1',
    expiresAt: new Date(1_754_003_600_123),
  })
})

test('a new order without any link is an error', () => {
  assert.throws(() => wire.parsePlacedOrder(answer('{"prepayId":"1"}')), isNonsense)
  assert.throws(() => wire.parsePlacedOrder(answer('{"prepayId":"1","qrContent":"https://q"}')), isNonsense)
  assert.throws(() => wire.parsePlacedOrder(answer('"OK"')), isNonsense)
})

test('an id has up to 64 letters, digits, lines and hyphens', () => {
  const read = (prepayId: unknown) =>
    wire.parsePlacedOrder(answer(JSON.stringify({ prepayId, universalUrl: 'https://u' }))).prepayId
  for (const good of ['1', 'a_B-9', 'x'.repeat(64)]) assert.equal(read(good), good)
  for (const bad of ['', 'a b', '../x', 'x'.repeat(65), null, ['1']])
    assert.throws(() => read(bad), isNonsense, JSON.stringify(bad))
})

test('an order is read in the provider’s documented form', () => {
  const order = wire.parseOrder(
    answer(`{"merchantId":98729382672,"prepayId":"383729303729303","transactionId":"23729202729220282",
      "merchantTradeNo":"0190a0b0c0d0700080009000a000b000","status":"PAID","currency":"USDT",
      "orderAmount":"10.88000000","openUserId":"dde730","transactTime":1754000001000,"createTime":1754000000000}`),
  )
  assert.deepEqual(order, {
    prepayId: '383729303729303',
    tradeNo: '0190a0b0c0d0700080009000a000b000',
    status: 'PAID',
    amount: { minor: 1_088n, currency: 'USDT' },
    createdAt: new Date(1_754_000_000_000),
    paidAt: new Date(1_754_000_001_000),
  })
})

test('an amount is read to the cent, never through a float, and is absent when it is finer or in another currency', () => {
  const amountIn = (amount: string, currency = 'USDT') =>
    wire.parseOrder(
      answer(`{"prepayId":"1","merchantTradeNo":"2","orderAmount":${amount},"currency":"${currency}"}`),
    ).amount
  assert.deepEqual(amountIn('"0.01"'), { minor: 1n, currency: 'USDT' })
  assert.deepEqual(amountIn('"10"'), { minor: 1_000n, currency: 'USDT' })
  assert.deepEqual(amountIn('"10.10000000"'), { minor: 1_010n, currency: 'USDT' })
  // 2^53 + 1 cents, as a number: a float would make it one cent less.
  assert.deepEqual(amountIn('90071992547409.93'), { minor: 9_007_199_254_740_993n, currency: 'USDT' })
  assert.deepEqual(amountIn('"5.00"', 'EUR'), { minor: 500n, currency: 'EUR' })
  assert.equal(amountIn('"0.005"'), undefined)
  assert.equal(amountIn('"1e3"'), undefined)
  assert.equal(amountIn('"-1"'), undefined)
  assert.equal(amountIn('"1.00"', 'BUSD'), undefined)
})

test('a status that we do not know is absent', () => {
  const order = wire.parseOrder(answer('{"prepayId":"1","merchantTradeNo":"2","status":"DREAMING"}'))
  assert.equal(order.status, undefined)
})

test('a refund is read from its request and from a query', () => {
  const fields = `"refundRequestId":"68711039982968832","prepayId":"383729303729303","orderAmount":"100.11",
    "refundedAmount":"50.88","refundAmount":"25.17","payerOpenId":"dde730"`
  const refund = {
    requestId: '68711039982968832',
    prepayId: '383729303729303',
    amount: 2_517n,
    refunded: 5_088n,
    orderAmount: 10_011n,
    attemptsLeft: 8,
  }
  // The older page of the documents has the count as a text.
  assert.deepEqual(
    wire.parseRefund(answer(`{${fields},"remainingAttempts":"8","duplicateRequest":"N"}`)),
    refund,
  )
  assert.deepEqual(
    wire.parseRefund(answer(`{${fields},"remainingAttempts":8,"refundStatus":"REFUND_SUCCESS"}`)),
    { ...refund, status: 'REFUND_SUCCESS' },
  )
  assert.throws(() => wire.parseRefund(answer(`{${fields}}`)), isNonsense)
})

test('a callback is a hint: exact ids from JSON in a text, whose refund may be JSON in a text again', () => {
  const paid = String.raw`{"bizType":"PAY","data":"{\"merchantTradeNo\":\"9825382937292\",\"totalFee\":0.88000000}","bizIdStr":"29383937493038367292","bizId":29383937493038367292,"bizStatus":"PAY_SUCCESS"}`
  assert.deepEqual(wire.parseHint(Buffer.from(paid)), {
    bizType: 'PAY',
    bizId: '29383937493038367292',
    bizStatus: 'PAY_SUCCESS',
    tradeNo: '9825382937292',
  })
  const numberOnly = '{"bizType":"PAY","bizId":29383937493038367292,"bizStatus":"PAY_CLOSED"}'
  assert.equal(wire.parseHint(Buffer.from(numberOnly))?.bizId, '29383937493038367292')
  for (const refundInfo of [{ refundRequestId: 'ab12' }, JSON.stringify({ refundRequestId: 'ab12' })]) {
    const data = JSON.stringify({ merchantTradeNo: '1', refundInfo })
    const body = { bizType: 'PAY_REFUND', bizIdStr: '7', bizStatus: 'REFUND_SUCCESS', data }
    assert.equal(wire.parseHint(Buffer.from(JSON.stringify(body)))?.refundRequestId, 'ab12')
  }
})

test('an invalid callback has no hint', () => {
  for (const text of [
    '',
    'hello',
    '[]',
    '{}',
    '{"bizType":"PAY"}',
    '{"bizType":"PAY","bizIdStr":"../x","bizStatus":"P"}',
    '{"bizType":"PAY","bizIdStr":"1"}',
    '{"bizType":"PAY","bizStatus":"P"}',
    '{"bizIdStr":"1","bizStatus":"P"}',
    '{"bizType":"","bizIdStr":"1","bizStatus":"P"}',
    `{"bizType":"PAY","bizIdStr":"${'1'.repeat(65)}","bizStatus":"P"}`,
  ])
    assert.equal(wire.parseHint(Buffer.from(text)), undefined, text)
})

test('a callback whose further ids are none is a hint without them', () => {
  const data = { merchantTradeNo: '../x', refundInfo: { refundRequestId: 'a b' } }
  const sent = { bizType: 'PAY', bizIdStr: '1', bizStatus: 'P', data }
  const hint = { bizType: 'PAY', bizId: '1', bizStatus: 'P' }
  assert.deepEqual(wire.parseHint(Buffer.from(JSON.stringify(sent))), hint)
  assert.deepEqual(wire.parseHint(Buffer.from(JSON.stringify({ ...sent, data: [data] }))), hint)
})

test('the end of an order is milliseconds since 1970, and absent in any other form', () => {
  const endOf = (expireTime: string) =>
    wire.parsePlacedOrder(answer(`{"prepayId":"1","checkoutUrl":"https://x/1","expireTime":${expireTime}}`))
      .expiresAt
  assert.deepEqual(endOf('"1754003600123"'), new Date(1_754_003_600_123))
  for (const none of ['0', '-1', '1.5', '"soon"', 'null', '1754003600123456'])
    assert.equal(endOf(none), undefined, none)
})

test('an answer is a success by its status, unless its code is another', () => {
  const read = (text: string) => wire.parseEnvelope(Buffer.from(text))
  assert.deepEqual(read('{"status":"SUCCESS","data":1}'), { ok: true, data: '1' })
  for (const fault of [
    '{"status":"SUCCESS","code":"400201"}',
    '{"status":"FAIL","code":"000000"}',
    '{"status":"FAIL"}',
    '[]',
  ])
    assert.equal(read(fault).ok, false, fault)
  const long = read(JSON.stringify({ status: 'FAIL', msg: 'x'.repeat(301) }))
  assert.equal(long.ok ? undefined : long.message, 'x'.repeat(300))
})

test('faults are read in all their forms', () => {
  const read = (text: string) => wire.parseEnvelope(Buffer.from(text))
  assert.deepEqual(
    read('{"status":"FAIL","code":"400201","data":null,"errorMessage":"merchantTradeNo is invalid"}'),
    {
      ok: false,
      code: '400201',
      message: 'merchantTradeNo is invalid',
    },
  )
  assert.deepEqual(
    read('{"status":"ERROR","type":"SYS","code":"100001001","errorData":"System abnormality"}'),
    {
      ok: false,
      code: '100001001',
      message: 'System abnormality',
    },
  )
  assert.deepEqual(read('{"code":"400002","msg":"Signature for this request is not valid."}'), {
    ok: false,
    code: '400002',
    message: 'Signature for this request is not valid.',
  })
  for (const text of ['<html>403</html>', '', 'null', '{"status":"SUCCESS","code":"400000"}'])
    assert.equal(read(text).ok, false, text)
})

test('certificates are read by their serial number', () => {
  assert.deepEqual(wire.parseCertificates(answer('[{"certSerial":"ab12","certPublic":"-----BEGIN…"}]')), [
    { serial: 'ab12', publicKey: '-----BEGIN…' },
  ])
  assert.throws(() => wire.parseCertificates(answer('{"certSerial":"ab12"}')), isNonsense)
})
