import assert from 'node:assert/strict'
import { createPublicKey, verify, X509Certificate, type webcrypto } from 'node:crypto'
import { after, before, test } from 'node:test'
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils'
import type { Json } from '../kit/harness.ts'
import {
  fetchAnswer,
  agentOf,
  connect,
  freshTxid,
  startTestBank,
  terms,
  type Client,
  type Credentials,
  type TestBank,
} from './harness.ts'

let bank: TestBank
let shop: Credentials
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

async function charge(original = '25.50', more: Json = {}): Promise<string> {
  const txid = freshTxid()
  const made = await client.call('PUT', `/v2/cob/${txid}`, terms(shop, original, more))
  assert.equal(made.status, 201, made.text)
  return txid
}

test('a charge is answered in the format of the API Pix', async () => {
  const txid = freshTxid()
  const request = {
    ...terms(shop, '37.00'),
    devedor: { cnpj: '12ABC34501DE35', nome: 'Empresa de Serviços SA' },
    solicitacaoPagador: 'Serviço realizado.',
    infoAdicionais: [{ nome: 'Campo 1', valor: 'Informação' }],
  }
  const { status, body } = await client.call('PUT', `/v2/cob/${txid}`, request)
  assert.equal(status, 201)
  const { calendario, loc, location, pixCopiaECola, ...rest } = body
  assert.deepEqual(rest, {
    txid,
    revisao: 0,
    status: 'ATIVA',
    devedor: request.devedor,
    valor: { original: '37.00' },
    chave: shop.pixKey,
    solicitacaoPagador: 'Serviço realizado.',
    infoAdicionais: request.infoAdicionais,
  })
  assert.equal((calendario as Json)['expiracao'], 3600)
  assert.equal((loc as Json)['location'], location)
  assert.equal((loc as Json)['tipoCob'], 'cob')
  // Parsed by another library: a dynamic code with the location, and without an amount.
  const read = getPixPayloadInfo(String(pixCopiaECola))
  assert.equal(read?.url, location)
  assert.equal(read?.amount, undefined)
})

test('a PUT with the same txid writes an active charge anew, and keeps its age and its code', async () => {
  const txid = await charge('10.00')
  const first = await client.call('GET', `/v2/cob/${txid}`)
  const second = await client.call('PUT', `/v2/cob/${txid}`, terms(shop, '11.00'))
  assert.equal(second.status, 201)
  assert.equal(second.body['revisao'], 1)
  assert.deepEqual(second.body['valor'], { original: '11.00' })
  assert.equal(second.body['pixCopiaECola'], first.body['pixCopiaECola'])
  assert.deepEqual(second.body['calendario'], first.body['calendario'])
  const old = await client.call('GET', `/v2/cob/${txid}?revisao=0`)
  assert.deepEqual(old.body['valor'], { original: '10.00' })
  const none = await client.call('GET', `/v2/cob/${txid}?revisao=2`)
  assert.deepEqual([none.status, typeOf(none.body)], [400, 'CobConsultaInvalida'])
})

test('a PATCH changes the fields it names, and a removal is final and cannot be combined', async () => {
  const txid = await charge('10.00', { solicitacaoPagador: 'Mesa 4' })
  const changed = await client.call('PATCH', `/v2/cob/${txid}`, { valor: { original: '12.00' } })
  assert.deepEqual([changed.status, changed.body['revisao']], [200, 1])
  assert.deepEqual(
    [changed.body['valor'], changed.body['solicitacaoPagador']],
    [{ original: '12.00' }, 'Mesa 4'],
  )
  const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
  const both = await client.call('PATCH', `/v2/cob/${txid}`, { ...removal, valor: { original: '1.00' } })
  assert.deepEqual([both.status, typeOf(both.body)], [400, 'CobOperacaoInvalida'])
  const other = await client.call('PATCH', `/v2/cob/${txid}`, { status: 'CONCLUIDA' })
  assert.equal(other.status, 400)
  const removed = await client.call('PATCH', `/v2/cob/${txid}`, removal)
  assert.deepEqual([removed.status, removed.body['status']], [200, removal.status])
  for (const [method, body] of [
    ['PUT', terms(shop)],
    ['PATCH', removal],
    ['PATCH', { valor: { original: '1.00' } }],
  ] as const) {
    const { status, body: answer } = await client.call(method, `/v2/cob/${txid}`, body)
    assert.deepEqual([status, typeOf(answer)], [400, 'CobOperacaoInvalida'])
  }
  const refused = await bank.control('POST', '/_sim/pay', { txid })
  assert.deepEqual([refused.status, refused.body['code']], [409, 'removed'])
  await bank.control('POST', '/_sim/pay', { txid, force: true })
  const still = await client.call('GET', `/v2/cob/${txid}`)
  assert.equal(still.body['status'], removal.status)
  assert.equal((still.body['pix'] as readonly Json[]).length, 1)
})

test('a payment of any value concludes a charge, and does not count as a revision', async () => {
  for (const amount of ['0.01', '25.50', '99.00']) {
    const txid = await charge('25.50')
    await bank.control('POST', '/_sim/pay', { txid, amount })
    const { body } = await client.call('GET', `/v2/cob/${txid}`)
    assert.deepEqual([body['status'], body['revisao']], ['CONCLUIDA', 0])
    assert.equal((body['pix'] as readonly Json[])[0]?.['valor'], amount)
    const again = await client.call('PUT', `/v2/cob/${txid}`, terms(shop))
    assert.deepEqual([again.status, typeOf(again.body)], [400, 'CobOperacaoInvalida'])
    const twice = await bank.control('POST', '/_sim/pay', { txid })
    assert.deepEqual([twice.status, twice.body['code']], [409, 'already_paid'])
  }
})

test('an expired charge stays ATIVA and refuses payment, unless it was made in time or is forced', async () => {
  const txid = await charge('25.50', { calendario: { expiracao: 1 } })
  await new Promise((resolve) => setTimeout(resolve, 1050))
  const { body } = await client.call('GET', `/v2/cob/${txid}`)
  assert.equal(body['status'], 'ATIVA')
  const refused = await bank.control('POST', '/_sim/pay', { txid })
  assert.deepEqual([refused.status, refused.body['code']], [409, 'expired'])
  const forced = await bank.control('POST', '/_sim/pay', { txid, force: true })
  assert.equal(forced.status, 201)
  assert.equal((await client.call('GET', `/v2/cob/${txid}`)).body['status'], 'CONCLUIDA')
  const other = await charge('25.50', { calendario: { expiracao: 1 } })
  await new Promise((resolve) => setTimeout(resolve, 1050))
  const made = await client.call('GET', `/v2/cob/${other}`)
  const happenedAt = String((made.body['calendario'] as Json)['criacao'])
  const inTime = await bank.control('POST', '/_sim/pay', { txid: other, happenedAt })
  assert.equal(inTime.status, 201, inTime.text)
  // An active charge can still be written, however old it is.
  const third = await charge('25.50', { calendario: { expiracao: 1 } })
  await new Promise((resolve) => setTimeout(resolve, 1050))
  assert.equal(
    (await client.call('PATCH', `/v2/cob/${third}`, { calendario: { expiracao: 60 } })).status,
    200,
  )
  assert.equal((await bank.control('POST', '/_sim/pay', { txid: third })).status, 201)
})

test('the error names what is wrong with a charge', async () => {
  const good = terms(shop)
  const wrong: readonly (readonly [Json, string])[] = [
    [{ ...good, valor: { original: '10' } }, 'cob.valor.original'],
    [{ ...good, valor: { original: 10 } }, 'cob.valor.original'],
    [{ ...good, valor: { original: '0.00' } }, 'cob.valor.original'],
    [{ ...good, valor: { original: '12345678901.00' } }, 'cob.valor.original'],
    [{ ...good, calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
    [{ ...good, chave: 'other@example.com' }, 'cob.chave'],
    [{ ...good, devedor: { nome: 'Ana' } }, 'cob.devedor'],
    [{ ...good, devedor: { nome: 'Ana', cpf: '12345678909', cnpj: '12345678000195' } }, 'cob.devedor'],
    [{ ...good, devedor: { nome: 'Ana', cpf: '123' } }, 'cob.devedor.cpf'],
    [{ ...good, solicitacaoPagador: 'x'.repeat(141) }, 'cob.solicitacaoPagador'],
    [{ ...good, infoAdicionais: [{ nome: 'x' }] }, 'cob.infoAdicionais'],
  ]
  for (const [body, property] of wrong) {
    const answer = await client.call('PUT', `/v2/cob/${freshTxid()}`, body)
    assert.equal(answer.status, 400)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert.equal(typeOf(answer.body), 'CobOperacaoInvalida')
    assert.equal((answer.body['violacoes'] as readonly Json[])[0]?.['propriedade'], property)
  }
  for (const txid of ['short', 'x'.repeat(36), `${'x'.repeat(30)}-1`])
    assert.equal((await client.call('PUT', `/v2/cob/${txid}`, good)).status, 400, txid)
  const missing = await client.call('GET', `/v2/cob/${freshTxid()}`)
  assert.deepEqual([missing.status, typeOf(missing.body)], [404, 'CobNaoEncontrado'])
  const nowhere = await client.call('GET', '/v2/nothing')
  assert.deepEqual([nowhere.status, typeOf(nowhere.body)], [404, 'NaoEncontrado'])
})

test('charges are listed by the time of their creation, page by page', async () => {
  const lister = await bank.application()
  await using listing = await connect(bank.apiUrl, lister)
  const txids = Array.from({ length: 5 }, freshTxid)
  for (const txid of txids) await listing.call('PUT', `/v2/cob/${txid}`, terms(lister))
  await bank.control('POST', '/_sim/pay', { txid: txids[1] })
  const list = async (query: string) => {
    const answer = await listing.call(
      'GET',
      `/v2/cob?inicio=2020-01-01T00:00:00Z&fim=2999-01-01T00:00:00Z${query}`,
    )
    assert.equal(answer.status, 200, answer.text)
    const cobs = answer.body['cobs'] as readonly Json[]
    return { answer, txids: cobs.map((cob) => cob['txid']) }
  }
  assert.deepEqual((await list('')).txids, txids)
  const page = await list('&paginacao.itensPorPagina=2&paginacao.paginaAtual=2')
  assert.deepEqual(page.txids, [txids[4]])
  const { paginacao } = page.answer.body['parametros'] as Json
  assert.deepEqual(paginacao, {
    paginaAtual: 2,
    itensPorPagina: 2,
    quantidadeDePaginas: 3,
    quantidadeTotalDeItens: 5,
  })
  assert.deepEqual((await list('&status=CONCLUIDA')).txids, [txids[1]])
  assert.deepEqual((await list('&locationPresente=false')).txids, [])
  const past = await listing.call('GET', '/v2/cob?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z')
  assert.deepEqual(past.body['cobs'], [])
  for (const query of [
    '?inicio=2020-01-01T00:00:00Z',
    '?inicio=2020-01-02T00:00:00Z&fim=2020-01-01T00:00:00Z',
    '?inicio=yesterday&fim=2020-01-01T00:00:00Z',
    '?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z&cpf=1&cnpj=2',
    '?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z&paginacao.paginaAtual=-1',
    '?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z&paginacao.itensPorPagina=1001',
  ]) {
    const { status, body } = await listing.call('GET', `/v2/cob${query}`)
    assert.deepEqual([status, typeOf(body)], [400, 'CobConsultaInvalida'], query)
  }
})

test('any caller may read a charge at its location, signed by the bank, until it is paid', async () => {
  const txid = await charge('5.25')
  const { body } = await client.call('GET', `/v2/cob/${txid}`)
  const agent = agentOf({ ca: shop.ca })
  // The host is an alias of this machine; the port is the API's.
  const here = (url: string) => url.replace(/^(?:https:\/\/)?pix\.localhost/, bank.apiUrl)
  const location = here(String(body['location']))
  const shown = await fetchAnswer(location, { method: 'GET', agent })
  assert.equal(shown.headers['content-type'], 'application/jose')
  const [header = '', payload = '', signature = ''] = shown.text.split('.')
  const { jku, kid, alg, typ } = decoded(header)
  assert.deepEqual([alg, typ], ['RS256', 'JWS'])
  const listed = await fetchAnswer(here(String(jku)), { method: 'GET', agent })
  const keys = listed.body['keys'] as readonly Jwk[]
  const jwk = keys.find((key) => key.kid === kid)
  assert.ok(jwk !== undefined)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  assert.ok(verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
  const [certificate = ''] = jwk.x5c
  assert.ok(new X509Certificate(Buffer.from(certificate, 'base64')).checkIssued(new X509Certificate(shop.ca)))
  const { txid: named, valor, status } = decoded(payload)
  assert.deepEqual([named, valor, status], [txid, { original: '5.25' }, 'ATIVA'])
  await bank.control('POST', '/_sim/pay', { txid })
  const gone = await fetchAnswer(location, { method: 'GET', agent })
  assert.deepEqual([gone.status, typeOf(gone.body)], [410, 'CobPayloadNaoEncontrado'])
  const never = await fetchAnswer(`${location}0`, { method: 'GET', agent })
  assert.equal(never.status, 404)
  await agent.destroy()
})

type Jwk = webcrypto.JsonWebKey & { readonly kid: string; readonly x5c: readonly string[] }

function decoded(part: string): Json {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Json
}

function typeOf(body: Json): string {
  return String(body['type']).replace('https://pix.bcb.gov.br/api/v2/error/', '')
}
