// Refunds that an operator ends while nobody knows yet what left before a restore.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asId } from '../../test/as-id.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { openRefundWorld } from '../../test/refund-world.ts'

const world = openForTests(openRefundWorld)

async function newRefund() {
  const tenant = await world.base.openTenant()
  const id = await world.payment(tenant)
  await world.arrive(tenant, id, { by: 'PARTNER_PAY', minor: 1_234n })
  const { body } = await world.refund(tenant, id, { amount: 300 })
  const refundId = asId<'refund'>(body['id'])
  const end = (more: { readonly proof?: string } = {}) =>
    world.decide({ id: refundId, event: 'ended', by: 'ana@office', reason: 'it is gone', ...more })
  const status = async () => (await world.read(tenant, refundId))['status']
  return { refundId, end, status }
}

test('a refund that had left before a restore, or was claimed for sending, is ended only with a proof; another one without', async () => {
  const { sql } = world.base
  const [left, claimed, unsent] = [await newRefund(), await newRefund(), await newRefund()]
  await sql`update refund set left_before_restore = true where id = ${left.refundId}`
  await sql`update refund_due set sends = 1 where refund_id = ${claimed.refundId}`
  for (const { end, status } of [left, claimed]) {
    assert.equal((await end()).kind, 'may_be_sent')
    assert.equal(await status(), 'PENDING')
    assert.equal((await end({ proof: 'the bank’s letter' })).kind, 'decided')
    assert.equal(await status(), 'FAILED')
  }
  assert.equal((await unsent.end()).kind, 'decided')
  assert.equal(await unsent.status(), 'FAILED')
})

test('a refund of which no sending is known is ended only with a proof, because it may have left before the restore', async () => {
  const { sql } = world.base
  const { end, status } = await newRefund()
  await sql`
    insert into money_freeze (id, kind, reason, decided_by) values (gen_random_uuid(), 'RESTORE', 'a disk', 'ana')`
  const refused = await end()
  assert.deepEqual([refused.kind, 'isQueued' in refused && refused.isQueued], ['may_be_sent', false])
  assert.equal(await status(), 'PENDING')
  assert.equal((await end({ proof: 'the bank’s letter' })).kind, 'decided')
  assert.equal(await status(), 'FAILED')
  await sql`delete from money_freeze where kind = 'RESTORE'`
})
