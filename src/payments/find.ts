// A merchant finds payments by what it knows about them. Each filter has an index. The filter with the fewest candidates leads, and
// the others are compared.
import type { Sql } from '#/db/client.ts'
import { pageOfRows } from '#/db/search.ts'
import { requireMetadataKeys } from '#/finding/metadata-key.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Rails } from '#/rails/rail.ts'
import {
  searchPayments,
  selectByEndToEndId,
  selectByReference,
  selectIdByKey,
  selectIdByPage,
  type FoundByColumns,
} from './find-queries.ts'
import type { Payment } from './payment.ts'
import { listPayments, selectPayments, type PaymentFilter } from './queries.ts'

/** What a payment is found by, in its normal form. All of it must fit. */
export type FoundBy = FoundByColumns & {
  /** One of these. */
  readonly ids?: readonly PaymentId[]
  /** Values under declared keys of metadata. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Of a transfer that reached the payment's address; in lower case. */
  readonly txHash?: string
  /** Of a Pix that paid it. */
  readonly endToEndId?: string
  /** What a provider, or a payer's bank, calls it. */
  readonly reference?: string
  /** The address to which it is paid on a chain, in its normal form. */
  readonly cryptoAddress?: string
  /** Of the call that made it. */
  readonly idempotencyKey?: string
  /** The token of the payer's page. */
  readonly pageToken?: string
}

type Deps = { readonly sql: Sql; readonly rails: Rails }

/** `next`: where the list continues. A page may be short, or even empty, and the list still continues. */
export type PaymentPage = { readonly rows: readonly Payment[]; readonly next?: PaymentId }

/** One page of a merchant's payments, newest first. */
export async function findPayments(
  deps: Deps,
  merchantId: MerchantId,
  filter: PaymentFilter & FoundBy,
): Promise<PaymentPage> {
  const { sql } = deps
  const { limit, metadata } = filter
  const values = metadata === undefined ? [] : await requireMetadataKeys(sql, merchantId, 'PAYMENT', metadata)
  const named = await idsOfNames(deps, merchantId, filter)
  const found = await searchPayments(sql, merchantId, filter, { values, ...given({ ids: named }) })
  if (found === undefined)
    return pageOfRows(await listPayments(sql, merchantId, { ...filter, limit: limit + 1 }), limit)
  const { ids, next } = found
  const refs = ids.map((paymentId) => ({ merchantId, paymentId }))
  const payments = refs.length === 0 ? [] : await selectPayments(sql, refs)
  return {
    rows: payments.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    ...given({ next }),
  }
}

/** The payments that have all of these names: few. Undefined: none is given. */
async function idsOfNames(
  { sql, rails }: Deps,
  merchantId: MerchantId,
  { ids, txHash, endToEndId, reference, cryptoAddress, idempotencyKey, pageToken }: FoundBy,
): Promise<readonly PaymentId[] | undefined> {
  const found = await Promise.all([
    ...(ids === undefined ? [] : [Promise.resolve(ids)]),
    ...(txHash === undefined ? [] : [idsOfTx({ sql, rails }, merchantId, txHash)]),
    ...(endToEndId === undefined ? [] : [selectByEndToEndId(sql, merchantId, endToEndId)]),
    ...(reference === undefined ? [] : [idsOfReference({ sql, rails }, merchantId, reference)]),
    ...(cryptoAddress === undefined ? [] : [idsAtRails({ sql, rails }, merchantId, cryptoAddress)]),
    ...(idempotencyKey === undefined ? [] : [selectIdByKey(sql, merchantId, idempotencyKey)]),
    ...(pageToken === undefined ? [] : [selectIdByPage(sql, merchantId, pageToken)]),
  ])
  const [first, ...others] = found
  return first?.filter((id) => others.every((each) => each.includes(id)))
}

async function idsOfReference(deps: Deps, merchantId: MerchantId, reference: string) {
  const found = await Promise.all([
    selectByReference(deps.sql, merchantId, reference),
    idsAtRails(deps, merchantId, reference),
  ])
  return found.flat()
}

/** The payments with a name that only their rail keeps. */
async function idsAtRails({ sql, rails }: Deps, merchantId: MerchantId, name: string) {
  const found = await Promise.all(
    [...rails.values()].map(async (rail) => (await rail.findByName?.(sql, merchantId, name)) ?? []),
  )
  return found.flat()
}

async function idsOfTx({ sql, rails }: Deps, merchantId: MerchantId, txHash: string) {
  const ofRails = [...rails.values()].flatMap(({ record }) =>
    record?.from === 'TABLES' ? [record.findByTx(sql, merchantId, txHash)] : [],
  )
  return (await Promise.all(ofRails)).flat()
}
