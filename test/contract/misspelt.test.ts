// What a request with a mistake is told: where it is, and what was probably meant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { at } from './document.ts'
import { openApiWorld, paymentBody, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

function post(raw: string): Promise<Answer> {
  return api.ask('POST', '/v1/payments', { key: tenant.key, raw })
}

test('a body that is no JSON is told so in a sentence; a byte order mark is skipped', async () => {
  for (const [raw, detail] of [
    [
      '{"amount":1,}',
      /^The body cannot be read: it is not JSON: expected double-quoted property name \(line 1 column 13\)\.$/,
    ],
    ['{"amount":brl}', /^The body cannot be read: it is not JSON: unexpected token 'b'\.$/],
    ['{', /^The body cannot be read: it is not JSON: expected property name or '}' \(line 1 column 2\)\.$/],
    [
      '{"amount":1',
      /^The body cannot be read: it is not JSON: expected ',' or '}' after property value \(line 1 column 12\)\.$/,
    ],
  ] as const) {
    const answer = await post(raw)
    assert.equal(answer.status, 400, raw)
    assert.match(String(at(answer.body, 'detail')), detail)
  }
  const marked = await post(`\ufeff${JSON.stringify(paymentBody())}`)
  assert.equal(marked.status, 201, marked.text)
})

test('who misspells a field or a value is told what it is called', async () => {
  for (const [changes, told] of [
    [{ payment_methods: ['PIX'] }, /^\/payment_methods is not a field here\. Did you mean paymentMethods\?$/],
    [{ curency: 'BRL' }, /^\/curency is not a field here\. Did you mean currency\?$/],
    [{ captureMode: 'manual' }, /^\/captureMode .*MANUAL.*\. Did you mean MANUAL\?$/],
    [{ paymentMethods: ['pix'] }, /^\/paymentMethods\/0 .*PIX.*\. Did you mean PIX\?$/],
    [{ price: 1 }, /^\/price is not a field here\.$/],
  ] as const) {
    const answer = await post(JSON.stringify({ ...paymentBody(), ...changes }))
    assert.equal(answer.status, 400, answer.text)
    assert.match(String(at(answer.body, 'detail')), told)
  }
})
