// A restore lost withdrawals whose money had left: the same requests under the same keys are not accepted again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import { systemClock } from '#/kernel/time.ts'
import { insertUnrecorded } from '#/settlement/unrecorded-queries.ts'
import { withdrawalBody, type Tenant } from '../../test/contract/world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { codeOf, openWorld } from '../../test/withdrawal-world.ts'

const world = openForTests(openWorld)

/** Money left under the reference that is derived from these names, and a restore lost its record. */
async function left(kind: 'WITHDRAWAL' | 'REFUND', names: Readonly<Record<string, unknown>>): Promise<void> {
  await world.base.sql.begin((tx) =>
    insertUnrecorded(tx, [
      {
        id: newId<'unrecorded'>(),
        mode: 'SANDBOX',
        kind,
        // Not the connection over which the merchant's requests go now.
        connection: 'a1-earlier' as ConnectionId,
        account: 'a1-earlier' as ConnectionId,
        reference: sha256(canonicalJson(names)).toString('hex').slice(0, 32),
        providerRef: null,
        chain: null,
        move: null,
        amountMinor: 100n,
        knownMinor: 0n,
        currency: 'BRL',
        merchantId: null,
        paymentId: null,
        happenedAt: null,
        recordedAt: systemClock.now(),
        reportHash: Buffer.alloc(32),
      },
    ]),
  )
}

const batch = (tenant: Tenant, idempotencyKey: string) =>
  world.ask(tenant, 'POST', '/v1/withdrawal-batches', {
    body: { idempotencyKey, withdrawals: [withdrawalBody(), withdrawalBody({ amount: 50 })] },
  })

test('a withdrawal that was lost after its money had left is refused under its key, and accepted under another', async () => {
  const tenant = await world.funded(1_000n)
  await left('WITHDRAWAL', { merchantId: tenant.id, idempotencyKey: 'lost' })
  await left('REFUND', { merchantId: tenant.id, idempotencyKey: 'other kind' })
  for (let time = 1; time <= 2; time++) {
    const refused = await world.create(tenant, { idempotencyKey: 'lost' })
    assert.deepEqual(codeOf(refused), [409, 'idempotency_conflict'])
    assert.match(String(refused.body['detail']), /a restore of the database lost, and its money had left/)
  }
  assert.deepEqual(await world.balanceOf(tenant), { balance: 1_000, held: 0 })
  assert.equal((await world.create(tenant, { idempotencyKey: 'other kind' })).status, 201)
  assert.equal((await world.create(tenant, { idempotencyKey: 'another' })).status, 201)
  // The same key of another merchant is another withdrawal.
  assert.equal((await world.create(await world.funded(), { idempotencyKey: 'lost' })).status, 201)
  assert.deepEqual(await world.balanceOf(tenant), { balance: 800, held: 200 })
})

test('a batch with one such withdrawal is refused whole', async () => {
  const tenant = await world.funded(1_000n)
  await left('WITHDRAWAL', { merchantId: tenant.id, batch: 'lost', place: 1 })
  const refused = await batch(tenant, 'lost')
  assert.equal(refused.status, 409)
  assert.deepEqual(await world.balanceOf(tenant), { balance: 1_000, held: 0 })
  assert.equal((await batch(tenant, 'another')).status, 201)
  assert.deepEqual(await world.balanceOf(tenant), { balance: 850, held: 150 })
})
