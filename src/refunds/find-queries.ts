// The SQL of finding refunds. Each expression stands as the index of migration 0031 has it, or the index is not used.
import { list, type Fragment, type Sql } from '#/db/client.ts'
import { idsWithin, type Span } from '#/db/lists.ts'
import {
  byKey,
  searchPage,
  type Candidates,
  type Lead,
  type SearchKey,
  type SearchPage,
} from '#/db/search.ts'
import type { MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { RefundFilter } from './queries.ts'

/** What is compared with the columns of a refund, in its normal form. */
export type FoundByColumns = {
  readonly amountMinor?: bigint
  /** Of the transaction that took the money to the payer; in lower case. */
  readonly txHash?: string
  /** Of the Pix whose money goes back. */
  readonly endToEndId?: string
}

/**
 * One page of a merchant's refunds that fulfil all conditions, newest first. `paid`: the payments that the Pix paid. Undefined:
 * no condition is given.
 */
export async function searchRefunds(
  sql: Sql,
  merchantId: MerchantId,
  filter: RefundFilter & FoundByColumns,
  paid: readonly PaymentId[],
): Promise<SearchPage<RefundId> | undefined> {
  const { amountMinor, txHash, endToEndId, paymentId, limit } = filter
  const lead = (key: SearchKey, condition: Fragment): Lead => ({
    candidates: byKey(sql, 'refund', { merchantId, key, span: filter }),
    condition,
  })
  const ofPaid = (ids: readonly string[], condition: Fragment): Lead => ({
    candidates: ofPayments(sql, { merchantId, ids, span: filter }),
    condition,
  })
  const leads = [
    ...(endToEndId === undefined ? [] : [ofPaid(paid, isOfPix(sql, endToEndId))]),
    ...(txHash === undefined ? [] : [lead(txKey(sql, txHash), hasTx(sql, txHash))]),
    ...(amountMinor === undefined ? [] : [lead(amountKey(sql, amountMinor), hasAmount(sql, amountMinor))]),
  ]
  if (leads.length === 0) return undefined
  const ofOne = paymentId === undefined ? [] : [ofPaid([paymentId], isOfPayments(sql, [paymentId]))]
  return searchPage<RefundId>(sql, 'refund', {
    merchantId,
    span: filter,
    leads: [...leads, ...ofOne],
    kinds: ofKinds(sql, filter),
    limit,
  })
}

function amountKey(sql: Sql, minor: bigint): SearchKey {
  return { indexed: sql`refund.amount_minor`, values: sql`array[${minor}::bigint]` }
}

function hasAmount(sql: Sql, minor: bigint) {
  return sql`refund.amount_minor = ${minor}`
}

function txKey(sql: Sql, txHash: string): SearchKey {
  return {
    indexed: sql`hashtext(refund.tx_hash)`,
    values: sql`array[hashtext(${txHash}::text)]`,
    where: sql`refund.tx_hash is not null`,
  }
}

function hasTx(sql: Sql, txHash: string) {
  return sql`refund.tx_hash = ${txHash}`
}

/** The refunds of these payments: of each there are at most a thousand. */
function ofPayments(
  sql: Sql,
  {
    merchantId,
    ids,
    span,
  }: { readonly merchantId: MerchantId; readonly ids: readonly string[]; readonly span: Span },
): Candidates {
  const [first, end] = idsWithin(span)
  return (limit) => sql`
    select found.id
      from unnest(${list(ids)}::uuid[]) as wanted (id) cross join lateral (
        select refund.id from refund
         where refund.merchant_id = ${merchantId} and refund.payment_id = wanted.id
           and refund.id >= ${first} and refund.id < ${end}) as found
     order by found.id desc
     limit ${limit}`
}

function isOfPayments(sql: Sql, ids: readonly string[]) {
  return sql`refund.payment_id = any (${list(ids)}::uuid[])`
}

/** The money that goes back came by this Pix. */
function isOfPix(sql: Sql, endToEndId: string) {
  return sql`refund.paid_ref = ${endToEndId}`
}

/** The other filters of every list of refunds. */
function ofKinds(sql: Sql, { status, currency }: RefundFilter): readonly Fragment[] {
  return [
    ...(status === undefined ? [] : [sql`refund.status = ${status}`]),
    ...(currency === undefined ? [] : [sql`refund.currency = ${currency}`]),
  ]
}
