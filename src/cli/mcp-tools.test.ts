import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeApi } from '#/http/openapi.ts'
import { routes } from '#/http/routes.ts'
import { toolsFor } from './mcp-tools.ts'

const verbsOf = new Map(
  Object.values(
    describeApi(routes).paths as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ).flatMap((verbs) =>
    Object.entries(verbs).map(([verb, operation]) => [
      (operation as { readonly operationId: string }).operationId,
      verb,
    ]),
  ),
)
/** What lets money out, or changes who gets it, who may act, or where events go. */
const never =
  /Withdrawal|Refund|Transfer|Payout|Key|Secret|capture|accept|Evidence|Recovery|SubAccount|createW|changeW|deleteW/

test('with a live key every tool reads', () => {
  const tools = toolsFor('LIVE')
  assert.ok(tools.length > 20)
  for (const { name } of tools) assert.equal(verbsOf.get(name), 'get', name)
})

test('in a sandbox no tool moves money out, makes keys or changes receivers', () => {
  const acts = toolsFor('SANDBOX').filter(({ method }) => method === 'POST')
  assert.ok(acts.some(({ name }) => name === 'paySandboxPayment'))
  for (const { name } of acts) assert.doesNotMatch(name, never)
})

test('arguments go to the path, the query or the body, and what is strange stays in its place', () => {
  const tool = (name: string) => toolsFor('SANDBOX').find((each) => each.name === name)
  assert.deepEqual(tool('getPayment')?.request({ id: '../wallets?x=1' }), {
    path: '/v1/payments/..%2Fwallets%3Fx%3D1',
  })
  assert.deepEqual(tool('listPayments')?.request({ limit: 5, metadata: { orderId: 'A 1' } }), {
    path: '/v1/payments?limit=5&metadata%5BorderId%5D=A+1',
  })
  assert.deepEqual(tool('paySandboxPayment')?.request({ id: 'p', scenario: 'exact' }), {
    path: '/v1/sandbox/payments/p/pay',
    body: { scenario: 'exact' },
  })
})

test('every schema says what the tool needs', () => {
  for (const { name, inputSchema } of toolsFor('SANDBOX')) {
    assert.equal(inputSchema.type, 'object', name)
    assert.doesNotMatch(JSON.stringify(inputSchema), /\$ref/, name)
  }
  const create = toolsFor('SANDBOX').find(({ name }) => name === 'createPayment')
  assert.ok(JSON.stringify(create?.inputSchema).includes('paymentMethods'))
})
