// What a merchant says of a payer: whose tax id and whose phone number it is, and that an empty text says nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

async function post(more: Readonly<Record<string, unknown>>): Promise<Answer> {
  const answer = await api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody(more) })
  assertDocumented('POST', '/v1/payments', answer)
  return answer
}

async function recordOf(more: Readonly<Record<string, unknown>>): Promise<Answer['body']> {
  const created = await post(more)
  assert.equal(created.status, 201, created.text)
  return (await api.ask('GET', `/v1/payments/${String(created.body['id'])}`, { key: tenant.key })).body
}

const faults = (answer: Answer) =>
  ((answer.body['errors'] ?? []) as readonly { pointer: string; code: string }[]).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  )

test('an empty text in an optional field counts as absent, like null, and is the same call', async () => {
  const empty = {
    customerEmail: '',
    customerTaxId: '',
    customerPhone: '',
    customerCountry: '',
    description: '',
    webhookUrl: '',
    returnUrl: '',
    cancelUrl: '',
    checkout: '',
    customerAddress: {
      line1: 'Rua A, 1',
      line2: '',
      district: null,
      city: 'Porto',
      postcode: '',
      country: 'PT',
    },
  }
  const record = await recordOf({ ...empty, idempotencyKey: 'empty' })
  assert.deepEqual(record['customerAddress'], { line1: 'Rua A, 1', city: 'Porto', country: 'PT' })
  for (const name of Object.keys(empty).filter((each) => each !== 'customerAddress'))
    assert.ok(!(name in record), name)
  const absent = { customerAddress: { line1: 'Rua A, 1', city: 'Porto', country: 'PT' } }
  const again = await post({ ...absent, idempotencyKey: 'empty' })
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
})

test('an empty text where one is needed, an amount or an id is still a fault', async () => {
  const address = { line1: '', city: 'Porto', country: 'PT' }
  for (const [pointer, more] of [
    ['/customerAddress/line1', { customerAddress: address }],
    ['/currency', { currency: '' }],
    ['/items/0/name', { items: [{ name: '', quantity: 1, amount: 1234 }] }],
  ] as const) {
    const answer = await post(more)
    assert.ok(answer.status >= 400 && faults(answer).some((each) => each.startsWith(pointer)), answer.text)
  }
})

test('a tax id is that of the payer’s country, and is found by it', async () => {
  const nif = { customerTaxId: 'PT 501 964 843', customerCountry: 'PT' }
  const record = await recordOf(nif)
  assert.equal(record['customerTaxId'], '501964843')
  const found = await api.ask('GET', '/v1/payments?customerTaxId=501.964.843', { key: tenant.key })
  assert.deepEqual(
    (found.body['data'] as readonly { id: string }[]).map(({ id }) => id),
    [record['id']],
  )
  const refused = [
    { customerTaxId: '501964843' },
    { customerTaxId: '501964844', customerCountry: 'PT' },
    { customerTaxId: '501964843', customerCountry: 'BR' },
    // In a currency that no bank of Brazil moves, the payer has no CPF.
    { customerTaxId: '529.982.247-25', customerCountry: 'PT' },
  ]
  for (const more of refused)
    assert.deepEqual(faults(await post(more)), ['/customerTaxId malformed'], JSON.stringify(more))
  assert.equal((await recordOf({ customerTaxId: '529.982.247-25' }))['customerTaxId'], '52998224725')
})

test('a phone number is taken as its country writes it, and kept as E.164', async () => {
  const portuguese = { customerPhone: '912 345 678', customerCountry: 'PT' }
  assert.equal((await recordOf(portuguese))['customerPhone'], '+351912345678')
  assert.equal((await recordOf({ customerPhone: '+351 912 345 678' }))['customerPhone'], '+351912345678')
  assert.deepEqual(faults(await post({ customerPhone: '912345678' })), ['/customerPhone malformed'])
})
