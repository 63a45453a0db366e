// What generators of clients need of openapi.json: integers with their size, names that do not change, and a description of everything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '#/contract/events.ts'
import { routes } from '#/http/routes.ts'
import { at, document, text } from './document.ts'

type Json = Readonly<Record<string, unknown>>

/** Every object of the document with the path that leads to it; examples are values, not shapes. */
function* objectsOf(
  value: unknown,
  path: readonly string[] = [],
): Generator<{ readonly path: readonly string[]; readonly json: Json }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { path, json: value as Json }
  for (const [name, each] of Object.entries(value)) {
    const isExample = ['example', 'examples', 'default'].includes(name) && path.at(-1) !== 'properties'
    if (!isExample) yield* objectsOf(each, [...path, name])
  }
}

const objects = [...objectsOf(document)]

/** Every operation under `paths`. */
const operations = Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ where: `${method} ${path}`, path, operation })),
)

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}

function refOf(name: string, of: 'schemas' | 'responses' = 'schemas'): string {
  return `#/components/${of}/${name}`
}

test('every whole number has int64, a minimum and a maximum', () => {
  const integers = objects.filter(({ json }) => json['type'] === 'integer')
  assert.ok(integers.length >= 30, `${integers.length} integers`)
  for (const { path, json } of integers) {
    const where = path.join('/')
    assert.equal(json['format'], 'int64', where)
    const { minimum, maximum } = json
    assert.ok(typeof minimum === 'number' && typeof maximum === 'number' && minimum < maximum, where)
    assert.ok(minimum >= -(2 ** 63) && maximum <= 2 ** 63, where)
  }
  assert.deepEqual(
    objects.filter(({ json }) => json['type'] === 'number').map(({ path }) => path.join('/')),
    [],
    'nothing in the API is a fraction',
  )
})

test('what a caller names is safe in any language, and sums are bounded by 64 bits, to the last digit', () => {
  const bodies = Object.entries(at(document, 'components', 'schemas') as Json).filter(([name]) =>
    name.endsWith('Request'),
  )
  const integers = [...objectsOf(Object.fromEntries(bodies))].filter(({ json }) => json['type'] === 'integer')
  for (const { path, json } of integers)
    assert.ok(Number(json['maximum']) <= Number.MAX_SAFE_INTEGER, path.join('/'))
  assert.ok(/"maximum": 9223372036854775807\b/.test(text), 'the largest whole number of 64 bits')
  assert.ok(!/"(?:minimum|maximum)": -?\d*(?:[eE]|922337203685477(?!580[78]\b))/.test(text), 'never rounded')
  const { description, maximum } = at(
    document,
    'components',
    'schemas',
    'Wallet',
    'properties',
    'balance',
  ) as Json
  assert.equal(maximum, 2 ** 63)
  assert.match(String(description), /2\^53/)
})

test('every enumeration has a name of its own', () => {
  const enumerations = objects.filter(({ json }) => Array.isArray(json['enum']))
  assert.ok(enumerations.length >= 15, `${enumerations.length} enumerations`)
  const unnamed = enumerations
    .map(({ path }) => path)
    .filter((path) => !(path.length === 3 && path[0] === 'components' && path[1] === 'schemas'))
  assert.deepEqual(unnamed, [])
})

test('a currency is one of the enumeration', () => {
  const fields = objects.flatMap(({ path, json }) => {
    const inQuery = json['in'] === 'query' && json['name'] === 'currency' ? [at(json, 'schema', '$ref')] : []
    const inObject = at(json, 'properties', 'currency')
    return [...inQuery, ...(inObject === undefined ? [] : [at(inObject, '$ref')])].map((ref) => ({
      path,
      ref,
    }))
  })
  assert.ok(fields.length >= 20, `${fields.length} currencies`)
  for (const { path, ref } of fields) assert.equal(ref, refOf('Currency'), path.join('/'))
  assert.deepEqual(at(document, 'components', 'schemas', 'Currency', 'enum'), ['BRL', 'EUR', 'USD', 'USDT'])
})

test('every body, answer and page has a name, and every name is used', () => {
  for (const { where, operation } of operations) {
    const name = String(operation['operationId'])
    if (operation['requestBody'] !== undefined) {
      const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema')
      assert.deepEqual(schema, { $ref: refOf(`${pascal(name)}Request`) }, where)
    }
    for (const [status, response] of Object.entries(operation['responses'] as Json)) {
      const schema = at(response, 'content', 'application/json', 'schema')
      if (schema === undefined || name === 'getOpenapi') continue
      const ref = at(schema, '$ref')
      assert.ok(typeof ref === 'string', `${where} ${status} answers a shape without a name`)
      const target = at(document, 'components', 'schemas', ref.split('/').at(-1) ?? '')
      const item = at(target, 'properties', 'nextCursor') && at(target, 'properties', 'data', 'items', '$ref')
      if (typeof item === 'string') assert.equal(ref, `${item}List`, where)
    }
  }
  const named = Object.keys(at(document, 'components', 'schemas') as Json)
  const used = new Set(objects.flatMap(({ json }) => (typeof json['$ref'] === 'string' ? json['$ref'] : [])))
  for (const name of named) {
    assert.match(name, /^[A-Z][A-Za-z0-9]*$/)
    assert.ok(used.has(refOf(name)), `${name} is used by nothing`)
  }
  const codes = at(document, 'components', 'schemas', 'ProblemCode', 'enum') as readonly string[]
  const taken = new Set([...named, ...codes.map(pascal)])
  for (const name of Object.keys(at(document, 'components', 'responses') as Json)) {
    assert.match(name, /^[A-Z][A-Za-z0-9]*$/)
    assert.ok(used.has(refOf(name, 'responses')), `${name} is answered by nothing`)
    // Generators make a type of it beside those of the schemas and the constants of the codes.
    assert.ok(!taken.has(name), `${name} is the name of something else`)
  }
  for (const ref of used) {
    assert.ok(at(document, ...ref.split('/').slice(1)) !== undefined, `${ref} leads nowhere`)
  }
})

test('an object inside an object has a name too', () => {
  const unnamed = objects.filter(
    ({ path, json }) => json['type'] === 'object' && path.length > 3 && path.includes('properties'),
  )
  assert.deepEqual(
    unnamed.map(({ path }) => path.join('/')).filter((path) => !path.endsWith('/Event/properties/data')),
    [],
  )
})

test('every operation has a tag that is described, a description, and the errors that a call can get', () => {
  const tags = (document['tags'] as readonly Json[]).map(({ name, description }) => {
    assert.ok(String(description).length > 10, String(name))
    return name
  })
  const used = operations.map(({ where, operation }) => {
    const [tag, ...more] = operation['tags'] as readonly string[]
    assert.ok(tag !== undefined && tags.includes(tag) && more.length === 0, where)
    const { description } = operation
    assert.ok(typeof description === 'string' && description.length > 20, `${where} has no description`)
    const faults = Object.entries(operation['responses'] as Json).filter(([status]) => status.startsWith('4'))
    assert.ok(faults.length > 0, `${where} names no 4xx`)
    for (const [status, response] of faults)
      assert.deepEqual(
        at(response, 'content', 'application/problem+json', 'schema'),
        { $ref: refOf('Problem') },
        `${where} ${status}`,
      )
    return tag
  })
  assert.deepEqual(new Set(used), new Set(tags))
  for (const { where, path, operation } of operations) {
    if (!path.startsWith('/v1/')) continue
    const statuses = Object.keys(operation['responses'] as Json)
    for (const status of ['400', '401', '403', '429', '500', '503'])
      assert.ok(statuses.includes(status), `${where} has no ${status}`)
  }
  assert.equal(operations.filter(({ path }) => path.startsWith('/v1/')).length, routes.length)
})

test('every type of event is described with the whole of its body', () => {
  const webhooks = document['webhooks'] as Record<string, Json>
  assert.deepEqual(Object.keys(webhooks), [...eventTypes])
  const resources = {
    payment: 'Payment',
    refund: 'Refund',
    dispute: 'Dispute',
    withdrawal: 'Withdrawal',
    wallet: 'Wallet',
    transfer: 'Transfer',
    transfer_grant: 'TransferGrant',
    share: 'Share',
    webhook_endpoint: 'WebhookEndpoint',
    service: 'ServiceRestore',
  }
  for (const type of eventTypes) {
    const name = `${pascal(type)}Event`
    const schema = at(webhooks[type], 'post', 'requestBody', 'content', 'application/json', 'schema')
    assert.deepEqual(schema, { $ref: refOf(name) }, type)
    const properties = at(document, 'components', 'schemas', name, 'properties')
    assert.equal(at(properties, 'type', 'const'), type)
    const tells = ['payment', 'refund', 'dispute'].includes(type.split('.')[0] ?? '') ? ['erasedAt'] : []
    assert.deepEqual(Object.keys(properties as Json), [
      'id',
      'type',
      'timestamp',
      'mode',
      'sequence',
      ...tells,
      'data',
    ])
    const resource = resources[type.split('.')[0] as keyof typeof resources]
    assert.deepEqual(at(properties, 'data'), { $ref: refOf(resource) }, type)
    const { description, summary } = at(webhooks[type], 'post') as Json
    assert.ok(String(summary).length > 10 && String(description).length > 20, type)
  }
})

test('a receiver has one shape for all of them, which every operation with a webhookUrl calls back with', () => {
  const union = at(document, 'components', 'schemas', 'WebhookEvent')
  const refs = eventTypes.map((type) => refOf(`${pascal(type)}Event`))
  assert.deepEqual(
    (at(union, 'oneOf') as readonly Json[]).map(({ $ref }) => $ref),
    refs,
  )
  assert.deepEqual(
    at(union, 'discriminator', 'mapping'),
    Object.fromEntries(eventTypes.map((type, index) => [type, refs[index]])),
  )
  const calling = operations.filter(({ operation }) => {
    const name = `${pascal(String(operation['operationId']))}Request`
    return at(document, 'components', 'schemas', name, 'properties', 'webhookUrl') !== undefined
  })
  assert.equal(calling.length, 4)
  for (const { where, operation } of calling) {
    const [[url, path] = []] = Object.entries(
      at(operation, 'callbacks', `${String(operation['operationId'])}Webhook`) as Json,
    )
    assert.equal(url, '{$request.body#/webhookUrl}', where)
    const body = at(path, 'post', 'requestBody', 'content', 'application/json', 'schema')
    assert.deepEqual(body, { $ref: refOf('WebhookEvent') }, where)
  }
})
