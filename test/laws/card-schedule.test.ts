// Cards under any schedule: payers, merchants and banks act in any order and at the same time, while the acquirer is killed,
// breaks connections, answers with errors or not at all, and its webhooks are lost, doubled, reordered and forged. In the
// end the books agree with the acquirer, and each of its reports counted once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentId } from '#/kernel/id.ts'
import { sleep } from '#/kernel/time.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import {
  openCardSchedule,
  works,
  type CardShop,
  type AcquirerState,
  type Work,
} from './card-schedule-world.ts'

const world = openForTests(openCardSchedule)

// ---- What happens

const cards = [
  'success',
  'decline',
  'insufficient_funds',
  'challenge',
  'refund_pending',
  'refund_fails',
] as const
const webhooks = ['normal', 'drop', 'duplicate', 'reorder', 'bad_signature'] as const
const faults = ['5xx', 'reset_after_commit', 'timeout'] as const

type Step =
  | { readonly do: 'pay'; readonly payment: number; readonly card: (typeof cards)[number] }
  | { readonly do: 'capture' | 'refund' | 'dispute'; readonly payment: number; readonly cents: number }
  | { readonly do: 'cancel'; readonly payment: number }
  | { readonly do: 'end'; readonly which: number; readonly isWon: boolean }
  | { readonly do: 'webhooks'; readonly mode: (typeof webhooks)[number] }
  | { readonly do: 'fault'; readonly mode: (typeof faults)[number]; readonly times: number }
  | { readonly do: 'refunds'; readonly mode: 'succeed' | 'pending' | 'fail' }
  | { readonly do: 'kill' }
  | { readonly do: 'work'; readonly what: Work; readonly isLate: boolean }

const payment = fc.nat(2)
const cents = fc.integer({ min: 1, max: 1_000 })
const is = <Name extends string>(name: Name) => fc.constant(name)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: is('pay'), payment, card: fc.constantFrom(...cards) }) },
  {
    weight: 9,
    arbitrary: fc.record({ do: fc.constantFrom('capture', 'refund', 'dispute'), payment, cents }),
  },
  { weight: 1, arbitrary: fc.record({ do: is('cancel'), payment }) },
  { weight: 2, arbitrary: fc.record({ do: is('end'), which: fc.nat(5), isWon: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: is('webhooks'), mode: fc.constantFrom(...webhooks) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: is('fault'),
      mode: fc.constantFrom(...faults),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: is('refunds'), mode: fc.constantFrom('succeed', 'pending', 'fail') }),
  },
  { weight: 1, arbitrary: fc.record({ do: is('kill') }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: is('work'), what: fc.constantFrom(...works), isLate: fc.boolean() }),
  },
)

const schedule = fc.record({
  isManual: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  // Most payers have a good card, so that there are paid payments for the other steps.
  first: fc.tuple(...[0, 1, 2].map(() => fc.option(fc.constantFrom(...cards, 'success', 'success')))),
  // Steps of one list happen at the same time.
  rounds: fc.array(fc.array(step, { minLength: 1, maxLength: 4, size: 'max' }), {
    minLength: 2,
    maxLength: 8,
    size: 'max',
  }),
})
type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never

async function live({ isManual, first, rounds }: Schedule): Promise<void> {
  await calm()
  const shop = await world.openShop()
  const ids = await Promise.all(isManual.map((each) => shop.create(each)))
  await Promise.all(
    ids.map((id, index) => {
      const card = first[index]
      return typeof card === 'string' ? shop.pay(id, card) : undefined
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
  await calm()
  await untilQuiet(shop)
  const atAcquirer = await shop.state()
  for (const id of ids) await assertPayment(shop, id, atAcquirer)
  await assertBooks(shop, atAcquirer)
}

async function act(shop: CardShop, ids: readonly PaymentId[], each: Step): Promise<void> {
  const { acquirer } = world
  /** The acquirer may be away or refuse: then nothing happens. */
  const control = (path: string, body: Readonly<Record<string, unknown>>) =>
    acquirer.control(path, body).catch(() => undefined)
  const idOf = (index: number) => ids[index] ?? assert.fail('one of three')
  switch (each.do) {
    case 'pay':
      return shop.pay(idOf(each.payment), each.card)
    case 'capture':
      return shop.capture(idOf(each.payment), BigInt(each.cents))
    case 'cancel':
      return shop.cancel(idOf(each.payment))
    case 'refund':
      return shop.refund(idOf(each.payment), BigInt(each.cents))
    case 'dispute': {
      const atAcquirer = await shop.state().catch(() => undefined)
      const intent = atAcquirer?.paymentIntents
        .filter(({ status }) => status === 'succeeded')
        .find(({ metadata }) => metadata['payment_id'] === idOf(each.payment))
      if (intent !== undefined) await control('disputes', { paymentIntent: intent.id, amount: each.cents })
      return
    }
    case 'end': {
      const atAcquirer = await shop.state().catch(() => undefined)
      const one = atAcquirer?.disputes[each.which % Math.max(atAcquirer.disputes.length, 1)]
      if (one !== undefined) await control(`disputes/${one.id}`, { outcome: each.isWon ? 'won' : 'lost' })
      return
    }
    case 'webhooks':
    case 'refunds':
      return void (await control(each.do, { mode: each.mode }))
    case 'fault':
      return void (await control('faults', { mode: each.mode, times: each.times }))
    case 'kill':
      return acquirer.restart()
    case 'work':
      return shop.work(each.what, each.isLate)
  }
}

/** From here on nothing fails. */
async function calm(): Promise<void> {
  await world.acquirer.control('faults', { mode: 'none' })
  await world.acquirer.control('webhooks', { mode: 'normal' })
  await world.acquirer.control('refunds', { mode: 'succeed' })
}

/** Works until neither side has anything left to report or to query. */
async function untilQuiet(shop: CardShop): Promise<void> {
  for (let round = 0; round < 500; round++) {
    const atAcquirer = await shop.state()
    const { refunds, webhooks: letters } = atAcquirer
    for (const { id, status } of refunds) if (status === 'pending') await endRefund(id)
    await endWhatHoldsBack(atAcquirer)
    for (const what of works) await shop.work(what, true)
    if (letters.waiting === 0 && (await shop.isQuiet())) break
    await sleep(20)
  }
  // What ended during the last pass.
  for (const what of works) await shop.work(what, true)
}

/** A refund waits while its money is disputed, also one that was requested meanwhile: then the dispute ends. */
async function endWhatHoldsBack({ paymentIntents, disputes }: AcquirerState): Promise<void> {
  const rows = await world.sql<{ id: string }[]>`
    select payment_id as id from refund
     where status = 'PENDING' and (is_held_back or exists (
       select from dispute where dispute.paid_ref = refund.paid_ref and dispute.status = 'OPEN'))`
  const held = new Set(rows.map(({ id }) => id))
  const names = paymentIntents.filter(({ metadata }) => held.has(metadata['payment_id'] ?? ''))
  for (const { id } of disputes.filter((each) => names.some((name) => name.id === each.payment_intent)))
    await world.acquirer.control(`disputes/${id}`, { outcome: 'won' }).catch(() => undefined)
}

/** The refund may have ended by itself meanwhile. */
async function endRefund(id: string): Promise<void> {
  await world.acquirer.control(`refunds/${id}`, { outcome: 'succeed' }).catch(() => undefined)
}

// ---- What must be true

const sum = (minors: readonly (number | bigint)[]) =>
  minors.reduce<bigint>((total, each) => total + BigInt(each), 0n)
const amounts = (all: readonly { readonly amount: number }[]) => sum(all.map(({ amount }) => amount))
const isGone = ({ status }: { readonly status: string }) => status !== 'won'
const isDone = ({ status }: { readonly status: string }) => status === 'succeeded'

async function assertPayment(shop: CardShop, id: PaymentId, atAcquirer: AcquirerState): Promise<void> {
  const intents = atAcquirer.paymentIntents.filter(({ metadata }) => metadata['payment_id'] === id)
  const names = new Set(intents.map((each) => each.id))
  const refunds = atAcquirer.refunds.filter((each) => names.has(each.payment_intent))
  const disputes = atAcquirer.disputes.filter((each) => names.has(each.payment_intent))
  const now = await shop.payment(id)
  assert.ok(intents.filter((each) => each.amount_received > 0).length <= 1, 'no payment is paid twice')
  const received = sum(intents.map((each) => each.amount_received))
  assert.deepEqual(
    [now.receivedMinor, now.refundedMinor, now.disputedMinor, now.seenMinor],
    [
      received,
      amounts(refunds.filter(isDone)),
      amounts(disputes.filter(isGone)),
      amounts(intents.filter(({ status }) => status === 'requires_capture')),
    ],
    `${id} received, refunded, disputed, on its way`,
  )
  assert.equal(now.status === 'PAID', received > 0n, now.status)
  await assertRefunds(id, refunds)
  const completed = await world.sql<{ type: string }[]>`
    select type from event where resource_id = ${id} and type = 'payment.completed'`
  assert.equal(completed.length, received > 0n ? 1 : 0, 'the merchant is notified once')
}

/** The acquirer made each of our refunds once or refused it, and ours ended as the acquirer's did. */
async function assertRefunds(id: PaymentId, refunds: AcquirerState['refunds']): Promise<void> {
  const ours = await world.sql<{ id: string; status: string }[]>`
    select id, status from refund where payment_id = ${id}`
  const names = refunds.map(({ metadata }) => metadata['refund_id'])
  assert.equal(new Set(names).size, names.length, 'no refund is made twice')
  for (const name of names) assert.ok(ours.some((each) => each.id === name))
  for (const each of ours) {
    const there = refunds.find(({ metadata }) => metadata['refund_id'] === each.id)
    const end = there !== undefined && isDone(there) ? 'COMPLETED' : 'FAILED'
    assert.equal(each.status, end, `refund ${each.id}`)
  }
}

async function assertBooks(shop: CardShop, atAcquirer: AcquirerState): Promise<void> {
  const { paymentIntents, refunds, disputes, sessions } = atAcquirer
  const attempts = sessions.map(({ metadata }) => metadata['attempt_id'])
  assert.equal(new Set(attempts).size, attempts.length, 'no attempt has two sessions')
  const rows = await shop.balances()
  const of = (pattern: RegExp) => sum(rows.filter(({ name }) => pattern.test(name)).map(({ minor }) => minor))
  const left =
    sum(paymentIntents.map((each) => each.amount_received)) -
    amounts(refunds.filter(isDone)) -
    amounts(disputes.filter(isGone)) -
    sum(disputes.flatMap((each) => each.balance_transactions.map(({ fee }) => fee)))
  assert.equal(of(/^provider:/), left, 'the acquirer holds what came and did not go')
  assert.equal(of(/:available$/), of(/^provider:/) + of(/^receivable:/))
  assert.deepEqual([of(/:held$/), of(/^suspense:/)], [0n, 0n], 'nothing is under way any more')
  const below = rows.filter(({ name, minor }) => minor < 0n && !/^(?:provider|seen):/.test(name))
  assert.deepEqual(below, [])
}

test('under any schedule each report of the acquirer counts once, and the books agree with it', async () => {
  const property = fc.asyncProperty(schedule, live)
  await fc.assert(property, { numRuns: count({ quick: 2, soak: 400 }), endOnFailure: true })
})

test('and all of it is on the books: verify finds nothing wrong', async () => {
  assert.deepEqual((await world.verify()).faults, [])
})
