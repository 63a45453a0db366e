// A merchant finds refunds by the values that they have. Each filter has an index. The filter with the fewest candidates leads,
// and the others are compared.
import type { Sql } from '#/db/client.ts'
import { pageOfRows } from '#/db/search.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, RefundId } from '#/kernel/id.ts'
import { selectByEndToEndId } from '#/payments/find-queries.ts'
import { searchRefunds, type FoundByColumns } from './find-queries.ts'
import { listRefunds, selectRefundsById, type RefundFilter } from './queries.ts'
import type { Refund } from './refund.ts'

/** What a refund is found by, in its normal form. All of it must fit. */
export type RefundFoundBy = FoundByColumns

/** One page of a merchant's refunds, newest first. `next`: where the list continues, also after a short page. */
export async function findRefunds(
  sql: Sql,
  merchantId: MerchantId,
  filter: RefundFilter & RefundFoundBy,
): Promise<{ readonly rows: readonly Refund[]; readonly next?: RefundId }> {
  const { limit, endToEndId } = filter
  const paid = endToEndId === undefined ? [] : await selectByEndToEndId(sql, merchantId, endToEndId)
  const found = await searchRefunds(sql, merchantId, filter, paid)
  if (found === undefined)
    return pageOfRows(await listRefunds(sql, merchantId, { ...filter, limit: limit + 1 }), limit)
  const { ids, next } = found
  const rows = ids.length === 0 ? [] : await selectRefundsById(sql, ids)
  return {
    rows: rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    ...given({ next }),
  }
}
