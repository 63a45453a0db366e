// A request for a refund: its key, in the body or in the header, and an amount that the payment can still refund.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openRefundDesk, payer, type RefundDesk, type Row } from '../../test/refund-desk.ts'
import type { Tenant } from '../../test/contract/site.ts'

let desk: RefundDesk
let tenant: Tenant

before(async () => {
  desk = await openRefundDesk()
  tenant = await desk.site.openTenant()
})
after(() => desk.close())

async function paid(minor: bigint) {
  const id = await desk.payment(tenant)
  await desk.arrive(tenant, id, { by: 'CRYPTO', minor })
  return id
}

test('the header Idempotency-Key alone does what the field does, and both have to agree', async () => {
  const id = await paid(1_000n)
  const request = (body: Row, headers = {}) =>
    desk.refund(tenant, id, { amount: 300, cryptoAddress: payer, ...body }, headers)
  const first = await request({}, { 'idempotency-key': 'once' })
  assert.equal(first.status, 201, first.text)
  for (const again of [
    await request({}, { 'idempotency-key': '"once"' }),
    await request({ idempotencyKey: 'once' }),
    await request({ idempotencyKey: 'once' }, { 'idempotency-key': 'once' }),
  ]) {
    assert.deepEqual([again.status, again.body['id']], [201, first.body['id']])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
  const differs = await request({ idempotencyKey: 'another' }, { 'idempotency-key': 'once' })
  const [fault] = differs.body['errors'] as Row[]
  assert.deepEqual([differs.status, fault?.['pointer']], [400, '/idempotencyKey'])
  const conflict = await request({ amount: 301 }, { 'idempotency-key': 'once' })
  assert.deepEqual([conflict.status, conflict.body['code']], [409, 'idempotency_conflict'])
  // Without a key each call makes a refund.
  const [other, third] = [await request({}), await request({})]
  assert.equal(new Set([first, other, third].map(({ body }) => body['id'])).size, 3)
})

test('an amount that would take a wallet past what JSON carries exactly is refused, and the money that came stays', async () => {
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  const [first, second] = [await paid(most - 1_000_000n), await paid(5_000_000n)]
  const whole = await desk.refund(tenant, first, { amount: Number(most - 1_000_000n), cryptoAddress: payer })
  assert.equal(whole.status, 201, whole.text)
  const held = 1_000_000n - 900n
  const refused = await desk.refund(tenant, second, { amount: 1_000_001, cryptoAddress: payer })
  assert.deepEqual([refused.status, refused.body['code']], [422, 'limit_exceeded'])
  const [fault] = refused.body['errors'] as Row[]
  assert.deepEqual([fault?.['pointer'], fault?.['code']], ['/amount', 'too_large'])
  assert.equal(fault?.['message'], `is at most ${held} here`)
  const fits = await desk.refund(tenant, second, { amount: Number(held), cryptoAddress: payer })
  assert.equal(fits.status, 201, fits.text)
  assert.deepEqual(await desk.faults(), [])
})
