import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import type { Json } from '../kit/harness.ts'
import {
  connect,
  freshTxid,
  startReceiver,
  startTestBank,
  terms,
  type Answer,
  type Client,
  type Credentials,
  type Receiver,
  type TestBank,
} from './harness.ts'

const dayMs = 24 * 60 * 60 * 1000

let bank: TestBank
let shop: Credentials
let client: Client
let receiver: Receiver
before(async () => {
  bank = await startTestBank()
  shop = await bank.application()
  client = await connect(bank.apiUrl, shop)
  receiver = await startReceiver(bank)
  await client.call('PUT', `/v2/webhook/${shop.pixKey}`, { webhookUrl: receiver.url })
})
after(async () => {
  await client[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

/** A Pix of 10.00, received this many days ago. */
async function receive(daysAgo = 0): Promise<string> {
  const txid = freshTxid()
  await client.call('PUT', `/v2/cob/${txid}`, terms(shop))
  const happenedAt = new Date(Date.now() - daysAgo * dayMs).toISOString()
  const { body } = await bank.control('POST', '/_sim/pay', { txid, happenedAt, webhook: 'lose' })
  return String((body['pix'] as readonly Json[])[0]?.['endToEndId'])
}

const pathOf = (endToEndId: string, id: string) => `/v2/pix/${endToEndId}/devolucao/${id}`

async function ended(endToEndId: string, id: string): Promise<Json> {
  return eventually(`the end of ${id}`, async () => {
    const { body } = await client.call('GET', pathOf(endToEndId, id))
    return body['status'] !== 'EM_PROCESSAMENTO' && body
  })
}

function assertRefused({ status, body }: Answer, property?: string): void {
  assert.equal(status, 400)
  assert.equal(body['type'], 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida')
  if (property === undefined) return
  assert.equal((body['violacoes'] as readonly Json[])[0]?.['propriedade'], `devolucao.${property}`)
}

async function setMode(mode: string): Promise<void> {
  assert.equal((await bank.control('POST', '/_sim/refunds', { mode })).status, 200)
}

test('a refund is accepted, done a little later, and has a webhook', async () => {
  const endToEndId = await receive()
  const made = await client.call('PUT', pathOf(endToEndId, 'r1'), { valor: '4.00', descricao: 'desculpe' })
  assert.equal(made.status, 201)
  assert.deepEqual(
    [made.body['id'], made.body['valor'], made.body['natureza'], made.body['status'], made.body['descricao']],
    ['r1', '4.00', 'ORIGINAL', 'EM_PROCESSAMENTO', 'desculpe'],
  )
  assert.match(String(made.body['rtrId']), /^D\d{8}\d{12}[A-Za-z0-9]{11}$/)
  const done = await ended(endToEndId, 'r1')
  assert.equal(done['status'], 'DEVOLVIDO')
  assert.ok((done['horario'] as Json)['liquidacao'] !== undefined)
  const received = await receiver.until(1)
  const pix = received.at(-1)?.pix[0]
  assert.equal(pix?.['endToEndId'], endToEndId)
  assert.deepEqual(pix?.['devolucoes'], [done])
  assert.deepEqual((await client.call('GET', `/v2/pix/${endToEndId}`)).body['devolucoes'], [done])
})

test('refunds together never exceed the Pix, and a failed one does not count', async () => {
  const endToEndId = await receive()
  await client.call('PUT', pathOf(endToEndId, 'a'), { valor: '6.00' })
  assertRefused(await client.call('PUT', pathOf(endToEndId, 'b'), { valor: '4.01' }), 'valor')
  await setMode('fail')
  assert.equal((await client.call('PUT', pathOf(endToEndId, 'c'), { valor: '4.00' })).status, 201)
  const failed = await ended(endToEndId, 'c')
  assert.equal(failed['status'], 'NAO_REALIZADO')
  assert.equal(typeof failed['motivo'], 'string')
  await setMode('done')
  assert.equal((await client.call('PUT', pathOf(endToEndId, 'd'), { valor: '4.00' })).status, 201)
  assertRefused(await client.call('PUT', pathOf(endToEndId, 'e'), { valor: '0.01' }), 'valor')
})

test('an id serves once, even for the same request', async () => {
  const endToEndId = await receive()
  assert.equal((await client.call('PUT', pathOf(endToEndId, 'one'), { valor: '1.00' })).status, 201)
  assertRefused(await client.call('PUT', pathOf(endToEndId, 'one'), { valor: '1.00' }), 'id')
  // The same id at another Pix is another refund.
  assert.equal((await client.call('PUT', pathOf(await receive(), 'one'), { valor: '1.00' })).status, 201)
})

test('a refund can be requested on the 89th day and not on the 91st', async () => {
  assert.equal((await client.call('PUT', pathOf(await receive(89), 'old'), { valor: '1.00' })).status, 201)
  assertRefused(await client.call('PUT', pathOf(await receive(91), 'old'), { valor: '1.00' }))
})

test('the error names what is wrong with a refund', async () => {
  const endToEndId = await receive()
  const wrong: readonly (readonly [string, unknown, string?])[] = [
    ['x', { valor: '1' }, 'valor'],
    ['x', { valor: '0.00' }, 'valor'],
    ['x', {}, 'valor'],
    ['x', { valor: '1.00', natureza: 'RETIRADA' }, 'natureza'],
    ['x', { valor: '1.00', descricao: 'x'.repeat(141) }, 'descricao'],
    ['x'.repeat(36), { valor: '1.00' }, 'id'],
    ['x-1', { valor: '1.00' }, 'id'],
    ['x', []],
  ]
  for (const [id, body, property] of wrong)
    assertRefused(await client.call('PUT', pathOf(endToEndId, id), body), property)
  const none = await client.call('GET', pathOf(endToEndId, 'never'))
  assert.deepEqual(
    [none.status, none.body['type']],
    [404, 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoNaoEncontrada'],
  )
  const nothing = await client.call('PUT', pathOf('E99999999', 'x'), { valor: '1.00' })
  assert.deepEqual(
    [nothing.status, nothing.body['type']],
    [404, 'https://pix.bcb.gov.br/api/v2/error/PixNaoEncontrado'],
  )
})

test('a pending refund waits for a control call', async () => {
  await setMode('pending')
  for (const status of ['DEVOLVIDO', 'NAO_REALIZADO']) {
    const endToEndId = await receive()
    await client.call('PUT', pathOf(endToEndId, 'p'), { valor: '1.00' })
    const path = `/_sim/refunds/${endToEndId}/p`
    assert.equal((await bank.control('POST', path, { status: 'SOMEHOW' })).status, 400)
    assert.equal((await bank.control('POST', path, { status })).status, 200)
    assert.equal((await ended(endToEndId, 'p'))['status'], status)
    const again = await bank.control('POST', path, { status: 'DEVOLVIDO' })
    assert.deepEqual([again.status, again.body['code']], [409, 'already_ended'])
    assert.equal((await bank.control('POST', `/_sim/refunds/${endToEndId}/q`, { status })).status, 404)
  }
  await setMode('done')
  assert.equal((await bank.control('POST', '/_sim/refunds', { mode: 'maybe' })).status, 400)
})

test('a MED takes money back, also long after the payment, and its id can end it', async () => {
  const endToEndId = await receive(200)
  const count = receiver.received.length
  const opened = await bank.control('POST', '/_sim/med', {
    endToEndId,
    outcome: 'EM_PROCESSAMENTO',
    amount: '2.50',
  })
  assert.equal(opened.status, 201, opened.text)
  assert.deepEqual(
    [opened.body['natureza'], opened.body['status'], opened.body['valor']],
    ['MED_FRAUDE', 'EM_PROCESSAMENTO', '2.50'],
  )
  const id = String(opened.body['id'])
  assert.match(id, /^[a-zA-Z0-9]{1,35}$/)
  assert.equal((await client.call('GET', pathOf(endToEndId, id))).body['status'], 'EM_PROCESSAMENTO')
  const moved = await bank.control('POST', '/_sim/med', { endToEndId, id, outcome: 'NAO_REALIZADO' })
  assert.deepEqual([moved.status, moved.body['status']], [200, 'NAO_REALIZADO'])
  const rest = await bank.control('POST', '/_sim/med', { endToEndId, natureza: 'MED_OPERACIONAL' })
  assert.deepEqual([rest.body['valor'], rest.body['status']], ['10.00', 'DEVOLVIDO'])
  await receiver.until(count + 2)
  const nothing = await bank.control('POST', '/_sim/med', { endToEndId })
  assert.deepEqual([nothing.status, nothing.body['code']], [409, 'nothing_left'])
  assertRefused(await client.call('PUT', pathOf(endToEndId, 'x'), { valor: '0.01' }))
  assert.equal((await bank.control('POST', '/_sim/med', { endToEndId: 'E1' })).status, 404)
})
