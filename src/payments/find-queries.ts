// The SQL of finding payments. Each expression stands as the index of migration 0032 or 0048 has it, or the index is not used.
import { list, type Fragment, type Sql } from '#/db/client.ts'
import { amongIds, byKey, searchPage, type Lead, type SearchKey, type SearchPage } from '#/db/search.ts'
import { leadOfValue } from '#/finding/queries.ts'
import type { WantedValue } from '#/finding/words.ts'
import type { MerchantId, PaymentId, PaymentLinkId } from '#/kernel/id.ts'
import { paymentExceptions, type PaymentException } from './payment.ts'
import type { PaymentFilter } from './queries.ts'

/** What is compared with the columns of a payment, in its normal form. */
export type FoundByColumns = {
  readonly customerEmail?: string
  /** Without its mask. */
  readonly customerTaxId?: string
  readonly amountMinor?: bigint
  /** The template of a checkout, by its slug. */
  readonly checkout?: string
  readonly linkId?: PaymentLinkId
  /** One of them is enough. */
  readonly exceptions?: readonly PaymentException[]
}

/** What was looked up before: the payments that a transaction or a Pix paid, and declared keys of metadata. */
export type Looked = {
  readonly ids?: readonly PaymentId[]
  readonly values: readonly WantedValue[]
}

/** One page of a merchant's payments that fulfil all of it, newest first. Undefined: nothing of it is given. */
export async function searchPayments(
  sql: Sql,
  merchantId: MerchantId,
  filter: PaymentFilter & FoundByColumns,
  { ids, values }: Looked,
): Promise<SearchPage<PaymentId> | undefined> {
  const { customerEmail, customerTaxId, exceptions, amountMinor, checkout, linkId, limit } = filter
  const lead = (key: SearchKey, condition: Fragment): Lead => ({
    candidates: byKey(sql, 'payment', { merchantId, key, span: filter }),
    condition,
  })
  const leads = [
    ...(ids === undefined ? [] : [{ candidates: amongIds(sql, ids, filter), condition: sql`true` }]),
    ...values.map((value) => leadOfValue(sql, 'PAYMENT', value, filter)),
    ...(customerTaxId === undefined
      ? []
      : [lead(taxIdKey(sql, customerTaxId), hasTaxId(sql, customerTaxId))]),
    ...(customerEmail === undefined
      ? []
      : [lead(emailKey(sql, customerEmail), hasEmail(sql, customerEmail))]),
    ...(exceptions === undefined
      ? []
      : [lead(exceptionsKey(sql, exceptions), hasException(sql, exceptions))]),
    ...(checkout === undefined ? [] : [lead(checkoutKey(sql, checkout), hasCheckout(sql, checkout))]),
    ...(amountMinor === undefined ? [] : [lead(amountKey(sql, amountMinor), hasAmount(sql, amountMinor))]),
    ...(linkId === undefined ? [] : [lead(linkKey(sql, linkId), isOfLink(sql, linkId))]),
  ]
  if (leads.length === 0) return undefined
  const kinds = ofKinds(sql, filter)
  return searchPage<PaymentId>(sql, 'payment', { merchantId, span: filter, leads, kinds, limit })
}

/** The e-mail address that the record shows. */
function emailOf(sql: Sql) {
  return sql`coalesce(payment.request ->> 'customerEmail', payment.payer ->> 'email')`
}

/** A to Z are compared without regard to case: what else is the same address, only its own mail server knows. */
function lower(sql: Sql, text: Fragment) {
  return sql`lower(${text} collate "C")`
}

function emailKey(sql: Sql, email: string): SearchKey {
  return {
    indexed: sql`hashtext(${lower(sql, emailOf(sql))})`,
    values: sql`array[hashtext(${lower(sql, sql`${email}::text`)})]`,
    where: sql`${emailOf(sql)} is not null`,
  }
}

function hasEmail(sql: Sql, email: string) {
  return sql`${lower(sql, emailOf(sql))} = ${lower(sql, sql`${email}::text`)}`
}

/** The tax id that the record shows: a CPF or CNPJ without its mask. */
function taxIdOf(sql: Sql) {
  return sql`coalesce(payment.request ->> 'customerTaxId', payment.payer ->> 'taxId')`
}

function taxIdKey(sql: Sql, taxId: string): SearchKey {
  return {
    indexed: sql`hashtext(${taxIdOf(sql)})`,
    values: sql`array[hashtext(${taxId}::text)]`,
    where: sql`${taxIdOf(sql)} is not null`,
  }
}

function hasTaxId(sql: Sql, taxId: string) {
  return sql`${taxIdOf(sql)} = ${taxId}::text`
}

function checkoutKey(sql: Sql, slug: string): SearchKey {
  return {
    indexed: sql`hashtext(payment.request ->> 'checkout')`,
    values: sql`array[hashtext(${slug}::text)]`,
    where: sql`payment.request ->> 'checkout' is not null`,
  }
}

function hasCheckout(sql: Sql, slug: string) {
  return sql`payment.request ->> 'checkout' = ${slug}::text`
}

function amountKey(sql: Sql, minor: bigint): SearchKey {
  return { indexed: sql`payment.amount_minor`, values: sql`array[${minor}::bigint]` }
}

function hasAmount(sql: Sql, minor: bigint) {
  return sql`payment.amount_minor = ${minor}`
}

function linkKey(sql: Sql, linkId: PaymentLinkId): SearchKey {
  return { indexed: sql`payment.link_id`, values: sql`array[${linkId}::uuid]` }
}

function isOfLink(sql: Sql, linkId: PaymentLinkId) {
  return sql`payment.link_id = ${linkId}`
}

/** A set of exceptions as a number: each exception is one bit, in the order of `paymentExceptions`. */
function exceptionsKey(sql: Sql, wanted: readonly PaymentException[]): SearchKey {
  const bits = wanted.reduce((sum, each) => sum | (1 << paymentExceptions.indexOf(each)), 0)
  const sets = Array.from({ length: 1 << paymentExceptions.length }, (_, set) => set)
  return {
    indexed: sql`(
      ('UNDERPAID' = any (payment.exceptions))::integer + 2 * ('OVERPAID' = any (payment.exceptions))::integer
      + 4 * ('LATE' = any (payment.exceptions))::integer + 8 * ('DUPLICATE' = any (payment.exceptions))::integer)`,
    values: sql`${list(sets.filter((set) => (set & bits) !== 0))}::integer[]`,
    where: sql`payment.exceptions <> '{}'`,
  }
}

function hasException(sql: Sql, wanted: readonly PaymentException[]) {
  return sql`payment.exceptions && ${list(wanted)}::text[]`
}

/** The filters that every list of payments has. */
function ofKinds(sql: Sql, { status, method, currency }: PaymentFilter): readonly Fragment[] {
  return [
    ...(status === undefined ? [] : [sql`payment.status = ${status}`]),
    ...(currency === undefined ? [] : [sql`payment.currency = ${currency}`]),
    ...(method === undefined ? [] : [sql`${method} = any (payment.methods)`]),
  ]
}

/** The payments that a Pix paid, by the key of its receipt: the merchant's own connections and the shared ones are looked through. */
export async function selectByEndToEndId(
  sql: Sql,
  merchantId: MerchantId,
  endToEndId: string,
): Promise<readonly PaymentId[]> {
  const rows = await sql<{ id: PaymentId }[]>`
    select distinct receipt.payment_id as id
      from connection
      join receipt on receipt.connection = connection.id and receipt.provider_ref = ${endToEndId} and receipt.outcome = 'paid'
     where (connection.merchant_id = ${merchantId} or connection.merchant_id is null)
       and connection.method = 'PIX' and receipt.merchant_id = ${merchantId}`
  return rows.map(({ id }) => id)
}
