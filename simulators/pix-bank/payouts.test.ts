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
import { refusalCodes } from './magic.ts'

let bank: TestBank
let shop: Credentials
let client: Client
let receiver: Receiver
before(async () => {
  bank = await startTestBank({ speed: 20, capital: '1000.00' })
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

let ids = 0
function freshId(): string {
  ids += 1
  return `payout${ids}`
}

function payoutTo(to: string, valor = '1.00'): Json {
  return { valor, pagador: { chave: shop.pixKey, infoPagador: 'saque' }, favorecido: { chave: to } }
}

const send = (id: string, to: string, valor?: string): Promise<Answer> =>
  client.call('PUT', `/v3/gn/pix/${id}`, payoutTo(to, valor))

const find = (id: string): Promise<Answer> => client.call('GET', `/v2/gn/pix/enviados/id-envio/${id}`)

const ended = (id: string): Promise<Json> =>
  eventually(`the end of ${id}`, async () => {
    const { body } = await find(id)
    return body['status'] !== 'EM_PROCESSAMENTO' && body
  })

const itemsOf = (id: string): readonly Json[] =>
  receiver.received.flatMap(({ pix }) => pix).filter((item) => (item['gnExtras'] as Json)['idEnvio'] === id)

const noticesOnce = (id: string, count: number) =>
  eventually(`${count} notices of ${id}`, () => itemsOf(id).length >= count && itemsOf(id))

async function balance(): Promise<Json> {
  const { status, body } = await client.call('GET', '/v2/gn/saldo')
  assert.equal(status, 200)
  return body
}

test('a payout is accepted, settled, notified, and found by each of its names', async () => {
  const id = freshId()
  const sent = await send(id, 'ana@example.com', '12.34')
  assert.equal(sent.status, 201, sent.text)
  assert.deepEqual(
    [sent.body['idEnvio'], sent.body['valor'], sent.body['status']],
    [id, '12.34', 'EM_PROCESSAMENTO'],
  )
  assert.match(String(sent.body['e2eId']), /^E\d{8}\d{12}[A-Za-z0-9]{11}$/)
  const found = await ended(id)
  assert.equal(found['status'], 'REALIZADO')
  assert.deepEqual([found['infoPagador'], found['favorecido']], ['saque', { chave: 'ana@example.com' }])
  const byE2e = await client.call('GET', `/v2/gn/pix/enviados/${String(sent.body['e2eId'])}`)
  assert.deepEqual(byE2e.body, found)
  const window = 'inicio=2000-01-01T00:00:00Z&fim=2999-01-01T00:00:00Z'
  const list = await client.call('GET', `/v2/gn/pix/enviados?${window}`)
  assert.deepEqual((list.body['pix'] as readonly Json[])[0], found)
  const [item] = await noticesOnce(id, 1)
  assert.deepEqual(
    [item?.['tipo'], item?.['status'], item?.['endToEndId'], item?.['valor']],
    ['SOLICITACAO', 'REALIZADO', sent.body['e2eId'], '12.34'],
  )
  assert.equal((await find('never')).status, 404)
})

test('the same id with the same request is the same payout; with another request it is refused', async () => {
  const id = freshId()
  const first = await send(id, 'ok@sim.pix')
  const again = await send(id, 'ok@sim.pix')
  assert.deepEqual([again.status, again.body['e2eId']], [201, first.body['e2eId']])
  for (const other of [await send(id, 'ok@sim.pix', '2.00'), await send(id, 'bob@example.com')])
    assert.deepEqual([other.status, other.body['nome']], [409, 'id_envio_duplicado'])
  await ended(id)
  assert.equal((await send(id, 'ok@sim.pix')).body['status'], 'REALIZADO')
  await noticesOnce(id, 1)
  assert.equal(itemsOf(id).length, 1)
})

test('each code of the other bank comes as a late refusal', async () => {
  for (const code of refusalCodes) {
    const id = freshId()
    assert.equal((await send(id, `${code.toLowerCase()}@sim.pix`)).status, 201)
    const [item = {}] = await noticesOnce(id, 1)
    assert.equal(item['status'], 'NAO_REALIZADO')
    assert.equal(((item['gnExtras'] as Json)['erro'] as Json)['codigo'], code)
    assert.deepEqual((await find(id)).body['erro'], { codigo: code })
  }
})

test('pending@ takes long, and approve@ waits for a control call', async () => {
  const [slow, waiting, refused] = [freshId(), freshId(), freshId()]
  await send(slow, 'pending@sim.pix')
  await send(waiting, 'approve@sim.pix')
  await send(refused, 'approve@sim.pix')
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.equal((await find(slow)).body['status'], 'EM_PROCESSAMENTO')
  assert.equal((await ended(slow))['status'], 'REALIZADO')
  assert.equal((await find(waiting)).body['status'], 'EM_PROCESSAMENTO')
  const done = await bank.control('POST', `/_sim/payouts/${waiting}`, { status: 'REALIZADO' })
  assert.deepEqual([done.status, done.body['status']], [200, 'REALIZADO'])
  await bank.control('POST', `/_sim/payouts/${refused}`, { status: 'NAO_REALIZADO', code: 'AC07' })
  assert.deepEqual((await ended(refused))['erro'], { codigo: 'AC07' })
  const again = await bank.control('POST', `/_sim/payouts/${waiting}`, { status: 'NAO_REALIZADO' })
  assert.equal(again.status, 409)
  assert.equal((await bank.control('POST', '/_sim/payouts/never', { status: 'REALIZADO' })).status, 404)
})

test('timeout@ and 500then@ are accepted, whatever the answer was', async () => {
  const cut = freshId()
  await assert.rejects(send(cut, 'timeout@sim.pix'))
  assert.equal((await ended(cut))['status'], 'REALIZADO')
  const broken = freshId()
  const { status, body } = await send(broken, '500then@sim.pix')
  assert.deepEqual([status, body['nome']], [500, 'erro_aplicacao'])
  assert.equal((await ended(broken))['status'], 'REALIZADO')
  assert.equal((await send(broken, '500then@sim.pix')).status, 201)
})

test('429@ is refused twice, and night@ always; neither leaves a trace', async () => {
  const busy = freshId()
  for (let n = 0; n < 2; n++) {
    const refused = await send(busy, '429@sim.pix')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    assert.equal((await find(busy)).status, 404)
  }
  assert.equal((await send(busy, '429@sim.pix')).status, 201)
  const late = freshId()
  const { status, body } = await send(late, 'night@sim.pix')
  assert.deepEqual([status, body['nome']], [422, 'limite_noturno_excedido'])
  assert.equal((await find(late)).status, 404)
})

test('lost@ settles without a webhook', async () => {
  const id = freshId()
  await send(id, 'lost@sim.pix')
  assert.equal((await ended(id))['status'], 'REALIZADO')
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(itemsOf(id), [])
})

test('returned@ settles and comes back, as any payout can', async () => {
  const id = freshId()
  await send(id, 'returned@sim.pix', '7.00')
  const [settled, back = {}] = await noticesOnce(id, 2)
  assert.equal(settled?.['devolucoes'], undefined)
  const [first] = back['devolucoes'] as readonly Json[]
  assert.deepEqual([first?.['valor'], first?.['status'], back['status']], ['7.00', 'DEVOLVIDO', 'REALIZADO'])
  const other = freshId()
  await send(other, 'ok@sim.pix', '7.00')
  await ended(other)
  const part = await bank.control('POST', '/_sim/return-payout', { idEnvio: other, amount: '2.00' })
  assert.equal(part.status, 201)
  await bank.control('POST', '/_sim/return-payout', { idEnvio: other })
  const { devolucoes } = (await find(other)).body as { readonly devolucoes?: readonly Json[] }
  assert.deepEqual(
    devolucoes?.map(({ valor }) => valor),
    ['2.00', '5.00'],
  )
  assert.equal((await bank.control('POST', '/_sim/return-payout', { idEnvio: other })).status, 409)
})

test('an unknown key is refused, and queries for such keys are soon limited', async () => {
  const { body, status } = await send(freshId(), 'notfound@sim.pix')
  assert.deepEqual([status, body['nome']], [404, 'chave_nao_encontrada'])
  const statuses = new Set<number>()
  // 1000 tokens, 20 for each unknown key.
  for (let n = 0; n < 60 && !statuses.has(429); n++)
    statuses.add((await send(freshId(), 'notfound@sim.pix')).status)
  assert.deepEqual([...statuses], [404, 429])
})

test('the error names what is wrong with a payout', async () => {
  const good = payoutTo('ok@sim.pix')
  const wrong: readonly (readonly [Json, number])[] = [
    [{ ...good, valor: '1' }, 400],
    [{ ...good, valor: '0.00' }, 400],
    [{ ...good, pagador: {} }, 400],
    [{ ...good, favorecido: {} }, 400],
    [{ ...good, pagador: { chave: 'other@example.com' } }, 403],
    [{ ...good, valor: '999999.00' }, 422],
  ]
  for (const [body, expected] of wrong) {
    const { status, body: answer } = await client.call('PUT', `/v3/gn/pix/${freshId()}`, body)
    assert.equal(status, expected, JSON.stringify(body))
    assert.equal(typeof answer['nome'], 'string')
  }
  assert.equal((await client.call('PUT', `/v3/gn/pix/${'x'.repeat(36)}`, good)).status, 400)
  const unhooked = await bank.application()
  await using other = await connect(bank.apiUrl, unhooked)
  const { status, body } = await other.call('PUT', '/v3/gn/pix/a', {
    ...good,
    pagador: { chave: unhooked.pixKey },
  })
  assert.deepEqual([status, body['nome']], [400, 'webhook_nao_cadastrado'])
})

test('the balance is capital, and received, less returned, less sent', async () => {
  const fresh = await bank.application()
  await using other = await connect(bank.apiUrl, fresh)
  await other.call('PUT', `/v2/webhook/${fresh.pixKey}`, { webhookUrl: receiver.url })
  const saldo = async () => (await other.call('GET', '/v2/gn/saldo')).body
  assert.deepEqual(await saldo(), { saldo: '1000.00', emProcessamento: '0.00' })
  const txid = freshTxid()
  await other.call('PUT', `/v2/cob/${txid}`, terms(fresh, '50.00'))
  const { body } = await bank.control('POST', '/_sim/pay', { txid })
  const endToEndId = String((body['pix'] as readonly Json[])[0]?.['endToEndId'])
  assert.deepEqual(await saldo(), { saldo: '1050.00', emProcessamento: '0.00' })
  await bank.control('POST', '/_sim/med', { endToEndId, amount: '5.00', outcome: 'EM_PROCESSAMENTO' })
  assert.deepEqual(await saldo(), { saldo: '1050.00', emProcessamento: '5.00' })
  await bank.control('POST', '/_sim/med', { endToEndId, amount: '8.00' })
  assert.deepEqual(await saldo(), { saldo: '1042.00', emProcessamento: '5.00' })
  const id = freshId()
  const payout = {
    valor: '100.00',
    pagador: { chave: fresh.pixKey },
    favorecido: { chave: 'approve@sim.pix' },
  }
  await other.call('PUT', `/v3/gn/pix/${id}`, payout)
  assert.deepEqual(await saldo(), { saldo: '1042.00', emProcessamento: '105.00' })
  await bank.control('POST', `/_sim/payouts/${id}`, { status: 'REALIZADO' })
  assert.deepEqual(await saldo(), { saldo: '942.00', emProcessamento: '5.00' })
  await bank.control('POST', '/_sim/return-payout', { idEnvio: id, amount: '30.00' })
  assert.deepEqual(await saldo(), { saldo: '972.00', emProcessamento: '5.00' })
  // The amount on its way out cannot be sent a second time.
  const rest = { ...payout, valor: '967.01' }
  assert.equal((await other.call('PUT', `/v3/gn/pix/${freshId()}`, rest)).status, 422)
  await balance()
})
