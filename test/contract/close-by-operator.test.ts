// The operator closes a sub-account whose grants nobody ends any more: its seller has gone, and its parent may not end them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { closeSubAccount } from '#/operator/close-sub-account.ts'
import { makeForTests, openForTests } from '../open-for-tests.ts'
import { openApiWorld, type Tenant } from './world.ts'

const base = openForTests(openApiWorld)
const api = makeForTests(() => base.openApi())

const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const
const closeIt = (id: MerchantId) => closeSubAccount(base, operator, id, 'the seller has gone')

/** A sub-account that gave a grant in two currencies, by a key of its own. */
async function world() {
  const platform = await base.openTenant()
  const made = await api.ask('POST', '/v1/sub-accounts', { key: platform.key, body: { name: 'Bea' } })
  const id = made.body['id'] as MerchantId
  const { key } = await base.issue(id, scopes)
  const grants: string[] = []
  for (const currency of ['BRL', 'EUR']) {
    const given = await api.ask('POST', '/v1/transfer-grants', { key, body: { currency, maxAmount: 1_000 } })
    assert.equal(given.status, 201, given.text)
    grants.push(String(given.body['id']))
  }
  return { platform, id, key, grants }
}

const closeAsParent = ({ key }: Tenant, id: MerchantId) =>
  api.ask('PATCH', `/v1/sub-accounts/${id}`, { key, body: { state: 'CLOSED' } })

async function statusOf({ key }: Pick<Tenant, 'key'>, grant: string) {
  return (await api.ask('GET', `/v1/transfer-grants/${grant}`, { key })).body['status']
}

test('grants that nobody ends keep a parent from closing, and not the operator, who ends them: both are told, and it is audited', async () => {
  const { platform, id, grants } = await world()
  const refused = await closeAsParent(platform, id)
  assert.equal(refused.status, 409, refused.text)
  assert.ok(refused.text.includes('open_transfer_grant'), refused.text)
  assert.equal((await closeIt(id)).state, 'CLOSED')
  for (const grant of grants) assert.equal(await statusOf(platform, grant), 'REVOKED')
  const told = await base.sql<{ merchantId: string; resourceId: string }[]>`
    select merchant_id as "merchantId", resource_id as "resourceId" from event
     where type = 'transfer_grant.revoked' and resource_id = any (${grants}::uuid[])`
  assert.equal(told.length, 4)
  const audited = await base.sql<{ action: string; reason: string }[]>`
    select action, reason from audit_log
     where actor_id = 'ana@test' and (merchant_id = ${id} or subject = ${`merchant:${id}`}) order by action`
  assert.deepEqual(
    audited.map(({ action, reason }) => [action, reason]),
    ['sub-account.change', 'transfer-grant.revoke', 'transfer-grant.revoke'].map((action) => [
      action,
      'the seller has gone',
    ]),
  )
})

test('whatever else is open keeps it open for the operator too, and then no grant is ended', async () => {
  const { platform, id, key, grants } = await world()
  const made = await api.ask('POST', '/v1/payments', {
    key,
    body: { amount: 1_000, currency: 'USDT', paymentMethods: ['CRYPTO'], idempotencyKey: 'open' },
  })
  assert.equal(made.status, 201, made.text)
  await assert.rejects(closeIt(id), /payments are open: 1/)
  for (const grant of grants) assert.equal(await statusOf(platform, grant), 'ACTIVE')
  await assert.rejects(closeIt(platform.id), /There is no such sub-account/)
})
