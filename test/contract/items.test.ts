// What a payment is for: items are checked against the amount, kept as they were sent, and shown wherever the payment is.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { verify } from '#/audit/verify.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented, at } from './document.ts'
import { openApiWorld, paymentBody, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

const coffee = { name: 'Café em grãos, 1 kg', quantity: 2, amount: 600 }
const shipping = { name: 'Frete', quantity: 1, amount: 34 }
const items = [coffee, shipping]

async function post(more: Readonly<Record<string, unknown>>): Promise<Answer> {
  const answer = await api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody(more) })
  assertDocumented('POST', '/v1/payments', answer)
  return answer
}

const faults = (answer: Answer) =>
  ((answer.body['errors'] ?? []) as readonly { pointer: string; code: string }[]).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  )

test('items come back as they were sent: at once, by GET, in lists, after a replay, in events and webhooks', async () => {
  const body = { items, idempotencyKey: 'with items', webhookUrl: 'http://127.0.0.1:9/hook' }
  const created = await post(body)
  assert.deepEqual([created.status, created.body['items']], [201, items], created.text)
  const again = await post({ ...body, items: items.map((each) => ({ ...each })) })
  assert.deepEqual([again.headers.get('idempotent-replayed'), again.body['items']], ['true', items])
  const id = String(created.body['id'])
  const found = await api.ask('GET', `/v1/payments/${id}`, { key: tenant.key })
  assertDocumented('GET', '/v1/payments/{id}', found)
  assert.deepEqual(found.body['items'], items)
  const list = await api.ask('GET', '/v1/payments?limit=1', { key: tenant.key })
  assert.deepEqual(at(list.body, 'data', '0', 'items'), items)
  await world.settlePayment(tenant.id, id as PaymentId, 1234n)
  const events = await api.ask('GET', '/v1/events?limit=1', { key: tenant.key })
  assert.deepEqual(at(events.body, 'data', '0', 'data', 'items'), items)
  const [sent] = await world.sql<{ body: string }[]>`
    select body from event where resource_id = ${id} order by sequence desc limit 1`
  assert.deepEqual(at(JSON.parse(sent?.body ?? '{}'), 'data', 'items'), items)
  assert.deepEqual(await faultsOfBooks(), [])
})

test('without items a payment has none, and its fingerprint is what it always was', async () => {
  const { idempotencyKey, ...request } = paymentBody()
  const created = await post({ ...request, idempotencyKey })
  assert.ok(!('items' in created.body))
  const [row] = await world.sql<{ fingerprint: Buffer; keys: number }[]>`
    select fingerprint from payment where id = ${String(created.body['id'])}`
  // Written by hand: RFC 8785 of the body without its key, as stored rows have it.
  const canonical =
    '{"amount":1234,"currency":"USDT","metadata":{"orderId":"A-1"},"paymentMethods":["CRYPTO"]}'
  assert.deepEqual(row?.fingerprint, createHash('sha256').update(canonical).digest())
  const withNull = await post({ ...request, idempotencyKey, items: null })
  assert.equal(withNull.headers.get('idempotent-replayed'), 'true')
})

test('the same key with other items, in another order, or without them is a conflict that names them', async () => {
  const body = paymentBody({ items })
  assert.equal((await post(body)).status, 201)
  const { items: _, ...without } = body
  for (const other of [
    without,
    { ...body, items: items.toReversed() },
    { ...body, items: [{ ...coffee, name: 'Café moído' }, shipping] },
    { ...body, items: [{ name: 'Tudo', quantity: 1, amount: 1234 }] },
    { ...body, items: [{ name: 'Café em grãos, 1 kg', quantity: 1, amount: 1200 }, shipping] },
  ]) {
    const answer = await api.ask('POST', '/v1/payments', { key: tenant.key, body: other })
    assert.deepEqual([answer.status, ...faults(answer)], [409, '/items differs'])
  }
})

test('the sum of the items is the amount, to the cent; discounts count against it', async () => {
  const discount = { name: 'Desconto', quantity: 1, amount: -34 }
  for (const good of [
    [coffee, shipping],
    [coffee, shipping, shipping, discount],
    [{ ...coffee, amount: 617 }],
    [...items, { name: 'Brinde', quantity: 3, amount: 0 }],
  ])
    assert.equal((await post({ items: good })).status, 201, JSON.stringify(good))
  for (const bad of [[coffee], [...items, discount], [{ ...coffee, quantity: 1 }, shipping]]) {
    const answer = await post({ items: bad })
    assert.deepEqual(
      [answer.status, answer.body['code'], ...faults(answer)],
      [400, 'invalid_request', '/items differs'],
    )
  }
  const [{ message } = { message: '' }] = (await post({ items: [coffee] })).body['errors'] as readonly {
    readonly message: string
  }[]
  assert.equal(message, 'add up to 1200, and amount is 1234')
})

test('sums beyond what a float holds are exact', async () => {
  // 2^53 − 1 is 6361 × 69431 × 20394401. In floating point the second sum equals the first.
  const largest = Number.MAX_SAFE_INTEGER
  const price = largest / 6361 / 69431
  const exact = [{ name: 'x', quantity: 6361 * 139, amount: price }]
  const rest = BigInt(largest) - BigInt(6361 * 139) * BigInt(price)
  const parts = [...split(rest)]
  const good = [...exact, ...parts]
  assert.equal((await post({ amount: largest, items: good })).status, 201)
  const [first, ...others] = good
  const beyond = [
    { ...first, amount: Number(first?.amount) },
    ...others,
    { name: 'y', quantity: 1, amount: 1 },
  ]
  const answer = await post({ amount: largest, items: beyond })
  assert.deepEqual([answer.status, ...faults(answer)], [400, '/items differs'])
})

/** The sum in items of at most 10^12 each, a million of them at a time. */
function* split(sum: bigint) {
  const large = { name: 'many', quantity: 1_000_000, amount: Number(sum / 1_000_000n) }
  if (large.amount !== 0) yield large
  yield { name: 'one', quantity: 1, amount: Number(sum % 1_000_000n) }
}

test('of a fractional, negative or missing number, a long or broken name, or an unknown field the pointer says where', async () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [{ ...coffee, quantity: 0 }, '/items/0/quantity'],
    [{ ...coffee, quantity: -2 }, '/items/0/quantity'],
    [{ ...coffee, quantity: 1.5 }, '/items/0/quantity'],
    [{ ...coffee, quantity: 1_000_001 }, '/items/0/quantity'],
    [{ ...coffee, quantity: '2' }, '/items/0/quantity'],
    [{ ...coffee, amount: 600.5 }, '/items/0/amount'],
    [{ ...coffee, amount: 1_000_000_000_000 }, '/items/0/amount'],
    [{ ...coffee, amount: '600' }, '/items/0/amount'],
    [{ name: 'x', quantity: 1 }, '/items/0/amount'],
    [{ ...coffee, name: '' }, '/items/0/name'],
    [{ ...coffee, name: 'x'.repeat(121) }, '/items/0/name'],
    [{ ...coffee, name: 'two\nlines' }, '/items/0/name'],
    [{ ...coffee, name: 'a\u0085b' }, '/items/0/name'],
    [{ ...coffee, name: 'a\u007fb' }, '/items/0/name'],
    [{ ...coffee, price: 1 }, '/items/0/price'],
    ['coffee', '/items/0'],
  ]
  for (const [item, pointer] of wrong) {
    const answer = await post({ items: [item] })
    assert.equal(answer.status, 400, JSON.stringify(item))
    assert.ok(faults(answer)[0]?.startsWith(`${pointer} `), `${JSON.stringify(item)}: ${answer.text}`)
  }
  const emoji = await post({
    amount: 2,
    items: [{ name: '☕'.repeat(60) + '😀'.repeat(60), quantity: 1, amount: 2 }],
  })
  assert.equal(emoji.status, 201, emoji.text)
})

test('one to a hundred items, and at most 16 KiB of them', async () => {
  const one = { name: 'x', quantity: 1, amount: 1 }
  const many = (size: number, name = 'x') => Array.from({ length: size }, () => ({ ...one, name }))
  const none = await post({ items: [] })
  assert.deepEqual([none.status, faults(none)[0]?.split(' ')[0]], [400, '/items'])
  assert.equal((await post({ amount: 100, items: many(100) })).status, 201)
  const more = await post({ amount: 101, items: many(101) })
  assert.deepEqual([more.status, faults(more)[0]?.split(' ')[0]], [400, '/items'])
  assert.equal((await post({ amount: 100, items: many(100, 'ã'.repeat(60)) })).status, 201)
  const large = await post({ amount: 100, items: many(100, '😀'.repeat(120)) })
  assert.deepEqual([large.status, ...faults(large)], [400, '/items too_large'])
})

test('a card number in the name of an item is refused', async () => {
  const answer = await post({ items: [{ ...coffee, name: 'paid with 4242 4242 4242 4242' }, shipping] })
  assert.deepEqual([answer.status, ...faults(answer)], [400, '/items/0/name card_number'])
})

test('other currencies and checkouts take items too', async () => {
  for (const more of [{ currency: 'USD' }, { paymentMethods: undefined, checkout: 'default' }]) {
    const answer = await post({ ...more, items })
    assert.deepEqual([answer.status, answer.body['items']], [201, items], answer.text)
  }
})

test('any items are accepted exactly when they add up to the amount', async () => {
  const item = fc.record({
    name: fc.constantFrom('Café', 'Frete', 'Desconto'),
    quantity: fc.integer({ min: 1, max: 1_000_000 }),
    amount: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  })
  const lists = fc.array(item, { minLength: 1, maxLength: 20 })
  const some = fc.tuple(lists, fc.constantFrom(0n, 0n, 1n, -1n))
  await fc.assert(
    fc.asyncProperty(some, async ([list, off]) => {
      const sum = list.reduce((all, each) => all + BigInt(each.quantity) * BigInt(each.amount), 0n)
      const amount = sum + off
      fc.pre(amount > 0n)
      const answer = await post({ amount: Number(amount), items: list })
      assert.equal(answer.status, off === 0n ? 201 : 400, answer.text)
    }),
    { numRuns: count({ quick: 12, soak: 2_000 }) },
  )
})

/** Without the one about the connection of this site's rail, which is not in the database. */
async function faultsOfBooks(): Promise<readonly string[]> {
  const { faults: found } = await verify(world.sql, { cell: 'a1', auditKey: world.auditKey })
  return found.map(({ what }) => what).filter((what) => !what.includes('at a connection that is not there'))
}
