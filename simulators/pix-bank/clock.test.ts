// What is ahead of the holder of one Pix key comes closer, and nothing else.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { closer, type Json } from '../kit/harness.ts'
import {
  connect,
  freshTxid,
  startReceiver,
  startTestBank,
  terms,
  type Client,
  type Credentials,
  type TestBank,
} from './harness.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'pix-bank-clock-'))
const daySeconds = 86_400
/** Every second of the bank takes this long, so no task falls due by itself. */
const speed = 0.001

let bank: TestBank
let shop: Credentials
let other: Credentials
let client: Client
let theirs: Client
before(async () => {
  bank = await startTestBank({ dataDir, speed })
  shop = await bank.application({ name: 'Loja' })
  other = await bank.application({ name: 'Outra' })
  client = await connect(bank.apiUrl, shop)
  theirs = await connect(bank.apiUrl, other)
})
after(async () => {
  await Promise.all([client, theirs].map((each) => each[Symbol.asyncDispose]()))
  await bank[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

/** The bank ends and starts again with its journal. */
async function restart(): Promise<void> {
  await Promise.all([client, theirs].map((each) => each[Symbol.asyncDispose]()))
  await bank.close()
  bank = await startTestBank({ dataDir, speed })
  client = await connect(bank.apiUrl, shop)
  theirs = await connect(bank.apiUrl, other)
}

async function advance(account: string, seconds: number, id?: string): Promise<Json> {
  const { status, body, text } = await bank.control('POST', '/_sim/clock', closer(account, seconds, id))
  assert.equal(status, 200, text)
  return body
}

async function charge(by: Client, holder: Credentials, amount = '10.00'): Promise<string> {
  const txid = freshTxid()
  const { status, text } = await by.call('PUT', `/v2/cob/${txid}`, terms(holder, amount))
  assert.equal(status, 201, text)
  return txid
}

const lifeOf = async (by: Client, txid: string) => {
  const { body } = await by.call('GET', `/v2/cob/${txid}`)
  return Number((body['calendario'] as Json)['expiracao'])
}

async function receive(by: Client, holder: Credentials): Promise<string> {
  const txid = await charge(by, holder)
  const { body } = await bank.control('POST', '/_sim/pay', { txid })
  return String((body['pix'] as readonly Json[])[0]?.['endToEndId'])
}

test('the end of open charges moves back by the span, once for each id, and no other holder’s', async () => {
  const [mine, foreign] = [await charge(client, shop), await charge(theirs, other)]
  const moved = await advance(shop.clientId, 1_800, 'one')
  assert.deepEqual(moved['moved'], { tasks: 0, charges: 1, refundWindows: 0 })
  assert.equal(await lifeOf(client, mine), 1_800)
  // Another application of the key names the same holder.
  const second = await bank.application({ pixKey: shop.pixKey })
  assert.deepEqual(await advance(second.clientId, 1_800, 'one'), moved)
  await restart()
  assert.deepEqual(await advance(shop.clientId, 1_800, 'one'), moved)
  assert.equal(await lifeOf(client, mine), 1_800)
  assert.equal(await lifeOf(theirs, foreign), 3_600)
  // A change of other terms leaves the end where it is; a new end is a new one.
  await client.call('PATCH', `/v2/cob/${mine}`, { valor: { original: '11.00' } })
  assert.equal(await lifeOf(client, mine), 1_800)
  await client.call('PATCH', `/v2/cob/${mine}`, { calendario: { expiracao: 7_200 } })
  assert.equal(await lifeOf(client, mine), 7_200)
  const reused = await bank.control('POST', '/_sim/clock', closer(shop.clientId, 60, 'one'))
  assert.deepEqual([reused.status, reused.body['code']], [409, 'id_reused'])
})

test('a charge whose end has come cannot be paid, and one made later lives its whole life', async () => {
  const [over, open] = [await charge(client, shop), await charge(theirs, other)]
  await advance(shop.clientId, daySeconds)
  const late = await bank.control('POST', '/_sim/pay', { txid: over })
  assert.deepEqual([late.status, late.body['code']], [409, 'expired'])
  assert.equal((await bank.control('POST', '/_sim/pay', { txid: open })).status, 201)
  assert.equal((await client.call('GET', `/v2/cob/${over}`)).body['status'], 'ATIVA')
  const later = await charge(client, shop)
  assert.equal(await lifeOf(client, later), 3_600)
  assert.equal((await bank.control('POST', '/_sim/pay', { txid: later })).status, 201)
})

test('a Pix can be returned until its ninety days have come, also when they came closer', async () => {
  const [mine, foreign] = [await receive(client, shop), await receive(theirs, other)]
  const giveBack = (by: Client, endToEndId: string, id: string) =>
    by.call('PUT', `/v2/pix/${endToEndId}/devolucao/${id}`, { valor: '1.00' })
  await advance(shop.clientId, 89 * daySeconds)
  assert.equal((await giveBack(client, mine, 'r1')).status, 201)
  await advance(shop.clientId, daySeconds)
  await restart()
  assert.equal((await giveBack(client, mine, 'r2')).status, 400)
  assert.equal((await giveBack(theirs, foreign, 'r1')).status, 201)
})

test('what falls due runs in the order of its due times: payments by themselves, refunds, payouts and their returns', async () => {
  const holder = await bank.application({ name: 'Ordem' })
  await using own = await connect(bank.apiUrl, holder)
  await using receiver = await startReceiver(bank)
  await own.call('PUT', `/v2/webhook/${holder.pixKey}`, { webhookUrl: receiver.url })
  const paid = await receive(own, holder)
  await eventually('its webhook is done with', async () =>
    (await bank.events()).some(
      ({ type, pixKey }) => type === 'webhook.delivered' && pixKey === holder.pixKey,
    ),
  )
  const magic = await charge(own, holder, '50.09')
  await own.call('PUT', `/v2/pix/${paid}/devolucao/r1`, { valor: '1.00' })
  const payout = {
    valor: '1.00',
    pagador: { chave: holder.pixKey },
    favorecido: { chave: 'returned@sim.pix' },
  }
  assert.equal((await own.call('PUT', '/v3/gn/pix/out1', payout)).status, 201)
  const before = (await bank.events()).length
  // A thousand seconds of the bank's are one second at its usual speed: the payment after 2, the rest after 1, the return after 3.
  assert.equal(((await advance(holder.clientId, 3_000))['moved'] as Json)['tasks'], 4)
  const happened = (await bank.events())
    .slice(before)
    .map(({ type }) => type)
    .filter((type) => /^(?:pix|refund|payout)\./.test(String(type)))
  assert.deepEqual(happened, ['refund.ended', 'payout.ended', 'pix.received', 'payout.returned'])
  assert.equal((await own.call('GET', `/v2/cob/${magic}`)).body['status'], 'CONCLUIDA')
  // The MED of that payment was made later: it is ahead again, and comes by another advance.
  const takenBack = async () => (await bank.events()).some(({ natureza }) => natureza === 'MED_FRAUDE')
  assert.equal(await takenBack(), false)
  await advance(holder.clientId, 20_000)
  assert.equal(await takenBack(), true)
})

test('a webhook that waits for its next attempt comes closer with its holder', async () => {
  const [first, second] = [await bank.application(), await bank.application()]
  await using mine = await startReceiver(bank)
  await using foreign = await startReceiver(bank)
  for (const [holder, receiver] of [
    [first, mine],
    [second, foreign],
  ] as const) {
    await using by = await connect(bank.apiUrl, holder)
    await by.call('PUT', `/v2/webhook/${holder.pixKey}`, { webhookUrl: receiver.url })
    receiver.answers.push(503)
    await receive(by, holder)
  }
  await eventually('both refusals are booked', async () => {
    const failed = (await bank.events()).filter(({ type }) => type === 'webhook.failed')
    return [first, second].every((holder) => failed.some(({ pixKey }) => pixKey === holder.pixKey))
  })
  await advance(first.clientId, 1_000)
  await mine.until(1)
  assert.deepEqual(foreign.received, [])
})

test('a payout that was returned by hand does not come back once more', async () => {
  const holder = await bank.application()
  await using own = await connect(bank.apiUrl, holder)
  await using receiver = await startReceiver(bank)
  await own.call('PUT', `/v2/webhook/${holder.pixKey}`, { webhookUrl: receiver.url })
  const payout = {
    valor: '1.00',
    pagador: { chave: holder.pixKey },
    favorecido: { chave: 'returned@sim.pix' },
  }
  await own.call('PUT', '/v3/gn/pix/byhand', payout)
  await advance(holder.clientId, 1_000)
  assert.equal((await bank.control('POST', '/_sim/return-payout', { idEnvio: 'byhand' })).status, 201)
  await advance(holder.clientId, daySeconds)
  const { body } = await own.call('GET', '/v2/gn/pix/enviados/id-envio/byhand')
  assert.equal((body['devolucoes'] as readonly Json[]).length, 1)
})

test('an invalid advance is refused, and moves nothing', async () => {
  const { clientId: account } = shop
  for (const body of [
    { account, id: 'x' },
    { account, advanceMs: '1', id: 'x' },
    { account, advanceMs: 1, id: 'x'.repeat(101) },
  ])
    assert.equal((await bank.control('POST', '/_sim/clock', body)).status, 400)
  const unknown = await bank.control('POST', '/_sim/clock', closer('nobody', 1))
  assert.deepEqual([unknown.status, unknown.body['code']], [404, 'not_found'])
})
