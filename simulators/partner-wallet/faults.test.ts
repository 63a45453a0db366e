import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { startTestWallet, terms } from './harness.ts'

const wallet = openForTests(startTestWallet)
const shop = makeForTests(() => wallet.merchant())
beforeEach(() => wallet.control('faults', { mode: 'none' }))

test('while failing, it answers 5xx in the gateway’s shape and does nothing, as many times as set', async () => {
  await wallet.control('faults', { mode: '5xx', times: 2 })
  const body = terms()
  for (let n = 0; n < 2; n++) {
    const answer = await shop.call('/v3/order', body)
    assert.deepEqual([answer.status, answer.body['status'], answer.body['code']], [503, 'ERROR', '100001001'])
  }
  assert.equal((await shop.call('/v3/order', body)).body['code'], '000000')
})

test('cut off after the work: no answer, but the order is there', async () => {
  await wallet.control('faults', { mode: 'reset_after_commit', times: 1 })
  const body = terms()
  await assert.rejects(shop.call('/v3/order', body), TypeError)
  const { status } = await shop.data('/v2/order/query', { merchantTradeNo: body['merchantTradeNo'] })
  assert.equal(status, 'INITIAL')
  assert.equal((await shop.call('/v3/order', body)).body['code'], '400201')
})

test('when it never answers, nothing is done, and the caller gives up', async () => {
  await wallet.control('faults', { mode: 'timeout', times: 1 })
  const body = terms()
  const patience = AbortSignal.timeout(100)
  const gaveUp = new Promise((resolve) => patience.addEventListener('abort', resolve))
  const answered = shop.call('/v3/order', body).then(
    () => 'answered',
    () => 'cut off',
  )
  assert.equal(await Promise.race([answered, gaveUp.then(() => 'gave up')]), 'gave up')
  const found = await shop.call('/v2/order/query', { merchantTradeNo: body['merchantTradeNo'] })
  assert.equal(found.body['code'], '400202')
})

test('when slow, it answers in the end, with what was done at once', async () => {
  await wallet.control('faults', { mode: 'slow', times: 1 })
  const began = performance.now()
  assert.equal((await shop.call('/v3/order', terms())).body['code'], '000000')
  // Three seconds of a wallet that is 50 times as fast.
  assert.ok(performance.now() - began >= 55)
})

test('control calls are never spoiled', async () => {
  await wallet.control('faults', { mode: '5xx' })
  await wallet.control('webhooks', { mode: 'normal' })
  const spoiled = (await wallet.events()).filter(({ type }) => type === 'call.spoiled')
  assert.deepEqual(
    new Set(spoiled.map(({ how }) => how)),
    new Set(['5xx', 'reset_after_commit', 'timeout', 'slow']),
  )
})
