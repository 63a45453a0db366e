// What of a merchant waits for a person: how many, and the first few.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { dayMs } from '#/kernel/time.ts'
import * as queries from './attention-queries.ts'

/** Counted up to this number; then it says that there are more. */
export const countedMost = 100
const shownMost = 5

/** The most open disputes of a currency that are scanned for those that are due. */
const disputesRead = 1_000

/** Evidence is due soon. */
const soonMs = 7 * dayMs

export type Waiting<Item> = {
  readonly count: number
  /** There are more than `count`. */
  readonly isMore: boolean
  readonly first: readonly Item[]
}

export type Attention = {
  readonly endpoints: Waiting<queries.BadEndpoint>
  readonly withdrawals: Waiting<queries.WaitingWithdrawal>
  readonly refunds: Waiting<queries.WaitingRefund>
  readonly disputes: Waiting<queries.DueDispute>
  readonly underpaid: Waiting<queries.UnderpaidPayment>
  readonly suspended: Waiting<queries.SuspendedMoney>
}

/** Everything of a merchant that waits for a person, as it is now. */
export async function attentionOf(sql: Sql, merchantId: MerchantId): Promise<Attention> {
  const limit = countedMost + 1
  const [endpoints, withdrawals, refunds, disputes, underpaid, suspended] = await Promise.all([
    queries.selectBadEndpoints(sql, merchantId, limit),
    queries.selectWaitingWithdrawals(sql, merchantId, limit),
    queries.selectWaitingRefunds(sql, merchantId, limit),
    queries.selectDueDisputes(sql, merchantId, soonMs, { limit, readMost: disputesRead }),
    queries.selectUnderpaid(sql, merchantId, limit),
    queries.selectSuspended(sql, merchantId, limit),
  ])
  return {
    endpoints: waiting(endpoints),
    withdrawals: waiting(withdrawals),
    refunds: waiting(refunds),
    disputes: waiting(disputes),
    underpaid: waiting(underpaid),
    suspended: waiting(suspended),
  }
}

function waiting<Item>(found: readonly Item[]): Waiting<Item> {
  return {
    count: Math.min(found.length, countedMost),
    isMore: found.length > countedMost,
    first: found.slice(0, shownMost),
  }
}
