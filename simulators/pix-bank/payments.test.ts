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
  type Credentials,
  type Receiver,
  type TestBank,
} from './harness.ts'

let bank: TestBank
let shop: Credentials
let client: Client
let receiver: Receiver
before(async () => {
  bank = await startTestBank()
  shop = await bank.application({ name: 'Padaria São João' })
  client = await connect(bank.apiUrl, shop)
  receiver = await startReceiver(bank)
  const registered = await client.call('PUT', `/v2/webhook/${shop.pixKey}`, { webhookUrl: receiver.url })
  assert.equal(registered.status, 200, registered.text)
})
after(async () => {
  await client[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

type Pix = Json & { readonly endToEndId: string }

async function pay(body: Json): Promise<readonly Pix[]> {
  const paid = await bank.control('POST', '/_sim/pay', body)
  assert.equal(paid.status, 201, paid.text)
  return paid.body['pix'] as readonly Pix[]
}

async function charge(original = '10.00'): Promise<Json & { readonly txid: string }> {
  const { body } = await client.call('PUT', `/v2/cob/${freshTxid()}`, terms(shop, original))
  return body as Json & { readonly txid: string }
}

async function list(query: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const all = { inicio: '2000-01-01T00:00:00Z', fim: '2999-01-01T00:00:00Z', ...query }
  const { body } = await client.call('GET', `/v2/pix?${new URLSearchParams(all).toString()}`)
  return (body['pix'] as readonly Pix[]).map(({ endToEndId }) => endToEndId)
}

test('a charge is paid by its code, with a webhook, and found again', async () => {
  const made = await charge()
  const [pix] = await pay({ copyPaste: made['pixCopiaECola'] })
  assert.match(String(pix?.endToEndId), /^E\d{8}\d{12}[A-Za-z0-9]{11}$/)
  const [notice] = await receiver.until(1)
  assert.equal(notice?.path, '/hook/pix')
  const shown = await client.call('GET', `/v2/pix/${pix?.endToEndId}`)
  assert.deepEqual(notice?.pix, [shown.body])
  assert.deepEqual(
    [shown.body['txid'], shown.body['valor'], shown.body['chave']],
    [made.txid, '10.00', shop.pixKey],
  )
  const found = await client.call('GET', `/v2/cob/${made.txid}`)
  assert.deepEqual(found.body['pix'], [shown.body])
  assert.deepEqual(await list({ txid: made.txid }), [pix?.endToEndId])
})

test('a charge can be paid twice, by another amount, by a named payer and at another time', async () => {
  const { txid } = await charge()
  const paid = await pay({
    txid,
    times: 2,
    amount: '12.34',
    happenedAt: '2024-02-29T23:59:30.000-03:00',
    payer: { name: 'Ana', cpf: '12345678909' },
    infoPagador: 'obrigada',
  })
  assert.equal(new Set(paid.map(({ endToEndId }) => endToEndId)).size, 2)
  for (const { endToEndId } of paid) {
    // The id carries the minute in UTC.
    assert.equal(endToEndId.slice(9, 21), '202403010259')
    const { body } = await client.call('GET', `/v2/pix/${endToEndId}`)
    assert.deepEqual(
      [body['valor'], body['horario'], body['pagador'], body['infoPagador']],
      ['12.34', '2024-03-01T02:59:30.000Z', { nome: 'Ana', cpf: '12345678909' }, 'obrigada'],
    )
  }
  const { body } = await client.call('GET', `/v2/cob/${txid}`)
  assert.equal((body['pix'] as readonly Json[]).length, 2)
})

test('Pix are listed by the time of their settlement, and filtered by their fields', async () => {
  const { txid } = await charge()
  const [late] = await pay({ txid, happenedAt: '2021-06-01T12:00:00Z', payer: { cnpj: '12ABC34501DE35' } })
  const other = await charge()
  const [early] = await pay({ txid: other.txid, happenedAt: '2021-06-01T11:00:00Z' })
  const key = await bank.control('POST', '/_sim/pay-key', {
    pixKey: shop.pixKey,
    amount: '1.00',
    happenedAt: '2021-06-01T11:30:00Z',
  })
  const [bare] = key.body['pix'] as readonly Pix[]
  const day = { inicio: '2021-06-01T00:00:00Z', fim: '2021-06-01T23:59:59Z' }
  const ids = [early?.endToEndId, bare?.endToEndId, late?.endToEndId]
  assert.deepEqual(await list(day), ids)
  // Both ends belong to the window.
  assert.deepEqual(
    await list({ inicio: '2021-06-01T11:00:00Z', fim: '2021-06-01T11:30:00Z' }),
    ids.slice(0, 2),
  )
  assert.deepEqual(await list({ ...day, txIdPresente: 'true' }), [ids[0], ids[2]])
  assert.deepEqual(await list({ ...day, txIdPresente: 'false' }), [ids[1]])
  assert.deepEqual(await list({ ...day, cnpj: '12ABC34501DE35' }), [ids[2]])
  assert.deepEqual(await list({ ...day, devolucaoPresente: 'true' }), [])
  const page = { 'paginacao.itensPorPagina': '1', 'paginacao.paginaAtual': '1' }
  assert.deepEqual(await list({ ...day, ...page }), [ids[1]])
  for (const query of ['', '?inicio=2021-06-02T00:00:00Z&fim=2021-06-01T00:00:00Z']) {
    const { status, body } = await client.call('GET', `/v2/pix${query}`)
    assert.deepEqual([status, body['type']], [400, 'https://pix.bcb.gov.br/api/v2/error/PixConsultaInvalida'])
  }
})

test('a Pix to the key has a webhook only with a txid, and one with an unknown txid belongs to no charge', async () => {
  const countBefore = receiver.received.length
  const at = { pixKey: shop.pixKey, amount: '3.00' }
  await bank.control('POST', '/_sim/pay-key', at)
  const named = await bank.control('POST', '/_sim/pay-key', { ...at, txid: 'STATIC01' })
  const [pix] = named.body['pix'] as readonly Pix[]
  const received = await receiver.until(countBefore + 1)
  assert.deepEqual(
    received.slice(countBefore).map((each) => each.pix[0]?.['endToEndId']),
    [pix?.endToEndId],
  )
  assert.equal((await client.call('GET', `/v2/pix/${pix?.endToEndId}`)).body['txid'], 'STATIC01')
  // The static code of the manual, for a key of this bank.
  const holder = await bank.application({ pixKey: '123e4567-e12b-12d1-a456-426655440000' })
  const copyPaste =
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
  const [sent] = await pay({ copyPaste, amount: '7.00' })
  await using other = await connect(bank.apiUrl, holder)
  const { body } = await other.call('GET', `/v2/pix/${sent?.endToEndId}`)
  assert.deepEqual([body['valor'], body['txid']], ['7.00', undefined])
})

test('the refusal of a payment gives its reason', async () => {
  const wrong: readonly (readonly [Json, number])[] = [
    [{}, 400],
    [{ txid: freshTxid() }, 404],
    [{ copyPaste: 'no code' }, 400],
    [{ txid: (await charge()).txid, amount: '1' }, 400],
    [{ txid: (await charge()).txid, amount: '0.00' }, 400],
    [{ txid: (await charge()).txid, times: 0 }, 400],
    [{ txid: (await charge()).txid, webhook: 'carrier pigeon' }, 400],
    [{ txid: (await charge()).txid, happenedAt: 'now' }, 400],
  ]
  for (const [body, expected] of wrong) {
    const { status, body: answer } = await bank.control('POST', '/_sim/pay', body)
    assert.equal(status, expected, JSON.stringify(body))
    assert.equal(typeof answer['title'], 'string')
  }
  const nobody = await bank.control('POST', '/_sim/pay-key', { pixKey: 'nobody', amount: '1.00' })
  assert.equal(nobody.status, 404)
})
