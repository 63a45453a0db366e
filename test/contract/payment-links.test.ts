// Payment links over the API: create, replay, refusals, read, list, archive, and how their payments are found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { useLink } from '#/payment-links/pay.ts'
import { selectLinkByToken } from '#/payment-links/queries.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

type Row = Readonly<Record<string, unknown>>
const path = '/v1/payment-links'

async function post(body: object, key = tenant.key): Promise<Answer> {
  const answer = await api.ask('POST', path, { key, body })
  assertDocumented('POST', path, answer)
  return answer
}
const terms = (more: object = {}) => ({ name: 'Lesson', currency: 'USDT', amount: 1_500, ...more })

async function ask(method: string, template: string, id: unknown, key = tenant.key): Promise<Answer> {
  const answer = await api.ask(method, template.replace('{id}', String(id)), { key })
  assertDocumented(method, template, answer)
  return answer
}

async function payBy(link: Row): Promise<string> {
  const token = String(link['url']).split('/').at(-1) ?? ''
  const found = must(await selectLinkByToken(world.sql, token), 'the link is stored')
  return (await useLink(world.creator, found, { once: newId() })).id
}

test('a link is made once for a key, with its page, its defaults and its uses', async () => {
  const body = terms({ usesMax: 2, metadata: { course: 'guitar' }, idempotencyKey: newId() })
  const made = await post(body)
  assert.equal(made.status, 201)
  assert.match(String(made.body['url']), /\/l\/a1[\w-]{32}$/)
  assert.equal(made.body['qrCodeUrl'], `${String(made.body['url'])}/qr.svg`)
  const { status, checkout, expiresIn, usesMax, uses } = made.body
  assert.deepEqual(
    [status, checkout, expiresIn, usesMax, uses],
    ['ACTIVE', 'default', 3600, 2, { paid: 0, open: 0 }],
  )
  const again = await post(body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, made.body)
  const other = await post({ ...body, amount: 1_501 })
  assert.deepEqual([other.status, other.body['code']], [409, 'idempotency_conflict'])
})

test('ten calls with one key at once make one link', async () => {
  const body = terms({ idempotencyKey: newId() })
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(body)))
  assert.equal(new Set(answers.map((each) => each.body['id'])).size, 1)
})

test('an amount or a range, never both nor half of one', async () => {
  for (const [more, pointer] of [
    [{ amount: undefined }, '/amount'],
    [{ minAmount: 1 }, '/minAmount'],
    [{ amount: undefined, minAmount: 100 }, '/maxAmount'],
    [{ amount: undefined, minAmount: 100, maxAmount: 99 }, '/maxAmount'],
    [{ expiresAt: '2020-01-01' }, '/expiresAt'],
    [{ expiresAt: 'soon' }, '/expiresAt'],
    [{ returnUrl: 'ftp://shop.example' }, '/returnUrl'],
  ] as const) {
    const refused = await post(terms(more))
    assert.equal(refused.status, 400, JSON.stringify(more))
    const [first] = refused.body['errors'] as readonly { pointer: string }[]
    assert.equal(first?.pointer, pointer)
  }
  assert.equal((await post(terms({ amount: undefined, minAmount: 100, maxAmount: 900 }))).status, 201)
})

test('what no payer could pay is refused to the merchant at once', async () => {
  for (const [more, code] of [
    [{ checkout: 'unknown' }, 'checkout_not_found'],
    [{ currency: 'BRL' }, 'method_not_available'],
    [{ currency: 'GBP' }, 'currency_not_supported'],
    [{ currency: 'usdt' }, 'currency_not_supported'],
    [{ paymentMethods: ['PIX'] }, 'method_not_available'],
  ] as const) {
    const refused = await post(terms(more))
    assert.deepEqual([refused.status, refused.body['code']], [422, code])
  }
})

test('the payments of a link name it, are found by it, and count as its uses', async () => {
  const { body: link } = await post(terms({ usesMax: 2, metadata: { course: 'piano' } }))
  const ids = [await payBy(link), await payBy(link)]
  await assert.rejects(payBy(link), { code: 'limit_exceeded' })
  const used = await ask('GET', `${path}/{id}`, link['id'])
  assert.deepEqual([used.body['status'], used.body['uses']], ['USED_UP', { paid: 0, open: 2 }])
  const found = await api.ask('GET', `/v1/payments?paymentLinkId=${String(link['id'])}`, { key: tenant.key })
  assertDocumented('GET', '/v1/payments', found)
  const rows = found.body['data'] as readonly Row[]
  assert.deepEqual(rows.map(({ id }) => String(id)).toSorted(), ids.toSorted())
  for (const row of rows) {
    assert.equal(row['paymentLinkId'], link['id'])
    assert.deepEqual(row['metadata'], { course: 'piano' })
  }
  await ask('POST', '/v1/payments/{id}/cancel', ids[0])
  const free = await ask('GET', `${path}/{id}`, link['id'])
  assert.deepEqual([free.body['status'], free.body['uses']], ['ACTIVE', { paid: 0, open: 1 }])
})

test('an archived link stays archived, lists leave it out on request, and another merchant does not find it', async () => {
  const own = await world.openTenant()
  const [first, second] = [await post(terms(), own.key), await post(terms(), own.key)]
  const archived = await ask('POST', `${path}/{id}/archive`, first.body['id'], own.key)
  assert.equal(archived.body['status'], 'ARCHIVED')
  const again = await ask('POST', `${path}/{id}/archive`, first.body['id'], own.key)
  assert.deepEqual(again.body, archived.body)
  await assert.rejects(payBy(first.body), { code: 'invalid_state' })
  const idsOf = async (query: string) => {
    const answer = await api.ask('GET', `${path}${query}`, { key: own.key })
    assertDocumented('GET', path, answer)
    return (answer.body['data'] as readonly Row[]).map(({ id }) => id)
  }
  const [a, b] = [first.body['id'], second.body['id']]
  assert.deepEqual(await idsOf(''), [b, a])
  assert.deepEqual(await idsOf('?archived=false'), [b])
  assert.deepEqual(await idsOf('?archived=true'), [a])
  for (const [method, template] of [
    ['GET', `${path}/{id}`],
    ['POST', `${path}/{id}/archive`],
  ] as const)
    assert.equal((await ask(method, template, b)).status, 404)
})
