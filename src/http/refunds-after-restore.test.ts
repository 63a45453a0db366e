// Refunds that an operator ends while nobody knows yet what left before a restore.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asId } from '../../test/as-id.ts'
import { openRefundDesk, type RefundDesk } from '../../test/refund-desk.ts'

let desk: RefundDesk
before(async () => {
  desk = await openRefundDesk()
})
after(() => desk.close())

test('a refund of which no sending is known is ended only with a proof, because it may have left before the restore', async () => {
  const { sql } = desk.site
  const tenant = await desk.site.openTenant()
  const id = await desk.payment(tenant)
  await desk.arrive(tenant, id, { by: 'PARTNER_PAY', minor: 1_234n })
  const { body } = await desk.refund(tenant, id, { amount: 300 })
  const end = (more: { readonly proof?: string } = {}) =>
    desk.decide({ id: asId(body['id']), event: 'ended', by: 'ana@office', reason: 'it is gone', ...more })
  await sql`
    insert into money_freeze (id, kind, reason, decided_by) values (gen_random_uuid(), 'RESTORE', 'a disk', 'ana')`
  const refused = await end()
  assert.deepEqual([refused.kind, 'isQueued' in refused && refused.isQueued], ['may_be_sent', false])
  assert.equal((await desk.read(tenant, body['id']))['status'], 'PENDING')
  assert.equal((await end({ proof: 'the bank’s letter' })).kind, 'decided')
  assert.equal((await desk.read(tenant, body['id']))['status'], 'FAILED')
  await sql`delete from money_freeze where kind = 'RESTORE'`
})
