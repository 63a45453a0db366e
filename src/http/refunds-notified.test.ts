// What answers and events say of refunds: why one is refused, and what of a payment is on its way back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RefundOrder } from '#/rails/rail.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { doneReceipt, openRefundWorld, payer, type Row } from '../../test/refund-world.ts'

const world = openForTests(openRefundWorld)
const tenant = makeForTests(() => world.base.openTenant())

const codeOf = ({ status, body }: { status: number; body: Row }) => [status, body['code']]

describe('what a refund is refused with', () => {
  test('before anything was paid, the answer says so for every request', async () => {
    const id = await world.payment(tenant)
    for (const body of [{}, { amount: 5 }, { cryptoAddress: payer }]) {
      const refused = await world.refund(tenant, id, body)
      assert.deepEqual(codeOf(refused), [422, 'refund_exceeds_payment'])
      assert.match(String(refused.body['detail']), /^The payment is not paid/)
    }
  })

  test('without the address that money of the chain needs, the answer says that the address is required', async () => {
    const id = await world.payment(tenant)
    await world.arrive(tenant, id, { by: 'CRYPTO', minor: 1_234n })
    const { body, ...refused } = await world.refund(tenant, id, { amount: 100 })
    assert.deepEqual(codeOf({ body, ...refused }), [422, 'refund_exceeds_payment'])
    assert.match(
      String(body['detail']),
      /^cryptoAddress is required: what is left of the payment came by CRYPTO\. /,
    )
    assert.deepEqual(body['errors'], [
      {
        pointer: '/cryptoAddress',
        code: 'required',
        message: 'is required: what is left came by CRYPTO',
      },
    ])
  })
})

test('what is on its way back is shown beside what was refunded, wherever the payment is shown', async () => {
  const shop = await world.base.openTenant()
  const id = await world.payment(shop)
  const arrive = (minor: bigint) => world.arrive(shop, id, { by: 'PARTNER_PAY', minor })
  await arrive(1_234n)
  const shown = async () => {
    const { body } = await world.ask(shop, 'GET', '/v1/payments/{id}', { id })
    const list = await world.ask(shop, 'GET', '/v1/payments')
    const sums = (row: Row | undefined) =>
      [row?.['amountRefunded'], row?.['amountRefundPending'], row?.['refundStatus']] as const
    assert.deepEqual(sums((list.body['data'] as Row[])[0]), sums(body))
    return sums(body)
  }
  const lastEvent = async () => (await world.eventsOf(shop, id)).at(-1)?.['data'] as Row
  assert.deepEqual(await shown(), [0, 0, 'NONE'])
  const first = (await world.refund(shop, id, { amount: 1_000 })).body['id']
  const second = (await world.refund(shop, id, { amount: 34 })).body['id']
  assert.deepEqual(await shown(), [1_034, 1_034, 'PARTIAL'])
  await arrive(66n)
  assert.equal((await lastEvent())['amountRefundPending'], 1_034)
  // In one batch one of them ends and money arrives: the event shows both.
  const orders: RefundOrder[] = []
  world.sending.partner = async (order) => {
    orders.push(order)
    return []
  }
  await world.work()
  delete world.sending.partner
  const done = orders.find((order) => order.id === first)
  assert.ok(done !== undefined)
  await world.settle([doneReceipt(done)])
  await arrive(5n)
  assert.equal((await lastEvent())['amountRefundPending'], 34)
  assert.deepEqual(await shown(), [1_034, 34, 'PARTIAL'])
  const rows = (await world.ask(shop, 'GET', '/v1/wallets/statement')).body['data'] as Row[]
  assert.deepEqual(
    rows.flatMap((row) => (row['kind'] === 'REFUND' ? [[row['refundId'], row['paymentId']]] : [])),
    [
      [second, id],
      [first, id],
    ],
  )
  const file = await world.csv(shop)
  const [header = '', ...lines] = file.replaceAll('"', '').trimEnd().split('\r\n')
  const column = (line: string, name: string) => line.split(',')[header.split(',').indexOf(name)]
  assert.deepEqual(
    lines.filter((line) => column(line, 'kind') === 'REFUND').map((line) => column(line, 'paymentId')),
    [id, id],
  )
})
