import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { given } from '../kit/given.ts'
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

type Scene = AsyncDisposable & {
  readonly bank: TestBank
  readonly shop: Credentials
  readonly client: Client
  readonly receiver: Receiver
  /** Pays a new charge and returns its end-to-end id. */
  pay(webhook?: string): Promise<string>
  /** The end-to-end ids in the order in which their webhooks came. */
  notified(): readonly unknown[]
}

async function begin(options: Parameters<typeof startTestBank>[0] = {}): Promise<Scene> {
  const bank = await startTestBank(options)
  const shop = await bank.application()
  const client = await connect(bank.apiUrl, shop)
  const receiver = await startReceiver(bank)
  const registered = await client.call('PUT', `/v2/webhook/${shop.pixKey}`, { webhookUrl: receiver.url })
  assert.equal(registered.status, 200, registered.text)
  return {
    bank,
    shop,
    client,
    receiver,
    pay: async (webhook) => {
      const txid = freshTxid()
      await client.call('PUT', `/v2/cob/${txid}`, terms(shop))
      const paid = await bank.control('POST', '/_sim/pay', {
        txid,
        ...given({ webhook }),
      })
      return (paid.body['pix'] as readonly { readonly endToEndId: string }[])[0]?.endToEndId ?? ''
    },
    notified: () => receiver.received.map(({ pix }) => pix[0]?.['endToEndId']),
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
      await bank[Symbol.asyncDispose]()
    },
  }
}

async function eventOf(
  bank: TestBank,
  type: string,
  more: (event: Json) => boolean = () => true,
): Promise<Json> {
  return eventually(`an event ${type}`, async () =>
    (await bank.events()).find((event) => event['type'] === type && more(event)),
  )
}

test('a webhook is registered, read, listed and removed', async () => {
  await using scene = await begin()
  const { client, shop, receiver } = scene
  assert.equal(receiver.refused, 1)
  const path = `/v2/webhook/${shop.pixKey}`
  const { body } = await client.call('GET', path)
  assert.deepEqual([body['webhookUrl'], body['chave']], [receiver.url, shop.pixKey])
  const listed = await client.call('GET', '/v2/webhook')
  assert.deepEqual(listed.body['webhooks'], [body])
  assert.equal((await client.call('DELETE', path)).status, 204)
  for (const method of ['GET', 'DELETE']) {
    const { status, body: gone } = await client.call(method, path)
    assert.deepEqual(
      [status, gone['type']],
      [404, 'https://pix.bcb.gov.br/api/v2/error/WebhookNaoEncontrado'],
    )
  }
  await scene.pay()
  assert.deepEqual(scene.notified(), [])
})

test('an address without client authentication is not registered, nor one that does not answer', async () => {
  await using scene = await begin()
  const { client, shop, bank } = scene
  await using open = await startReceiver(bank, { open: true })
  const path = `/v2/webhook/${shop.pixKey}`
  const dead = 'https://127.0.0.1:9/hook'
  for (const webhookUrl of [open.url, dead, 'http://127.0.0.1/hook', 'hook', 7]) {
    const { status, body } = await client.call('PUT', path, { webhookUrl })
    assert.deepEqual(
      [status, body['type']],
      [400, 'https://pix.bcb.gov.br/api/v2/error/WebhookOperacaoInvalida'],
      String(webhookUrl),
    )
  }
  // A caller may skip the first check, as at Efí.
  const skipped = await client.call('PUT', path, { webhookUrl: open.url }, { 'x-skip-mtls-checking': 'true' })
  assert.equal(skipped.status, 200)
  const foreign = await client.call('PUT', '/v2/webhook/other@example.com', { webhookUrl: open.url })
  assert.equal(foreign.status, 400)
})

test('a webhook that is not answered with 2xx is repeated, and given up after six attempts', async () => {
  await using scene = await begin()
  const { bank, receiver } = scene
  receiver.answers.push(500, 404, 429)
  const patient = await scene.pay()
  await receiver.until(1)
  assert.deepEqual(scene.notified(), [patient])
  const tries = (await bank.events())
    .filter(({ type }) => type === 'webhook.failed')
    .map(({ tried }) => tried)
  assert.deepEqual(tries, [1, 2, 3])
  receiver.answers.push(500, 500, 500, 500, 500, 500)
  const lost = await scene.pay()
  const last = await eventOf(bank, 'webhook.failed', ({ givenUp }) => givenUp === true)
  assert.deepEqual([last['about'], last['tried'], last['error']], [[lost], 6, 'status 500'])
  assert.deepEqual(scene.notified(), [patient])
  // After that only a resend helps.
  assert.equal((await bank.control('POST', '/_sim/webhooks/resend', { endToEndId: lost })).status, 202)
  await receiver.until(2)
  assert.deepEqual(scene.notified(), [patient, lost])
})

/** A slower bank, for tests that must pay again within the second in which a webhook is held back. */
const unhurried = { speed: 5 }

test('the webhook of one payment can be lost, repeated, late, or overtaken', async () => {
  await using scene = await begin(unhurried)
  const { bank, receiver } = scene
  const lost = await scene.pay('lose')
  const { about } = await eventOf(bank, 'webhook.lost')
  assert.deepEqual(about, [lost])
  const repeated = await scene.pay('repeat')
  await receiver.until(3)
  assert.deepEqual(scene.notified(), [repeated, repeated, repeated])
  const late = await scene.pay('late')
  const quick = await scene.pay('send')
  await receiver.until(5)
  assert.deepEqual(scene.notified().slice(3), [quick, late])
  const overtaken = await scene.pay('reorder')
  const first = await scene.pay()
  await receiver.until(7)
  assert.deepEqual(scene.notified().slice(5), [first, overtaken])
  // Without another to overtake it, it comes in the end.
  const alone = await scene.pay('reorder')
  await receiver.until(8)
  assert.deepEqual(scene.notified().slice(7), [alone])
})

test('the modes hold for every webhook until they are changed', async () => {
  await using scene = await begin(unhurried)
  const { bank, receiver } = scene
  const modes = async (body: Json) => {
    const { status, text } = await bank.control('POST', '/_sim/webhooks', body)
    assert.equal(status, 200, text)
  }
  await modes({ lose: 1 })
  await scene.pay()
  const kept = await scene.pay()
  await receiver.until(1)
  assert.deepEqual(scene.notified(), [kept])
  await modes({ lose: true })
  await scene.pay()
  await modes({ lose: false, repeat: 2 })
  const twice = await scene.pay()
  await receiver.until(3)
  assert.deepEqual(scene.notified(), [kept, twice, twice])
  await modes({ repeat: 1, reorder: true })
  const [a, b] = [await scene.pay(), await scene.pay()]
  await receiver.until(5)
  assert.deepEqual(scene.notified().slice(3), [b, a])
  await modes({ reorder: false, delayMs: 1_500 })
  const slow = await scene.pay()
  const fast = await scene.pay('send')
  await receiver.until(7)
  assert.deepEqual(scene.notified().slice(5), [fast, slow])
  await modes({ delayMs: 0, badCert: true })
  const refused = receiver.refused
  const distrusted = await scene.pay()
  await eventually('it is refused', () => receiver.refused > refused)
  await modes({ badCert: false })
  await receiver.until(8)
  assert.deepEqual(scene.notified().slice(7), [distrusted])
  assert.deepEqual((await bank.control('GET', '/_sim/webhooks')).body, {
    lose: false,
    repeat: 1,
    delayMs: 0,
    reorder: false,
    badCert: false,
    refunds: 'done',
  })
  for (const body of [{ lose: 'some' }, { repeat: 0 }, { delayMs: -1 }, { reorder: 1 }])
    assert.equal((await bank.control('POST', '/_sim/webhooks', body)).status, 400)
})

test('a receiver whose certificate is not of the bank’s authority gets no webhook', async () => {
  await using scene = await begin()
  await using other = await startTestBank()
  await using stranger = await startReceiver(other)
  const { client, shop } = scene
  const { status, body } = await client.call('PUT', `/v2/webhook/${shop.pixKey}`, {
    webhookUrl: stranger.url,
  })
  assert.equal(status, 400)
  assert.match(String(body['detail']), /certificate/)
})
