// A merchant finds withdrawals by what it knows of them. Each filter has an index; the one with the fewest candidates leads, and the others are compared.
import type { Fragment, Sql } from '#/db/client.ts'
import { byKey, pageOfRows, searchPage, type Lead, type SearchKey } from '#/db/search.ts'
import { requireMetadataKeys } from '#/finding/metadata-key.ts'
import { byValue, hasValue } from '#/finding/queries.ts'
import type { MerchantId, WithdrawalId } from '#/kernel/id.ts'
import * as found from './find-queries.ts'
import { listWithdrawals, selectListed, type WithdrawalFilter } from './list-queries.ts'
import type { Withdrawal } from './withdrawal.ts'

/** What a withdrawal is found by, in its normal form. All of it must fit. */
export type WithdrawalFoundBy = {
  /** Values under declared keys of metadata. */
  readonly metadata?: Readonly<Record<string, string>>
  readonly endToEndId?: string
  /** In lower case. */
  readonly txHash?: string
  readonly amountMinor?: bigint
  /** Destinations in their normal form; one of each list. */
  readonly destinations?: readonly (readonly string[])[]
}

/** One page of a merchant's withdrawals, newest first. `next`: where the list goes on, also after a short page. */
export async function findWithdrawals(
  sql: Sql,
  merchantId: MerchantId,
  filter: WithdrawalFilter & WithdrawalFoundBy,
): Promise<{ readonly rows: readonly Withdrawal[]; readonly next?: WithdrawalId }> {
  const { limit } = filter
  const values = await requireMetadataKeys(sql, merchantId, 'WITHDRAWAL', filter.metadata ?? {})
  const leads = [
    ...ofNames(sql, merchantId, filter),
    ...values.map(({ keyId, name, value }) => ({
      candidates: byValue(sql, { merchantId, keyId, value, span: filter }),
      condition: hasValue(sql, 'WITHDRAWAL', name, value),
    })),
    ...ofColumns(sql, merchantId, filter),
  ]
  if (leads.length === 0)
    return pageOfRows(await listWithdrawals(sql, merchantId, { ...filter, limit: limit + 1 }), limit)
  const { ids, next } = await searchPage<WithdrawalId>(sql, 'withdrawal', {
    merchantId,
    span: filter,
    leads,
    kinds: found.ofKinds(sql, filter),
    limit,
  })
  const rows = ids.length === 0 ? [] : await selectListed(sql, merchantId, ids)
  return { rows, ...(next === undefined ? {} : { next }) }
}

function leadBy(
  sql: Sql,
  merchantId: MerchantId,
  filter: WithdrawalFilter,
): (key: SearchKey, condition: Fragment) => Lead {
  return (key, condition) => ({
    candidates: byKey(sql, 'withdrawal', { merchantId, key, span: filter }),
    condition,
  })
}

/** By the names that a bank or a chain gave it. */
function ofNames(
  sql: Sql,
  merchantId: MerchantId,
  filter: WithdrawalFilter & WithdrawalFoundBy,
): readonly Lead[] {
  const { endToEndId, txHash } = filter
  const lead = leadBy(sql, merchantId, filter)
  return [
    ...(endToEndId === undefined
      ? []
      : [lead(found.referenceKey(sql, endToEndId), found.hasEndToEndId(sql, endToEndId))]),
    ...(txHash === undefined ? [] : [lead(found.referenceKey(sql, txHash), found.hasTx(sql, txHash))]),
  ]
}

function ofColumns(
  sql: Sql,
  merchantId: MerchantId,
  filter: WithdrawalFilter & WithdrawalFoundBy,
): readonly Lead[] {
  const { destinations = [], amountMinor } = filter
  const lead = leadBy(sql, merchantId, filter)
  return [
    ...destinations.map((texts) => lead(found.destinationKey(sql, texts), found.hasDestination(sql, texts))),
    ...(amountMinor === undefined
      ? []
      : [lead(found.amountKey(sql, amountMinor), found.hasAmount(sql, amountMinor))]),
  ]
}
