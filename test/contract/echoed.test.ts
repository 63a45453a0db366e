// Every field that a creation sends comes back: in its answer, in that of a replay, and in the record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '#/audit/verify.ts'
import { paymentRequest } from '#/contract/payment-requests.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, type Answer } from './world.ts'

const world = openForTests(openApiWorld)
const api = makeForTests(() => world.openApi())
const tenant = makeForTests(() => world.openTenant())

/** One value for each field that a request can have. */
async function wholeRequest() {
  const made = await api.ask('POST', '/v1/sub-accounts', { key: tenant.key, body: { name: 'Bea' } })
  const subAccountId = String(made.body['id'])
  return {
    amount: 1_234,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    idempotencyKey: newId(),
    customerName: 'Ana da Silva',
    customerEmail: 'ana@example.com',
    customerTaxId: '501964843',
    customerPhone: '+351912345678',
    customerAddress: { line1: 'Rua A, 1', city: 'Lisboa', postcode: '1000-001', country: 'PT' },
    customerCountry: 'PT',
    description: 'Order A-1',
    metadata: { orderId: 'A-1', weight: 1.5 },
    captureMode: 'AUTOMATIC',
    items: [{ name: 'Coffee', quantity: 2, amount: 617 }],
    webhookUrl: 'http://127.0.0.1:9/hook',
    checkout: 'default',
    returnUrl: 'http://127.0.0.1:9/done',
    cancelUrl: 'http://127.0.0.1:9/back',
    splits: [{ subAccountId, percent: '10', label: 'Book' }],
    feePayer: subAccountId,
    expiresIn: 3_600,
  }
}

function assertEchoed({ body }: Answer, sent: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(sent)) {
    if (name !== 'expiresIn') assert.deepEqual(body[name], value, name)
    else {
      const seconds = Date.parse(String(body['expiresAt'])) - Date.parse(String(body['createdAt']))
      assert.equal(seconds, 1_000 * Number(value))
    }
  }
}

for (const isCheckout of [true, false])
  test(`every field of a creation ${isCheckout ? 'with' : 'without'} a checkout comes back`, async () => {
    const whole = await wholeRequest()
    assert.deepEqual(Object.keys(whole).toSorted(), Object.keys(paymentRequest.properties).toSorted())
    // Without a checkout only a card takes an order to capture, and this site has none.
    const { checkout: _checkout, captureMode: _captureMode, ...direct } = whole
    const sent = isCheckout ? whole : direct
    const post = () => api.ask('POST', '/v1/payments', { key: tenant.key, body: sent })
    const created = await post()
    assert.equal(created.status, 201, created.text)
    assertDocumented('POST', '/v1/payments', created)
    assertEchoed(created, sent)
    assert.deepEqual((await post()).body, created.body)
    const shown = await api.ask('GET', `/v1/payments/${String(created.body['id'])}`, { key: tenant.key })
    assertDocumented('GET', '/v1/payments/{id}', shown)
    assertEchoed(shown, sent)
    if (!isCheckout) assert.ok(!('checkout' in created.body) && !('checkout' in shown.body))
  })

test('a payment with every field is without fault for whoever inspects the books, once its merchant was notified', async () => {
  const { checkout: _checkout, captureMode: _captureMode, ...sent } = await wholeRequest()
  const created = await api.ask('POST', '/v1/payments', { key: tenant.key, body: sent })
  assert.equal(created.status, 201, created.text)
  const id = String(created.body['id'])
  await world.settlePayment(tenant.id, id as PaymentId, 1_234n)
  const { faults } = await verify(world.sql, { cell: 'a1', auditKey: world.auditKey })
  assert.deepEqual(
    faults.filter(
      ({ row, what }) => row === `payment ${id}` && !what.includes('connection that is not there'),
    ),
    [],
  )
})

test('so is one of a checkout that was canceled', async () => {
  const { captureMode: _captureMode, ...sent } = await wholeRequest()
  const created = await api.ask('POST', '/v1/payments', { key: tenant.key, body: sent })
  assert.equal(created.status, 201, created.text)
  const id = String(created.body['id'])
  const canceled = await api.ask('POST', `/v1/payments/${id}/cancel`, { key: tenant.key, body: {} })
  assert.equal(canceled.status, 200, canceled.text)
  const { faults } = await verify(world.sql, { cell: 'a1', auditKey: world.auditKey })
  assert.deepEqual(
    faults.filter(
      ({ row, what }) => row === `payment ${id}` && !what.includes('connection that is not there'),
    ),
    [],
  )
})
