// The figures of the overview equal what the records themselves say, after random lives of payments, refunds and disputes. This holds
// however the work is divided, whatever dies in between, and however many workers there are.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { RefundId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Outcome } from '#/rails/receipt.ts'
import { openCardWorld, type CardWorld } from '../../test/card-world.ts'
import { fc } from '../../test/chance.ts'
import { count } from '../../test/counts.ts'
import { eventually } from '../../test/eventually.ts'
import { figuresKept, recounted } from '../../test/insight-recount.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { lockWatermarks } from './count-queries.ts'
import { countRound, recountMerchant, type CountOptions } from './count.ts'

const world = openForTests(openCardWorld)

const small = { merchants: 1, events: 3, notes: 1, payments: 2 }
const anySize = fc.record({
  merchants: fc.integer({ min: 1, max: 3 }),
  events: fc.integer({ min: 1, max: 9 }),
  notes: fc.integer({ min: 1, max: 4 }),
  payments: fc.integer({ min: 1, max: 5 }),
})

async function countAll(options: Partial<CountOptions> = {}): Promise<void> {
  while (await countRound({ sql: world.line.sql, ...options }));
}

async function assertExact(): Promise<void> {
  const { sql, merchant } = world.line
  assert.deepEqual(await figuresKept(sql, merchant.id), await recounted(sql, merchant.id))
}

type Action =
  | { readonly do: 'create' | 'pay'; readonly nth: number; readonly minor: bigint }
  | {
      readonly do: 'expire' | 'cancel' | 'wait' | 'count' | 'count twice' | 'die' | 'forget'
      readonly nth: number
    }
  | { readonly do: 'refund' | 'end refund'; readonly nth: number; readonly isDone: boolean }
  | { readonly do: 'dispute'; readonly nth: number; readonly outcome: Outcome; readonly round: number }

const nth = fc.nat(5)
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('create' as const, 'pay' as const),
      nth,
      minor: fc.bigInt({ min: 400n, max: 1_600n }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pay' as const), nth, minor: fc.constant(1_000n) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'expire' as const,
        'cancel' as const,
        'wait' as const,
        'count' as const,
        'count twice' as const,
        'die' as const,
        'forget' as const,
      ),
      nth,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('refund' as const, 'end refund' as const),
      nth,
      isDone: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      nth,
      outcome: fc.constantFrom<Outcome>('dispute_opened', 'dispute_taken', 'dispute_won', 'dispute_lost'),
      round: fc.integer({ min: 1, max: 3 }),
    }),
  },
)

let names = 0

async function live(actions: readonly Action[], limits: CountOptions['limits']): Promise<void> {
  const { sql, merchant, clock, close } = world.line
  const made: Awaited<ReturnType<CardWorld['create']>>[] = [await world.create(), await world.create()]
  const moneys: { readonly attempt: Attempt; readonly ref: string }[] = []
  const refunds: { readonly attempt: Attempt; readonly id: RefundId }[] = []
  let reports = 0
  const pick = <Item>(all: readonly Item[], at: number) => all[at % Math.max(1, all.length)]
  for (const each of actions) {
    const target = must(pick(made, each.nth), 'there are payments')
    const money = pick(moneys, each.nth)
    if (each.do === 'create') made.push(await world.create({ amount: Number(each.minor) }))
    if (each.do === 'pay') {
      const ref = `pi_${(names += 1)}`
      const amount = { minor: each.minor, currency: target.attempt.amount.currency }
      await world.settle(world.receipt(target.attempt, 'paid', ref, { amount }))
      moneys.push({ attempt: target.attempt, ref })
    }
    if (each.do === 'expire') await close(target.payment, 'expired', { early: true })
    if (each.do === 'cancel') await close(target.payment, 'canceled')
    if (each.do === 'wait') await clock.advance((1 + 7 * each.nth) * hourMs)
    if (each.do === 'refund') {
      const refund = await world.requestRefund(target.payment, 100)
      if (refund.kind === 'created') refunds.push({ attempt: target.attempt, id: refund.refund.id })
    }
    const refund = pick(refunds, each.nth)
    if (each.do === 'end refund' && refund !== undefined) {
      reports += 1
      const outcome = each.isDone ? 'refunded' : 'refund_failed'
      const receipt = world.refundReceipt(refund.attempt, refund.id, outcome, 100n)
      await world.settle({ ...receipt, occurrence: reports })
    }
    if (each.do === 'dispute' && money !== undefined) {
      const dispute = { paidRef: money.ref, kind: 'CHARGEBACK' as const }
      const more = { occurrence: each.round, dispute }
      await world.settle(world.receipt(money.attempt, each.outcome, `dp_${money.ref}`, more))
    }
    const options = { sql, ...given({ limits }) }
    if (each.do === 'count') await countRound(options)
    if (each.do === 'count twice')
      await Promise.all([countRound(options), countRound(options), countRound(options)])
    if (each.do === 'die') await assert.rejects(countRound({ ...options, sql: dying(sql) }), /died/)
    if (each.do === 'forget' && each.nth === 0) await recountMerchant(sql, merchant.id)
  }
  await Promise.all([countAll({ ...(limits && { limits }) }), countAll({ ...(limits && { limits }) })])
  await countAll()
  await assertExact()
}

/** A client whose process dies before it commits. */
function dying(sql: Sql): Sql {
  const begin = (work: Parameters<Sql['begin']>[1]) =>
    sql.begin(async (tx) => {
      await work(tx)
      throw new Error('the worker died')
    })
  return new Proxy(sql, {
    get: (target, name): unknown => (name === 'begin' ? begin : Reflect.get(target, name)),
  })
}

test('after any lives the figures are what the records say', async () => {
  // Makes sure that a pass that dies has something to count.
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 8, maxLength: 40, size: 'max' }),
      anySize,
      async (actions, limits) => {
        const alive = actions.map((each, at): Action =>
          each.do === 'die' && actions[at - 1]?.do !== 'create' ? { do: 'count', nth: 0 } : each,
        )
        await live(alive, limits)
      },
    ),
    { numRuns: count({ quick: 8, soak: 60 }) },
  )
})

test('a payment that is PAID after it expired is one attempt, on the day on which it was PAID', async () => {
  const { sql, merchant, clock, close } = world.line
  await countAll()
  const start = await figuresKept(sql, merchant.id)
  const { payment, attempt } = await world.create()
  await close(payment, 'expired', { early: true })
  await countAll()
  const expired = await figuresKept(sql, merchant.id)
  const ended = (of: ReadonlyMap<string, string>) =>
    [...of].filter(([key]) => key.includes(' ENDED ')).map(([key, value]) => `${key} = ${value}`)
  assert.notDeepEqual(ended(expired), ended(start))
  await clock.advance(24 * hourMs)
  await world.settle(world.receipt(attempt, 'paid', `pi_${(names += 1)}`))
  await countAll()
  await assertExact()
  const sums = (of: ReadonlyMap<string, string>) =>
    [...of]
      .filter(([key]) => key.includes(' ENDED '))
      .reduce((sum, [, value]) => sum + Number(value.split(' ')[0]), 0)
  assert.equal(sums(await figuresKept(sql, merchant.id)), sums(start) + 1)
})

test('money that comes in the batch that made its payment PAID, but after it, is no volume', async () => {
  const { attempt } = await world.create()
  await countAll()
  const refs = [`pi_${(names += 1)}`, `pi_${(names += 1)}`]
  await world.settle(...refs.map((ref) => world.receipt(attempt, 'paid', ref)))
  await countAll()
  await assertExact()
})

test('what was there before the figures is counted in bounded passes, and what is created meanwhile counts once', async () => {
  const { owner, sql, merchant, clock } = world.line
  for (let nth = 0; nth < 4; nth += 1) {
    await world.create()
    await clock.advance(11 * hourMs)
  }
  await owner`truncate insight_day, insight_watermark, insight_created`
  const creating = Promise.all(Array.from({ length: 5 }, () => world.create()))
  await Promise.all([countRound({ sql, limits: small }), countRound({ sql, limits: small })])
  await creating
  await countAll({ limits: small })
  await assertExact()
  await recountMerchant(sql, merchant.id)
  assert.equal((await figuresKept(sql, merchant.id)).size, 0)
  await countAll({ limits: small })
  await assertExact()
})

test('a worker waits for the one that counts for the same merchant, and then counts only what is left', async () => {
  const { sql, merchant } = world.line
  await countAll()
  const { attempt } = await world.create()
  await world.settle(world.receipt(attempt, 'paid', `pi_${(names += 1)}`))
  const rounds = await sql.begin(async (tx) => {
    await lockWatermarks(tx, [merchant.id])
    const waiting = [countRound({ sql }), countRound({ sql })]
    await eventually('both wait', async () => {
      const [row] = await sql<{ waiting: number }[]>`
        select count(*)::integer as waiting from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database()`
      return row?.waiting === 2
    })
    return { waiting }
  })
  await Promise.all(rounds.waiting)
  await assertExact()
})

afterEach(async () => {
  const [row] = await world.line.sql<{ negative: number }[]>`
    select count(*)::integer as negative from insight_day where count < 0 or minor < 0`
  assert.equal(row?.negative, 0)
})
