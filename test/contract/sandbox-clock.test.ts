// The clock of a sandbox over HTTP, with workers that run: what is ahead comes closer and happens once, and nothing else moves.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { insertDestination } from '#/money-out/queries.ts'
import { insertStep, moveDates } from '#/sandbox/clock/step-queries.ts'
import { openClockWorld, type ClockWorld } from '../clock-world.ts'
import { eventually } from '../eventually.ts'
import { startReceiver } from '../receiver.ts'
import { codeOf, done, type Row } from '../withdrawal-world.ts'
import { paymentBody, withdrawalBody, type Tenant } from './world.ts'

const dayMs = 24 * 3_600_000

/** The withdrawals that the provider was asked to send, in order. It answers about one of this amount when the test lets it. */
const sent: string[] = []
const slowMinor = 777
const slow = Promise.withResolvers<void>()

let clocks: ClockWorld
before(async () => {
  clocks = await openClockWorld({
    patienceMs: 3_000,
    async send(order) {
      sent.push(order.id)
      if (order.amount.minor === BigInt(slowMinor)) await slow.promise
      return done
    },
  })
})
after(() => clocks[Symbol.asyncDispose]())

const ask = (tenant: Tenant, method: string, path: string, body?: Row, id = '') =>
  clocks.dashboard.ask(tenant, method, path, {
    ...given({ body }),
    id,
  })

async function create(tenant: Tenant, more: Row = {}): Promise<Row> {
  const { status, body, text } = await ask(tenant, 'POST', '/v1/payments', paymentBody(more))
  assert.equal(status, 201, text)
  return body
}

const read = async (tenant: Tenant, { id }: Row) =>
  (await ask(tenant, 'GET', '/v1/payments/{id}', undefined, String(id))).body

const eventsOf = async (tenant: Tenant) =>
  (await ask(tenant, 'GET', '/v1/events?limit=100')).body['data'] as Row[]

const msOf = (instant: unknown) => new Date(String(instant)).getTime()

describe('the clock of a sandbox', { concurrency: true }, () => {
  test('lets a payment expire that it passes, and brings closer one that it does not', async () => {
    const tenant = await clocks.dashboard.base.openTenant()
    const short = await create(tenant)
    const long = await read(tenant, await create(tenant, { expiresIn: 10 * 86_400 }))
    const before = Date.now()
    const advance = await clocks.advance(tenant, 'P2D')
    assert.deepEqual(
      [advance['advance'], advance['advancedSeconds'], advance['stillDue']],
      ['P2D', 2 * 86_400, undefined],
    )
    const [expired, open] = [await read(tenant, short), await read(tenant, long)]
    assert.equal(expired['status'], 'EXPIRED')
    assert.equal(expired['createdAt'], short['createdAt'])
    assert.ok(msOf(expired['expiresAt']) >= before && msOf(expired['expiresAt']) <= Date.now())
    assert.equal(open['status'], 'WAITING_PAYMENT')
    assert.equal(msOf(long['expiresAt']) - msOf(open['expiresAt']), 2 * dayMs)
    assert.ok(Number(open['version']) > Number(long['version']))
    const events = await eventsOf(tenant)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['payment.expired'],
    )
    assert.ok(msOf(events[0]?.['createdAt'] ?? events[0]?.['timestamp']) >= before)
  })

  test('moves no other merchant, of the sandbox or live, and a live one has no clock', async () => {
    const [mine, neighbour, live] = [
      await clocks.dashboard.base.openTenant(),
      await clocks.dashboard.base.openTenant(),
      await clocks.dashboard.base.openTenant('LIVE'),
    ]
    const untouched = await Promise.all(
      [neighbour, live].map(async (each) => [each, await read(each, await create(each))] as const),
    )
    const passed = await create(mine)
    await clocks.advance(mine, 'P30D')
    assert.equal((await read(mine, passed))['status'], 'EXPIRED')
    for (const [tenant, payment] of untouched) assert.deepEqual(await read(tenant, payment), payment)
    const refused = await ask(live, 'POST', '/v1/sandbox/clock', { advance: 'P1D' })
    assert.deepEqual(codeOf(refused), [403, 'forbidden'])
    assert.deepEqual(codeOf(await ask(live, 'GET', '/v1/sandbox/clock')), [403, 'forbidden'])
    // The statements themselves reach no row of a live merchant.
    const { sql } = clocks.dashboard.base
    await sql.begin(async (tx) => {
      const [at, byMs] = [new Date(), dayMs]
      await moveDates(tx, live.id, { at, byMs })
      await insertStep(tx, { merchantId: live.id, advanceId: newId(), at, byMs })
    })
    const liveOne = untouched[1]
    if (liveOne !== undefined) assert.deepEqual(await read(live, liveOne[1]), liveOne[1])
    const steps = await sql`select from clock_step where merchant_id = ${live.id}`
    assert.equal(steps.length, 0)
    const kept = await ask(neighbour, 'GET', '/v1/sandbox/clock')
    assert.deepEqual(kept.body, { advancedSeconds: 0, data: [] })
  })

  test('brings all retries of a webhook, each once, with the real time in its signature', async () => {
    await using receiver = await startReceiver(() => ({ status: 500 }))
    const tenant = await clocks.dashboard.base.openTenant()
    await create(tenant, { webhookUrl: receiver.origin })
    const before = Math.floor(Date.now() / 1_000)
    await clocks.advance(tenant, 'P6D')
    const [event] = await eventsOf(tenant)
    const { body } = await ask(tenant, 'GET', '/v1/events/{id}/deliveries', undefined, String(event?.['id']))
    const [delivery] = body['data'] as Row[]
    assert.deepEqual([delivery?.['status'], receiver.calls.length], ['EXHAUSTED', 10])
    for (const { headers } of receiver.calls) {
      const at = Number(headers['webhook-timestamp'])
      assert.ok(at >= before && at <= Date.now() / 1_000, String(at))
    }
  })

  test('disables a webhook endpoint that fails for days', async () => {
    await using receiver = await startReceiver(() => ({ status: 500 }))
    const tenant = await clocks.dashboard.base.openTenant()
    const made = await ask(tenant, 'POST', '/v1/webhook-endpoints', {
      url: receiver.origin,
      eventTypes: ['*'],
    })
    assert.equal(made.status, 201, made.text)
    await Promise.all([1, 2, 3].map(() => create(tenant)))
    const stateOf = async () =>
      (await ask(tenant, 'GET', '/v1/webhook-endpoints/{id}', undefined, String(made.body['id']))).body
    await clocks.advance(tenant, 'P4D')
    assert.equal((await stateOf())['status'], 'ENABLED')
    await clocks.advance(tenant, 'P2D')
    const after = await stateOf()
    assert.deepEqual([after['status'], after['disabledReason']], ['DISABLED', 'FAILING'])
  })

  test('runs a weekly payout schedule once a week, over weeks', async () => {
    const tenant = await clocks.dashboard.funded(10_000n)
    await clocks.dashboard.limit(tenant, { eachMinor: 100n })
    const { amount: _, ...order } = withdrawalBody()
    const destination = String(order['pixKey'])
    await insertDestination(clocks.dashboard.base.sql, {
      merchantId: tenant.id,
      type: 'PIX',
      destination,
      note: null,
    })
    const wallets = (await ask(tenant, 'GET', '/v1/wallets')).body['data'] as Row[]
    const walletId = wallets.find(({ currency }) => currency === 'BRL')?.['id']
    const weekly = { rhythm: 'WEEKLY', weekday: 'MONDAY', time: '06:00', timeZone: 'America/Sao_Paulo' }
    const made = await ask(tenant, 'POST', '/v1/payout-schedules', { ...order, ...weekly, walletId })
    assert.equal(made.status, 201, made.text)
    await clocks.advance(tenant, 'P4W')
    await clocks.advance(tenant, 'P1W')
    const withdrawals = (await ask(tenant, 'GET', '/v1/withdrawals')).body['data'] as Row[]
    assert.deepEqual(
      withdrawals.map(({ amount, status }) => [amount, status]),
      Array.from({ length: 5 }, () => [100, 'COMPLETED']),
    )
    const schedule = (
      await ask(tenant, 'GET', '/v1/payout-schedules/{id}', undefined, String(made.body['id']))
    ).body
    const inCalendar = new Date(msOf(schedule['nextRunAt']) + 5 * 7 * dayMs)
    assert.deepEqual([inCalendar.getUTCDay(), inCalendar.getUTCHours()], [1, 9])
    assert.equal(inCalendar.getTime() - msOf(made.body['nextRunAt']), 5 * 7 * dayMs)
    // One that is made or changed now counts in the same calendar.
    const later = await ask(tenant, 'POST', '/v1/payout-schedules', { ...order, ...weekly, walletId })
    assert.ok(Math.abs(msOf(later.body['nextRunAt']) - msOf(schedule['nextRunAt'])) <= 1_000)
    assert.deepEqual(await clocks.dashboard.faults(), [])
  })

  test('leaves what a worker has claimed to that worker, however far it goes', async () => {
    const tenant = await clocks.dashboard.funded(1_000n)
    const made = await clocks.dashboard.create(tenant, { amount: slowMinor })
    await eventually('it is being sent', () => sent.includes(String(made.body['id'])))
    const advance = await clocks.advance(tenant, 'P2D').finally(slow.resolve)
    assert.deepEqual(advance['stillDue'], [{ work: 'WITHDRAWAL', count: 1 }])
    const read = () => clocks.dashboard.read(tenant, made.body['id'])
    await eventually('it is done', async () => (await read())['status'] === 'COMPLETED')
    assert.equal(sent.filter((id) => id === made.body['id']).length, 1)
  })

  test('does not wait for ever for what stays due, and says so', async () => {
    await using receiver = await startReceiver(() => undefined)
    const tenant = await clocks.dashboard.base.openTenant()
    await create(tenant, { webhookUrl: receiver.origin })
    const other = await create(tenant, { expiresIn: 86_400 })
    const advance = await clocks.advance(tenant, 'P2D')
    assert.deepEqual(advance['stillDue'], [{ work: 'DELIVERY', count: 1 }])
    assert.equal((await read(tenant, other))['status'], 'EXPIRED')
  })
})

describe('an advance', { concurrency: true }, () => {
  test('is a span of more than nothing and at most 400 days, without months and years', async () => {
    const tenant = await clocks.dashboard.base.openTenant()
    for (const [advance, code] of [
      ['P1M', 'malformed'],
      ['P1Y', 'malformed'],
      ['2 days', 'malformed'],
      ['P', 'malformed'],
      ['PT', 'malformed'],
      ['P1DT', 'malformed'],
      ['-P1D', 'malformed'],
      ['P0.5D', 'malformed'],
      ['', 'malformed'],
      ['P0D', 'too_small'],
      ['PT0S', 'too_small'],
      ['P400DT1S', 'too_large'],
      ['P999999999W', 'too_large'],
    ] as const) {
      const answer = await ask(tenant, 'POST', '/v1/sandbox/clock', { advance })
      const problem = code === 'malformed' ? [400, 'invalid_request'] : [422, 'limit_exceeded']
      assert.deepEqual(codeOf(answer), problem, advance)
      assert.equal((answer.body['errors'] as Row[])[0]?.['code'], code, advance)
    }
    const unknown = await ask(tenant, 'POST', '/v1/sandbox/clock', { advance: 'P1D', to: 'tomorrow' })
    assert.deepEqual(codeOf(unknown), [400, 'invalid_request'])
    assert.equal((await ask(tenant, 'GET', '/v1/sandbox/clock')).body['advancedSeconds'], 0)
    assert.equal((await clocks.advance(tenant, 'P1W2DT3H4M5S'))['advancedSeconds'], 788_645)
  })

  test('is accepted once for each key, and another span with it is a conflict', async () => {
    const tenant = await clocks.dashboard.base.openTenant()
    const body = { advance: 'P1D', idempotencyKey: 'one' }
    const answers = await Promise.all([1, 2, 3].map(() => ask(tenant, 'POST', '/v1/sandbox/clock', body)))
    assert.equal(new Set(answers.map((each) => each.body['id'])).size, 1)
    const same = await ask(tenant, 'POST', '/v1/sandbox/clock', { ...body, advance: 'PT24H' })
    assert.deepEqual([same.status, same.headers.get('idempotent-replayed')], [202, 'true'])
    const other = await ask(tenant, 'POST', '/v1/sandbox/clock', { ...body, advance: 'P2D' })
    assert.deepEqual(codeOf(other), [409, 'idempotency_conflict'])
    await clocks.untilDone(tenant)
    assert.equal((await ask(tenant, 'GET', '/v1/sandbox/clock')).body['advancedSeconds'], 86_400)
  })

  test('waits for those before it, and only so many wait', async () => {
    const tenant = await clocks.dashboard.base.openTenant()
    const spans = Array.from({ length: 14 }, (_, index) => `PT${index + 1}S`)
    const answers = await Promise.all(
      spans.map((advance) => ask(tenant, 'POST', '/v1/sandbox/clock', { advance })),
    )
    const accepted = answers.filter(({ status }) => status === 202)
    const refused = answers.filter(({ status }) => status !== 202)
    assert.ok(accepted.length >= 10 && refused.length > 0, `${accepted.length} accepted`)
    for (const each of refused) assert.deepEqual(codeOf(each), [422, 'limit_exceeded'])
    await clocks.untilDone(tenant)
    const { body } = await ask(tenant, 'GET', '/v1/sandbox/clock')
    const all = (body['data'] as Row[]).toReversed()
    const sum = all.reduce((seconds, each) => seconds + Number(each['advancedSeconds']), 0)
    assert.deepEqual([all.length, body['advancedSeconds']], [accepted.length, sum])
    const ends = all.map((each) => msOf(each['completedAt']))
    assert.deepEqual(
      ends,
      ends.toSorted((a, b) => a - b),
    )
  })
})
