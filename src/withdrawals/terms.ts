// What a withdrawal would cost, and what the operator allows, before it is requested. This is no promise: the decision is made
// at the request.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { feeMethodOf, withdrawalFee } from './accept.ts'
import { selectLimitsToday, type LimitToday } from './limit-queries.ts'
import { withinLimits } from './limits.ts'

export type WithdrawalTerms = {
  readonly feeMinor: bigint
  /** It waits for a second person, if the destination is one that is allowed. */
  readonly needsApproval: boolean
  /** Absent: there is none of this type and currency. */
  readonly limit?: LimitToday
}

/** The present fee and limits of a withdrawal of this amount. */
export async function withdrawalTerms(
  sql: Sql,
  merchantId: MerchantId,
  of: { readonly type: PayoutType; readonly currency: string; readonly amountMinor: bigint },
): Promise<WithdrawalTerms> {
  const [fees, limits] = await Promise.all([
    selectFeeRules(sql, [merchantId]),
    selectLimitsToday(sql, merchantId),
  ])
  const fee = fees.find(({ method, currency }) => method === feeMethodOf(of.type) && currency === of.currency)
  const limit = limits.find(({ type, currency }) => type === of.type && currency === of.currency)
  const verdict = withinLimits(limit, of.amountMinor, {
    spentMinor: limit?.spentMinor ?? 0n,
    isListed: true,
  })
  return {
    feeMinor: withdrawalFee(fee, of.amountMinor),
    needsApproval: verdict.ok && verdict.needsApproval,
    ...(limit === undefined ? {} : { limit }),
  }
}
