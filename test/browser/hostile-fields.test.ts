// The soak puts markup into each text field of a request and of the payer's form, unless the field is on a list of exceptions. A new field
// of a schema fails here until it is in one of the two lists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsForMarkup, fieldsIn, fieldsOfBody } from './hostile-fields.ts'
import { excused, payerForm, plantings } from './hostile-plantings.ts'

const fields = fieldsForMarkup()
const ids = new Proxy({}, { get: (_, name) => String(name) }) as Readonly<Record<string, string>>
const planted = new Set([
  ...plantings.flatMap(({ operationId, body }) => fieldsIn(operationId, body(ids))),
  ...fieldsIn('payerForm', payerForm),
])

// No answer has the key: it is a name of the request.
const isKey = (field: string) => field.endsWith(' /idempotencyKey')

// A review keeps nothing, and its body is that of the call.
const isReview = (field: string) => /^review[A-Z]/.test(field)

test('every text field that lets markup in is planted, or excused with a reason', () => {
  assert.ok(fields.length > 100, `${fields.length} fields`)
  assert.deepEqual(
    fields.filter((field) => !planted.has(field) && !isKey(field) && !isReview(field) && !(field in excused)),
    [],
  )
})

test('nothing is excused that is planted, or that no schema has', () => {
  for (const field of Object.keys(excused)) {
    assert.ok(!planted.has(field), `${field} is planted`)
    assert.ok(fields.includes(field), `${field} is no field`)
  }
})

test('a schema that could take other texts than are listed is refused', () => {
  const text = { type: 'string' }
  assert.deepEqual(
    fieldsOfBody('call', {
      type: 'object',
      properties: { a: text, b: { anyOf: [{ type: 'integer' }, text] } },
      additionalProperties: false,
    }),
    ['call /a', 'call /b'],
  )
  const others: readonly Readonly<Record<string, unknown>>[] = [
    { type: 'object', properties: { a: text } },
    { type: ['string', 'null'] },
    { $ref: 'Payment' },
    {},
    { type: 'array' },
    { type: 'array', prefixItems: [text], items: text },
  ]
  for (const schema of others)
    assert.throws(() => fieldsOfBody('call', schema), /is not understood/, JSON.stringify(schema))
})
