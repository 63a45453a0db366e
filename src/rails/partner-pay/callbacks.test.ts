// Callbacks of the sandbox's wallet app are accepted unchanged, and rejected when they are altered.
import assert from 'node:assert/strict'
import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { addMs, hourMs, minuteMs, secondMs, systemClock, testClock, type Clock } from '#/kernel/time.ts'
import type { SignedCallback } from '#/rails/rail.ts'
import { eventually } from '../../../test/eventually.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { railAtProvider, shopAt, toldTo, verify } from '../../../test/rails/partner-pay/rail.ts'
import { startTestWallet, success } from '../../../test/rails/partner-pay/wallet.ts'
import type { Call, Reply } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'

const wallet = openForTests(startTestWallet)

/** A paid order, and its callback. */
async function paidShop(t: TestContext, clock?: Clock) {
  const shop = await shopAt(wallet, t, clock)
  const { prepayId, act } = await shop.opened()
  await act('confirm')
  return { ...shop, prepayId, call: await shop.heard('PAY_SUCCESS', prepayId) }
}

const reasonOf = async (verdict: ReturnType<typeof verify>) => {
  const found = await verdict
  return found.ok ? undefined : found.reason
}

test('a callback that the provider signed is accepted, and names its event', async (t) => {
  const { rail, callback, call, prepayId } = await paidShop(t)
  assert.deepEqual(await verify(rail, callback(call)), { ok: true, eventId: `PAY:${prepayId}:PAY_SUCCESS` })
  assert.equal(rail.callbacks?.answer, '{"returnCode":"SUCCESS","returnMessage":null}')
})

test('a callback that is sent twice is the same event', async (t) => {
  await wallet.control('POST', '/webhooks', { mode: 'duplicate' })
  t.after(() => wallet.control('POST', '/webhooks', { mode: 'normal' }))
  const { rail, callback, inbox, prepayId } = await paidShop(t)
  const calls = await eventually('both callbacks', () => {
    const found = inbox.calls.filter(({ body }) => body.includes(prepayId))
    return found.length > 1 && found
  })
  const verdicts = await Promise.all(calls.map((call) => verify(rail, callback(call))))
  assert.deepEqual(verdicts[1], verdicts[0])
  assert.ok(verdicts[0]?.ok)
})

test('a changed byte, a missing header, another serial number: each is rejected', async (t) => {
  const { rail, callback, call } = await paidShop(t)
  const as = (change: Partial<Call>) => reasonOf(verify(rail, callback({ ...call, ...change })))
  const without = (name: string) => ({ headers: { ...call.headers, [`binancepay-${name}`]: undefined } })
  const having = (name: string, value: string) => ({
    headers: { ...call.headers, [`binancepay-${name}`]: value },
  })
  assert.equal(await as({ body: Buffer.concat([call.body, Buffer.from(' ')]) }), 'its signature is wrong')
  const written = JSON.stringify(JSON.parse(call.body.toString()))
  assert.notEqual(written, call.body.toString())
  assert.equal(await as({ body: Buffer.from(written) }), 'its signature is wrong')
  assert.equal(await as(having('nonce', 'A'.repeat(32))), 'its signature is wrong')
  assert.equal(await as(having('signature', 'AAAA')), 'its signature is wrong')
  for (const name of ['certificate-sn', 'timestamp', 'nonce', 'signature'])
    assert.equal(await as(without(name)), 'it is not signed')
  assert.equal(await as(having('certificate-sn', 'f'.repeat(32))), 'no certificate has its serial number')
})

test('one that another key signed under the provider’s serial number is rejected', async (t) => {
  await wallet.control('POST', '/webhooks', { mode: 'bad_signature' })
  t.after(() => wallet.control('POST', '/webhooks', { mode: 'normal' }))
  const { rail, callback, call } = await paidShop(t)
  assert.equal(await reasonOf(verify(rail, callback(call))), 'its signature is wrong')
})

test('one that is older than five minutes, or from the future, is rejected', async (t) => {
  const { rail, callback, call } = await paidShop(t)
  const sentAt = new Date(Number(call.headers['binancepay-timestamp']))
  const at = (ms: number) => reasonOf(verify(rail, callback(call, addMs(sentAt, ms))))
  for (const ms of [300 * secondMs, -300 * secondMs]) assert.equal(await at(ms), undefined)
  for (const ms of [300 * secondMs + 1, -300 * secondMs - 1])
    assert.equal(await at(ms), 'its timestamp is not of now')
  const odd = { ...call, headers: { ...call.headers, 'binancepay-timestamp': `0${sentAt.getTime()}` } }
  assert.equal(await reasonOf(verify(rail, callback(odd, sentAt))), 'its timestamp is not of now')
})

test('a new key is fetched, and the previous one still counts', async (t) => {
  let aheadMs = 0
  const clock: Clock = { now: () => addMs(systemClock.now(), aheadMs) }
  const { rail, callback, call, opened, heard } = await paidShop(t, clock)
  assert.equal(await reasonOf(verify(rail, callback(call))), undefined)
  await wallet.control('POST', '/certificates', { action: 'rotate' })
  const second = await opened()
  await second.act('confirm')
  const later = await heard('PAY_SUCCESS', second.prepayId)
  assert.notEqual(later.headers['binancepay-certificate-sn'], call.headers['binancepay-certificate-sn'])
  // Keys were fetched less than a minute ago. The provider sends it again.
  assert.equal(await reasonOf(verify(rail, callback(later))), 'no certificate has its serial number')
  aheadMs = 2 * minuteMs
  await wallet.control('POST', '/skew', { skewMs: aheadMs })
  t.after(() => wallet.control('POST', '/skew', { skewMs: 0 }))
  assert.equal(await reasonOf(verify(rail, callback(later))), undefined)
  assert.equal(await reasonOf(verify(rail, callback(call))), undefined)
})

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' })

/** A callback as the provider would sign it. */
function signed(body: string, at: Date, serial = 'serial1'): Omit<SignedCallback, 'connection'> {
  const [timestamp, nonce] = [String(at.getTime()), 'N'.repeat(32)]
  const signature = createSign('RSA-SHA256')
    .update(`${timestamp}\n${nonce}\n${body}\n`)
    .sign(privateKey, 'base64')
  return {
    headers: {
      'binancepay-certificate-sn': serial,
      'binancepay-timestamp': timestamp,
      'binancepay-nonce': nonce,
      'binancepay-signature': signature,
    },
    body: Buffer.from(body),
    receivedAt: at,
  }
}

test('keys are fetched once for many callbacks, for unknown ones once a minute, and again after an hour', async (t) => {
  const clock = testClock(systemClock.now())
  const keys = (): Reply => success([{ certSerial: 'serial1', certPublic: pem }])
  const { rail, id, calls } = await railAtProvider(t, keys, clock)
  const verdict = (serial?: string) => verify(rail, { connection: id, ...signed('{}', clock.now(), serial) })
  const first = await Promise.all(Array.from({ length: 10 }, () => verdict()))
  assert.ok(first.every(({ ok }) => ok))
  assert.equal(calls.length, 1)
  for (let i = 0; i < 20; i++) assert.equal((await verdict(randomUUID())).ok, false)
  assert.equal(calls.length, 1)
  const callsAfter = async (ms: number, serial?: string) => {
    clock.advance(ms)
    assert.equal((await verdict(serial)).ok, serial === undefined)
    return calls.length
  }
  assert.equal(await callsAfter(minuteMs, randomUUID()), 1)
  assert.equal(await callsAfter(1, randomUUID()), 2)
  assert.equal(await callsAfter(0, randomUUID()), 2)
  assert.equal(await callsAfter(hourMs), 2)
  assert.equal(await callsAfter(1), 3)
})

test('a key that the provider withdrew is accepted for at most an hour', async (t) => {
  const clock = testClock(systemClock.now())
  let served = [{ certSerial: 'serial1', certPublic: pem }]
  const { rail, id } = await railAtProvider(t, () => success(served), clock)
  const verdict = () => verify(rail, { connection: id, ...signed('{}', clock.now()) })
  assert.equal((await verdict()).ok, true)
  served = []
  clock.advance(hourMs + secondMs)
  assert.equal((await verdict()).ok, false)
})

test('while the provider does not return its keys, no callback is accepted or rejected', async (t) => {
  let isAway = true
  const { rail, id } = await railAtProvider(t, () =>
    isAway ? { status: 503 } : success([{ certSerial: 'serial1', certPublic: pem }]),
  )
  const verdict = () => verify(rail, { connection: id, ...signed('{}', systemClock.now()) })
  assert.equal((await errorOf(verdict())).outcome, 'unavailable')
  isAway = false
  assert.equal((await verdict()).ok, true)
})

test('keys other than RSA are ignored; one without its PEM lines is read', async (t) => {
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const bare = pem.replaceAll(/-----[A-Z ]+-----|\n/g, '')
  const served = [
    { certSerial: 'curve', certPublic: elliptic.export({ type: 'spki', format: 'pem' }) },
    { certSerial: 'nothing', certPublic: 'nothing' },
    { certSerial: 'serial1', certPublic: bare },
  ]
  const { log, told } = toldTo()
  const { rail, id } = await railAtProvider(t, () => success(served), systemClock, log)
  const verdict = (serial?: string) =>
    verify(rail, { connection: id, ...signed('{}', systemClock.now(), serial) })
  assert.equal((await verdict()).ok, true)
  assert.deepEqual(told, Array(2).fill('a certificate for callbacks cannot be read'))
  assert.equal((await verdict('curve')).ok, false)
  assert.equal((await verdict('nothing')).ok, false)
})

test('two refunds of one order are two events, although both have the order’s name', async (t) => {
  const { rail, id } = await railAtProvider(t, () => success([{ certSerial: 'serial1', certPublic: pem }]))
  const eventOf = async (data: object) => {
    const body = {
      bizType: 'PAY_REFUND',
      bizIdStr: '7',
      bizStatus: 'REFUND_SUCCESS',
      data: JSON.stringify(data),
    }
    const verdict = await verify(rail, { connection: id, ...signed(JSON.stringify(body), systemClock.now()) })
    assert.ok(verdict.ok)
    return verdict.eventId
  }
  const named = (refundRequestId: string) => eventOf({ refundInfo: { refundRequestId } })
  assert.equal(await named('a1'), 'PAY_REFUND:7:REFUND_SUCCESS:a1')
  assert.notEqual(await named('a1'), await named('b2'))
  // Merchants without the provider's permission do not receive the refund's id.
  assert.notEqual(await eventOf({ totalFee: 1 }), await eventOf({ totalFee: 2 }))
  assert.equal(await eventOf({ totalFee: 1 }), await eventOf({ totalFee: 1 }))
})
