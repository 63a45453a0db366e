// The rule of two persons, over HTTP: no key of the person who requested something can approve or reject it, however that key was made.
// Refunds are in src/http/refunds.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { keyFamily } from '../key-family.ts'
import { openForTests } from '../open-for-tests.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { codeOf, openWorld, type Row } from '../withdrawal-world.ts'
import { withdrawalBody, type Tenant } from './world.ts'

const world = openForTests(openWorld)

type Key = Pick<Tenant, 'key'>

async function persons(person?: string) {
  const tenant = await world.funded(10_000n)
  await world.limit(tenant, { approvalAboveMinor: 0n })
  return { tenant, ...(await keyFamily(world.base, world.ask, tenant, person)) }
}

/** Fails unless none of these keys may decide. */
async function refuseAll(family: Readonly<Record<string, Key>>, path: string, id: unknown): Promise<void> {
  for (const [who, key] of Object.entries(family))
    for (const verb of ['approve', 'reject'])
      assert.deepEqual(
        codeOf(await world.ask(key, 'POST', `${path}/{id}/${verb}`, { id: String(id) })),
        [403, 'forbidden'],
        `${who} may not ${verb}`,
      )
}

for (const person of [undefined, 'Ana@example.com'])
  test(`a withdrawal, of a lineage ${person === undefined ? 'alone' : 'and a person'}`, async () => {
    const { tenant, requester, family, others } = await persons(person)
    for (const [other, verb] of [
      [others[0], 'approve'],
      [others[1], 'reject'],
    ] as const) {
      const { body } = await world.create(requester)
      await refuseAll(family, '/v1/withdrawals', body['id'])
      assert.equal((await world.read(tenant, body['id']))['status'], 'PENDING_APPROVAL')
      assert.equal((await world.act(other, verb, body['id'])).status, 200)
    }
    // Whoever of them requests it, none of the others decides.
    const { body } = await world.create(family['a key rolled from one that it made'])
    await refuseAll(family, '/v1/withdrawals', body['id'])
    assert.deepEqual(await world.faults(), [])
  })

test('a batch of withdrawals', async () => {
  const { requester, family, others } = await persons()
  const made = await world.ask(requester, 'POST', '/v1/withdrawal-batches', {
    body: { idempotencyKey: 'batch', withdrawals: [withdrawalBody(), withdrawalBody({ amount: 7 })] },
  })
  assert.equal(made.status, 201)
  const id = String(made.body['id'])
  await refuseAll(family, '/v1/withdrawal-batches', id)
  // One by one they are no easier.
  const { body } = await world.ask(requester, 'GET', '/v1/withdrawals')
  for (const each of body['data'] as readonly Row[]) {
    assert.equal(each['status'], 'PENDING_APPROVAL')
    await refuseAll(family, '/v1/withdrawals', each['id'])
  }
  const approved = await world.ask(others[0], 'POST', '/v1/withdrawal-batches/{id}/approve', { id })
  assert.deepEqual([approved.status, approved.body['status']], [200, 'IN_PROGRESS'])
})

test('what a schedule requests, also by whoever changed its amounts', async () => {
  const { tenant, requester, family, others } = await persons()
  const { amount: _amount, ...order } = withdrawalBody()
  const destination = String(order['pixKey'])
  await insertDestination(world.base.sql, { merchantId: tenant.id, type: 'PIX', destination, note: null })
  const { body: wallets } = await world.ask(tenant, 'GET', '/v1/wallets')
  const walletId = (wallets['data'] as readonly Row[]).find(({ currency }) => currency === 'BRL')?.['id']
  const made = await world.ask(requester, 'POST', '/v1/payout-schedules', {
    body: { ...order, walletId, rhythm: 'ABOVE', above: 1, keep: 9_000 },
  })
  assert.equal(made.status, 201)
  const requested = async (): Promise<unknown> => {
    await world.base.sql`
      update payout_schedule set next_run_at = now() - interval '1 second' where merchant_id = ${tenant.id}`
    const { sql, lane } = world.base
    await runDueSchedules({ sql, lane, log: silentLog, kind: scheduleKind(testPayoutRails()) })
    const { body } = await world.ask(tenant, 'GET', '/v1/withdrawals?limit=1')
    return (body['data'] as readonly Row[])[0]?.['id']
  }
  const first = await requested()
  await refuseAll(family, '/v1/withdrawals', first)
  const [approver, changer] = others
  assert.equal((await world.act(approver, 'approve', first)).status, 200)
  const change = (by: Key, body: Row) =>
    world.ask(by, 'PATCH', '/v1/payout-schedules/{id}', { id: String(made.body['id']), body })
  // To pause and resume it is not to choose an amount.
  for (const status of ['PAUSED', 'ACTIVE']) assert.equal((await change(approver, { status })).status, 200)
  for (const keep of [8_000, 7_500, 7_000]) assert.equal((await change(changer, { keep })).status, 200)
  const second = await requested()
  await refuseAll({ ...family, 'who changed its amounts': changer }, '/v1/withdrawals', second)
  assert.equal((await world.act(approver, 'approve', second)).status, 200)
  const [row] = await world.base.sql<{ changedBy: readonly string[] }[]>`
    select changed_by as "changedBy" from payout_schedule where merchant_id = ${tenant.id}`
  assert.deepEqual(row?.changedBy, [changer.id])
})
