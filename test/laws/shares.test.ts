// Laws of shares. After any sequence of authorisations, captures, receipts, refunds, disputes, releases, suspensions, and transfers between
// the platform and its sub-accounts:
// - Each share follows from what the payment holds, and all shares are at most that. Money on its way belongs to the platform alone.
// - What waits for a settlement delay stands in each party's own pending balance, by the same function, and is taken back first.
// - A fee payer pays the fees of the money that is shared, once: none of a duplicate, and none when a share is given again.
// - Nothing is negative, and nothing is taken without a grant. A sub-account owes its platform exactly what was covered and not repaid.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { ApiKeyId, MerchantId, RefundId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { changeSubAccount } from '#/merchants/sub-accounts.ts'
import type { SplitRequest } from '#/payments/payment.ts'
import { selectSplits } from '#/payments/split-queries.ts'
import type { Method } from '#/rails/method.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { fc } from '../chance.ts'
import { closeIfEmpty, withoutClosed } from '../closed-shares.ts'
import { count } from '../counts.ts'
import {
  action,
  capturing,
  covering,
  disputingFee,
  paidTwice,
  waiting,
  type Action,
} from '../share-actions.ts'
import { checkFees, lawFee } from '../share-fee-oracle.ts'
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
} from '../split-world.ts'
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
      ...lawFee,
    })
})
after(() => world[Symbol.asyncDispose]())

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
    case 'close': {
      if (!(await closeIfEmpty(world.line, must(subs[each.nth], 'one')))) return
      // A new one takes its place.
      const id = await newSubAccount(world.line)
      const keyId = await newOwnKey(world.line, id)
      subs = subs.with(each.nth, id)
      keys = keys.with(each.nth, keyId)
    }
  }
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
    const kind = await waitingKindOf(payment)
    const exactOf = (index: number, of: number) => {
      const { percent, amount } = must(payment.request.splits?.[index], 'it was requested')
      return percent === undefined ? ((amount ?? 0) * of) / 1_000 : (of * Number(percent)) / 100
    }
    await checkFees(world.line, payment, shares, exactOf)
    for (const [index, share] of shares.entries()) {
      // Within a ten-thousandth of a cent of the exact share: below that a float is not exact.
      const exact = exactOf(index, base)
      assert.equal(share.bookedMinor, BigInt(Math.floor(exact + 1e-4)))
      const { unreleasedMinor } = share
      assert.ok(unreleasedMinor >= 0n && unreleasedMinor <= share.bookedMinor)
      if (kind === 'nothing waits') assert.equal(unreleasedMinor, 0n)
      if (kind === 'all waits') {
        // Of its own share its fee is paid first. Cents that earlier pieces left are available. What went back took the rest of a share
        // from elsewhere where its fee was paid already, so later shares wait without that fee.
        const least = Math.max(Math.floor(exact + 1e-4) - Number(share.feeMinor), 0)
        const below = least - Number(unreleasedMinor)
        const wentBack = refundedMinor + disputedMinor > 0n
        assert.ok(below <= 1 && (wentBack || below >= 0), `${unreleasedMinor} of ${least} waits`)
      }
    }
    const sum = shares.reduce((total, { bookedMinor }) => total + bookedMinor, 0n)
    assert.ok(sum <= BigInt(base))
    assert.equal(waitingMinor, 0n)
  }
  const rows = await sql<{ name: string; minor: bigint; floored: boolean }[]>`
    select name, minor, floored from account join balance on account_id = id`
  for (const { name, minor: of, floored } of rows) assert.ok(!floored || of >= 0n, `${name} has ${of}`)
  // Money on its way or authorised is the platform's alone. Of what waits each has its own part.
  const pendingOf = async (id: MerchantId) => {
    const name = `wallet:${await walletOf(world.line, id)}:pending`
    return rows.find((row) => row.name === name)?.minor ?? 0n
  }
  for (const id of subs) {
    const [share] = await sql<{ minor: bigint }[]>`
      select coalesce(sum(unreleased_minor), 0)::bigint as minor from payment_share where sub_account_id = ${id}`
    assert.equal(await pendingOf(id), share?.minor)
  }
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

/** Whether all money of a payment waits for its settlement delay, or none, or neither. */
async function waitingKindOf({ id }: Open['payment']): Promise<string> {
  const [row] = await world.line.sql<{ open: number; free: number }[]>`
    select (select count(*)::integer from release where payment_id = ${id} and released_at is null) as open,
           (select count(*)::integer from release where payment_id = ${id} and released_at is not null)
           + (select count(*)::integer from receipt
               where payment_id = ${id} and outcome = 'paid' and booked_minor > 0
                 and not exists (select from release
                                  where release.payment_id = receipt.payment_id and release.ordinal = receipt.ordinal))
           -- These gave back what is available.
           + (select count(*)::integer from dispute where payment_id = ${id} and status = 'WON')
           + (select count(*)::integer from refund where payment_id = ${id} and status = 'FAILED') as free`
  const { open, free } = must(row, 'one row')
  return open === 0 ? 'nothing waits' : free === 0 ? 'all waits' : 'some waits'
}

test('after any actions shares are the function of what the payment holds, and debts are what was covered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 40 }), async (actions) => {
      const life: Life = { payments: [], announced: [], pieces: [], refunds: [], disputes: [] }
      await act(life, { do: 'open', terms: [['percent', 33.33]], payer: -1 })
      for (const each of actions) await act(life, each)
      await check({ ...life, payments: await withoutClosed(world.line, life.payments) })
    }),
    {
      numRuns: count({ quick: 3, soak: 150 }),
      endOnFailure: true,
      examples: [[capturing], [covering], [waiting], [disputingFee], [paidTwice]],
    },
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
  const [waited] = await world.line.sql<{ given: number; back: number; released: number }[]>`
    select count(*) filter (where step like '%.share-pending')::integer as given,
           count(*) filter (where step like '%.back-pending')::integer as back,
           count(*) filter (where step ~ '^\\d+\\.\\d+\\.release-\\d+$')::integer as released
      from transfer`
  assert.ok(
    Math.min(...Object.values(must(waited, 'one row'))) > 0,
    'some shares waited, went back and were released',
  )
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
