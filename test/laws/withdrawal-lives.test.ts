// Any sequence of actions on withdrawals, also concurrent ones: either the bank pays, or the merchant has the money back, never
// both or neither; also when the bank revokes a refusal.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minuteMs } from '#/kernel/time.ts'
import { openBooks, type Books } from '../books.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { assertExplained } from '../explained.ts'
import { fates, funds, openWorld, type Fate } from './withdrawal-world.ts'

let books: Books
let lanes: Parameters<typeof openWorld>[1]

before(async () => {
  books = await openBooks()
  lanes = [await books.openLane(), await books.openLane()]
})
after(() => books[Symbol.asyncDispose]())

type Action =
  | {
      readonly do: 'cancel' | 'approve' | 'reject' | 'hasten' | 'return' | 'pay after all'
      readonly of: number
      readonly by: 0 | 1
    }
  | { readonly do: 'work'; readonly by: 0 | 1 }
  | { readonly do: 'tick'; readonly ms: number }
  | { readonly do: 'end'; readonly even: boolean }
  | { readonly do: 'freeze'; readonly isOn: boolean }
  | { readonly do: 'limit'; readonly each: number | null }

const by = fc.constantFrom<0 | 1>(0, 1)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('work' as const), by }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'cancel',
        'approve',
        'approve',
        'reject',
        'hasten',
        'hasten',
        'return',
        'pay after all',
      ),
      of: fc.nat(9),
      by,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tick' as const), ms: fc.nat(10_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tick' as const), ms: fc.nat(150_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), even: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), isOn: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('limit' as const), each: fc.constantFrom(1, 300, null) }),
  },
)
/** Actions of one wave happen at the same time. */
const life = fc.record({
  amounts: fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 2, maxLength: 6 }),
  waves: fc.array(fc.array(action, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 12 }),
  fates: fc.array(fc.constantFrom<Fate>(...fates), { minLength: 1, maxLength: 30 }),
})

/** Sent again while an earlier call is on its way, it would be refused, released, and then paid. */
const work: Action = { do: 'work', by: 0 }
const tooEarly = {
  amounts: [100, 100],
  waves: [
    [work],
    [{ do: 'tick' as const, ms: 5_000 }],
    [work],
    [{ do: 'tick' as const, ms: 60_000 }],
    [work],
  ],
  // Two calls, two queries for their results; two queries before the next calls, and those.
  fates: ['late', 'late', 'clean', 'clean', 'clean', 'clean', 'refuse', 'refuse'] satisfies Fate[],
}

/** The clocks move while a worker claims and calls. */
const standsStill = {
  amounts: [100, 100],
  waves: [
    [{ do: 'tick' as const, ms: 4_000 }, { do: 'tick' as const, ms: 108_000 }, work],
    [{ do: 'tick' as const, ms: 26_000 }],
    [work],
  ],
  fates: ['late', 'refuse', 'late', 'refuse', 'clean'] satisfies Fate[],
}

/** A withdrawal that may be at the bank when money is frozen is looked up, and not sent again. */
const inDoubt = {
  amounts: [100, 100],
  waves: [
    [work],
    [{ do: 'freeze' as const, isOn: true }],
    [{ do: 'tick' as const, ms: 150_000 }],
    [work],
    [{ do: 'limit' as const, each: 1 }],
    [work],
  ],
  fates: ['dies'] satisfies Fate[],
}

/** The bank refuses one of two, and pays it after the refusal was booked. */
const revoked = {
  amounts: [100, 100],
  waves: [
    [work],
    [{ do: 'end' as const, even: true }],
    [{ do: 'tick' as const, ms: 5_000 }],
    [work],
    [
      { do: 'pay after all' as const, of: 0, by: 0 as const },
      { do: 'pay after all' as const, of: 1, by: 0 as const },
    ],
  ],
  fates: ['clean'] satisfies Fate[],
}

/** Canceled before a worker sends it. */
const calledOff = {
  amounts: [100, 100],
  waves: [[{ do: 'cancel' as const, of: 0, by: 0 as const }], [work]],
  fates: ['clean'] satisfies Fate[],
}

const tally = { CANCELED: 0, COMPLETED: 0, FAILED: 0, returned: 0, sentTwice: 0, heldBack: 0, afterAll: 0 }

test('what is released was never paid, and what was paid is never released', async (t) => {
  await fc.assert(
    fc.asyncProperty(life, async ({ amounts, waves, fates: ownFates }) => {
      const world = await openWorld(books, lanes)
      let calls = 0
      world.fated(() => ownFates[calls++ % ownFates.length] ?? 'clean')
      await Promise.all(amounts.map((amount, nth) => world.ask(nth % 2 === 0 ? 0 : 1, amount)))
      for (const wave of waves) await Promise.all(wave.map((each) => act(world, each)))
      await rest(world)
      await judge(world)
    }),
    {
      numRuns: count({ quick: 5, soak: 3_000 }),
      endOnFailure: true,
      examples: [[tooEarly], [standsStill], [inDoubt], [revoked], [calledOff]],
    },
  )
  t.diagnostic(JSON.stringify(tally))
  const counted = [tally.CANCELED, tally.COMPLETED, tally.FAILED, tally.heldBack, tally.afterAll]
  assert.ok(counted.every((times) => times > 0))
  const { faults } = await books.verify()
  assert.deepEqual(faults, [])
})

test('a refusal that its worker settles when another one has sent the withdrawal again releases nothing', async () => {
  const world = await openWorld(books, lanes)
  await world.ask(0, 100)
  const goesOn = Promise.withResolvers<void>()
  const isRefused = Promise.withResolvers<void>()
  world.fated(() => 'refuse')
  world.stalled(async ({ state }) => {
    if (state !== 'refused') return
    isRefused.resolve()
    await goesOn.promise
  })
  const slow = world.work(0)
  await isRefused.promise
  // As after a machine that stood still: the first worker's call has arrived by now, or never will.
  await world.tick(2 * minuteMs)
  world.fated(() => 'clean')
  await world.work(1)
  world.end(() => true)
  goesOn.resolve()
  await slow
  await rest(world)
  await judge(world)
  assert.deepEqual(
    (await world.all()).map(({ status }) => status),
    ['COMPLETED'],
  )
})

type World = Awaited<ReturnType<typeof openWorld>>

async function act(world: World, each: Action): Promise<void> {
  if (each.do === 'work') return world.work(each.by)
  if (each.do === 'tick') return world.tick(each.ms)
  if (each.do === 'freeze') return world.freeze(each.isOn)
  if (each.do === 'limit') return world.limit(each.each === null ? null : BigInt(each.each))
  if (each.do === 'end') return world.end((nth) => (nth % 2 === 0) === each.even)
  const id = world.ids[each.of % world.ids.length]
  if (id === undefined) return
  if (each.do === 'hasten') return world.hasten(id)
  if (each.do === 'return' || each.do === 'pay after all') {
    const found = (await world.all()).find((withdrawal) => withdrawal.id === id)
    const reference = found?.reference ?? ''
    return each.do === 'return' ? world.giveBack(reference) : world.payAfterAll(reference)
  }
  const event = ({ cancel: 'canceled', approve: 'approved', reject: 'rejected' } as const)[each.do]
  await world.decide(each.by, id, event)
}

/** Late calls arrive, the bank answers, every withdrawal is approved, and time goes on until all have ended. */
async function rest(world: World): Promise<void> {
  world.fated(() => 'clean')
  await world.tick(minuteMs)
  await world.freeze(false)
  await world.limit(null)
  for (let round = 0; round < 40; round++) {
    const all = await world.all()
    const open = all.filter(({ status }) => status.startsWith('P'))
    // Reconciliation finds what no callback reported.
    const paid = all.filter(
      ({ status, reference }) =>
        status === 'FAILED' && (world.bank.get(reference)?.status ?? 'NAO_REALIZADO') !== 'NAO_REALIZADO',
    )
    if (open.length + paid.length === 0) return
    for (const { id } of paid) await world.hasten(id)
    for (const { id, status } of open)
      if (status === 'PENDING_APPROVAL') await world.decide(0, id, 'approved')
    world.end((nth) => nth % 3 !== 0)
    await world.tick(6 * minuteMs)
    await world.work(round % 2 === 0 ? 0 : 1)
  }
  assert.fail(`some never end: ${(await world.all()).map(({ status }) => status).join()}`)
}

const ends: Readonly<Record<string, readonly string[]>> = {
  CANCELED: ['withdrawal.canceled'],
  COMPLETED: ['withdrawal.processing', 'withdrawal.completed'],
  FAILED: ['withdrawal.processing', 'withdrawal.failed'],
}

const afterAll = ['withdrawal.processing', 'withdrawal.failed', 'withdrawal.completed']

async function judge(world: World): Promise<void> {
  assert.equal(world.whileFrozen.sent, 0, 'sent while money was frozen')
  tally.heldBack += world.whileFrozen.started
  let gone = 0n
  const due = await world.due()
  for (const { merchantId, id, reference, status, amountMinor, returnedMinor } of await world.all()) {
    // Two of up to six, in each life.
    if (world.ids.indexOf(id) < 2) await assertExplained(books.sql, 'WITHDRAWAL', { merchantId, id })
    const atBank = world.bank.get(reference)
    const calls = world.heard.get(reference) ?? 0
    if (status === 'CANCELED') assert.equal(calls, 0, 'a canceled one was never sent')
    if (status === 'CANCELED') assert.ok(!due.includes(id), 'an end leaves nothing due')
    if (status === 'COMPLETED') assert.equal(atBank?.status, 'REALIZADO')
    if (status === 'FAILED')
      assert.ok((atBank?.status ?? 'NAO_REALIZADO') === 'NAO_REALIZADO', 'released, and paid')
    assert.ok(returnedMinor <= (atBank?.returned ?? 0n))
    if (status === 'COMPLETED') gone += amountMinor - returnedMinor
    const events = (await world.eventsOf(id)).filter(
      (type) => !/created|approval_required|returned/.test(type),
    )
    const wasRefused = status === 'COMPLETED' && events.includes('withdrawal.failed')
    assert.deepEqual(events, wasRefused ? afterAll : ends[status])
    if (wasRefused) assert.ok(world.paidAfterAll.has(reference), 'released, and paid')
    if (wasRefused) tally.afterAll += 1
    if (status === 'CANCELED' || status === 'COMPLETED' || status === 'FAILED') tally[status] += 1
    if (returnedMinor > 0n) tally.returned += 1
    if (calls > 1) tally.sentTwice += 1
  }
  assert.deepEqual(await world.balances(), { available: funds - gone, held: 0n })
}
