// What a withdrawal would cost, and what the operator allows, before it is requested. This is no promise: the decision is made
// at the request.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import { selectParents } from '#/merchants/sub-account-queries.ts'
import { stricter, withinLimits } from '#/money-out/limits.ts'
import { selectLimitsToday, type LimitToday } from '#/money-out/queries.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { feeMethodOf, withdrawalFee } from './accept.ts'

export type WithdrawalTerms = {
  readonly feeMinor: bigint
  /** It waits for a second person, if the destination is one that is allowed. */
  readonly needsApproval: boolean
  /** Absent: there is none of this type and currency. */
  readonly limit?: LimitToday
}

/** Its own limits and, of a sub-account, those of its parent, whose list of destinations does not bind it. */
async function limitsOver(
  sql: Sql,
  merchantId: MerchantId,
): Promise<{ readonly own: readonly LimitToday[]; readonly parents: readonly LimitToday[] }> {
  const [parent] = await selectParents(sql, [merchantId])
  const [own, parents] = await Promise.all([
    selectLimitsToday(sql, merchantId),
    parent === undefined ? [] : selectLimitsToday(sql, parent.parentId),
  ])
  return { own, parents: parents.map((each) => ({ ...each, listedOnly: false })) }
}

/**
 * The present fee and limits of a withdrawal of this amount. Of a sub-account the stricter of its own and its parent's limits: the smallest
 * amount for one, the smallest that is left of the day, the smallest amount of approval.
 */
export async function withdrawalTerms(
  sql: Sql,
  merchantId: MerchantId,
  of: { readonly type: PayoutType; readonly currency: string; readonly amountMinor: bigint },
): Promise<WithdrawalTerms> {
  const [fees, limits] = await Promise.all([selectFeeRules(sql, [merchantId]), limitsOver(sql, merchantId)])
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
