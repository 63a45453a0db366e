// The partner's wallet app under any schedule: payers, merchants and the app act in any order and at the same time, while the
// app is killed, breaks connections, answers with errors or not at all, changes its keys, and its webhooks are lost, late,
// doubled, reordered, forged and false. In the end the books agree with the app, and each of its reports counted once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentId } from '#/kernel/id.ts'
import { sleep } from '#/kernel/time.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import {
  lies,
  openPartnerSchedule,
  payerActions,
  works,
  type Lie,
  type PartnerShop,
  type AppState,
  type Work,
} from './partner-schedule-world.ts'

const world = openForTests(openPartnerSchedule)

// ---- What happens

const webhooks = [
  'normal',
  'drop',
  'duplicate',
  'reorder',
  'delay',
  'bad_signature',
  'before_response',
  'no_close',
] as const
const faults = ['5xx', 'reset_after_commit', 'timeout', 'slow'] as const

type Step =
  | { readonly do: 'open'; readonly payment: number; readonly door: number; readonly isLost: boolean }
  | {
      readonly do: 'act'
      readonly payment: number
      readonly which: number
      readonly action: (typeof payerActions)[number]
    }
  | { readonly do: 'refund'; readonly payment: number; readonly cents: number; readonly times: number }
  | { readonly do: 'cancel' | 'end'; readonly payment: number }
  | { readonly do: 'lie'; readonly payment: number; readonly lie: Lie }
  | { readonly do: 'webhooks'; readonly mode: (typeof webhooks)[number] }
  | { readonly do: 'fault'; readonly mode: (typeof faults)[number]; readonly times: number }
  | { readonly do: 'refunds'; readonly mode: 'done' | 'pending' | 'fail' }
  | { readonly do: 'suspend'; readonly isSuspended: boolean }
  | { readonly do: 'clock'; readonly skewMs: number }
  | { readonly do: 'kill' | 'rotate' | 'wait' }
  | { readonly do: 'work'; readonly what: Work; readonly isLate: boolean }

const payment = fc.nat(2)
const which = fc.nat(5)
const is = <Name extends string>(name: Name) => fc.constant(name)
/** Many small parts of one payment reach the last refund that the app accepts for it. */
const parts = fc.oneof(
  { weight: 3, arbitrary: fc.record({ cents: fc.integer({ min: 1, max: 1_000 }), times: fc.constant(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      cents: fc.integer({ min: 1, max: 180 }),
      times: fc.integer({ min: 5, max: 11 }),
    }),
  },
)
const action = fc.constantFrom(...payerActions)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: is('open'), payment, door: fc.nat(1), isLost: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: is('act'), payment, which, action }) },
  {
    weight: 8,
    arbitrary: fc.record({ payment, parts }).map(({ parts: part, ...rest }): Step => {
      return { do: 'refund', ...rest, ...part }
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel', 'end'), payment }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is('lie'),
      payment,
      lie: fc.record({ says: fc.constantFrom(...lies), which, by: fc.constantFrom('app', 'stranger') }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: is('webhooks'), mode: fc.constantFrom(...webhooks) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is('fault'),
      mode: fc.constantFrom(...faults),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: is('refunds'), mode: fc.constantFrom('done', 'pending', 'fail') }),
  },
  { weight: 1, arbitrary: fc.record({ do: is('suspend'), isSuspended: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: is('clock'), skewMs: fc.constantFrom(0, 0, -5_000, 400_000) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('kill', 'rotate', 'wait') }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: is('work'), what: fc.constantFrom(...works), isLate: fc.boolean() }),
  },
)

/** How a payment ends, if it still can: its payer pays, or refuses an order that was started. */
const last = fc.constantFrom('confirm', 'refuse')

const schedule = fc.record({
  // Most payers pay at once, so that there are paid payments for the other steps.
  first: fc.tuple(...[0, 1, 2].map(() => fc.oneof(action, is('confirm'), is('confirm'), is('lose')))),
  // Steps of one list happen at the same time.
  rounds: fc.array(fc.array(step, { minLength: 1, maxLength: 4, size: 'max' }), {
    minLength: 2,
    maxLength: 8,
    size: 'max',
  }),
  last: fc.tuple(last, last, last),
})
type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never

async function live({ first, rounds, last: ends }: Schedule): Promise<void> {
  await calm()
  const shop = await world.openShop()
  const ids = await Promise.all(ends.map(() => shop.create()))
  await Promise.all(
    ids.map(async (id, index) => {
      const firstAction = first[index] ?? 'lose'
      await act(shop, ids, { do: 'open', payment: index, door: index % 2, isLost: firstAction === 'lose' })
      if (firstAction !== 'lose') await shop.act(id, 0, firstAction)
    }),
  )
  await shop.work('checks', true)
  for (const round of rounds) {
    // Only one kill of a round is done: the process can be killed only once at a time.
    const kill = round.findIndex((each) => each.do === 'kill')
    await Promise.all(
      round.map((each, index) => (each.do === 'kill' && index !== kill ? undefined : act(shop, ids, each))),
    )
  }
  await calm(shop)
  await untilQuiet(shop, new Map(ids.map((id, index) => [id, ends[index] ?? 'refuse'])))
  const atApp = await shop.state()
  const attempts = await shop.attempts()
  for (const id of ids) await assertPayment(shop, id, ordersOf(atApp, attempts, id))
  await assertBooks(shop, atApp)
}

async function act(shop: PartnerShop, ids: readonly PaymentId[], each: Step): Promise<void> {
  const { app } = world
  /** The app may be away: then nothing happens. */
  const control = (path: string, body: Readonly<Record<string, unknown>>) =>
    app.control('POST', path, body).catch(() => undefined)
  const idOf = (index: number) => ids[index] ?? assert.fail('one of three')
  switch (each.do) {
    case 'open':
      if (each.isLost) await control('/faults', { mode: 'reset_after_commit', times: 1 })
      return shop.open(idOf(each.payment), each.door)
    case 'act':
      return shop.act(idOf(each.payment), each.which, each.action)
    case 'refund':
      for (let nth = 0; nth < each.times; nth++) await shop.refund(idOf(each.payment), BigInt(each.cents))
      return
    case 'cancel':
      return shop.cancel(idOf(each.payment))
    case 'end':
      return shop.end(idOf(each.payment))
    case 'lie': {
      const status = await shop.lie(idOf(each.payment), each.lie)
      if (status !== undefined && each.lie.by === 'stranger')
        // While the app does not hand out its keys, no signature can be verified.
        assert.ok(status === 400 || status === 503, `a stranger is answered with ${status}`)
      return
    }
    case 'webhooks':
    case 'refunds':
      return void (await control(`/${each.do}`, { mode: each.mode }))
    case 'fault':
      return void (await control('/faults', { mode: each.mode, times: each.times }))
    case 'suspend':
      return shop.suspend(each.isSuspended).catch(() => undefined)
    case 'clock':
      return void (await control('/skew', { skewMs: each.skewMs }))
    case 'rotate':
      return void (await control('/certificates', { action: 'rotate' }))
    case 'wait':
      // Long enough that an order whose answer was lost has no owner any more.
      return sleep(700)
    case 'kill':
      return app.restart()
    case 'work':
      return shop.work(each.what, each.isLate)
  }
}

/** From here on nothing fails. */
async function calm(shop?: PartnerShop): Promise<void> {
  const { app } = world
  await app.control('POST', '/faults', { mode: 'none' })
  await app.control('POST', '/webhooks', { mode: 'normal' })
  await app.control('POST', '/refunds', { mode: 'done' })
  await app.control('POST', '/skew', { skewMs: 0 })
  await shop?.suspend(false)
}

/** Works until no webhook, query or payment is left to come. */
async function untilQuiet(
  shop: PartnerShop,
  ends: ReadonlyMap<PaymentId, 'confirm' | 'refuse'>,
): Promise<void> {
  let isQuiet = false
  for (let round = 0; round < 500 && !isQuiet; round++) {
    await endAll(shop, ends)
    for (const what of works) await shop.work(what, true)
    const { waiting, orders } = await shop.state()
    const isOpen = orders.some(({ status }) => status === 'PENDING' || status === 'REFUNDING')
    isQuiet = waiting === 0 && !isOpen && (await shop.isQuiet()) && (await hasPaid(shop, ends))
    if (!isQuiet) await sleep(20)
  }
  assert.ok(isQuiet, 'all of it comes to an end')
  assert.equal(await shop.parked(), 0, 'no signal waits for a person')
  // What ended during the last pass.
  for (const what of works) await shop.work(what, true)
}

/** Pays the payments that are to be paid, and ends started orders and refunds that would never end by themselves. */
async function endAll(shop: PartnerShop, ends: ReadonlyMap<PaymentId, 'confirm' | 'refuse'>): Promise<void> {
  const { app } = world
  const { orders } = await shop.state()
  const refunds = orders.flatMap((order) => order.refunds)
  for (const [nth, { refundRequestId, status }] of refunds.entries()) {
    if (status !== 'REFUND_PENDING') continue
    const outcome = nth % 2 === 0 ? 'succeed' : 'fail'
    // The refund may have ended by itself meanwhile.
    await app.control('POST', `/refunds/${refundRequestId}`, { outcome }).catch(() => undefined)
  }
  for (const [id, end] of ends) {
    const started = orders.filter(({ status }) => status === 'PENDING').map(({ prepayId }) => prepayId)
    for (const [index, link] of shop.shown(id).entries())
      if (started.includes(link)) await shop.act(id, index, end)
    if (end !== 'confirm' || (await shop.payment(id)).status !== 'WAITING_PAYMENT') continue
    await shop.open(id, 0)
    for (const index of shop.shown(id).keys()) await shop.act(id, index, 'confirm')
  }
}

async function hasPaid(
  shop: PartnerShop,
  ends: ReadonlyMap<PaymentId, 'confirm' | 'refuse'>,
): Promise<boolean> {
  for (const [id, end] of ends)
    if (end === 'confirm' && (await shop.payment(id)).status === 'WAITING_PAYMENT') return false
  return true
}

// ---- What must be true

type Orders = AppState['orders']

function ordersOf({ orders }: AppState, attempts: ReadonlyMap<string, PaymentId>, id: PaymentId): Orders {
  const names = orders.map(({ merchantTradeNo }) => merchantTradeNo)
  assert.equal(new Set(names).size, names.length, 'no attempt has two orders')
  for (const name of names) assert.ok(attempts.has(name), 'each order is of an attempt of ours')
  return orders.filter(({ merchantTradeNo }) => attempts.get(merchantTradeNo) === id)
}

const sum = (amounts: readonly (string | bigint)[]) =>
  amounts.reduce<bigint>((total, each) => total + (typeof each === 'string' ? centsOf(each) : each), 0n)
/** Of `12.34000000`. */
const centsOf = (amount: string) => BigInt(amount.replace('.', '')) / 1_000_000n
const amountsOf = (all: readonly { readonly amount: string }[]) => sum(all.map(({ amount }) => amount))
const isPaid = ({ transactionId }: Orders[number]) => transactionId !== undefined
const isDone = ({ status }: { readonly status: string }) => status === 'REFUND_SUCCESS'

async function assertPayment(shop: PartnerShop, id: PaymentId, orders: Orders): Promise<void> {
  const now = await shop.payment(id)
  const paid = orders.filter(isPaid)
  const refunds = orders.flatMap((order) => order.refunds)
  assert.ok(paid.length <= 1, 'no payment is paid twice')
  const received = amountsOf(paid)
  assert.deepEqual(
    [now.receivedMinor, now.refundedMinor, now.seenMinor],
    [received, amountsOf(refunds.filter(isDone)), 0n],
    `${id} received, refunded, on its way`,
  )
  const isCanceled = shop.isCanceled(id)
  assert.equal(now.status === 'CANCELED', isCanceled, now.status)
  assert.equal(now.status === 'PAID', received > 0n && !isCanceled, now.status)
  await assertRefunds(id, refunds)
  const isOver = now.status !== 'PENDING' && now.status !== 'WAITING_PAYMENT'
  const payable = orders.filter(({ status }) => status === 'INITIAL' || status === 'PENDING')
  const shown = payable.filter(({ prepayId }) => shop.shown(id).includes(prepayId))
  assert.ok(shown.length <= (isOver ? 0 : 1), `${now.status}, and ${shown.length} orders can be paid`)
  const events = await world.sql<{ type: string }[]>`select type from event where resource_id = ${id}`
  const types = events.map(({ type }) => type)
  assert.equal(new Set(types).size, types.length, `each is announced once: ${types.join(', ')}`)
  assert.equal(types.includes('payment.completed'), now.status === 'PAID')
  assert.equal(types.includes('payment.received_after_close'), received > 0n && isCanceled)
}

/** The app made each of our refunds once or refused it, and ours ended as the app's did. */
async function assertRefunds(id: PaymentId, refunds: Orders[number]['refunds']): Promise<void> {
  const ours = await world.sql<{ name: string; status: string; minor: bigint }[]>`
    select replace(id::text, '-', '') as name, status, amount_minor as minor
      from refund where payment_id = ${id}`
  const names = refunds.map(({ refundRequestId }) => refundRequestId)
  assert.equal(new Set(names).size, names.length, 'no refund is made twice')
  for (const name of names) assert.ok(ours.some((each) => each.name === name))
  for (const each of ours) {
    const there = refunds.find(({ refundRequestId }) => refundRequestId === each.name)
    const end = there !== undefined && isDone(there) ? 'COMPLETED' : 'FAILED'
    assert.equal(each.status, end, `refund ${each.name}`)
    if (there !== undefined) assert.equal(centsOf(there.amount), each.minor, 'the requested amount')
  }
}

async function assertBooks(shop: PartnerShop, { orders, balance }: AppState): Promise<void> {
  const rows = await shop.balances()
  const of = (pattern: RegExp) => sum(rows.filter(({ name }) => pattern.test(name)).map(({ minor }) => minor))
  const refunds = orders.flatMap((order) => order.refunds)
  const left = amountsOf(orders.filter(isPaid)) - amountsOf(refunds.filter(isDone))
  assert.deepEqual(
    [of(/^provider:/), left],
    [centsOf(balance), centsOf(balance)],
    'the app holds what came and did not go',
  )
  assert.equal(of(/:available$/), of(/^provider:/) + of(/^receivable:/))
  assert.deepEqual([of(/:held$/), of(/^suspense:/)], [0n, 0n], 'nothing is under way any more')
  const below = rows.filter(({ name, minor }) => minor < 0n && !/^(?:provider|seen):/.test(name))
  assert.deepEqual(below, [])
}

test('under any schedule each report of the app counts once, and the books agree with it', async () => {
  const property = fc.asyncProperty(schedule, live)
  await fc.assert(property, { numRuns: count({ quick: 2, soak: 400 }), endOnFailure: true })
})

test('and all of it is on the books: verify finds nothing wrong', async () => {
  assert.deepEqual((await world.verify()).faults, [])
})
