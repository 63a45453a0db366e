// The client at a provider that answers as the test says: what a status means, how lists are read to their end, and how long an answer may be.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startTestProvider, type Call, type Reply } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { CardError, createCardClient } from './client.ts'
import { NonsenseError } from './fields.ts'

async function clientAt(t: TestContext, reply: (call: Call) => Reply) {
  const provider = await startTestProvider(reply)
  const client = createCardClient({ apiUrl: `${provider.url}/`, secretKey: 'sk_test_1' })
  t.after(async () => {
    await client.close()
    await provider.stop()
  })
  return { client, calls: provider.calls }
}

const account = { object: 'account', id: 'acct_1', country: 'PT', capabilities: {} }

test('what a status means: an answer, a refusal, that nothing was done, or that something may have been', async (t) => {
  let status = 200
  const { client } = await clientAt(t, () => ({ status, body: account }))
  const meanings = {
    answered: [200, 201, 299],
    refused: [400, 402, 404, 405, 407, 410, 411, 422, 423, 425, 428, 430, 499],
    unavailable: [401, 403, 429],
    unknown: [300, 302, 399, 408, 409, 424, 500, 503],
  }
  for (const [meaning, all] of Object.entries(meanings))
    for (const each of all) {
      status = each
      const found = await client.getAccount().then(
        () => 'answered',
        (error: unknown) => (error instanceof CardError ? error.outcome : String(error)),
      )
      assert.equal(found, meaning, String(each))
    }
})

test('an error of the provider has its status, its words, its bytes, and whether it was kept under the key', async (t) => {
  const error = { type: 'card_error', code: 'declined', message: 'No.' }
  const headers = { 'idempotent-replayed': 'true' }
  for (const [more, isReplayed] of [
    [{}, false],
    [{ headers }, true],
  ] as const) {
    const { client } = await clientAt(t, () => ({ status: 402, body: { error }, ...more }))
    const thrown = await errorOf(client.getAccount())
    assert.ok(thrown instanceof CardError)
    assert.deepEqual([thrown.status, thrown.fault, thrown.isReplayed], [402, error, isReplayed])
    assert.equal(thrown.raw.toString(), JSON.stringify({ error }))
    assert.equal(thrown.message, 'GET /v1/account: HTTP 402 card_error: declined: No.')
  }
})

test('a list is read page by page, a hundred at a time, and at most a thousand pages of it', async (t) => {
  const page = (more: object) => ({
    status: 200,
    body: { object: 'list', data: [], has_more: true, ...more },
  })
  let left = 3
  const short = await clientAt(t, () => page({ data: [{ id: `evt_${--left}` }], has_more: left > 0 }))
  for await (const events of short.client.listEvents({ from: new Date(0), to: new Date(1) }, ['a']))
    assert.deepEqual(events, [])
  const queries = short.calls.map(({ path }) => new URL(path, 'http://psp').searchParams)
  assert.deepEqual(
    queries.map((query) => [query.get('limit'), query.get('starting_after')]),
    [
      ['100', null],
      ['100', 'evt_2'],
      ['100', 'evt_1'],
    ],
  )
  const first = queries[0]
  assert.deepEqual(
    ['created[gte]', 'created[lte]', 'types[0]'].map((name) => first?.get(name)),
    ['0', '1', 'a'],
    'both ends of the span are in it',
  )
  const endless = await clientAt(t, () => page({}))
  await assert.rejects(endless.client.listRefunds('pi_1', false), NonsenseError)
  const long = await clientAt(t, () => page({ data: [{ object: 'refund', id: 're_1' }] }))
  await assert.rejects(long.client.findIntent('a', new Date(0)), NonsenseError)
  const foreign = { object: 'payment_intent', id: 'pi_1', metadata: {} }
  const whole = await clientAt(t, () => page({ data: [foreign] }))
  assert.equal((await errorOf(whole.client.findIntent('a', new Date(0)))).outcome, 'unknown')
  assert.equal(whole.calls.length, 1_000)
})

test('an answer may have 32 MiB, and no byte more', async (t) => {
  let length = 32 * 1024 * 1024
  const padded = () => {
    const text = JSON.stringify(account)
    return text + ' '.repeat(length - text.length)
  }
  const { client } = await clientAt(t, () => ({ status: 200, body: padded() }))
  assert.equal((await client.getAccount()).id, 'acct_1')
  length += 1
  assert.match((await errorOf(client.getAccount())).message, /the answer is over 33554432 bytes/)
})

test('a file that the provider has in another length was not uploaded whole', async (t) => {
  const file = { name: 'a.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') }
  let size = file.bytes.length
  const { client } = await clientAt(t, () => ({ status: 200, body: { object: 'file', id: 'file_1', size } }))
  assert.equal(await client.uploadFile(file, 'k'), 'file_1')
  size -= 1
  await assert.rejects(client.uploadFile(file, 'k'), NonsenseError)
})
