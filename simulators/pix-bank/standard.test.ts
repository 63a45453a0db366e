// Compares answers with the text of API Pix 2.9.0 (github.com/bacen/pix-api), exactly: a client that was generated from it, or a
// proxy that validates by it, must find nothing that is not in it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Json } from '../kit/harness.ts'
import {
  connect,
  freshTxid,
  startReceiver,
  startTestBank,
  terms,
  type Client,
  type TestBank,
} from './harness.ts'

let bank: TestBank
let shop: Awaited<ReturnType<TestBank['application']>>
let client: Client
before(async () => {
  bank = await startTestBank()
  shop = await bank.application()
  client = await connect(bank.apiUrl, shop)
})
after(async () => {
  await client[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

const span = 'inicio=2020-01-01T00:00:00Z&fim=2040-01-01T00:00:00Z'
const denied = 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado'

test('parameters of a list come back in their types: booleans as booleans, and no others', async () => {
  const parametersOf = async (path: string) => (await client.call('GET', path)).body['parametros'] as Json
  const charges = await parametersOf(
    `/v2/cob?${span}&locationPresente=true&status=ATIVA&cpf=52998224725&other=1&paginacao.paginaAtual=0`,
  )
  assert.deepEqual(Object.keys(charges).toSorted(), [
    'cpf',
    'fim',
    'inicio',
    'locationPresente',
    'paginacao',
    'status',
  ])
  assert.deepEqual([charges['locationPresente'], charges['cpf']], [true, '52998224725'])
  const received = await parametersOf(`/v2/pix?${span}&txIdPresente=true&devolucaoPresente=false`)
  assert.deepEqual([received['txIdPresente'], received['devolucaoPresente']], [true, false])
  assert.deepEqual(received['inicio'], '2020-01-01T00:00:00Z')
  assert.equal('devolucaoPresente' in (await parametersOf(`/v2/pix?${span}`)), false)
})

test('a location has its address and its kind, and not the charge', async () => {
  const txid = freshTxid()
  const made = await client.call('PUT', `/v2/cob/${txid}`, terms(shop))
  const shown = await client.call('GET', `/v2/cob/${txid}`)
  const changed = await client.call('PATCH', `/v2/cob/${txid}`, { valor: { original: '3.00' } })
  for (const { body } of [made, shown, changed])
    assert.deepEqual(Object.keys(body['loc'] as Json).toSorted(), ['criacao', 'id', 'location', 'tipoCob'])
})

test('a webhook is registered and removed without a body in the answer', async () => {
  const path = `/v2/webhook/${shop.pixKey}`
  await using receiver = await startReceiver(bank)
  const registered = await client.call('PUT', path, { webhookUrl: receiver.url })
  assert.deepEqual([registered.status, registered.text], [200, ''])
  const { body: list } = await client.call('GET', '/v2/webhook')
  assert.equal((list['webhooks'] as readonly Json[]).length, 1)
  const past = await client.call('GET', '/v2/webhook?fim=2020-01-01T00:00:00Z')
  assert.deepEqual(past.body['webhooks'], [])
  const odd = await client.call('GET', '/v2/webhook?inicio=2030-01-01T00:00:00Z&fim=2020-01-01T00:00:00Z')
  assert.deepEqual(
    [odd.status, odd.body['type']],
    [400, 'https://pix.bcb.gov.br/api/v2/error/WebhookConsultaInvalida'],
  )
  const removed = await client.call('DELETE', path)
  assert.deepEqual([removed.status, removed.text], [204, ''])
})

test('a webhook of another application’s key cannot be set or read', async () => {
  const path = '/v2/webhook/other@example.com'
  assert.equal((await client.call('PUT', path, { webhookUrl: 'https://127.0.0.1:1/' })).status, 400)
  for (const method of ['GET', 'DELETE'] as const) {
    const { status, body } = await client.call(method, path)
    assert.deepEqual(
      [status, body['type']],
      [404, 'https://pix.bcb.gov.br/api/v2/error/WebhookNaoEncontrado'],
    )
  }
})

test('a caller without the right is refused with 403, for any reason: the text has no 401', async () => {
  const headers = { authorization: 'Bearer nobody' }
  const txid = freshTxid()
  for (const [method, path, request] of [
    ['GET', `/v2/cob/${txid}`, undefined],
    ['PUT', `/v2/cob/${txid}`, terms(shop)],
    ['GET', `/v2/pix?${span}`, undefined],
    ['GET', `/v2/webhook/${shop.pixKey}`, undefined],
  ] as const) {
    const { status, body } = await client.call(method, path, request, headers)
    assert.deepEqual([status, body['type'], body['status']], [403, denied, 403], `${method} ${path}`)
  }
})

test('a list is not returned for values that violate the schema', async () => {
  for (const path of [
    `/v2/cob?${span}&status=PAGA`,
    `/v2/cob?${span}&cpf=1`,
    `/v2/cob?${span}&cnpj=12`,
    `/v2/pix?${span}&txid=short`,
    `/v2/pix?${span}&devolucaoPresente=sim`,
    `/v2/pix?${span}&cpf=52998224725&cnpj=11222333000181`,
    `/v2/pix?${span}&paginacao.paginaAtual=-1`,
    '/v2/pix?inicio=2020-01-01&fim=2040-01-01',
  ])
    assert.equal((await client.call('GET', path)).status, 400, path)
})
