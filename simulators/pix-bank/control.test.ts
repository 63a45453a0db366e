import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { statusUnder } from '../../test/foreign-host.ts'
import type { Json } from '../kit/harness.ts'
import {
  fetchAnswer,
  connect,
  freshTxid,
  startReceiver,
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
  bank = await startTestBank({ seed: 11 })
  shop = await bank.application()
  client = await connect(bank.apiUrl, shop)
})
after(async () => {
  await client[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

const put = (txid: string) => client.call('PUT', `/v2/cob/${txid}`, terms(shop))
const exists = async (txid: string) => (await client.call('GET', `/v2/cob/${txid}`)).status === 200

async function fault(body: Json): Promise<void> {
  const { status, text } = await bank.control('POST', '/_sim/faults', body)
  assert.equal(status, 201, text)
}

test('a call can be answered with any status, a number of times, and nothing is done', async () => {
  await fault({ match: { method: 'put', path: '^/v2/cob/' }, action: 'status', status: 503, times: 2 })
  const txid = freshTxid()
  for (let n = 0; n < 2; n++) {
    const { status, body } = await put(txid)
    assert.deepEqual([status, body['type']], [503, 'https://pix.bcb.gov.br/api/v2/error/ServicoIndisponivel'])
    assert.equal(await exists(txid), false)
  }
  assert.equal((await put(txid)).status, 201)
  assert.deepEqual((await bank.control('GET', '/_sim/faults')).body, { faults: [] })
})

test('a connection can be cut before the work, after it, or in the middle of the answer', async () => {
  for (const [action, isDone] of [
    ['reset', false],
    ['drop_response', true],
    ['truncate', true],
  ] as const) {
    const txid = freshTxid()
    await fault({ match: { method: 'PUT', path: txid }, action, times: 1 })
    await assert.rejects(put(txid), action)
    assert.equal(await exists(txid), isDone, action)
    assert.equal((await put(txid)).status, 201)
  }
})

test('a call can be late', async () => {
  await fault({ action: 'delay', delayMs: 120, times: 1 })
  const startedAt = performance.now()
  assert.equal((await put(freshTxid())).status, 201)
  assert.ok(performance.now() - startedAt >= 115)
})

test('a fault may have a probability, and the seed decides', async () => {
  await bank.control('DELETE', '/_sim/faults')
  const course = async () => {
    await fault({ action: 'status', status: 500, probability: 0.5 })
    const statuses: number[] = []
    for (let n = 0; n < 20; n++) statuses.push((await client.call('GET', '/v2/gn/saldo')).status)
    assert.equal((await bank.control('DELETE', '/_sim/faults')).status, 204)
    return statuses
  }
  const first = await course()
  assert.deepEqual(new Set(first), new Set([200, 500]))
  assert.deepEqual(await course(), first)
  assert.equal((await client.call('GET', '/v2/gn/saldo')).status, 200)
})

test('an invalid fault is refused', async () => {
  for (const body of [
    {},
    { action: 'explode' },
    { action: 'status', status: 200 },
    { action: 'reset', times: 0 },
    { action: 'reset', probability: 2 },
    { action: 'reset', match: { path: '(' } },
    { action: 'reset', match: 'all' },
  ])
    assert.equal((await bank.control('POST', '/_sim/faults', body)).status, 400, JSON.stringify(body))
})

test('a bank that is down answers no call, and sends its webhooks when it is up again', async () => {
  await using receiver = await startReceiver(bank)
  await client.call('PUT', `/v2/webhook/${shop.pixKey}`, { webhookUrl: receiver.url })
  const txid = freshTxid()
  await put(txid)
  assert.deepEqual((await bank.control('POST', '/_sim/down', { down: true })).body, { down: true })
  await assert.rejects(client.call('GET', `/v2/cob/${txid}`))
  await assert.rejects(connect(bank.apiUrl, shop))
  assert.equal((await bank.control('GET', '/_sim/health')).body['down'], true)
  assert.equal((await bank.control('POST', '/_sim/pay', { txid })).status, 201)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(receiver.received, [])
  await bank.control('POST', '/_sim/down', { down: false })
  await receiver.until(1)
  assert.equal((await client.call('GET', `/v2/cob/${txid}`)).body['status'], 'CONCLUIDA')
  assert.equal((await bank.control('POST', '/_sim/down', { down: 'a bit' })).status, 400)
})

test('events are listed in order, from any number on, and at once to a caller that waits', async () => {
  const before = (await bank.control('GET', '/_sim/events?limit=1')).body['last']
  const txid = freshTxid()
  const waiting = bank.control('GET', `/_sim/events?after=${Number(before)}&waitMs=5000`)
  await put(txid)
  const { body } = await waiting
  const [event] = body['events'] as readonly Json[]
  assert.deepEqual(
    [event?.['type'], event?.['txid'], event?.['sequence']],
    ['charge.created', txid, Number(before) + 1],
  )
  await bank.control('POST', '/_sim/pay', { txid })
  const later = await bank.control('GET', `/_sim/events?after=${Number(before) + 1}&limit=1`)
  assert.deepEqual(
    (later.body['events'] as readonly Json[]).map(({ type }) => type),
    ['pix.received'],
  )
  const all = await bank.events()
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    all.map((_, n) => n + 1),
  )
  assert.doesNotMatch(JSON.stringify(all), /secretHash|PRIVATE KEY/)
  assert.equal((await bank.control('GET', '/_sim/events?after=x')).status, 400)
})

test('charges are shown newest first, with what a payer needs', async () => {
  const [older, newer] = [freshTxid(), freshTxid()]
  const made = await put(older)
  await put(newer)
  const { body } = await bank.control('GET', '/_sim/charges?limit=2')
  const charges = body['charges'] as readonly Json[]
  assert.deepEqual(
    charges.map(({ txid }) => txid),
    [newer, older],
  )
  assert.equal(charges[1]?.['pixCopiaECola'], made.body['pixCopiaECola'])
  assert.deepEqual([charges[1]?.['expired'], charges[1]?.['pixKey']], [false, shop.pixKey])
  const one = await bank.control('GET', `/_sim/charges?txid=${older}`)
  assert.deepEqual(
    (one.body['charges'] as readonly Json[]).map(({ txid }) => txid),
    [older],
  )
})

test('a reset forgets money, modes and faults, but not applications, nor the names given so far', async () => {
  const txid = freshTxid()
  await put(txid)
  const first = await bank.control('POST', '/_sim/pay', { txid, happenedAt: '2024-01-01T00:00:00Z' })
  await bank.control('POST', '/_sim/webhooks', { lose: true })
  await fault({ action: 'reset' })
  assert.equal((await bank.control('POST', '/_sim/reset')).status, 204)
  assert.equal(await exists(txid), false)
  const { body } = await bank.control('GET', '/_sim/health')
  assert.deepEqual(body['counts'], { applications: 1, charges: 0, pix: 0, payouts: 0, tasks: 0 })
  assert.equal((await bank.control('GET', '/_sim/webhooks')).body['lose'], false)
  assert.equal((await put(txid)).status, 201)
  const second = await bank.control('POST', '/_sim/pay', { txid, happenedAt: '2024-01-01T00:00:00Z' })
  assert.notDeepEqual(first.body, second.body)
})

test('applications and certificates are made as requested, or refused', async () => {
  const made = await bank.application({ name: 'Um', scopes: ['cob.read'], pixKey: 'loja@example.com' })
  assert.deepEqual(Object.keys(made).sort(), [
    'ca',
    'certificate',
    'clientId',
    'clientSecret',
    'pixKey',
    'privateKey',
    'receiver',
  ])
  const second = await bank.application({ name: 'Dois', pixKey: 'loja@example.com' })
  assert.deepEqual([second.pixKey, second.clientId === made.clientId], ['loja@example.com', false])
  for (const body of [{ scopes: [] }, { scopes: ['bank.rob'] }, { magic: 'yes' }, { pixKey: '' }])
    assert.equal((await bank.control('POST', '/_sim/applications', body)).status, 400)
  for (const body of [{}, { hosts: [] }, { hosts: [7] }])
    assert.equal((await bank.control('POST', '/_sim/server-certificates', body)).status, 400)
})

test('the control port answers only this machine and its own page', async () => {
  const url = `${bank.controlUrl}/_sim/reset`
  const host = new URL(bank.controlUrl).host
  for (const path of ['/', '/live', '/page.css', '/_sim/state'])
    assert.equal(await statusUnder('evil.example', String(new URL(path, url))), 403, path)
  const foreign = [{ host: 'bank.example.com' }, { origin: 'https://evil.example.com' }, { origin: 'null' }]
  for (const headers of foreign)
    assert.equal((await fetchAnswer(url, { method: 'POST', headers })).status, 403)
  assert.equal(
    (await fetchAnswer(url, { method: 'POST', headers: { origin: `http://${host}` } })).status,
    204,
  )
  assert.equal((await bank.control('GET', '/_sim/nothing')).status, 404)
  assert.equal((await bank.control('POST', '/_sim/pay', [])).status, 400)
  await eventually('it is well', async () => (await bank.control('GET', '/_sim/health')).status === 200)
})
