// The hosted checkout over the API: POST with a slug, its answer, its replays and its refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#/kernel/id.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

async function post(body: object): Promise<Answer> {
  const answer = await api.ask('POST', '/v1/payments', { key: tenant.key, body })
  assertDocumented('POST', '/v1/payments', answer)
  return answer
}

const checkout = (more: object = {}) => ({
  amount: 1_000,
  currency: 'USDT',
  checkout: 'default',
  idempotencyKey: newId(),
  ...more,
})

test('the answer is 201 PENDING with checkoutUrl and the methods, and GET repeats them', async () => {
  const { status, body } = await post(checkout())
  assert.deepEqual(
    [status, body['status'], body['paymentMethods'], 'cryptoAddress' in body],
    [201, 'PENDING', ['CRYPTO'], false],
  )
  assert.match(String(body['checkoutUrl']), /\/c\/[\w-]{34}$/)
  const found = await api.ask('GET', `/v1/payments/${String(body['id'])}`, { key: tenant.key })
  assertDocumented('GET', '/v1/payments/{id}', found)
  assert.equal(found.body['checkoutUrl'], body['checkoutUrl'])
  assert.ok(!('paymentMethod' in found.body) && !('cryptoAddress' in found.body))
})

test('a replay answers the same page, and another slug under the key is a conflict that names it', async () => {
  const body = checkout({ metadata: { a: 1 } })
  const first = await post(body)
  const again = await post({ ...body, metadata: { a: 1 } })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  for (const slug of ['another', 'x'.repeat(100)]) {
    const conflict = await post({ ...body, checkout: slug })
    assert.deepEqual([conflict.status, conflict.body['code']], [409, 'idempotency_conflict'])
    const errors = conflict.body['errors'] as readonly { pointer: string }[]
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/checkout'],
    )
  }
})

test('an unknown slug, a currency without methods and an empty intersection are 422', async () => {
  for (const [more, code] of [
    [{ checkout: 'unknown' }, 'checkout_not_found'],
    [{ currency: 'BRL' }, 'method_not_available'],
    [{ currency: 'GBP' }, 'currency_not_supported'],
    [{ paymentMethods: ['PIX'] }, 'method_not_available'],
    [{ metadata: { cryptoNetwork: 'TRON' } }, 'network_not_supported'],
  ] as const) {
    const answer = await post(checkout(more))
    assert.deepEqual([answer.status, answer.body['code']], [422, code])
  }
})
