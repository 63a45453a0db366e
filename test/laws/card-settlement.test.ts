// Laws of settlement for a provider that authorises and captures payments, and refunds and disputes them. Its reports arrive in
// any order, any number of times, several at once, with a settlement delay or without. Each report counts once, and the books
// hold what is true.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { Payment, PaymentStatus } from '#/payments/payment.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { openCardWorld, type CardBalances, type CardWorld } from '../card-world.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { assertPaymentExplained } from '../explained.ts'

let world: CardWorld
before(async () => {
  world = await openCardWorld()
  const { sql, merchant } = world.line
  // One percent; a fixed part would depend on which of two payments was settled first.
  const rule = { merchantId: merchant.id, method: 'CREDIT_CARD', currency: 'EUR', ratePpm: 10_000n } as const
  await writeFeeRule(sql, { ...rule, fixedMinor: 0n })
})
after(() => world[Symbol.asyncDispose]())

const amount = 1_000n

/** What happens to one attempt at the provider, in the order in which it happens there. */
type Story =
  | { readonly kind: 'declined' }
  | { readonly kind: 'paid'; readonly minor: bigint }
  | { readonly kind: 'captured'; readonly authorised: bigint; readonly minor: bigint }
  | { readonly kind: 'voided'; readonly authorised: bigint }
  | { readonly kind: 'authorised'; readonly authorised: bigint }

/** What happens to money that was paid. */
type Fate = {
  readonly dispute?: {
    readonly minor: bigint
    readonly fee: bigint
    readonly ends: 'open' | 'taken' | 'won' | 'lost' | 'reinstated' | 'lost again'
  }
  readonly refunds: readonly {
    readonly minor: bigint
    readonly ends: 'pending' | 'refunded' | 'refund_failed'
  }[]
}

const requested = fc.oneof(
  { arbitrary: fc.constant(amount), weight: 8 },
  { arbitrary: fc.bigInt({ min: 1n, max: 1_500n }), weight: 1 },
)
const part = fc.bigInt({ min: 1n, max: amount })
const story: fc.Arbitrary<Story> = fc.oneof(
  { arbitrary: fc.constant({ kind: 'declined' as const }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('paid' as const), minor: requested }), weight: 4 },
  {
    arbitrary: fc.record({ kind: fc.constant('captured' as const), authorised: requested, minor: part }),
    weight: 4,
  },
  { arbitrary: fc.record({ kind: fc.constant('voided' as const), authorised: requested }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('authorised' as const), authorised: requested }), weight: 1 },
)
const fate: fc.Arbitrary<Fate> = fc.record(
  {
    dispute: fc.record({
      minor: part,
      fee: fc.constantFrom(0n, 15n),
      ends: fc.constantFrom('open', 'taken', 'won', 'lost', 'reinstated', 'lost again'),
    }),
    refunds: fc.array(
      fc.record({ minor: part, ends: fc.constantFrom('pending', 'refunded', 'refund_failed') }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['refunds'] },
)

const life = fc.record({
  tries: fc.array(story, { minLength: 1, maxLength: 3 }),
  fates: fc.array(fate, { minLength: 3, maxLength: 3 }),
  /** The order in which receipts are settled, and which are settled twice. */
  orders: fc.array(fc.nat(1_000), { minLength: 8, maxLength: 24 }),
  twice: fc.array(fc.nat(100), { maxLength: 8 }),
  delayMs: fc.constantFrom(0, hourMs),
  /** When unreleased money is released: before money goes back, in the middle of it, or after it. */
  releases: fc.constantFrom('first', 'between', 'last'),
})

type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

let names = 0

/** The receipts that the provider reports of an attempt. */
function receiptsOf(attempt: Attempt, each: Story, name: string): readonly Receipt[] {
  const money = (minor: bigint) => ({ ...attempt.amount, minor })
  const say = (outcome: Receipt['outcome'], minor: bigint, more: Partial<Receipt> = {}) =>
    world.receipt(attempt, outcome, name, { amount: money(minor), ...more })
  const pendingRef = { pendingRef: name }
  switch (each.kind) {
    case 'declined':
      return [say('declined', amount, { failure: { code: 'card_declined', message: 'No.' } })]
    case 'paid':
      return [say('paid', each.minor)]
    case 'authorised':
      return [say('authorised', each.authorised, pendingRef)]
    case 'voided':
      return [say('authorised', each.authorised, pendingRef), say('voided', each.authorised, pendingRef)]
    case 'captured': {
      const minor = each.minor < each.authorised ? each.minor : each.authorised
      const authorised = money(each.authorised)
      return [
        say('authorised', each.authorised, pendingRef),
        say('paid', minor, { ...pendingRef, authorised }),
      ]
    }
  }
}

/** How much of a story is the payment's money, how much belongs to no payment, and how much is authorised only. */
function truthOf(each: Story): { readonly paid: bigint; readonly nobodys: bigint; readonly open: bigint } {
  if (each.kind === 'paid')
    return each.minor === amount
      ? { paid: amount, nobodys: 0n, open: 0n }
      : { paid: 0n, nobodys: each.minor, open: 0n }
  if (each.kind === 'captured') {
    const minor = each.minor < each.authorised ? each.minor : each.authorised
    return each.authorised === amount
      ? { paid: minor, nobodys: 0n, open: 0n }
      : { paid: 0n, nobodys: minor, open: 0n }
  }
  const isOpen = each.kind === 'authorised' && each.authorised === amount
  return { paid: 0n, nobodys: 0n, open: isOpen ? amount : 0n }
}

function disputeReceipts(
  attempt: Attempt,
  name: string,
  dispute: NonNullable<Fate['dispute']>,
  minor: bigint,
) {
  const { fee, ends } = dispute
  const about = { paidRef: name, kind: 'CHARGEBACK' as const, ...(fee === 0n ? {} : { fee }) }
  const say = (outcome: Receipt['outcome'], occurrence = 1) =>
    world.receipt(attempt, outcome, `dp_${name}`, {
      dispute: about,
      amount: { ...attempt.amount, minor },
      occurrence,
      evidence: Buffer.from(`dp_${name} ${outcome} ${occurrence}`),
    })
  const opened = [say('dispute_opened')]
  if (ends === 'open') return opened
  if (ends === 'taken') return [...opened, say('dispute_taken')]
  const taken = [...opened, say('dispute_taken')]
  if (ends === 'reinstated') return [...taken, say('dispute_lost'), say('dispute_won')]
  if (ends === 'lost again')
    return [...taken, say('dispute_won'), say('dispute_taken', 2), say('dispute_lost', 2)]
  return [...taken, say(ends === 'won' ? 'dispute_won' : 'dispute_lost')]
}

/** Settles each receipt at least once, some twice, in the given order, three at a time. */
async function hear(
  id: PaymentId,
  receipts: readonly Receipt[],
  { orders, twice }: Pick<Life, 'orders' | 'twice'>,
): Promise<void> {
  const again = twice.flatMap((nth) => receipts[nth % Math.max(receipts.length, 1)] ?? [])
  const shuffled = [...receipts, ...again]
    .map((receipt, index) => ({ receipt, place: orders[index % orders.length] ?? 0, index }))
    .toSorted((a, b) => (a.place === b.place ? a.index - b.index : a.place - b.place))
    .map(({ receipt }) => receipt)
  for (let at = 0; at < shuffled.length; at += 3) {
    const before = await world.payment(id)
    await Promise.all(shuffled.slice(at, at + 3).map((receipt) => world.settle(receipt)))
    assertGoesOn(before, await world.payment(id))
  }
}

const final: readonly PaymentStatus[] = ['PAID', 'CANCELED']

function assertGoesOn(before: Payment, now: Payment): void {
  if (final.includes(before.status)) assert.equal(now.status, before.status, 'nothing leaves such a state')
  assert.ok(now.seenMinor >= 0n && now.unreleasedMinor >= 0n)
  assert.ok(now.version >= before.version)
}

async function live({ tries, fates, orders, twice, delayMs, releases }: Life): Promise<void> {
  world.provider.delayMs = delayMs
  const start = await world.balances()
  const { payment, attempt } = await world.create({ amount: Number(amount) })
  const attempted = tries.map((each) => ({ each, name: `pi_${(names += 1)}`, truth: truthOf(each) }))
  await hear(
    payment.id,
    attempted.flatMap(({ each, name }) => receiptsOf(attempt, each, name)),
    { orders, twice },
  )
  if (releases === 'first') await world.release()

  const gone = { refunded: 0n, pending: 0n, disputed: 0n, held: 0n, taken: 0n, fees: 0n }
  const ends: Receipt[] = []
  for (const [nth, { name, truth }] of attempted.entries()) {
    const { dispute, refunds } = fates[nth] ?? { refunds: [] }
    let left = truth.paid
    for (const { minor: wanted, ends: end } of refunds) {
      const minor = wanted < left ? wanted : left
      // A refund is of one piece; with several pieces this law cannot know which one.
      if (minor === 0n || attempted.filter((other) => other.truth.paid > 0n).length > 1) continue
      const verdict = await world.requestRefund(payment, Number(minor))
      // Our fee, or a dispute of another life, may have left less.
      assert.ok(['created', 'insufficient_funds'].includes(verdict.kind), verdict.kind)
      if (verdict.kind !== 'created') continue
      const { refund } = verdict
      left -= end === 'refund_failed' ? 0n : minor
      if (end === 'pending') gone.pending += minor
      else ends.push(world.refundReceipt(attempt, refund.id, end, minor))
      if (end === 'refunded') gone.refunded += minor
      if (end === 'refund_failed') await hear(payment.id, ends.splice(0), { orders, twice })
    }
    if (dispute === undefined || left === 0n) continue
    const minor = dispute.minor < left ? dispute.minor : left
    ends.push(...disputeReceipts(attempt, name, dispute, minor))
    gone.fees += dispute.fee
    const isKept = dispute.ends === 'won' || dispute.ends === 'reinstated'
    if (!isKept) gone.disputed += minor
    if (dispute.ends === 'open') gone.held += minor
    if (!isKept && dispute.ends !== 'open') gone.taken += minor
  }
  if (releases === 'between') await world.release()
  await hear(payment.id, ends, { orders, twice })
  await compare(payment.id, attempted, await withoutUncovered(payment.id, gone), start)
  await world.release()
  const now = await world.payment(payment.id)
  assert.equal(now.unreleasedMinor, 0n, 'all that waited is released in the end')
  await voidRest(payment.id, attempt)
  await assertPaymentExplained(world.line.sql, payment)
}

type Attempted = readonly { readonly each: Story; readonly truth: ReturnType<typeof truthOf> }[]
type Gone = Readonly<Record<'refunded' | 'pending' | 'disputed' | 'held' | 'taken' | 'fees', bigint>>

/**
 * A refund that waited for a dispute holds its amount again after the dispute; if the wallet has too little then, the refund fails.
 * A refund that still waits holds nothing, and its dispute is open.
 */
async function withoutUncovered(id: PaymentId, gone: Gone): Promise<Gone & { readonly waiting: bigint }> {
  const rows = await world.line.sql<{ code: string | null; waits: boolean; minor: bigint }[]>`
    select failure ->> 'code' as code, is_held_back as waits, amount_minor as minor from refund
     where payment_id = ${id}`
  const sum = (some: readonly { readonly minor: bigint }[]) =>
    some.reduce((total, { minor }) => total + minor, 0n)
  const waiting = sum(rows.filter(({ waits }) => waits))
  const [open] = await world.line.sql`
    select from dispute where payment_id = ${id} and status = 'OPEN'`
  assert.ok(waiting === 0n || open !== undefined, 'no refund waits for a dispute that has ended')
  const uncovered = sum(rows.filter(({ code }) => code === 'insufficient_funds'))
  return { ...gone, pending: gone.pending - uncovered, waiting }
}

async function compare(
  id: PaymentId,
  attempted: Attempted,
  gone: Gone & { readonly waiting: bigint },
  start: CardBalances,
): Promise<void> {
  const now = await world.payment(id)
  const sum = (of: (truth: Attempted[number]['truth']) => bigint) =>
    attempted.reduce((total, { truth }) => total + of(truth), 0n)
  const [paid, nobodys, open] = [
    sum(({ paid }) => paid),
    sum((each) => each.nobodys),
    sum((each) => each.open),
  ]
  assert.equal(now.receivedMinor, paid, 'each capture and payment is credited once')
  assert.equal(now.seenMinor, open, 'on its way is what is authorised and not ended')
  assert.equal(now.refundedMinor, gone.refunded + gone.pending)
  assert.equal(now.disputedMinor, gone.disputed)
  if (paid > 0n) assert.equal(now.status, 'PAID')
  else if (open > 0n) assert.ok(['APPROVED', 'EXPIRED'].includes(now.status))
  else assert.ok(['WAITING_PAYMENT', 'EXPIRED'].includes(now.status), now.status)
  assert.ok(!now.exceptions.includes('UNDERPAID') && !now.exceptions.includes('OVERPAID'))
  assert.equal(
    now.exceptions.includes('DUPLICATE'),
    attempted.filter(({ truth }) => truth.paid > 0n).length > 1,
  )

  const balances = await world.balances()
  const since = (name: keyof CardBalances) => balances[name] - start[name]
  assert.equal(since('provider'), paid + nobodys - gone.refunded - gone.taken - gone.fees)
  assert.equal(since('suspense'), nobodys)
  assert.equal(since('fees'), now.feeMinor)
  assert.equal(since('held'), gone.pending - gone.waiting + gone.held)
  assert.equal(
    since('available') + since('pending') - open - since('owed'),
    paid - now.feeMinor - gone.refunded - gone.pending + gone.waiting - gone.disputed - gone.fees,
    'the merchant has what came, less what went back or may',
  )
}

/** Voids what is still authorised, so that the next life begins with nothing under way. */
async function voidRest(id: PaymentId, attempt: Attempt): Promise<void> {
  const rows = await world.line.sql<{ name: string; minor: bigint }[]>`
    select receipt.provider_ref as name, receipt.booked_minor as minor from receipt
     where payment_id = ${id} and outcome = 'authorised' and booked_minor > 0
       and not exists (select from receipt as ending
                        where ending.pending_ref = receipt.pending_ref and ending.outcome in ('voided', 'paid'))`
  for (const { name } of rows)
    await world.settle(world.receipt(attempt, 'voided', name, { pendingRef: name }))
  const now = await world.payment(id)
  assert.equal(now.seenMinor, 0n)
  assert.notEqual(now.status, 'APPROVED')
}

test('reports of a card payment, in any order and any number of times, are booked once and never taken back', async () => {
  await fc.assert(fc.asyncProperty(life, live), {
    numRuns: count({ quick: 4, soak: 3_000 }),
    endOnFailure: true,
  })
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.line.verify()).faults, [])
})
