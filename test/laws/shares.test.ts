// Laws of shares. After any sequence of authorisations, captures, receipts, refunds, disputes, releases, suspensions, and transfers between
// the platform and its sub-accounts:
// - Each share follows from what the payment holds, and all shares are at most that. Money on its way belongs to the platform alone.
// - Nothing is negative, and nothing is taken without a grant. A sub-account owes its platform exactly what was covered and not repaid.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { Method, Outcome, Receipt } from '#/rails/words.ts'
import { must } from '#/kernel/check.ts'
import type { ApiKeyId, MerchantId, RefundId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import type { SplitRequest } from '#/payments/payment.ts'
import { selectSplits } from '#/payments/split-queries.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import { count } from '../counts.ts'
import {
  by,
  giveGrant,
  grantedTo,
  holdings,
  moveInFamily,
  newOwnKey,
  newSubAccount,
  walletOf,
  withdrawAll,
} from '../split-desk.ts'
import { openTabsWorld, type TabsWorld } from '../tabs-world.ts'

let world: TabsWorld
let subs: readonly MerchantId[]
let keys: readonly ApiKeyId[]

before(async () => {
  world = await openTabsWorld()
  subs = [await newSubAccount(world.line), await newSubAccount(world.line)]
  keys = [
    await newOwnKey(world.line, subs[0] as MerchantId),
    await newOwnKey(world.line, subs[1] as MerchantId),
  ]
  const { sql, merchant } = world.line
  for (const method of ['PIX', 'CREDIT_CARD'])
    await writeFeeRule(sql, {
      merchantId: merchant.id,
      method,
      currency: 'BRL',
      fixedMinor: 7n,
      ratePpm: 10_000n,
    })
})
after(() => world[Symbol.asyncDispose]())

type Action =
  | {
      readonly do: 'open'
      readonly terms: readonly (readonly ['percent' | 'amount', number])[]
      readonly payer: number
    }
  | {
      readonly do: 'pay'
      readonly nth: number
      readonly by: Method
      readonly minor: number
      readonly waits: boolean
    }
  /** Money on its way: an authorisation of a card, or a payment that is not final. */
  | { readonly do: 'announce'; readonly nth: number; readonly by: Method; readonly minor: number }
  | {
      readonly do: 'end announced'
      readonly nth: number
      readonly as: 'come' | 'gone'
      readonly minor: number
    }
  | { readonly do: 'give' | 'take' | 'grant'; readonly nth: number; readonly minor: number }
  | { readonly do: 'refund'; readonly nth: number; readonly minor: number; readonly covers: boolean }
  | { readonly do: 'end refund'; readonly nth: number; readonly well: boolean }
  | { readonly do: 'dispute'; readonly nth: number; readonly minor: number; readonly fee: number }
  | { readonly do: 'end dispute'; readonly nth: number; readonly as: Outcome; readonly round: number }
  | { readonly do: 'release' }
  | { readonly do: 'withdraw' | 'suspend' | 'close'; readonly nth: number }

const nth = fc.nat(2)
const minor = fc.integer({ min: 1, max: 1_200 })
const terms = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('percent' as const), fc.constantFrom(33.33, 12.3456, 1, 45)),
      fc.tuple(fc.constant('amount' as const), fc.integer({ min: 1, max: 400 })),
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((all) => all.map(([kind, value]): readonly ['percent' | 'amount', number] => [kind, value]))
const one = <Name extends Action['do']>(name: Name) => fc.constant(name)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: one('open'), terms, payer: fc.integer({ min: -1, max: 1 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: one('pay'),
      nth,
      by: fc.constantFrom<Method>('PIX', 'CREDIT_CARD', 'CREDIT_CARD'),
      minor: fc.oneof(minor, fc.constant(1_000)),
      waits: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: one('announce'),
      nth,
      by: fc.constantFrom<Method>('PIX', 'CREDIT_CARD'),
      minor: fc.oneof(minor, fc.constant(1_000)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: one('end announced'),
      nth,
      as: fc.constantFrom('come' as const, 'come' as const, 'gone' as const),
      minor,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('give' as const, 'take' as const, 'grant' as const),
      nth: fc.nat(1),
      minor,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: one('refund'), nth, minor, covers: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: one('end refund'), nth, well: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: one('dispute'), nth, minor, fee: fc.constantFrom(0, 0, 50) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: one('end dispute'),
      nth,
      as: fc.constantFrom<Outcome>('dispute_taken', 'dispute_won', 'dispute_won', 'dispute_lost'),
      round: fc.constantFrom(1, 1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: one('release') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('withdraw' as const, 'suspend' as const, 'close' as const),
      nth: fc.nat(1),
    }),
  },
)

type Open = {
  readonly payment: Awaited<ReturnType<TabsWorld['open']>>['payment']
  readonly tabs: ReadonlyMap<Method, OpenedAttempt>
}
type Life = {
  readonly payments: Open[]
  /** What is on its way, or was. */
  readonly announced: Receipt[]
  readonly pieces: { readonly tab: OpenedAttempt; readonly receipt: Receipt }[]
  readonly refunds: { readonly id: RefundId; readonly tab: OpenedAttempt; readonly minor: bigint }[]
  readonly disputes: {
    readonly ref: string
    readonly tab: OpenedAttempt
    readonly paidRef: string
    readonly minor: bigint
  }[]
}

let names = 0
const pick = <Thing>(things: readonly Thing[], at: number) =>
  things.at(-1 - (at % Math.max(things.length, 1)))

async function act(life: Life, each: Action): Promise<void> {
  switch (each.do) {
    case 'open': {
      for (const id of subs) await changeSubAccount(world.line.sql, { id }, { state: 'ACTIVE' }, by)
      const splits = each.terms.map(([kind, value], index): SplitRequest => {
        const subAccountId = must(subs[index], 'one for each')
        return kind === 'percent' ? { subAccountId, percent: `${value}` } : { subAccountId, amount: value }
      })
      const payer =
        each.payer >= 0 && each.payer < splits.length ? { feePayer: must(subs[each.payer], 'one') } : {}
      try {
        life.payments.push(await world.open('BRL', 1_000, ['PIX', 'CREDIT_CARD'], { splits, ...payer }))
      } catch (error) {
        // The fee payer keeps less than our fee.
        assert.equal((error as { code?: string }).code, 'split_refused')
      }
      return
    }
    case 'pay': {
      const tab = pick(life.payments, each.nth)?.tabs.get(each.by)
      if (tab === undefined) return
      world.delayMs = each.waits ? hourMs : 0
      const receipt = world.receipt(tab, 'paid', BigInt(each.minor))
      await world.settle(receipt)
      if (each.by === 'CREDIT_CARD') life.pieces.push({ tab, receipt })
      return
    }
    case 'announce': {
      const tab = pick(life.payments, each.nth)?.tabs.get(each.by)
      if (tab === undefined) return
      const name = `auth_${(names += 1)}`
      const outcome = each.by === 'PIX' ? 'seen' : 'authorised'
      const receipt = world.receipt(tab, outcome, BigInt(each.minor), { providerRef: name, pendingRef: name })
      await world.settle(receipt)
      life.announced.push(receipt)
      return
    }
    case 'end announced': {
      const of = pick(life.announced, each.nth)
      if (of === undefined) return
      world.delayMs = 0
      const gone = of.outcome === 'seen' ? 'orphaned' : 'voided'
      // A capture is at most what was authorised, and completes the payment.
      const captured = BigInt(Math.min(each.minor, Number(of.amount.minor)))
      const come =
        of.outcome === 'seen'
          ? ({ outcome: 'paid', amount: { ...of.amount, minor: BigInt(each.minor) } } as const)
          : ({ outcome: 'paid', amount: { ...of.amount, minor: captured }, authorised: of.amount } as const)
      await world.settle({ ...of, ...(each.as === 'gone' ? { outcome: gone } : come) })
      return
    }
    case 'give':
    case 'take': {
      const id = must(subs[each.nth], 'one')
      const before = await grantedTo(world.line, id)
      const { kind } = await moveInFamily(world.line, each.do, id, each.minor)
      if (each.do === 'take' && kind === 'created') assert.ok(BigInt(each.minor) <= before)
      return
    }
    case 'grant':
      await giveGrant(
        world.line,
        { id: must(subs[each.nth], 'one'), keyId: must(keys[each.nth], 'one') },
        each.minor,
      )
      return
    case 'refund': {
      const payment = pick(life.payments, each.nth)?.payment
      if (payment === undefined) return
      const verdict = await world.refund(
        payment,
        each.minor,
        'rest',
        each.covers ? { coverShortfall: true } : {},
      )
      if (verdict.kind !== 'created') return
      const { id, method, amountMinor } = verdict.refund
      const tab = life.payments.find((of) => of.payment.id === payment.id)?.tabs.get(method)
      life.refunds.push({ id, tab: must(tab, 'it came by a tab'), minor: amountMinor })
      return
    }
    case 'end refund': {
      const of = pick(life.refunds, each.nth)
      if (of === undefined) return
      await world.settle(
        world.refundReceipt(of.tab, of.id, each.well ? 'refunded' : 'refund_failed', of.minor),
      )
      return
    }
    case 'dispute': {
      const of = pick(life.pieces, each.nth)
      if (of === undefined) return
      const paidRef = of.receipt.providerRef
      const made = { ref: `dp_${(names += 1)}`, tab: of.tab, paidRef, minor: BigInt(each.minor) }
      life.disputes.push(made)
      return say(made, 'dispute_opened', 1, BigInt(each.fee))
    }
    case 'end dispute': {
      const of = pick(life.disputes, each.nth)
      if (of !== undefined) await say(of, each.as, each.round)
      return
    }
    case 'release':
      await world.release()
      return
    case 'withdraw':
      return withdrawn(must(subs[each.nth], 'one'))
    case 'suspend':
      await changeSubAccount(world.line.sql, { id: must(subs[each.nth], 'one') }, { state: 'SUSPENDED' }, by)
      return
    case 'close':
      await closed(each.nth)
  }
}

/** A sub-account closes exactly if it has no money and no debt anywhere. A new one then takes its place. */
async function closed(nth: number): Promise<void> {
  const { sql } = world.line
  const id = must(subs[nth], 'one')
  const [row] = await sql<{ held: boolean }[]>`
    select exists (select from account
                     join balance on account_id = account.id
                    where minor <> 0
                      and (name like '%' || ${id}::text || '%'
                           or exists (select from wallet
                                       where merchant_id = ${id} and name like 'wallet:' || wallet.id || ':%'))) as held`
  const closing = changeSubAccount(sql, { id }, { state: 'CLOSED' }, by)
  if (row?.held === true) return assert.rejects(closing, { code: 'invalid_state' })
  await closing
  await replace(nth)
}

async function replace(nth: number): Promise<void> {
  const id = await newSubAccount(world.line)
  subs = subs.with(nth, id)
  keys = keys.with(nth, await newOwnKey(world.line, id))
}

async function withdrawn(id: MerchantId): Promise<void> {
  const { has, owesParent } = await holdings(world.line, id)
  // With a debt to its parent it withdraws nothing.
  if (has > 0n && owesParent === 0n) await withdrawAll(world.line, id)
}

async function say(
  { ref, tab, paidRef, minor: of }: Life['disputes'][number],
  outcome: Outcome,
  occurrence: number,
  fee = 0n,
): Promise<void> {
  const dispute = { paidRef, kind: 'CHARGEBACK' as const, ...(fee === 0n ? {} : { fee }) }
  await world.settle(world.receipt(tab, outcome, of, { providerRef: ref, occurrence, dispute }))
}

/** An oracle of its own, in fractions of numbers: a share is the part of what the payment holds of its amount. */
async function check(life: Life): Promise<void> {
  const { sql } = world.line
  let booked = 0n
  for (const { payment } of life.payments) {
    const [split] = await selectSplits(sql, [{ merchantId: payment.merchantId, paymentId: payment.id }])
    const { receivedMinor, refundedMinor, disputedMinor } = await world.line.payment(payment.id)
    const { shares, duplicateMinor, waitingMinor } = must(split, 'it is split')
    const held = [
      1_000,
      Number(receivedMinor - refundedMinor - disputedMinor - duplicateMinor),
      Number(receivedMinor - refundedMinor - disputedMinor - waitingMinor),
    ]
    const base = Math.max(Math.min(...held), 0)
    for (const [index, share] of shares.entries()) {
      const { percent, amount } = must(payment.request.splits?.[index], 'it was requested')
      // Within a ten-thousandth of a cent of the exact share: below that a float is not exact.
      const exact = percent === undefined ? ((amount ?? 0) * base) / 1_000 : (base * Number(percent)) / 100
      assert.equal(share.bookedMinor, BigInt(Math.floor(exact + 1e-4)))
      booked += share.bookedMinor
    }
    const sum = shares.reduce((total, { bookedMinor }) => total + bookedMinor, 0n)
    assert.ok(sum <= BigInt(base))
    assert.ok(waitingMinor >= 0n)
  }
  const rows = await sql<{ name: string; minor: bigint; floored: boolean }[]>`
    select name, minor, floored from account join balance on account_id = id`
  for (const { name, minor: of, floored } of rows) assert.ok(!floored || of >= 0n, `${name} has ${of}`)
  // Money on its way, authorised or waiting for a delay is the platform's alone.
  const pendingOf = async (id: MerchantId) => {
    const name = `wallet:${await walletOf(world.line, id)}:pending`
    return rows.find((row) => row.name === name)?.minor ?? 0n
  }
  for (const id of subs) assert.equal(await pendingOf(id), 0n)
  const [waits] = await sql<{ minor: bigint }[]>`
    select coalesce(sum(seen_minor + unreleased_minor), 0)::bigint as minor from payment`
  assert.equal(await pendingOf(world.line.merchant.id), waits?.minor)
  const sumOf = (prefix: string) =>
    rows.filter(({ name }) => name.startsWith(prefix)).reduce((total, each) => total + each.minor, 0n)
  assert.equal(sumOf('owes:'), sumOf('owed:'))
  const [covered] = await sql<{ minor: bigint }[]>`
    select coalesce(sum(case when step like '%.cover' then minor else -minor end), 0)::bigint as minor
      from transfer where kind = 'SHARE_COVERED'`
  assert.equal(sumOf('owes:'), covered?.minor)
}

/**
 * The share of a sub-account that is closed is the same function; what came after it closed the platform has kept. Returns the life
 * without these payments.
 */
async function checkClosed(life: Life): Promise<Life> {
  const open: Open[] = []
  for (const each of life.payments) {
    const { merchantId, id: paymentId, request } = each.payment
    const [split] = await selectSplits(world.line.sql, [{ merchantId, paymentId }])
    const { shares, duplicateMinor, waitingMinor } = must(split, 'it is split')
    if (!shares.some(({ isClosed }) => isClosed)) {
      open.push(each)
      continue
    }
    const { receivedMinor, refundedMinor, disputedMinor } = await world.line.payment(paymentId)
    const left = Number(receivedMinor - refundedMinor - disputedMinor)
    const base = Math.max(Math.min(1_000, left - Number(duplicateMinor), left - Number(waitingMinor)), 0)
    for (const [index, { bookedMinor, keptMinor, isClosed }] of shares.entries()) {
      const { percent, amount } = must(request.splits?.[index], 'it was requested')
      const exact = percent === undefined ? ((amount ?? 0) * base) / 1_000 : (base * Number(percent)) / 100
      assert.equal(bookedMinor + keptMinor, BigInt(Math.floor(exact + 1e-4)))
      assert.ok(keptMinor === 0n || isClosed)
    }
  }
  return { ...life, payments: open }
}

/** A sub-account withdraws its share before the payer wants it back. */
const covering: Action[] = [
  { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 1_000, waits: false },
  { do: 'withdraw', nth: 0 },
  { do: 'dispute', nth: 0, minor: 1_000, fee: 50 },
]

/** An authorisation that is captured in part, one that is voided, and money that was seen and is gone. */
const capturing: Action[] = [
  { do: 'announce', nth: 0, by: 'CREDIT_CARD', minor: 1_000 },
  { do: 'end announced', nth: 0, as: 'come', minor: 400 },
  { do: 'announce', nth: 0, by: 'CREDIT_CARD', minor: 500 },
  { do: 'end announced', nth: 0, as: 'gone', minor: 1 },
  { do: 'announce', nth: 0, by: 'PIX', minor: 1_000 },
  { do: 'end announced', nth: 0, as: 'gone', minor: 1 },
  { do: 'grant', nth: 0, minor: 100 },
  { do: 'take', nth: 0, minor: 60 },
  { do: 'give', nth: 0, minor: 20 },
]

test('after any actions shares are the function of what the payment holds, and debts are what was covered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 40 }), async (actions) => {
      const life: Life = { payments: [], announced: [], pieces: [], refunds: [], disputes: [] }
      await act(life, { do: 'open', terms: [['percent', 33.33]], payer: -1 })
      for (const each of actions) await act(life, each)
      await check(await checkClosed(life))
    }),
    { numRuns: count({ quick: 6, soak: 150 }), endOnFailure: true, examples: [[capturing], [covering]] },
  )
  const { faults } = await world.line.verify()
  // Disputes of these cards have no evidence of a bank's.
  assert.deepEqual(
    faults.filter(({ inspection }) => !inspection.startsWith('receipts of')),
    [],
  )
  const [row] = await world.line.sql<{ count: number }[]>`
    select count(*)::integer as count from transfer where kind = 'SHARE_COVERED'`
  assert.ok((row?.count ?? 0) > 0, 'some share was covered')
  const announced = await world.line.sql<{ outcome: string }[]>`
    select distinct outcome from receipt where booked_minor > 0 and outcome in ('authorised', 'voided', 'seen', 'orphaned')`
  assert.equal(announced.length, 4, 'money was announced and lost in every way')
  const [partly] = await world.line.sql<{ count: number }[]>`
    select count(*)::integer as count
      from receipt as authorised
      join receipt as captured using (merchant_id, payment_id, connection, pending_ref)
     where authorised.outcome = 'authorised' and captured.outcome = 'paid'
       and captured.booked_minor between 1 and authorised.booked_minor - 1`
  assert.ok((partly?.count ?? 0) > 0, 'some authorisation was captured in part')
  const [taken] = await world.line.sql<{ count: number }[]>`
    select count(*)::integer as count from own_transfer where grant_id is not null and is_mirror`
  assert.ok((taken?.count ?? 0) > 0, 'some money was taken by a grant')
})

// ---- What a short run may not meet

/** Plays this with sub-accounts that have nothing yet; the first share is a third. Returns the life, which kept the laws. */
async function play(actions: readonly Action[]): Promise<Life> {
  await replace(0)
  await replace(1)
  const life: Life = { payments: [], announced: [], pieces: [], refunds: [], disputes: [] }
  await act(life, { do: 'open', terms: [['percent', 33.33]], payer: -1 })
  for (const each of actions) await act(life, each)
  await check(await checkClosed(life))
  return life
}

const first = () => must(subs[0], 'a sub-account')

async function shareOf({ payments }: Life) {
  const { merchantId, id: paymentId } = must(payments[0], 'a payment').payment
  const [split] = await selectSplits(world.line.sql, [{ merchantId, paymentId }])
  const { bookedMinor, keptMinor } = must(split?.shares[0], 'a share')
  return [bookedMinor, keptMinor]
}

const paid: Action = { do: 'pay', nth: 0, by: 'CREDIT_CARD', minor: 1_000, waits: false }

test('a suspended sub-account gets its share and gives back of it, and no new payment names it', async () => {
  const life = await play([
    { do: 'suspend', nth: 0 },
    paid,
    { do: 'refund', nth: 0, minor: 300, covers: false },
    { do: 'dispute', nth: 0, minor: 200, fee: 0 },
  ])
  assert.deepEqual(await shareOf(life), [166n, 0n])
  assert.deepEqual(await holdings(world.line, first()), { has: 166n, owes: 0n, owesParent: 0n })
  const splits = [{ subAccountId: first(), percent: '10' }]
  await assert.rejects(world.open('BRL', 1_000, ['PIX'], { splits }), { code: 'split_refused' })
})

test('a refund of a share that was spent is refused, or covered by the platform, and the next credit repays that', async () => {
  const spent = await play([
    paid,
    { do: 'withdraw', nth: 0 },
    { do: 'refund', nth: 0, minor: 1_000, covers: false },
  ])
  assert.deepEqual([spent.refunds, await shareOf(spent)], [[], [333n, 0n]])
  const life = await play([
    paid,
    { do: 'withdraw', nth: 0 },
    { do: 'refund', nth: 0, minor: 1_000, covers: true },
  ])
  assert.deepEqual([life.refunds.length, await shareOf(life)], [1, [0n, 0n]])
  assert.deepEqual(await holdings(world.line, first()), { has: 0n, owes: 0n, owesParent: 333n })
  await act(life, { do: 'open', terms: [['percent', 45]], payer: -1 })
  await act(life, paid)
  assert.deepEqual(await holdings(world.line, first()), { has: 117n, owes: 0n, owesParent: 0n })
  await check(life)
})

test('the platform keeps, and gives back, the share of a sub-account that closed; one with money stays open', async () => {
  const closing: Action = { do: 'close', nth: 0 }
  const held = await play([paid, closing])
  assert.deepEqual(await shareOf(held), [333n, 0n])
  const life = await play([closing, paid, { do: 'refund', nth: 0, minor: 500, covers: false }])
  assert.deepEqual(await shareOf(life), [0n, 166n])
  const { faults } = await world.line.verify()
  assert.deepEqual(
    faults.filter(({ inspection }) => !inspection.startsWith('receipts of')),
    [],
  )
})
