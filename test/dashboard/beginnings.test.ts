// What a member types is found by its beginning: an id, an order, a customer's name or e-mail address, and a provider's reference. Exactly what
// was typed comes first, no letter is a wildcard, and another merchant's records are never found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentId } from '#/kernel/id.ts'
import { paymentBody, type Tenant } from '../contract/world.ts'
import { openForTests } from '../open-for-tests.ts'
import { openDashboardWorld, type Person } from './world.ts'

const world = openForTests(() => openDashboardWorld())

type Found = { readonly kind: string; readonly id: string; readonly by: string }
type Shop = { readonly tenant: Tenant; readonly owner: Person }

async function openShop(): Promise<Shop> {
  const tenant = await world.base.openTenant()
  return { tenant, owner: await world.person([{ merchantId: tenant.id, role: 'OWNER' }]) }
}

async function pay({ tenant, owner }: Shop, more: object): Promise<string> {
  const made = await owner.ask('POST', `/api/m/${tenant.id}/payments`, paymentBody({ ...more }))
  assert.equal(made.status, 201, made.text)
  return String(made.body['id'])
}

async function find({ tenant, owner }: Shop, name: string): Promise<readonly Found[]> {
  const answer = await owner.ask('GET', `/api/m/${tenant.id}/records?name=${encodeURIComponent(name)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body['data'] as readonly Found[]
}

const idsOf = async (shop: Shop, name: string) => (await find(shop, name)).map(({ id }) => id)

test('a name is found by its beginning, without regard to case and accents: the name itself first, the newest first, no other', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  await pay(other, { customerName: 'João Lima' })
  const longer = await pay(shop, { customerName: 'João Limão' })
  const first = await pay(shop, { customerName: 'JOAO LIMA' })
  const second = await pay(shop, { customerName: 'joa\u0303o lima' })
  await pay(shop, { customerName: 'Maria João Lima' })
  assert.deepEqual(await idsOf(shop, 'João Lima'), [second, first, longer])
  assert.deepEqual(await idsOf(shop, '  joao l'), [second, first, longer])
  assert.deepEqual(await idsOf(shop, 'JOÃO LIMÃ'), [second, first, longer])
  assert.deepEqual(await idsOf(shop, 'joao limao'), [longer])
  assert.deepEqual(await find(shop, 'joao limao'), [{ kind: 'PAYMENT', id: longer, by: 'NAME' }])
  for (const name of ['ao lima', 'joao limas', 'j']) assert.deepEqual(await find(shop, name), [], name)
})

test('% and _ and \\ are letters, also of what was stored', async () => {
  const shop = await openShop()
  const percent = await pay(shop, { customerName: '100% Café_Bar\\', metadata: { orderId: 'A_1%' } })
  await pay(shop, { customerName: '100 Cafés', metadata: { orderId: 'AB1%' } })
  assert.deepEqual(await idsOf(shop, '100%'), [percent])
  assert.deepEqual(await idsOf(shop, '100% cafe_bar\\'), [percent])
  assert.deepEqual(await idsOf(shop, 'A_'), [percent])
  for (const name of ['%%', '__', '100_', '%', "' or true --", '100%%'])
    assert.deepEqual(await find(shop, name), [], name)
})

test('an e-mail address is found by its beginning, given by the merchant or by the payer of a checkout', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  await pay(other, { customerEmail: 'ana.souza@example.com' })
  const given = await pay(shop, { customerEmail: 'Ana.Souza@Example.com' })
  const entered = await pay(shop, { checkout: 'default', paymentMethods: undefined })
  const payer = JSON.stringify({ email: 'ana.silva@example.com', name: 'Silva' })
  await world.base.sql`update payment set payer = ${payer}::text::json where id = ${entered}`
  assert.deepEqual(await idsOf(shop, 'ana.'), [entered, given])
  assert.deepEqual(await find(shop, 'ANA.SO'), [{ kind: 'PAYMENT', id: given, by: 'EMAIL' }])
  assert.deepEqual(await idsOf(shop, 'silv'), [entered])
})

test('an order is found by the beginning of its number under each name that shops give to it, a text or a number', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const names = ['orderId', 'order_id', 'order', 'orderNumber', 'wooOrderId']
  const made = new Map<string, string>()
  for (const [nth, name] of names.entries()) {
    made.set(name, await pay(shop, { metadata: { [name]: `PED-77${nth}` } }))
    await pay(other, { metadata: { [name]: `PED-77${nth}` } })
  }
  const number = await pay(shop, { metadata: { orderId: 20_261_124 } })
  await pay(shop, { metadata: { invoice: 'PED-77' } })
  await pay(shop, { metadata: { orderId: { number: 'PED-77' } } })
  assert.deepEqual(await idsOf(shop, 'ped-77'), [...made.values()])
  for (const [nth, name] of names.entries())
    assert.deepEqual(await find(shop, `PED-77${nth}`), [{ kind: 'PAYMENT', id: made.get(name), by: 'ORDER' }])
  assert.deepEqual(await idsOf(shop, '202611'), [number])
})

test('what came is found by the beginning of the provider’s reference, and the payment by that of our reference there', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const references: string[] = []
  for (const each of [shop, other]) {
    const id = await pay(each, {})
    await world.base.settlePayment(each.tenant.id, id as PaymentId, 1_000n)
    const [row] = await world.base.sql<{ reference: string; attempt: string }[]>`
      select provider_ref as reference, attempt_id as attempt from receipt
       where merchant_id = ${each.tenant.id} and payment_id = ${id} and outcome = 'paid'`
    references.push(String(row?.reference))
    assert.deepEqual(await find(each, String(row?.reference).slice(0, -1)), [
      { kind: 'PAYMENT', id, by: 'REFERENCE' },
    ])
    const txid = String(row?.attempt).replaceAll('-', '').slice(0, 31)
    assert.deepEqual(await find(each, txid), [{ kind: 'PAYMENT', id, by: 'REFERENCE' }])
  }
  assert.deepEqual(await find(shop, String(references[1])), [])
})

test('a record of any kind is found by the first digits of its id, with or without hyphens, where the role may see it', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const payment = await pay(shop, {})
  const made = await shop.owner.ask('POST', `/api/m/${shop.tenant.id}/wallets`, {
    currency: 'BRL',
    walletType: 'RESERVE',
    label: 'Reserve',
  })
  const wallet = String(made.body['id'])
  for (const part of [
    payment.slice(0, 35),
    payment.slice(0, 20).toUpperCase(),
    payment.replaceAll('-', '').slice(0, 30),
  ])
    assert.deepEqual(await find(shop, part), [{ kind: 'PAYMENT', id: payment, by: 'ID' }], part)
  assert.deepEqual(await find(shop, wallet.slice(0, 30)), [{ kind: 'WALLET', id: wallet, by: 'ID' }])
  const support = await world.person([{ merchantId: shop.tenant.id, role: 'SUPPORT' }])
  assert.deepEqual(await find({ ...shop, owner: support }, wallet.slice(0, 30)), [])
  for (const id of [payment, wallet]) assert.deepEqual(await find(other, id.slice(0, 30)), [])
  assert.deepEqual(await find(shop, payment.slice(0, 3)), [])
})

test('at most ten payments of a text are found, and a name of many hides no other one', async () => {
  const shop = await openShop()
  for (let n = 0; n < 12; n++) await pay(shop, { customerName: 'Bia' })
  const beatriz = await pay(shop, { customerName: 'Bianca' })
  assert.equal((await find(shop, 'bia')).length, 10)
  assert.deepEqual(await idsOf(shop, 'bian'), [beatriz])
})

test('a text of any length and any characters is answered', async () => {
  const shop = await openShop()
  const name = `${'é'.repeat(64)} and more`
  const id = await pay(shop, { customerName: name })
  assert.deepEqual(await idsOf(shop, name), [id])
  for (const text of ['\u{10FFFF}\u{10FFFF}', '😀😀', 'ß\u0301', ' . ', '--------', 'x'.repeat(300)])
    assert.deepEqual(await find(shop, text), [], text)
})
