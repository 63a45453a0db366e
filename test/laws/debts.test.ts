// A merchant never has both a debt and available money. After any sequence of actions, for each merchant and currency: either
// nothing is owed, to the operator or by a sub-account to its platform, or no wallet of the merchant in that currency, of any type,
// active or not, has anything available.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId, type ConnectionId, type WalletId, type WithdrawalId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Outcome } from '#/rails/receipt.ts'
import type { Refund } from '#/refunds/refund.ts'
import { payoutKind } from '#/settlement/payout.ts'
import { resolveKind } from '#/settlement/resolve.ts'
import { createWalletKind } from '#/wallets/create.ts'
import { ownTransferKind } from '#/wallets/transfer.ts'
import { feeMethodOf } from '#/withdrawals/accept.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { openCardWorld, type CardWorld } from '../card-world.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { assertExplained, assertPaymentExplained } from '../explained.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { action, repaying, type Action } from './debts-actions.ts'
import { joinFamily, type Family } from './debts-family.ts'

const payouts = 't1-payouts' as ConnectionId
const place = { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } as const

let world: CardWorld
let family: Family
before(async () => {
  world = await openCardWorld()
  family = await joinFamily(world, place.pixKey)
  const { owner, sql, merchant } = world.line
  await owner`
    insert into connection (id, mode, method, provider, settings, created_at)
    values (${payouts}, 'SANDBOX', 'PIX_PAYOUT', 'efi', '{}', clock_timestamp())`
  const rule = { merchantId: merchant.id, currency: 'EUR', ratePpm: 10_000n } as const
  await writeFeeRule(sql, { ...rule, method: 'CREDIT_CARD', fixedMinor: 0n })
  await writeFeeRule(sql, { ...rule, method: feeMethodOf('PIX'), fixedMinor: 3n })
})
after(async () => {
  await family[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const kinds = {
  accept: withdrawalKind(),
  decide: decisionKind(testPayoutRails()),
  payout: payoutKind(testPayoutRails()),
  wallet: createWalletKind(),
}

/** What was done so far in one life. */
type Life = {
  readonly paid: { readonly payment: Payment; readonly attempt: Attempt; readonly ref: string }[]
  readonly credited: Life['paid']
  readonly shared: Life['paid']
  readonly refunds: { readonly refund: Refund; readonly attempt: Attempt }[]
  readonly withdrawals: WithdrawalId[]
  readonly disputes: { readonly ref: string; readonly of: Life['paid'][number]; readonly minor: number }[]
}

let names = 0
const pick = <Thing>(things: readonly Thing[], at: number) =>
  things.at(-1 - (at % Math.max(things.length, 1)))
const euros = (of: number) => ({ minor: BigInt(of), currency: 'EUR' as const })

async function act(life: Life, each: Action): Promise<void> {
  const { lane, merchant, sql } = world.line
  const tenant = { merchantId: merchant.id, mode: merchant.mode }
  switch (each.do) {
    case 'pay': {
      world.provider.delayMs = each.waits ? hourMs : 0
      const { payment, attempt } = await world.create()
      const ref = `pi_${(names += 1)}`
      await world.settle(world.receipt(attempt, 'paid', ref))
      life.paid.push({ payment, attempt, ref })
      return
    }
    case 'share': {
      world.provider.delayMs = each.waits ? hourMs : 0
      const made = await family.share()
      const ref = `pi_${(names += 1)}`
      await world.settle(world.receipt(made.attempt, 'paid', ref))
      life.shared.push({ ...made, ref })
      return
    }
    case 'take back': {
      const of = pick(life.shared, each.nth)
      const verdict = of && (await family.refund(of.payment, each.minor))
      if (of !== undefined && verdict?.kind === 'created')
        life.refunds.push({ refund: verdict.refund, attempt: of.attempt })
      return
    }
    case 'release':
      await world.release()
      return
    case 'open wallet': {
      const walletType = names % 2 === 0 ? ('RESERVE' as const) : ('SPENDABLE' as const)
      const request = { currency: 'EUR' as const, label: 'another', walletType }
      await lane.submit(kinds.wallet, { ...tenant, id: newId<'wallet'>(), request })
      return
    }
    case 'resolve': {
      const { payment, attempt } = await world.create()
      const ref = `pi_${(names += 1)}`
      await world.settle(world.receipt(attempt, 'paid', ref, { amount: euros(77) }))
      life.credited.push({ payment, attempt, ref })
      const [row] = await sql<{ id: ReturnType<typeof newId<'unmatched'>> }[]>`
        select id from unmatched where provider_ref = ${ref}`
      assert.ok(row)
      await lane.submit(resolveKind(world.rails), { id: row.id, merchantId: merchant.id })
      return
    }
    case 'move': {
      const wallets = await walletIds()
      const [from, to] = [wallets[each.nth % wallets.length], wallets[(each.nth + 1) % wallets.length]]
      if (from === undefined || to === undefined || from === to) return
      const request = { fromWalletId: from, toWalletId: to, amount: each.minor }
      await lane.submit(ownTransferKind, { ...tenant, id: newId<'own-transfer'>(), request })
      return
    }
    case 'refund': {
      const of = pick(life.paid, each.nth)
      if (of === undefined) return
      const verdict = await world.requestRefund(of.payment, each.minor)
      if (verdict.kind === 'created') life.refunds.push({ refund: verdict.refund, attempt: of.attempt })
      return
    }
    case 'end refund': {
      const of = pick(life.refunds, each.nth)
      if (of === undefined) return
      const outcome = each.well ? ('refunded' as const) : ('refund_failed' as const)
      const receipt = world.refundReceipt(of.attempt, of.refund.id, outcome, of.refund.amountMinor)
      await world.settle(receipt)
      return
    }
    case 'empty': {
      const [own, ...others] = await family.free()
      for (const { id, minor: all } of others) {
        const request = { fromWalletId: id, toWalletId: own.id, amount: Number(all) }
        await lane.submit(ownTransferKind, { ...tenant, id: newId<'own-transfer'>(), request })
      }
      const [{ minor: free }] = await family.free()
      if (free > 5n) await act(life, { do: 'withdraw', nth: 0, minor: Math.floor((Number(free) - 5) / 1.01) })
      return
    }
    case 'withdraw': {
      const id = newId<'withdrawal'>()
      const routing = {
        ok: true,
        connection: payouts,
        currency: 'EUR',
        destination: { text: place.pixKey, fields: place },
      } as const
      const request = { type: 'PIX', amount: each.minor, currency: 'EUR', ...place } as const
      const item = { ...tenant, id, request, requestedBy: newId<'api-key'>(), routing }
      if ((await lane.submit(kinds.accept, item)).kind === 'created') life.withdrawals.push(id)
      return
    }
    case 'payout':
      return actOnPayout(pick(life.withdrawals, each.nth), each.news)
    case 'dispute': {
      const of = pick([...life.paid, ...life.credited, ...life.shared], each.nth)
      if (of === undefined) return
      const made = { ref: `dp_${(names += 1)}`, of, minor: each.minor }
      life.disputes.push(made)
      return say(made, 'dispute_opened')
    }
    case 'end dispute': {
      const of = pick(life.disputes, each.nth)
      if (of !== undefined) await say(of, each.as, each.round)
    }
  }
}

async function actOnPayout(
  id: WithdrawalId | undefined,
  news: Extract<Action, { do: 'payout' }>['news'],
): Promise<void> {
  const { lane, merchant } = world.line
  if (id === undefined) return
  if (news === 'canceled' || news === 'sending') {
    await lane.submit(kinds.decide, { id, merchantId: merchant.id, event: news })
    return
  }
  // Only a withdrawal that was sent can end at a provider.
  await lane.submit(kinds.decide, { id, event: 'sending' })
  const evidence = Buffer.from(`${id} ${news} ${(names += 1)}`)
  if (news === 'refused') {
    await lane.submit(kinds.payout, { id, news: { state: news, code: 'no', message: 'No.', evidence } })
    return
  }
  if (news === 'returned') {
    await lane.submit(kinds.payout, { id, news: { state: news, returned: 40n, evidence } })
    return
  }
  if (news === 'done') await lane.submit(kinds.payout, { id, news: { state: news, evidence } })
}

async function say(
  { ref, of, minor: about }: Life['disputes'][number],
  outcome: Outcome,
  occurrence = 1,
): Promise<void> {
  const dispute = { paidRef: of.ref, kind: 'CHARGEBACK' as const, fee: 15n * BigInt(occurrence) }
  const evidence = Buffer.from(`${ref} ${outcome} ${occurrence}`)
  const more = { dispute, amount: euros(about), occurrence, evidence }
  await world.settle(world.receipt(of.attempt, outcome, ref, more))
}

async function walletIds(): Promise<readonly WalletId[]> {
  const rows = await world.line.sql<{ id: WalletId }[]>`
    select id from wallet where currency = 'EUR' and merchant_id = ${world.line.merchant.id} order by id`
  return rows.map(({ id }) => id)
}

const tally = { owed: 0, owes: 0, free: 0 }

/** Returns what the sub-account owes its platform now. */
async function check(actions: readonly Action[]): Promise<bigint> {
  const [sub, platform] = await family.standings()
  for (const { available, owed, owes } of [sub, platform])
    assert.ok(
      owed + owes === 0n || available === 0n,
      `${owed} and ${owes} are owed beside ${available} that is free, after ${JSON.stringify(actions.at(-1))}`,
    )
  if (sub.owed > 0n) tally.owed += 1
  if (sub.owes > 0n) tally.owes += 1
  if (sub.available > 0n) tally.free += 1
  return sub.owes
}

/** The explanations, too, contain each debt that was made and each that was repaid. */
async function assertExplanations({ paid, withdrawals }: Life): Promise<void> {
  const { sql, merchant } = world.line
  for (const { payment } of paid.slice(0, 3)) await assertPaymentExplained(sql, payment)
  for (const id of withdrawals.slice(0, 3))
    await assertExplained(sql, 'WITHDRAWAL', { merchantId: merchant.id, id })
}

/** A withdrawal waits, its merchant comes to owe something, and the withdrawal is canceled. */
const escaped: readonly Action[] = [
  { do: 'pay', waits: false },
  { do: 'withdraw', nth: 0, minor: 900 },
  { do: 'dispute', nth: 0, minor: 1_000 },
  { do: 'payout', nth: 0, news: 'canceled' },
]

/** Money of one payment waits, another one makes a debt, and the wait is over. */
const released: readonly Action[] = [
  { do: 'pay', waits: true },
  { do: 'pay', waits: false },
  { do: 'withdraw', nth: 0, minor: 900 },
  { do: 'dispute', nth: 0, minor: 1_000 },
  { do: 'release' },
]

const noLife = (): Life => ({
  paid: [],
  credited: [],
  shared: [],
  refunds: [],
  withdrawals: [],
  disputes: [],
})

for (const [what, { first = [], after: last }] of Object.entries(repaying))
  test(`${what} repays the platform what it covered`, async () => {
    const life = noLife()
    // What earlier tests have left is repaid by the first payment.
    await act(life, { do: 'pay', waits: false })
    for (const each of [{ do: 'share', waits: false } as const, ...first]) await act(life, each)
    await act(life, { do: 'empty' })
    await act(life, { do: 'take back', nth: 0, minor: 1_000 })
    const owed = await check([{ do: 'take back', nth: 0, minor: 1_000 }])
    assert.ok(owed > 400n, `${owed} is owed`)
    const before = (await family.standings())[1].available
    for (const each of last) await act(life, each)
    const left = await check(last)
    assert.ok(left < owed, `${left} of ${owed} is left`)
    assert.equal((await family.standings())[1].available - before, owed - left)
    await assertExplanations(life)
  })

test('whatever becomes available repays what is owed first', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 30 }), async (actions) => {
      const life = noLife()
      for (const [index, each] of actions.entries()) {
        await act(life, each)
        await check(actions.slice(0, index + 1))
      }
      await assertExplanations(life)
    }),
    { numRuns: count({ quick: 18, soak: 2_000 }), endOnFailure: true, examples: [[escaped], [released]] },
  )
  t.diagnostic(JSON.stringify(tally))
  assert.ok(tally.owed > 0 && tally.owes > 0 && tally.free > 0)
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.line.verify()).faults, [])
})
