// For any advances of a sandbox's clock, whichever worker continues them and wherever a worker stops: every date moves by exactly the
// sum of the advances, everything that becomes due happens once, and every provider is notified of every step in order.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { fc } from '../chance.ts'
import { openClockWorld, type ClockWorld } from '../clock-world.ts'
import { paymentBody, type Tenant } from '../contract/world.ts'
import { count } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { startReceiver, type Receiver } from '../receiver.ts'
import type { Row } from '../withdrawal-world.ts'

type Lane = ClockWorld['dashboard']['base']['lane']

const secondsMax = count({ quick: 5 * 3_600, soak: 20 * 86_400 })
const world = fc.record({
  spans: fc.array(fc.integer({ min: 1, max: secondsMax }), { minLength: 1, maxLength: 2 }),
  lives: fc.array(fc.integer({ min: 120, max: 8 * 3_600 }), { minLength: 1, maxLength: 6 }),
})

type World = { readonly spans: readonly number[]; readonly lives: readonly number[] }
/** Side by side: each spends most of its time in waits for leases and pauses. */
const many = count({ quick: 1, soak: 10 })
const worlds = fc.array(world, { minLength: many, maxLength: many })

const oneIn = (count: number) => randomInt(count) === 0

/** A provider that is sometimes unreachable, and records the steps of which it was notified. */
function createProvider() {
  const moves: { readonly id: string; readonly byMs: number }[] = []
  return {
    moves,
    async move(step: { readonly id: string; readonly byMs: number }) {
      if (oneIn(3)) throw new Error('away')
      moves.push(step)
      if (oneIn(5)) throw new Error('the answer is lost')
    },
  }
}

/** Now and then a worker breaks off before a step, or after its commit. */
function breaking(lane: Lane): Lane {
  const submit: Lane['submit'] = async (kind, item, from) => {
    if (oneIn(10)) throw new Error('the worker dies before the step')
    const verdict = await lane.submit(kind, item, from)
    if (oneIn(10)) throw new Error('the worker dies after the step')
    return verdict
  }
  return { ...lane, submit }
}

test('any advances, with workers that take over from each other and die', async () => {
  const providers = new Map<string, ReturnType<typeof createProvider>>()
  await using receiver = await startReceiver()
  await using clocks = await openClockWorld({
    leaseMs: 400,
    laneOf: breaking,
    simulators: async (merchantId) => {
      const provider = providers.get(merchantId) ?? createProvider()
      providers.set(merchantId, provider)
      return [{ name: 'bank', move: provider.move }]
    },
  })
  const live = async ({ spans, lives }: World) => {
    const tenant = await clocks.dashboard.base.openTenant()
    const neighbour = await clocks.dashboard.base.openTenant()
    const made = await Promise.all(lives.map((expiresIn) => create(clocks, tenant, expiresIn, receiver)))
    // It would expire by itself only after the longest run.
    const untouched = await read(clocks, neighbour, await create(clocks, neighbour, 86_400, receiver))
    for (const span of spans)
      await clocks.dashboard.ask(tenant, 'POST', '/v1/sandbox/clock', { body: { advance: `PT${span}S` } })
    const sum = spans.reduce((all, span) => all + span, 0)
    await untilMoved(clocks, tenant, sum)
    for (const [index, payment] of made.entries())
      await judge(clocks, tenant, payment, { passed: (lives[index] ?? 0) <= sum, sum })
    assert.deepEqual(await read(clocks, neighbour, untouched), untouched)
    await judgeSteps(clocks, tenant, spans, providers.get(tenant.id)?.moves ?? [])
  }
  await fc.assert(
    fc.asyncProperty(worlds, async (some) => {
      await Promise.all(some.map(live))
      judgeWebhooks(receiver)
    }),
    // A smaller example is not looked for: each try takes minutes.
    { numRuns: count({ quick: 1, soak: 6 }), endOnFailure: true },
  )
})

async function create(
  { dashboard }: ClockWorld,
  tenant: Tenant,
  expiresIn: number,
  { origin }: Receiver,
): Promise<Row> {
  const body = paymentBody({ expiresIn, webhookUrl: origin })
  const answer = await dashboard.ask(tenant, 'POST', '/v1/payments', { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const read = async ({ dashboard }: ClockWorld, tenant: Tenant, { id }: Row) =>
  (await dashboard.ask(tenant, 'GET', '/v1/payments/{id}', { id: String(id) })).body

async function untilMoved({ dashboard }: ClockWorld, tenant: Tenant, seconds: number): Promise<void> {
  await eventually(
    'everything is moved and told',
    async () => {
      const { body } = await dashboard.ask(tenant, 'GET', '/v1/sandbox/clock')
      const all = body['data'] as Row[]
      const isDone = all.every((each) => each['status'] === 'DONE' && each['providersBehind'] === undefined)
      return isDone && body['advancedSeconds'] === seconds
    },
    300_000,
  )
}

async function judge(
  clocks: ClockWorld,
  tenant: Tenant,
  payment: Row,
  { passed, sum }: { readonly passed: boolean; readonly sum: number },
): Promise<void> {
  const now = await read(clocks, tenant, payment)
  const { body } = await clocks.dashboard.ask(tenant, 'GET', '/v1/events?limit=100')
  const own = (body['data'] as Row[]).filter((each) => (each['data'] as Row)['id'] === payment['id'])
  assert.deepEqual(
    own.map(({ type }) => type),
    passed ? ['payment.expired'] : [],
  )
  assert.equal(now['status'], passed ? 'EXPIRED' : 'WAITING_PAYMENT')
  const [before, after] = [payment, now].map((each) => new Date(String(each['expiresAt'])).getTime())
  if (!passed) assert.equal(Number(before) - Number(after), sum * 1_000)
  else assert.ok(Number(after) >= new Date(String(payment['createdAt'])).getTime())
}

async function judgeSteps(
  { dashboard }: ClockWorld,
  tenant: Tenant,
  spans: readonly number[],
  moves: readonly { readonly id: string; readonly byMs: number }[],
): Promise<void> {
  const steps = await dashboard.base.sql<
    { number: number; advance: string; byMs: number; totalMs: number }[]
  >`
    select number, advance_id as advance, by_ms::float8 as "byMs", total_ms::float8 as "totalMs" from clock_step
     where merchant_id = ${tenant.id} order by number`
  let totalMs = 0
  for (const [index, step] of steps.entries()) {
    totalMs += step.byMs
    assert.deepEqual([step.number, step.totalMs], [index + 1, totalMs])
  }
  const byAdvance = [...Map.groupBy(steps, ({ advance }) => advance).values()]
  assert.deepEqual(
    byAdvance.map((group) => group.reduce((all, { byMs }) => all + byMs, 0)),
    spans.map((span) => span * 1_000),
  )
  assert.ok(byAdvance.every((group) => group.length <= 64))
  const first = [...new Map(moves.toReversed().map((each) => [each.id, each])).values()].toReversed()
  assert.deepEqual(
    first.map(({ id, byMs }) => [id, byMs]),
    steps.map(({ advance, number, byMs }) => [`${advance}/${number}`, byMs]),
  )
}

/** Each event came once: the receiver answers 2xx at once. */
function judgeWebhooks({ calls }: Receiver): void {
  const ids = calls.map(({ headers }) => headers['webhook-id'])
  assert.equal(new Set(ids).size, ids.length)
}
