// One key, one result, for any number of calls at once, at any process.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { at } from './document.ts'
import {
  openApiWorld,
  paymentBody,
  withdrawalBody,
  type Answer,
  type Api,
  type ApiWorld,
  type Tenant,
} from './world.ts'

let base: ApiWorld
let apis: readonly Api[]
let tenant: Tenant

before(async () => {
  base = await openApiWorld()
  apis = [await base.openApi(), await base.openApi()]
  tenant = await base.openTenant()
})
after(() => base.close())

function send(
  path: string,
  bodies: readonly unknown[],
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Answer[]> {
  return Promise.all(
    bodies.map((body, index) => {
      const api = apis[index % apis.length]
      assert.ok(api !== undefined)
      return api.ask('POST', path, { key: tenant.key, body, headers })
    }),
  )
}

test('a hundred calls at once with one key make one payment and a hundred equal answers', async () => {
  const body = paymentBody()
  const answers = await send(
    '/v1/payments',
    Array.from({ length: 100 }, () => body),
  )
  assert.deepEqual([...new Set(answers.map((each) => each.status))], [201])
  assert.equal(new Set(answers.map((each) => each.text)).size, 1)
  const fresh = answers.filter((each) => each.headers.get('idempotent-replayed') === null)
  assert.equal(fresh.length, 1)
  const key = String(body['idempotencyKey'])
  const [row] = await base.sql<
    { count: number }[]
  >`select count(*)::int from payment where idempotency_key = ${key}`
  assert.equal(row?.count, 1)
})

test('the order of fields does not count', async () => {
  const body = paymentBody({ metadata: { a: 1, b: { c: [1, 2], d: null } } })
  const turned = {
    metadata: { b: { d: null, c: [1, 2] }, a: 1 },
    ...Object.fromEntries(Object.entries(body).toReversed()),
  }
  const [first] = await send('/v1/payments', [body])
  const [second] = await send('/v1/payments', [{ ...turned, metadata: { b: { d: null, c: [1, 2] }, a: 1 } }])
  assert.equal(second?.status, 201)
  assert.equal(second?.text, first?.text)
  assert.equal(second?.headers.get('idempotent-replayed'), 'true')
})

test('a key with another body is a conflict that names the difference, also when the other body would be refused', async () => {
  const body = paymentBody()
  const [first] = await send('/v1/payments', [body])
  assert.equal(first?.status, 201)
  const others: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [{ amount: 1235 }, ['/amount']],
    [{ metadata: { orderId: 'A-2' } }, ['/metadata']],
    [{ customerName: 'Ana' }, ['/customerName']],
    [{ currency: 'BRL' }, ['/currency']],
    [{ paymentMethods: ['PIX'], amount: 1 }, ['/amount', '/paymentMethods']],
    [{ checkout: 'shop' }, ['/checkout']],
  ]
  for (const [more, pointers] of others) {
    const [answer] = await send('/v1/payments', [{ ...body, ...more }])
    assert.equal(answer?.status, 409)
    assert.equal(answer?.body['code'], 'idempotency_conflict')
    const errors = answer?.body['errors'] as readonly { readonly pointer: string }[]
    assert.deepEqual(errors.map((each) => each.pointer).sort(), pointers)
  }
})

test('of calls at once with one key and different bodies one wins and the others conflict', async () => {
  const body = paymentBody()
  const answers = await send(
    '/v1/payments',
    Array.from({ length: 20 }, (_, index) => ({ ...body, amount: 100 + index })),
  )
  assert.equal(answers.filter((each) => each.status === 201).length, 1)
  assert.equal(answers.filter((each) => each.status === 409).length, 19)
})

test('two merchants may use the same key', async () => {
  const other = await base.openTenant()
  const body = paymentBody()
  const [ours] = await send('/v1/payments', [body])
  const theirs = await apis[0]?.ask('POST', '/v1/payments', { key: other.key, body: { ...body, amount: 1 } })
  assert.equal(ours?.status, 201)
  assert.equal(theirs?.status, 201)
  assert.notEqual(ours?.body['id'], theirs?.body['id'])
})

test('the header Idempotency-Key must be the key of the body', async () => {
  const body = paymentBody()
  const [other] = await send('/v1/payments', [body], { 'idempotency-key': 'something-else' })
  assert.equal(other?.status, 400)
  const key = String(body['idempotencyKey'])
  for (const header of [key, `"${key}"`]) {
    const [same] = await send('/v1/payments', [body], { 'idempotency-key': header })
    assert.equal(same?.status, 201)
  }
})

test('the header alone does what the field does, on every route that accepts a key', async () => {
  const { idempotencyKey: _key, ...payment } = paymentBody()
  const from = await base.fund(tenant, 1_000n)
  const [reserve] = await send('/v1/wallets', [{ currency: 'BRL', walletType: 'RESERVE', label: 'Taxes' }])
  for (const [path, body] of [
    ['/v1/payments', payment],
    ['/v1/wallets', { currency: 'BRL', walletType: 'RESERVE', label: 'Rent' }],
    ['/v1/transfers', { fromWalletId: from, toWalletId: reserve?.body['id'], amount: 1 }],
    ['/v1/withdrawals', withdrawalBody()],
  ] as const) {
    const key = `by-header-${path}`
    const [first] = await send(path, [body], { 'idempotency-key': key })
    const [again] = await send(path, [{ ...body, idempotencyKey: key }])
    const [both] = await send(path, [{ ...body, idempotencyKey: key }], { 'idempotency-key': `"${key}"` })
    assert.equal(first?.status, 201, `${path} ${first?.text}`)
    for (const each of [again, both]) {
      assert.deepEqual([each?.status, each?.body['id']], [201, first?.body['id']], path)
      assert.equal(each?.headers.get('idempotent-replayed'), 'true', path)
    }
    const [other] = await send(path, [{ ...body, idempotencyKey: 'another' }], { 'idempotency-key': key })
    assert.deepEqual(
      [other?.status, at(other?.body, 'errors', '0', 'pointer')],
      [400, '/idempotencyKey'],
      path,
    )
  }
  const [none] = await send('/v1/payments', [payment])
  assert.deepEqual([none?.status, at(none?.body, 'errors', '0', 'pointer')], [400, '/idempotencyKey'])
})

test('a wallet is created once for a key, whether the key comes in the body or in the header', async () => {
  const body = { currency: 'EUR', walletType: 'RESERVE', label: 'Taxes' }
  const answers = [
    ...(await send(
      '/v1/wallets',
      Array.from({ length: 20 }, () => ({ ...body, idempotencyKey: 'taxes' })),
    )),
    ...(await send('/v1/wallets', [body], { 'idempotency-key': 'taxes' })),
  ]
  assert.deepEqual([...new Set(answers.map((each) => each.status))], [201])
  assert.equal(new Set(answers.map((each) => each.text)).size, 1)
  assert.equal(answers.filter((each) => each.headers.get('idempotent-replayed') === null).length, 1)
  const [other] = await send('/v1/wallets', [{ ...body, label: 'Rent', idempotencyKey: 'taxes' }])
  assert.equal(other?.status, 409)
  assert.equal(other?.body['code'], 'idempotency_conflict')
})

test('of wallets created at once in a new currency one is the default', async () => {
  const bodies = Array.from({ length: 20 }, (_, index) => ({
    currency: 'USD',
    walletType: 'SPENDABLE',
    label: `USD ${index}`,
  }))
  const answers = await send('/v1/wallets', bodies)
  assert.deepEqual([...new Set(answers.map((each) => each.status))], [201])
  assert.equal(answers.filter((each) => each.body['isDefault'] === true).length, 1)
})
