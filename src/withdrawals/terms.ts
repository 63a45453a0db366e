// What a withdrawal would cost, and what the operator allows, before it is requested. This is no promise: the decision is made
// at the request.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import { selectParents } from '#/merchants/sub-account-queries.ts'
import { limitInForce, stricter, withinLimits } from '#/money-out/limits.ts'
import { selectLimitsToday, selectSpentToday, type LimitToday } from '#/money-out/queries.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { feeMethodOf, withdrawalFee } from './accept.ts'

export type WithdrawalTerms = {
  readonly feeMinor: bigint
  /** It waits for a second person, if the destination is one that is allowed. */
  readonly needsApproval: boolean
  /** Absent: there is none of this type and currency. */
  readonly limit?: LimitToday
}

type Limited = { readonly id: MerchantId; readonly mode: Mode }

/** The limits of a merchant that are in force, with what was accepted today. */
export async function limitsNow(sql: Sql, merchant: Limited): Promise<readonly LimitToday[]> {
  const [parent] = await selectParents(sql, [merchant.id])
  return inForce(sql, { ...merchant, isSubAccount: parent !== undefined })
}

async function inForce(
  sql: Sql,
  { id: merchantId, mode, isSubAccount }: Limited & { readonly isSubAccount: boolean },
): Promise<readonly LimitToday[]> {
  const set = await selectLimitsToday(sql, merchantId)
  if (mode !== 'LIVE' || isSubAccount) return set
  const types = await selectSpentToday(sql, merchantId)
  const isOf = (type: string, currency: string) => (each: LimitToday) =>
    each.type === type && each.currency === currency
  const paid = types.flatMap(({ type, currency, minor: spentMinor }) => {
    const of = { merchantId, mode, isSubAccount, type, currency }
    const limit = limitInForce(set.find(isOf(type, currency)), of)
    return limit === undefined ? [] : [{ ...limit, spentMinor }]
  })
  return [...paid, ...set.filter((each) => !paid.some(isOf(each.type, each.currency)))]
}

/** Its own limits and, of a sub-account, those of its parent, whose list of destinations does not bind it. */
async function limitsOver(
  sql: Sql,
  { id, mode }: Limited,
): Promise<{ readonly own: readonly LimitToday[]; readonly parents: readonly LimitToday[] }> {
  const [parent] = await selectParents(sql, [id])
  const [own, parents] = await Promise.all([
    inForce(sql, { id, mode, isSubAccount: parent !== undefined }),
    parent === undefined ? [] : inForce(sql, { id: parent.parentId, mode, isSubAccount: false }),
  ])
  return { own, parents: parents.map((each) => ({ ...each, listedOnly: false })) }
}

/**
 * The present fee and limits of a withdrawal of this amount. Of a sub-account the stricter of its own and its parent's limits: the smallest
 * amount for one, the smallest that is left of the day, the smallest amount of approval.
 */
export async function withdrawalTerms(
  sql: Sql,
  merchant: Limited,
  of: { readonly type: PayoutType; readonly currency: string; readonly amountMinor: bigint },
): Promise<WithdrawalTerms> {
  const [fees, limits] = await Promise.all([selectFeeRules(sql, [merchant.id]), limitsOver(sql, merchant)])
  const fee = fees.find(({ method, currency }) => method === feeMethodOf(of.type) && currency === of.currency)
  const isOf = ({ type, currency }: LimitToday) => type === of.type && currency === of.currency
  const [own, parents] = [limits.own.find(isOf), limits.parents.find(isOf)]
  const applying = [own, parents].flatMap((each) => each ?? [])
  const limit = strictest(own, parents)
  const verdict = stricter(
    applying.map((each) =>
      withinLimits(each, of.amountMinor, { spentMinor: each.spentMinor, isListed: true }),
    ),
  )
  return {
    feeMinor: withdrawalFee(fee, of.amountMinor),
    needsApproval: verdict.ok && verdict.needsApproval,
    ...given({ limit }),
  }
}

/**
 * What both limits leave together. What others of the family have paid out stays between them and the parent, so what is left of the parent's
 * day is told as if it were a limit of the sub-account's own.
 */
function strictest(own: LimitToday | undefined, parents: LimitToday | undefined): LimitToday | undefined {
  if (own === undefined && parents === undefined) return undefined
  const both = [own, parents].flatMap((each) => each ?? [])
  const least = (amounts: readonly (bigint | null)[]) =>
    amounts.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null)
  const remaining = least(
    both.map(({ dayMinor, spentMinor }) => (dayMinor === null ? null : dayMinor - spentMinor)),
  )
  const spentMinor = own?.spentMinor ?? 0n
  return {
    ...must(both[0], 'there is one'),
    spentMinor,
    eachMinor: least(both.map(({ eachMinor }) => eachMinor)),
    dayMinor: remaining === null ? null : spentMinor + (remaining < 0n ? 0n : remaining),
    approvalAboveMinor: least(both.map(({ approvalAboveMinor }) => approvalAboveMinor)),
  }
}
