// Payout schedules over HTTP: to listed destinations only, once for each due time, and never below what the wallet keeps.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { deleteDestination, insertDestination } from '#/money-out/queries.ts'
import { runDueSchedules, scheduleKind } from '#/withdrawals/schedule-run.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { codeOf, done, openWorld, type World, type Row } from '../withdrawal-world.ts'
import { withdrawalBody, type Answer, type Tenant } from './world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.base.close())

const { amount: _amount, ...order } = withdrawalBody()
const daily = { rhythm: 'DAILY', time: '06:00', timeZone: 'America/Sao_Paulo' }
const listedKey = String(order['pixKey'])

async function listed(minor = 1_000n): Promise<Tenant> {
  const tenant = await world.funded(minor)
  await insertDestination(world.base.sql, {
    merchantId: tenant.id,
    type: 'PIX',
    destination: listedKey,
    note: null,
  })
  return tenant
}

async function walletOf(tenant: Tenant): Promise<unknown> {
  const { body } = await world.ask(tenant, 'GET', '/v1/wallets')
  return (body['data'] as Row[]).find(({ currency }) => currency === 'BRL')?.['id']
}

async function make(tenant: Tenant, more: Row = daily): Promise<Answer> {
  const body = { ...order, walletId: await walletOf(tenant), ...more }
  return world.ask(tenant, 'POST', '/v1/payout-schedules', { body })
}

const read = async (tenant: Tenant, id: unknown) =>
  (await world.ask(tenant, 'GET', '/v1/payout-schedules/{id}', { id: String(id) })).body

const change = (tenant: Tenant, id: unknown, body: Row) =>
  world.ask(tenant, 'PATCH', '/v1/payout-schedules/{id}', { id: String(id), body })

/** A worker's round, in which all schedules of the tenant are due. */
async function run(tenant: Tenant): Promise<number> {
  await world.base
    .sql`update payout_schedule set next_run_at = now() - interval '1 second' where merchant_id = ${tenant.id} and next_run_at is not null`
  return runDue()
}

function runDue(): Promise<number> {
  const { sql, lane } = world.base
  return runDueSchedules({ sql, lane, log: silentLog, kind: scheduleKind(testPayoutRails()) })
}

async function withdrawalsOf(tenant: Tenant): Promise<readonly Row[]> {
  const { body } = await world.ask(tenant, 'GET', '/v1/withdrawals')
  return body['data'] as readonly Row[]
}

const pointersOf = ({ body }: Answer) =>
  (body['errors'] as readonly Row[]).map(({ pointer, code }) => [pointer, code])

describe('a schedule', () => {
  test('is made for a listed destination and a wallet that pays, and for nothing else', async () => {
    const tenant = await listed()
    const { status, body } = await make(tenant, { ...daily, keep: 100 })
    assert.equal(status, 201)
    assert.deepEqual(
      [body['status'], body['keep'], body['minimum'], body['pixKey']],
      ['ACTIVE', 100, 1, listedKey],
    )
    assert.deepEqual(await read(tenant, body['id']), body)
    const unlisted = await make(tenant, { ...daily, pixKey: 'bia@example.com' })
    assert.deepEqual(codeOf(unlisted), [422, 'destination_not_allowed'])
    const wallets = (await world.ask(tenant, 'GET', '/v1/wallets')).body['data'] as Row[]
    const other = wallets.find(({ currency }) => currency !== 'BRL')?.['id']
    assert.deepEqual(codeOf(await make(tenant, { ...daily, walletId: other })), [404, 'not_found'])
    const foreign = await listed()
    assert.deepEqual(codeOf(await make(foreign, { ...daily, walletId: await walletOf(tenant) })), [
      404,
      'not_found',
    ])
    const reserve = await world.ask(tenant, 'POST', '/v1/wallets', {
      body: { currency: 'BRL', walletType: 'RESERVE', label: 'Taxes' },
    })
    const refused = await make(tenant, { ...daily, walletId: reserve.body['id'] })
    assert.deepEqual(codeOf(refused), [422, 'wallet_not_spendable'])
  })

  test('has the fields of its rhythm and no others', async () => {
    const tenant = await listed()
    assert.deepEqual(pointersOf(await make(tenant, { rhythm: 'WEEKLY', time: '06:00', above: 5 })), [
      ['/weekday', 'required'],
      ['/timeZone', 'required'],
      ['/above', 'not_allowed'],
    ])
    assert.deepEqual(pointersOf(await make(tenant, { ...daily, time: '24:00' })), [['/time', 'malformed']])
    assert.deepEqual(pointersOf(await make(tenant, { ...daily, timeZone: 'Mars/Base' })), [
      ['/timeZone', 'not_allowed'],
    ])
  })

  test('is the same for the same key, and another body with it is a conflict', async () => {
    const tenant = await listed()
    const made = await Promise.all([1, 2, 3].map(() => make(tenant, { ...daily, idempotencyKey: 'one' })))
    assert.equal(new Set(made.map(({ body }) => body['id'])).size, 1)
    const conflict = await make(tenant, { ...daily, keep: 5, idempotencyKey: 'one' })
    assert.deepEqual(codeOf(conflict), [409, 'idempotency_conflict'])
    const { body } = await world.ask(tenant, 'GET', '/v1/payout-schedules')
    assert.equal((body['data'] as Row[]).length, 1)
  })

  test('is due by the database’s clock, whatever clock the API’s process has', async () => {
    const tenant = await listed()
    const clock = { now: () => addMs(systemClock.now(), 3 * 24 * hourMs) }
    const api = await world.base.openApi({ clock })
    const body = { ...order, walletId: await walletOf(tenant), ...daily }
    const made = await api.ask('POST', '/v1/payout-schedules', { key: tenant.key, body })
    assert.equal(made.status, 201)
    await api.ask('PATCH', `/v1/payout-schedules/${String(made.body['id'])}`, {
      key: tenant.key,
      body: { keep: 7 },
    })
    const { nextRunAt, createdAt } = await read(tenant, made.body['id'])
    const inMs = (instant: unknown) => new Date(String(instant)).getTime() - Date.now()
    assert.ok(
      inMs(nextRunAt) < 25 * hourMs && inMs(createdAt) < hourMs,
      `${String(nextRunAt)} ${String(createdAt)}`,
    )
  })

  test('is paused, resumed and ended for good; each change is in the audit log', async () => {
    const tenant = await listed()
    const { body } = await make(tenant)
    const paused = await change(tenant, body['id'], { status: 'PAUSED', keep: 7 })
    assert.deepEqual(
      [paused.body['status'], paused.body['nextRunAt'], paused.body['keep']],
      ['PAUSED', undefined, 7],
    )
    assert.equal(await run(tenant), 0)
    const resumed = await change(tenant, body['id'], { status: 'ACTIVE' })
    assert.deepEqual([resumed.body['nextRunAt'], resumed.body['version']], [body['nextRunAt'], 3])
    assert.equal((await change(tenant, body['id'], { status: 'ENDED' })).status, 200)
    assert.equal((await change(tenant, body['id'], { status: 'ENDED' })).status, 200)
    assert.deepEqual(codeOf(await change(tenant, body['id'], { status: 'ACTIVE' })), [409, 'invalid_state'])
    const other = await world.funded()
    assert.equal((await change(other, body['id'], { status: 'PAUSED' })).status, 404)
    const log = await world.base.sql<{ action: string }[]>`
      select action from audit_log where subject = ${`payout_schedule:${String(body['id'])}`} order by id`
    assert.deepEqual(
      log.map(({ action }) => action.split('.')[1]),
      ['create', 'change', 'change', 'change'],
    )
  })
})

describe('a run', () => {
  test('requests what the wallet has above what it keeps, after the fee, once', async () => {
    const tenant = await listed(1_000n)
    const fee = { method: 'PIX_WITHDRAWAL', currency: 'BRL', fixedMinor: 5n, ratePpm: 10_000n } as const
    await writeFeeRule(world.base.sql, { merchantId: tenant.id, ...fee })
    const { body } = await make(tenant, { ...daily, keep: 300, metadata: { reason: 'daily' } })
    await run(tenant)
    await Promise.all([runDue(), runDue()])
    const [only, ...more] = await withdrawalsOf(tenant)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [only?.['totalDebited'], only?.['payoutScheduleId'], only?.['metadata'], only?.['status']],
      [700, body['id'], { reason: 'daily' }, 'PENDING'],
    )
    assert.equal(Number(only?.['amount']) + Number(only?.['fee']), 700)
    assert.deepEqual(await world.eventsOf(tenant, only?.['id']), ['withdrawal.created'])
    const ran = await read(tenant, body['id'])
    assert.deepEqual([ran['lastOutcome'], ran['lastWithdrawalId']], ['REQUESTED', only?.['id']])
    await world.work(done)
    assert.deepEqual(await world.balanceOf(tenant), { balance: 300, held: 0 })
    await run(tenant)
    assert.equal((await read(tenant, body['id']))['lastOutcome'], 'NOTHING_TO_PAY')
    assert.deepEqual(await world.faults(), [])
  })

  test('pays as far as the limits allow, waits for approval as any withdrawal, and not by the key that made it', async () => {
    const tenant = await listed(1_000n)
    await world.limit(tenant, { eachMinor: 400n, dayMinor: 600n, approvalAboveMinor: 300n })
    await make(tenant)
    await run(tenant)
    await run(tenant)
    await run(tenant)
    const amounts = (await withdrawalsOf(tenant)).map(({ amount, status }) => [amount, status])
    assert.deepEqual(amounts, [
      [200, 'PENDING'],
      [400, 'PENDING_APPROVAL'],
    ])
    const waiting = (await withdrawalsOf(tenant))[1]?.['id']
    assert.deepEqual(codeOf(await world.act(tenant, 'approve', waiting)), [403, 'forbidden'])
  })

  test('by amount, starts when the balance has reached it; below its minimum nothing leaves', async () => {
    const tenant = await listed(900n)
    const { body } = await make(tenant, { rhythm: 'ABOVE', above: 1_000, keep: 200, minimum: 850 })
    await run(tenant)
    assert.deepEqual(
      [(await read(tenant, body['id']))['lastRunAt'], await withdrawalsOf(tenant)],
      [undefined, []],
    )
    await world.base.fund(tenant, 100n)
    await run(tenant)
    assert.deepEqual(await withdrawalsOf(tenant), [])
    await world.base.fund(tenant, 50n)
    await run(tenant)
    assert.deepEqual(
      (await withdrawalsOf(tenant)).map(({ amount }) => amount),
      [850],
    )
  })

  test('pays nothing to a destination that left the list, or while money is frozen', async () => {
    const tenant = await listed()
    const { body } = await make(tenant)
    await deleteDestination(world.base.sql, { merchantId: tenant.id, type: 'PIX', destination: listedKey })
    await run(tenant)
    assert.equal((await read(tenant, body['id']))['lastOutcome'], 'NOT_LISTED')
    await insertDestination(world.base.sql, {
      merchantId: tenant.id,
      type: 'PIX',
      destination: listedKey,
      note: null,
    })
    await world.base.sql`
      insert into money_freeze (id, kind, merchant_id, reason, decided_by)
      values (gen_random_uuid(), 'FREEZE', ${tenant.id}, 'test', 'test')`
    await run(tenant)
    assert.equal((await read(tenant, body['id']))['lastOutcome'], 'FROZEN')
    assert.deepEqual(await withdrawalsOf(tenant), [])
  })

  test('one schedule whose run fails delays no other', async () => {
    const [poisoned, sound] = [await listed(), await listed()]
    const { body } = await make(poisoned)
    await make(sound)
    await world.base
      .sql`update payout_schedule set rule = '{"rhythm":"DAILY","time":"nonsense","timeZone":"UTC","keep":0,"minimum":1}' where id = ${String(body['id'])}`
    await run(poisoned)
    await run(sound)
    assert.equal((await withdrawalsOf(sound)).length, 1)
    assert.deepEqual(await withdrawalsOf(poisoned), [])
  })
})
