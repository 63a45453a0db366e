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
  bank = await startTestBank({ speed: 100 })
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

async function charge(original: string): Promise<string> {
  const txid = freshTxid()
  const made = await client.call('PUT', `/v2/cob/${txid}`, terms(shop, original))
  assert.equal(made.status, 201, made.text)
  return txid
}

/** The Pix of a charge for which webhooks came, in order. */
const noticesOf = (txid: string): readonly Json[] =>
  receiver.received.flatMap(({ pix }) => pix).filter((pix) => pix['txid'] === txid)

const noticesOnce = (txid: string, count: number) =>
  eventually(`${count} notices of ${txid}`, () => noticesOf(txid).length >= count && noticesOf(txid))

async function pixOf(txid: string): Promise<readonly Json[]> {
  const { body } = await client.call('GET', `/v2/cob/${txid}`)
  return (body['pix'] ?? []) as readonly Json[]
}

const paid = (txid: string) =>
  eventually(`${txid} is paid`, async () => {
    const pix = await pixOf(txid)
    return pix.length > 0 && pix
  })

async function lists(txid: string): Promise<boolean> {
  const window = 'inicio=2000-01-01T00:00:00Z&fim=2999-01-01T00:00:00Z'
  const { body } = await client.call('GET', `/v2/pix?${window}&txid=${txid}`)
  return (body['pix'] as readonly Json[]).length > 0
}

/** Long enough for what the bank would do by itself within 40 s of its own. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 400))

test('50.01 is paid by itself with one webhook; other cents wait', async () => {
  const [magic, plain] = [await charge('50.01'), await charge('50.00')]
  assert.equal((await noticesOnce(magic, 1))[0]?.['valor'], '50.01')
  await quiet()
  assert.equal(noticesOf(magic).length, 1)
  assert.deepEqual(await pixOf(plain), [])
})

test('50.02 is paid, and no webhook comes', async () => {
  const txid = await charge('50.02')
  await paid(txid)
  assert.equal(await lists(txid), true)
  await quiet()
  assert.deepEqual(noticesOf(txid), [])
})

test('the webhook of 50.03 comes three times with the same end-to-end id', async () => {
  const txid = await charge('50.03')
  const copies = await noticesOnce(txid, 3)
  assert.equal(new Set(copies.map((pix) => pix['endToEndId'])).size, 1)
  assert.equal((await pixOf(txid)).length, 1)
})

test('the webhook of 50.04 comes long after the payment', async () => {
  const txid = await charge('50.04')
  await paid(txid)
  assert.deepEqual(noticesOf(txid), [])
  await noticesOnce(txid, 1)
})

test('50.05 is paid by two Pix', async () => {
  const txid = await charge('50.05')
  const both = await noticesOnce(txid, 2)
  assert.equal(new Set(both.map((pix) => pix['endToEndId'])).size, 2)
  assert.equal((await pixOf(txid)).length, 2)
})

test('50.06 and 50.07 are paid with 1.00 too much and too little', async () => {
  const [over, under] = [await charge('50.06'), await charge('50.07')]
  assert.equal((await noticesOnce(over, 1))[0]?.['valor'], '51.06')
  assert.equal((await noticesOnce(under, 1))[0]?.['valor'], '49.07')
})

test('the webhook of 50.08 comes before the answer to PUT, which still has ATIVA', async () => {
  const txid = freshTxid()
  const made = await client.call('PUT', `/v2/cob/${txid}`, terms(shop, '50.08'))
  assert.equal(noticesOf(txid).length, 1)
  assert.equal(made.body['status'], 'ATIVA')
  assert.equal((await pixOf(txid)).length, 1)
})

test('50.09 is paid, with a webhook, and taken back for fraud', async () => {
  const txid = await charge('50.09')
  const [, second = {}] = await noticesOnce(txid, 2)
  const [refund] = second['devolucoes'] as readonly Json[]
  assert.deepEqual(
    [refund?.['natureza'], refund?.['status'], refund?.['valor']],
    ['MED_FRAUDE', 'DEVOLVIDO', '50.09'],
  )
})

test('50.10 is paid only by a control call', async () => {
  const txid = await charge('50.10')
  await quiet()
  assert.deepEqual(await pixOf(txid), [])
  assert.equal((await bank.control('POST', '/_sim/pay', { txid })).status, 201)
})

test('50.11 is answered with 503 twice, and then made', async () => {
  const txid = freshTxid()
  const statuses: number[] = []
  for (let n = 0; n < 3; n++)
    statuses.push((await client.call('PUT', `/v2/cob/${txid}`, terms(shop, '50.11'))).status)
  assert.deepEqual(statuses, [503, 503, 201])
})

test('50.12 is stored, but not answered; the same PUT again is', async () => {
  const txid = freshTxid()
  await assert.rejects(client.call('PUT', `/v2/cob/${txid}`, terms(shop, '50.12')))
  assert.equal((await client.call('GET', `/v2/cob/${txid}`)).body['revisao'], 0)
  const again = await client.call('PUT', `/v2/cob/${txid}`, terms(shop, '50.12'))
  assert.deepEqual([again.status, again.body['revisao']], [201, 1])
})

test('of 50.13 the webhook of the refund comes before that of the payment', async () => {
  const txid = await charge('50.13')
  const [first = {}, second = {}] = await noticesOnce(txid, 2)
  const [refund] = first['devolucoes'] as readonly Json[]
  assert.deepEqual([refund?.['natureza'], refund?.['status']], ['MED_OPERACIONAL', 'DEVOLVIDO'])
  assert.equal(second['devolucoes'], undefined)
  assert.equal(first['endToEndId'], second['endToEndId'])
})

test('the webhook of 50.14 comes at once; the Pix is listed much later, but found by its id', async () => {
  const txid = await charge('50.14')
  const [pix] = await noticesOnce(txid, 1)
  assert.equal(await lists(txid), false)
  assert.equal((await client.call('GET', `/v2/pix/${String(pix?.['endToEndId'])}`)).status, 200)
  await eventually('it is listed', () => lists(txid))
})

test('every other amount waits for a payer, whatever its cents are', async () => {
  const plain = ['10.01', '49.99', '50.00', '50.15', '150.01', '5001.01', '0.01']
  const charges = await Promise.all(plain.map((amount) => charge(amount)))
  for (const amount of ['10.11', '10.12', '10.08']) charges.push(await charge(amount))
  await quiet()
  for (const txid of charges) assert.deepEqual([await pixOf(txid), noticesOf(txid)], [[], []])
})

test('an explicit payment replaces the magic one', async () => {
  // In this bank the magic payment comes 2 s after the charge: the explicit one is earlier on a busy machine too.
  await using unhurried = await startTestBank({ speed: 1 })
  const shop = await unhurried.application()
  await using client = await connect(unhurried.apiUrl, shop)
  const charged = async () => {
    const txid = freshTxid()
    await client.call('PUT', `/v2/cob/${txid}`, terms(shop, '50.05'))
    return txid
  }
  const amounts = async (txid: string) => {
    const { body } = await client.call('GET', `/v2/cob/${txid}`)
    return ((body['pix'] ?? []) as readonly Json[]).map((pix) => pix['valor'])
  }
  const replaced = await charged()
  await unhurried.control('POST', '/_sim/pay', { txid: replaced, amount: '3.00' })
  const later = await charged()
  await eventually('the later charge is paid by magic', async () => (await amounts(later)).length === 2)
  assert.deepEqual(await amounts(replaced), ['3.00'])
})

test('an application without magic, and a bank without it, pay nothing by themselves', async () => {
  const plain = await bank.application({ magic: false })
  await using unmagic = await connect(bank.apiUrl, plain)
  const txid = freshTxid()
  assert.equal((await unmagic.call('PUT', `/v2/cob/${txid}`, terms(plain, '50.11'))).status, 201)
  await using sober = await startTestBank({ magic: false, speed: 100 })
  const shop = await sober.application()
  await using other = await connect(sober.apiUrl, shop)
  const second = freshTxid()
  assert.equal((await other.call('PUT', `/v2/cob/${second}`, terms(shop, '50.01'))).status, 201)
  await quiet()
  assert.equal((await other.call('GET', `/v2/cob/${second}`)).body['status'], 'ATIVA')
})
