// Refunds are found by amount and transaction; lists of refunds and disputes carry their payments, loaded for the page at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import { assertDocumented, at } from '../../test/contract/document.ts'
import type { Tenant } from '../../test/contract/world.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { openRefundWorld, payer, type Row } from '../../test/refund-world.ts'

const world = openForTests(openRefundWorld)
const tenant = makeForTests(() => world.base.openTenant())

async function list(path: '/v1/refunds' | '/v1/disputes', query: string, of: Tenant = tenant) {
  const api = await world.base.openApi()
  const answer = await api.ask('GET', `${path}?${query}`, { key: of.key })
  assertDocumented('GET', path, answer)
  await api.close()
  return answer
}

const rowsOf = async (...args: Parameters<typeof list>) => {
  const answer = await list(...args)
  assert.equal(answer.status, 200, answer.text)
  return answer.body['data'] as readonly Row[]
}
const idsOf = async (query: string, of?: Tenant) =>
  (await rowsOf('/v1/refunds', query, of ?? tenant)).map(({ id }) => id)

/** Refunds of these amounts, each of a payment of its own. Oldest first. */
async function refunds(...amounts: readonly number[]): Promise<readonly Row[]> {
  const made: Row[] = []
  for (const amount of amounts) {
    const payment = await world.payment(tenant)
    await world.arrive(tenant, payment, { by: 'CRYPTO', minor: 1_234n })
    const answer = await world.refund(tenant, payment, { amount, cryptoAddress: payer })
    assert.equal(answer.status, 201, answer.text)
    made.push(answer.body)
  }
  return made
}

test('refunds are found by amount and transaction, alone, combined and over pages, and only the merchant’s own', async () => {
  const made = await refunds(300, 301, 300, 300)
  const ids = made.map(({ id }) => id)
  const newest = [ids[3], ids[2], ids[0]]
  assert.deepEqual(await idsOf('amount=300'), newest)
  assert.deepEqual(await idsOf('amount=302'), [])
  assert.deepEqual(await idsOf(`amount=300&paymentId=${String(made[2]?.['paymentId'])}`), [ids[2]])
  assert.deepEqual(await idsOf(`amount=301&paymentId=${String(made[2]?.['paymentId'])}`), [])
  assert.deepEqual(await idsOf('amount=300&status=COMPLETED'), [])
  assert.deepEqual(await idsOf('amount=300&status=PENDING&currency=USDT'), newest)
  assert.deepEqual(await idsOf('amount=300', await world.base.openTenant()), [])
  const first = await list('/v1/refunds', 'amount=300&limit=2')
  assert.deepEqual(
    (first.body['data'] as Row[]).map(({ id }) => id),
    newest.slice(0, 2),
  )
  assert.deepEqual(
    await idsOf(`amount=300&limit=2&cursor=${String(first.body['nextCursor'])}`),
    newest.slice(2),
  )
  const txHash = `0x${'cd'.repeat(32)}`
  await world.base.sql`update refund set tx_hash = ${txHash} where id = ${String(ids[1])}`
  assert.deepEqual(await idsOf(`txHash=0x${'CD'.repeat(32)}`), [ids[1]])
  assert.deepEqual(await idsOf(`txHash=${txHash}&amount=300`), [])
  assert.deepEqual(await idsOf(`txHash=0x${'ce'.repeat(32)}`), [])
  assert.equal((await list('/v1/refunds', 'txHash=0x12')).status, 400)
  assert.equal((await list('/v1/refunds', 'endToEndId=E%201')).status, 400)
})

test('with expand=payment each row has the payment that its own GET shows in lists; without it there is none', async () => {
  const made = await refunds(10, 11)
  const listed = await world.ask(tenant, 'GET', '/v1/payments')
  const shownOf = (id: unknown) => (listed.body['data'] as Row[]).find((each) => each['id'] === id)
  const rows = await rowsOf('/v1/refunds', 'expand=payment&limit=2')
  assert.deepEqual(
    rows.map(({ id, paymentId, payment }) => [id, payment, paymentId]),
    made.toReversed().map(({ id, paymentId }) => [id, shownOf(paymentId), paymentId]),
  )
  assert.ok((await rowsOf('/v1/refunds', 'limit=2')).every((row) => !('payment' in row)))
  assert.equal((await list('/v1/refunds', 'expand=merchant')).status, 400)
  const [first] = made
  await world.base.sql`
    insert into dispute (merchant_id, id, payment_id, connection, provider_ref, paid_ref, wallet_id, kind, status, amount_minor, currency, created_at)
    select merchant_id, ${newId()}, payment_id, connection, 'dispute-1', paid_ref, wallet_id, 'CHARGEBACK', 'OPEN', 1, currency, now()
      from refund where id = ${String(first?.['id'])}`
  const [dispute] = await rowsOf('/v1/disputes', 'expand=payment')
  assert.equal(at(dispute, 'payment', 'id'), first?.['paymentId'])
  assert.ok((await rowsOf('/v1/disputes', '')).every((row) => !('payment' in row)))
})

test('a page of a hundred expanded rows takes no more statements than a page of one', async () => {
  await refunds(...Array.from({ length: 5 }, (_, n) => 20 + n))
  const owner = connect(world.base.appUrl, { max: 1 })
  const sent: string[] = []
  const counting = new Proxy(owner, {
    apply(target, self, args: unknown[]) {
      if (Array.isArray(args[0]) && /^\s*(?:select|with)\b/.test(String(args[0][0])))
        sent.push(String(args[0][0]))
      return Reflect.apply(target, self, args) as unknown
    },
  })
  const api = await world.base.openApi({ sql: counting })
  const statements = async (limit: number) => {
    sent.length = 0
    const answer = await api.ask('GET', `/v1/refunds?expand=payment&limit=${limit}`, { key: tenant.key })
    assert.equal((answer.body['data'] as Row[]).length >= Math.min(limit, 5), true)
    return sent.length
  }
  await statements(1)
  assert.equal(await statements(100), await statements(1))
  assert.ok(sent.length > 0)
  await api.close()
  await owner.end({ timeout: 1 })
})
