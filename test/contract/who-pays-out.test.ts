// Who pays out of a live account: where nobody has chosen, a second person above the suggested amount, at every door; else as it was chosen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import { silentLog } from '#/kernel/log.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { changeLimit } from '#/operator/limits.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { openForTests } from '../open-for-tests.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { openWorld, type Row } from '../withdrawal-world.ts'
import { withdrawalBody, type Tenant } from './world.ts'

const world = openForTests(openWorld)

async function openLive(): Promise<Tenant> {
  const tenant = await world.base.openTenant('LIVE')
  await world.base.fund(tenant, 5_000_000n)
  return tenant
}

const operator = { by: { actor: { kind: 'OPERATOR', id: 'ana@test' } }, name: 'ana' } as const

/** The states of withdrawals of these amounts. */
async function statesOf(tenant: Tenant, ...amounts: readonly number[]): Promise<readonly unknown[]> {
  const states: unknown[] = []
  for (const amount of amounts) {
    const { status, body, text } = await world.create(tenant, { amount })
    assert.equal(status, 201, text)
    states.push(body['status'])
  }
  return states
}

async function shownPix(tenant: Tenant): Promise<Row | undefined> {
  const { body } = await world.ask(tenant, 'GET', '/v1/me')
  const { withdrawals } = body['limits'] as { readonly withdrawals: readonly Row[] }
  return withdrawals.find(({ type }) => type === 'PIX')
}

test('where nobody has chosen, a withdrawal above the suggested amount waits for a second person', async () => {
  const tenant = await openLive()
  assert.deepEqual(await statesOf(tenant, 500_000, 500_001), ['PENDING', 'PENDING_APPROVAL'])
  const shown = await shownPix(tenant)
  assert.deepEqual(
    [shown?.['approvalAbove'], shown?.['approvalChoice'], shown?.['spentToday']],
    [500_000, 'SUGGESTED', 1_000_001],
  )
})

test('a merchant with keys alone goes on: a key of another person approves, its own does not', async () => {
  const tenant = await openLive()
  const { body } = await world.create(tenant, { amount: 600_000 })
  assert.equal((await world.act(tenant, 'approve', body['id'])).status, 403)
  const second = await world.base.issue(tenant.id, scopes)
  const approved = await world.act(second, 'approve', body['id'])
  assert.deepEqual([approved.status, approved.body['status']], [200, 'PENDING'], approved.text)
})

test('a batch waits by its sum', async () => {
  const tenant = await openLive()
  const send = async (key: string, amount: number) => {
    const withdrawals = [withdrawalBody({ amount }), withdrawalBody({ amount })]
    const made = await world.ask(tenant, 'POST', '/v1/withdrawal-batches', {
      body: { idempotencyKey: key, withdrawals },
    })
    assert.equal(made.status, 201, made.text)
    return made.body['status']
  }
  assert.notEqual(await send('small', 250_000), 'PENDING_APPROVAL')
  assert.equal(await send('large', 250_001), 'PENDING_APPROVAL')
})

test('what a schedule requests waits as well', async () => {
  const tenant = await openLive()
  const { amount: _amount, ...order } = withdrawalBody()
  const listed = {
    merchantId: tenant.id,
    type: 'PIX',
    destination: String(order['pixKey']),
    note: null,
  } as const
  await world.base.sql.begin((tx) => insertDestination(tx, listed))
  const { body: wallets } = await world.ask(tenant, 'GET', '/v1/wallets')
  const walletId = (wallets['data'] as readonly Row[]).find(({ currency }) => currency === 'BRL')?.['id']
  const schedule = await world.ask(tenant, 'POST', '/v1/payout-schedules', {
    body: { ...order, walletId, rhythm: 'ABOVE', above: 1, keep: 1_000 },
  })
  assert.equal(schedule.status, 201, schedule.text)
  const { sql, lane } = world.base
  await sql`update payout_schedule set next_run_at = now() - interval '1 second' where merchant_id = ${tenant.id}`
  await runDueSchedules({ sql, lane, log: silentLog, kind: scheduleKind(testPayoutRails()) })
  const { body } = await world.ask(tenant, 'GET', '/v1/withdrawals?limit=1')
  const [made] = body['data'] as readonly Row[]
  assert.deepEqual([made?.['amount'], made?.['status']], [4_999_000, 'PENDING_APPROVAL'])
})

test('another amount, and one person, are choices that are recorded; another limit is none', async () => {
  const tenant = await openLive()
  const change = (more: object) =>
    changeLimit(world.base.sql, operator, { merchantId: tenant.id, type: 'PIX', ...more })
  await change({ dayMinor: 5_000_000n })
  assert.deepEqual(await statesOf(tenant, 500_001), ['PENDING_APPROVAL'])
  assert.equal((await shownPix(tenant))?.['approvalChoice'], 'SUGGESTED')
  await change({ approvalAboveMinor: 200_000n })
  assert.deepEqual(await statesOf(tenant, 200_000, 200_001), ['PENDING', 'PENDING_APPROVAL'])
  await change({ approvalAboveMinor: null })
  assert.deepEqual(await statesOf(tenant, 1_000_000), ['PENDING'])
  const shown = await shownPix(tenant)
  assert.deepEqual([shown?.['approvalAbove'], shown?.['approvalChoice']], [undefined, 'ONE_PERSON'])
  const rows = await world.base.sql<{ after: Row }[]>`
    select after from audit_log where merchant_id = ${tenant.id} and action = 'withdrawal.limit' order by id`
  assert.deepEqual(
    rows.map(({ after }) => [after['approvalAbove'], after['onePerson']]),
    [
      [null, false],
      ['200000', false],
      [null, true],
    ],
  )
})

test('a sandbox suggests nothing', async () => {
  const tenant = await world.funded(5_000_000n)
  assert.deepEqual(await statesOf(tenant, 2_000_000), ['PENDING'])
  assert.equal(await shownPix(tenant), undefined)
})
