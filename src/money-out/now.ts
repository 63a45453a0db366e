// The last look, right before a call to a provider: between the decision under the lane's lock and the call, money may have been frozen, or the
// account stopped.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { selectFreezes } from '#/merchants/queries.ts'
import { selectAccountsOut } from '#/merchants/sub-account-queries.ts'
import { stopOf } from './gate.ts'
import { isAsked, type Way } from './ways.ts'

/** Whether money of this merchant may not leave by this way and rail at this moment. */
export async function isStoppedNow(
  sql: Sql,
  of: { readonly way: Way; readonly merchantId: MerchantId; readonly rail: string },
): Promise<boolean> {
  const [freezes, accounts] = await Promise.all([
    selectFreezes(sql, [of.merchantId]),
    isAsked(of.way, 'account') ? selectAccountsOut(sql, [of.merchantId]) : [],
  ])
  return stopOf({ freezes, accounts: new Map(accounts.map((each) => [each.id, each])) }, of) !== undefined
}
