import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { foreignIdentity } from './certificates.ts'
import { agentOf, fetchAnswer, connect, freshTxid, startTestBank, takeToken, terms } from './harness.ts'

const denied = 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado'

test('without a certificate of the bank nothing works, not even a token', async () => {
  await using bank = await startTestBank()
  const shop = await bank.application()
  await using client = await connect(bank.apiUrl, shop)
  const strangers = [agentOf({ ca: shop.ca }), agentOf({ ca: shop.ca, ...foreignIdentity() })]
  for (const agent of strangers) {
    const refused = await takeToken(bank.apiUrl, shop, agent)
    assert.equal(refused.status, 403)
    assert.equal(refused.body['type'], denied)
    const headers = { authorization: `Bearer ${client.token}` }
    const stolen = await fetchAnswer(`${bank.apiUrl}/v2/cob/${freshTxid()}`, {
      method: 'GET',
      agent,
      headers,
    })
    assert.equal(stolen.status, 403)
    await agent.destroy()
  }
})

test('a token works only with the certificate that it was issued to', async () => {
  await using bank = await startTestBank()
  const shop = await bank.application()
  const other = await bank.application({ pixKey: shop.pixKey })
  await using client = await connect(bank.apiUrl, shop)
  await using stranger = await connect(bank.apiUrl, other)
  const url = `${bank.apiUrl}/v2/cob/${freshTxid()}`
  const headers = { authorization: `Bearer ${client.token}` }
  const refused = await fetchAnswer(url, { method: 'GET', agent: stranger.agent, headers })
  assert.equal(refused.status, 403)
  assert.equal(refused.body['type'], denied)
  // Nor does an application get a token with the certificate of another.
  const mixed = await takeToken(bank.apiUrl, shop, stranger.agent)
  assert.equal(mixed.status, 403)
  assert.equal((await client.call('GET', '/v2/cob/none')).status, 404)
})

test('the answer to a client says what is wrong with its credentials', async () => {
  await using bank = await startTestBank()
  const shop = await bank.application()
  await using client = await connect(bank.apiUrl, shop)
  const { agent } = client
  const wrong = await takeToken(bank.apiUrl, { ...shop, clientSecret: 'guess' }, agent)
  assert.deepEqual([wrong.status, wrong.body], [401, { error: 'invalid_client' }])
  const unknown = await takeToken(bank.apiUrl, { clientId: 'nobody', clientSecret: '' }, agent)
  assert.equal(unknown.status, 401)
  const url = `${bank.apiUrl}/oauth/token`
  const password = await fetchAnswer(url, { method: 'POST', agent, body: { grant_type: 'password' } })
  assert.deepEqual([password.status, password.body], [400, { error: 'unsupported_grant_type' }])
  const scope = await takeToken(bank.apiUrl, shop, agent, 'bank.rob')
  assert.deepEqual([scope.status, scope.body], [400, { error: 'invalid_scope' }])
})

test('a call whose caller has hung up is processed all the same, on a new connection too', async () => {
  await using bank = await startTestBank()
  const shop = await bank.application()
  await using client = await connect(bank.apiUrl, shop)
  const match = { method: 'PUT', path: '/cob/' }
  await bank.control('POST', '/_sim/faults', { match, action: 'delay', delayMs: 500, times: 1 })
  const txid = freshTxid()
  const fresh = agentOf(shop)
  const headers = { authorization: `Bearer ${client.token}` }
  const cut = fetchAnswer(`${bank.apiUrl}/v2/cob/${txid}`, {
    method: 'PUT',
    agent: fresh,
    headers,
    body: terms(shop),
  })
  const isCut = assert.rejects(cut)
  const has = async (type: string) => (await bank.events()).some((event) => event['type'] === type)
  await eventually('the call is spoiled', () => has('call.spoiled'))
  await fresh.destroy()
  await isCut
  await eventually('the charge is made', () => has('charge.created'))
  assert.equal((await client.call('GET', `/v2/cob/${txid}`)).status, 200)
})

test('each operation requires its scope', async () => {
  await using bank = await startTestBank()
  const reader = await bank.application({ scopes: ['cob.read', 'pix.read'] })
  await using client = await connect(bank.apiUrl, reader)
  const refused = [
    await client.call('PUT', `/v2/cob/${freshTxid()}`, terms(reader)),
    await client.call('PUT', '/v2/pix/E1/devolucao/1', { valor: '1.00' }),
    await client.call('PUT', `/v2/webhook/${reader.pixKey}`, { webhookUrl: 'https://127.0.0.1:1/' }),
    await client.call('GET', `/v2/webhook/${reader.pixKey}`),
    await client.call('PUT', '/v3/gn/pix/1', {}),
    await client.call('GET', '/v2/gn/saldo'),
  ]
  for (const { status, body } of refused) assert.deepEqual([status, body['type']], [403, denied])
  assert.equal((await client.call('GET', `/v2/cob/${freshTxid()}`)).status, 404)
  // A token may have less than its application.
  const shop = await bank.application()
  await using narrow = await connect(bank.apiUrl, shop, 'cob.read gn.balance.read')
  assert.equal((await narrow.call('GET', '/v2/gn/saldo')).status, 200)
  assert.equal((await narrow.call('PUT', `/v2/cob/${freshTxid()}`, terms(shop))).status, 403)
})

test('a token ends, and a new one is issued', async () => {
  await using bank = await startTestBank({ tokenSeconds: 3 })
  const shop = await bank.application()
  await using client = await connect(bank.apiUrl, shop)
  assert.equal((await client.call('GET', '/v2/gn/saldo')).status, 200)
  await new Promise((resolve) => setTimeout(resolve, 3_100))
  const late = await client.call('GET', '/v2/gn/saldo')
  assert.equal(late.status, 401)
  assert.match(String(late.headers['www-authenticate']), /invalid_token/)
  await bank.control('POST', '/_sim/tokens', { expiresIn: 600 })
  const fresh = await takeToken(bank.apiUrl, shop, client.agent)
  assert.equal(fresh.body['expires_in'], 600)
  await using again = await connect(bank.apiUrl, shop)
  const revoked = await bank.control('POST', '/_sim/tokens', { revoke: true })
  assert.deepEqual(revoked.body, { expiresIn: 600, valid: 0 })
  assert.equal((await again.call('GET', '/v2/gn/saldo')).status, 401)
})

test('one receiver sees nothing of another', async () => {
  await using bank = await startTestBank()
  const [one, two] = [await bank.application(), await bank.application()]
  await using client = await connect(bank.apiUrl, one)
  await using stranger = await connect(bank.apiUrl, two)
  const txid = freshTxid()
  await client.call('PUT', `/v2/cob/${txid}`, terms(one))
  const paid = await bank.control('POST', '/_sim/pay', { txid })
  const { endToEndId } = (paid.body['pix'] as readonly { readonly endToEndId: string }[])[0] ?? {
    endToEndId: '',
  }
  assert.equal((await stranger.call('GET', `/v2/cob/${txid}`)).status, 404)
  assert.equal((await stranger.call('GET', `/v2/pix/${endToEndId}`)).status, 404)
  assert.equal((await client.call('GET', `/v2/pix/${endToEndId}`)).status, 200)
  const foreignKey = await stranger.call('PUT', `/v2/cob/${freshTxid()}`, terms(one))
  assert.equal(foreignKey.status, 400)
  const ownTxid = await stranger.call('PUT', `/v2/cob/${txid}`, terms(two))
  assert.equal(ownTxid.status, 201)
})
