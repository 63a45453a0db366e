// A merchant finds payments by what it knows of them. Each filter has an index; the one with the fewest candidates leads, and the others are compared.
import type { Fragment, Sql } from '#/db/client.ts'
import { amongIds, byKey, pageOfRows, searchPage, type Lead, type SearchKey } from '#/db/search.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Rails } from '#/rails/rail.ts'
import { requireMetadataKeys, type WantedValue } from '#/finding/metadata-key.ts'
import { byValue, hasValue } from '#/finding/queries.ts'
import * as found from './find-queries.ts'
import type { Payment, PaymentException } from './payment.ts'
import { listPayments, selectPayments, type PaymentFilter } from './queries.ts'

/** What a payment is found by, in its normal form. All of it must fit. */
export type FoundBy = {
  /** Values under declared keys of metadata. */
  readonly metadata?: Readonly<Record<string, string>>
  readonly customerEmail?: string
  /** Without its mask. */
  readonly customerTaxId?: string
  /** Of a transfer that reached the payment's address; in lower case. */
  readonly txHash?: string
  /** Of a Pix that paid it. */
  readonly endToEndId?: string
  readonly amountMinor?: bigint
  /** One of them is enough. */
  readonly exceptions?: readonly PaymentException[]
}

type Deps = { readonly sql: Sql; readonly rails: Rails }

type Filter = PaymentFilter & FoundBy

/** `next`: where the list goes on; a page may be short, even empty, and still go on. */
export type PaymentPage = { readonly rows: readonly Payment[]; readonly next?: PaymentId }

/** One page of a merchant's payments, newest first. */
export async function findPayments(deps: Deps, merchantId: MerchantId, filter: Filter): Promise<PaymentPage> {
  const { sql } = deps
  const { limit } = filter
  const values = await requireMetadataKeys(sql, merchantId, 'PAYMENT', filter.metadata ?? {})
  const leads = [
    ...(await named(deps, merchantId, filter)),
    ...values.map((value) => ofValue(sql, merchantId, value, filter)),
    ...ofColumns(sql, merchantId, filter),
  ]
  if (leads.length === 0)
    return pageOfRows(await listPayments(sql, merchantId, { ...filter, limit: limit + 1 }), limit)
  const kinds = found.ofKinds(sql, filter)
  const { ids, next } = await searchPage<PaymentId>(sql, 'payment', {
    merchantId,
    span: filter,
    leads,
    kinds,
    limit,
  })
  const refs = ids.map((paymentId) => ({ merchantId, paymentId }))
  const payments = refs.length === 0 ? [] : await selectPayments(sql, refs)
  const order = new Map(ids.map((id, nth) => [id, nth]))
  return {
    rows: payments.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)),
    ...(next === undefined ? {} : { next }),
  }
}

/** Filters that a table beside the payments answers at once, with few payments. */
async function named({ sql, rails }: Deps, merchantId: MerchantId, filter: Filter): Promise<readonly Lead[]> {
  const { txHash, endToEndId } = filter
  const sets = await Promise.all([
    ...(txHash === undefined ? [] : [ofTx({ sql, rails }, merchantId, txHash)]),
    ...(endToEndId === undefined ? [] : [found.selectByEndToEndId(sql, merchantId, endToEndId)]),
  ])
  if (sets.length === 0) return []
  const [first = [], ...others] = sets
  const ids = first.filter((id) => others.every((set) => set.includes(id)))
  return [{ candidates: amongIds(sql, ids, filter), condition: found.isAny(sql) }]
}

async function ofTx({ sql, rails }: Deps, merchantId: MerchantId, txHash: string) {
  const ofRails = [...rails.values()].map(({ record }) =>
    record?.from === 'TABLES' ? record.findByTx(sql, merchantId, txHash) : [],
  )
  return (await Promise.all(ofRails)).flat()
}

function ofValue(
  sql: Sql,
  merchantId: MerchantId,
  { keyId, name, value }: WantedValue,
  filter: Filter,
): Lead {
  return {
    candidates: byValue(sql, { merchantId, keyId, value, span: filter }),
    condition: hasValue(sql, 'PAYMENT', name, value),
  }
}

function ofColumns(sql: Sql, merchantId: MerchantId, filter: Filter): readonly Lead[] {
  const { customerTaxId, customerEmail, amountMinor, exceptions } = filter
  const lead = (key: SearchKey, condition: Fragment): Lead => ({
    candidates: byKey(sql, 'payment', { merchantId, key, span: filter }),
    condition,
  })
  return [
    ...(customerTaxId === undefined
      ? []
      : [lead(found.taxIdKey(sql, customerTaxId), found.hasTaxId(sql, customerTaxId))]),
    ...(customerEmail === undefined
      ? []
      : [lead(found.emailKey(sql, customerEmail), found.hasEmail(sql, customerEmail))]),
    ...(exceptions === undefined
      ? []
      : [lead(found.exceptionsKey(sql, exceptions), found.hasException(sql, exceptions))]),
    ...(amountMinor === undefined
      ? []
      : [lead(found.amountKey(sql, amountMinor), found.hasAmount(sql, amountMinor))]),
  ]
}
