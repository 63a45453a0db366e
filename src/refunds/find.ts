// A merchant finds refunds by what it knows of them. Each filter has an index; the one with the fewest candidates leads, and the others are compared.
import type { Sql } from '#/db/client.ts'
import { byKey, pageOfRows, searchPage, type Lead } from '#/db/search.ts'
import type { MerchantId, RefundId } from '#/kernel/id.ts'
import { selectByEndToEndId } from '#/payments/find-queries.ts'
import * as found from './find-queries.ts'
import { listRefunds, selectRefundsById, type RefundFilter } from './queries.ts'
import type { Refund } from './refund.ts'

/** What a refund is found by, in its normal form. All of it must fit. */
export type RefundFoundBy = {
  readonly amountMinor?: bigint
  /** Of the transaction that took the money to the payer; in lower case. */
  readonly txHash?: string
  /** Of the Pix whose money goes back. */
  readonly endToEndId?: string
}

type Filter = RefundFilter & RefundFoundBy

/** One page of a merchant's refunds, newest first. `next`: where the list goes on, also after a short page. */
export async function findRefunds(
  sql: Sql,
  merchantId: MerchantId,
  filter: Filter,
): Promise<{ readonly rows: readonly Refund[]; readonly next?: RefundId }> {
  const { limit, paymentId } = filter
  const leads = await leadsOf(sql, merchantId, filter)
  if (leads.length === 0)
    return pageOfRows(await listRefunds(sql, merchantId, { ...filter, limit: limit + 1 }), limit)
  const { ids, next } = await searchPage<RefundId>(sql, 'refund', {
    merchantId,
    span: filter,
    leads: [...leads, ...(paymentId === undefined ? [] : [ofPayment(sql, merchantId, paymentId, filter)])],
    kinds: found.ofKinds(sql, filter),
    limit,
  })
  const rows = ids.length === 0 ? [] : await selectRefundsById(sql, ids)
  const order = new Map(ids.map((id, nth) => [id, nth]))
  return {
    rows: rows.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)),
    ...(next === undefined ? {} : { next }),
  }
}

function ofPayment(sql: Sql, merchantId: MerchantId, paymentId: string, span: Filter): Lead {
  return {
    candidates: found.ofPayments(sql, { merchantId, ids: [paymentId], span }),
    condition: found.isOfPayments(sql, [paymentId]),
  }
}

async function leadsOf(sql: Sql, merchantId: MerchantId, filter: Filter): Promise<readonly Lead[]> {
  const { txHash, endToEndId, amountMinor } = filter
  const payments = endToEndId === undefined ? [] : await selectByEndToEndId(sql, merchantId, endToEndId)
  const lead = (key: Parameters<typeof byKey>[2]['key'], condition: Lead['condition']): Lead => ({
    candidates: byKey(sql, 'refund', { merchantId, key, span: filter }),
    condition,
  })
  return [
    ...(endToEndId === undefined
      ? []
      : [
          {
            candidates: found.ofPayments(sql, { merchantId, ids: payments, span: filter }),
            condition: found.isOfPix(sql, endToEndId),
          },
        ]),
    ...(txHash === undefined ? [] : [lead(found.txKey(sql, txHash), found.hasTx(sql, txHash))]),
    ...(amountMinor === undefined
      ? []
      : [lead(found.amountKey(sql, amountMinor), found.hasAmount(sql, amountMinor))]),
  ]
}
