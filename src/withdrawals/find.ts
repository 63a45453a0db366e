// A merchant finds withdrawals by the values that they have. Each filter has an index. The filter with the fewest candidates
// leads, and the others are compared.
import type { Sql } from '#/db/client.ts'
import { pageOfRows } from '#/db/search.ts'
import { requireMetadataKeys } from '#/finding/metadata-key.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, WithdrawalId } from '#/kernel/id.ts'
import {
  searchWithdrawals,
  type FoundByColumns,
  listWithdrawals,
  selectListed,
  type WithdrawalFilter,
} from './list-queries.ts'
import type { Withdrawal } from './withdrawal.ts'

/** What a withdrawal is found by, in its normal form. All of it must fit. */
export type WithdrawalFoundBy = FoundByColumns & {
  /** Values under declared keys of metadata. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** One page of a merchant's withdrawals, newest first. `next`: where the list continues, also after a short page. */
export async function findWithdrawals(
  sql: Sql,
  merchantId: MerchantId,
  filter: WithdrawalFilter & WithdrawalFoundBy,
): Promise<{ readonly rows: readonly Withdrawal[]; readonly next?: WithdrawalId }> {
  const { limit, metadata } = filter
  const values =
    metadata === undefined ? [] : await requireMetadataKeys(sql, merchantId, 'WITHDRAWAL', metadata)
  const found = await searchWithdrawals(sql, merchantId, filter, values)
  if (found === undefined)
    return pageOfRows(await listWithdrawals(sql, merchantId, { ...filter, limit: limit + 1 }), limit)
  const { ids, next } = found
  const rows = ids.length === 0 ? [] : await selectListed(sql, merchantId, ids)
  return { rows, ...given({ next }) }
}
