// The SQL of finding payments. Each expression stands as the index of migration 0032, 0048, 0059 or 0088 has it, or the index is not used.
import { paymentExceptions } from '#/contract/payments.ts'
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { idsWithin, type Span } from '#/db/lists.ts'
import {
  amongIds,
  byBeginning,
  byKey,
  searchPage,
  type Lead,
  type SearchKey,
  type SearchPage,
} from '#/db/search.ts'
import type { WantedValue } from '#/finding/metadata-value.ts'
import { leadOfValue, type IdRange } from '#/finding/queries.ts'
import type { MerchantId, PaymentId, PaymentLinkId } from '#/kernel/id.ts'
import { type PaymentException } from './payment.ts'
import type { PaymentFilter } from './queries.ts'

/** What is compared with the columns of a payment, in its normal form. */
export type FoundByColumns = {
  readonly customerEmail?: string
  /** The whole name. */
  readonly customerName?: string
  /** Without its mask. */
  readonly customerTaxId?: string
  readonly amountMinor?: bigint
  /** The last four digits of a card that paid, or was to pay. */
  readonly cardLast4?: string
  /** The template of a checkout, by its slug. */
  readonly checkout?: string
  readonly linkId?: PaymentLinkId
  /** One of them is enough. */
  readonly exceptions?: readonly PaymentException[]
}

/**
 * Filters that were looked up before: the payments that a name leads to, such as that of a transaction, and values under declared
 * keys of metadata.
 */
export type LookedUp = {
  readonly ids?: readonly PaymentId[]
  readonly values: readonly WantedValue[]
}

/** One page of a merchant's payments that match all filters, newest first. Undefined: no filter is given. */
export async function searchPayments(
  sql: Sql,
  merchantId: MerchantId,
  filter: PaymentFilter & FoundByColumns,
  { ids, values }: LookedUp,
): Promise<SearchPage<PaymentId> | undefined> {
  const { customerEmail, customerName, customerTaxId, cardLast4, exceptions, amountMinor } = filter
  const { checkout, linkId, limit } = filter
  const lead = (key: SearchKey, condition: Fragment): Lead => ({
    candidates: byKey(sql, 'payment', { merchantId, key, span: filter }),
    condition,
  })
  const leadOfText = (text: Fragment, value: string, form = asItIs): Lead => {
    const [stored, wanted] = [form(sql, text), form(sql, sql`${value}::text`)]
    const indexed = sql`hashtext(${stored})`
    const values = sql`array[hashtext(${wanted})]`
    return lead({ indexed, values, where: sql`${text} is not null` }, sql`${stored} = ${wanted}`)
  }
  const leads = [
    ...(ids === undefined ? [] : [{ candidates: amongIds(sql, ids, filter), condition: sql`true` }]),
    ...values.map((value) => leadOfValue(sql, 'PAYMENT', value, filter)),
    ...leadIf(customerTaxId, (taxId) => leadOfText(taxIdOf(sql), taxId)),
    ...leadIf(customerEmail, (email) => leadOfText(emailOf(sql), email, lower)),
    ...leadIf(customerName, (name) => leadOfText(nameOf(sql), name, lower)),
    ...leadIf(cardLast4, (last4) => leadOfCard(sql, merchantId, last4, filter)),
    ...leadIf(exceptions, (any) => lead(exceptionsKey(sql, any), hasException(sql, any))),
    ...leadIf(checkout, (slug) => leadOfText(sql`payment.request ->> 'checkout'`, slug)),
    ...leadIf(amountMinor, (minor) => lead(amountKey(sql, minor), sql`payment.amount_minor = ${minor}`)),
    ...leadIf(linkId, (id) => lead(linkKey(sql, id), sql`payment.link_id = ${id}`)),
  ]
  if (leads.length === 0) return undefined
  const kinds = ofKinds(sql, filter)
  return searchPage<PaymentId>(sql, 'payment', { merchantId, span: filter, leads, kinds, limit })
}

function leadIf<Value>(value: Value | undefined, lead: (value: Value) => Lead): readonly Lead[] {
  return value === undefined ? [] : [lead(value)]
}

/** The e-mail address that the record shows. */
function emailOf(sql: Sql) {
  return sql`coalesce(payment.request ->> 'customerEmail', payment.payer ->> 'email')`
}

/** The name that the record shows. */
function nameOf(sql: Sql) {
  return sql`coalesce(payment.request ->> 'customerName', payment.payer ->> 'name')`
}

/** The tax id that the record shows: a CPF or CNPJ without its mask. */
function taxIdOf(sql: Sql) {
  return sql`coalesce(payment.request ->> 'customerTaxId', payment.payer ->> 'taxId')`
}

/** Compares A to Z without regard to case. Which other spellings are the same address, only its mail server knows. */
function lower(sql: Sql, text: Fragment) {
  return sql`lower(${text} collate "C")`
}

function asItIs(_sql: Sql, text: Fragment) {
  return text
}

/** What paid is beside the payment, in its receipts: a payment has few with the same card. */
function leadOfCard(sql: Sql, merchantId: MerchantId, last4: string, span: Span): Lead {
  const [first, end] = idsWithin(span)
  return {
    candidates: (limit) => sql`
      select distinct receipt.payment_id as id from receipt
       where receipt.merchant_id = ${merchantId} and receipt.means ->> 'last4' is not null
         and receipt.means ->> 'last4' = ${last4}
         and receipt.payment_id >= ${first}::uuid and receipt.payment_id < ${end}::uuid
       order by receipt.payment_id desc
       limit ${limit}`,
    // Not `exists`: the planner would read the receipts of all payments with this card, and hash them.
    condition: sql`(
      select true from receipt
       where receipt.merchant_id = payment.merchant_id and receipt.means ->> 'last4' is not null
         and receipt.means ->> 'last4' = ${last4} and receipt.payment_id = payment.id
       limit 1)`,
  }
}

function amountKey(sql: Sql, minor: bigint): SearchKey {
  return { indexed: sql`payment.amount_minor`, values: sql`array[${minor}::bigint]` }
}

function linkKey(sql: Sql, linkId: PaymentLinkId): SearchKey {
  return {
    indexed: sql`payment.link_id`,
    values: sql`array[${linkId}::uuid]`,
    where: sql`payment.link_id is not null`,
  }
}

/** A set of exceptions as a number: each exception is one bit, in the order of `paymentExceptions`. */
function exceptionsKey(sql: Sql, exceptions: readonly PaymentException[]): SearchKey {
  const bits = exceptions.reduce((sum, each) => sum | (1 << paymentExceptions.indexOf(each)), 0)
  const sets = Array.from({ length: 1 << paymentExceptions.length }, (_, set) => set)
  return {
    indexed: sql`(
      ('UNDERPAID' = any (payment.exceptions))::integer + 2 * ('OVERPAID' = any (payment.exceptions))::integer
      + 4 * ('LATE' = any (payment.exceptions))::integer + 8 * ('DUPLICATE' = any (payment.exceptions))::integer)`,
    values: sql`${list(sets.filter((set) => (set & bits) !== 0))}::integer[]`,
    where: sql`payment.exceptions <> '{}'`,
  }
}

function hasException(sql: Sql, exceptions: readonly PaymentException[]) {
  return sql`payment.exceptions && ${list(exceptions)}::text[]`
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
  sql: Sql | Tx,
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

/**
 * The payments with this name at a provider. The name is our reference there, which is an attempt's id with or without hyphens; or
 * the provider's own name of the money that came, looked up by the key of its receipt. There are few.
 */
export async function selectByReference(
  sql: Sql | Tx,
  merchantId: MerchantId,
  reference: string,
): Promise<readonly PaymentId[]> {
  const attemptId = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(reference) ? reference : null
  const rows = await sql<{ id: PaymentId }[]>`
    select attempt.payment_id as id from attempt
     where attempt.merchant_id = ${merchantId} and attempt.id = ${attemptId}::uuid
     union
    select receipt.payment_id
      from connection
      join receipt on receipt.connection = connection.id and receipt.provider_ref = ${reference}
     where (connection.merchant_id = ${merchantId} or connection.merchant_id is null)
       and receipt.merchant_id = ${merchantId}`
  return rows.map(({ id }) => id)
}

/** What the beginning of a text may be the beginning of. */
export const beginnings = ['ORDER', 'NAME', 'EMAIL', 'REFERENCE'] as const
export type Beginning = (typeof beginnings)[number]

/**
 * The payments whose order in metadata, customer's name or e-mail address, or provider's reference begins with this text: at most `limit`,
 * exact ones first, and of each text the newest. Case and accents do not count, but for references.
 */
export async function selectByBeginning(
  sql: Sql,
  merchantId: MerchantId,
  { kind, text, limit }: { readonly kind: Beginning; readonly text: string; readonly limit: number },
): Promise<readonly PaymentId[]> {
  const ofForm = (stored: Fragment) => ({
    index: { table: 'payment', id: 'id', indexed: formOf(sql, stored), where: sql`${stored} is not null` },
    prefix: formOf(sql, sql`${text}::text`),
  })
  const ofKind = {
    ORDER: () => ofForm(orderOf(sql)),
    NAME: () => ofForm(nameOf(sql)),
    EMAIL: () => ofForm(emailOf(sql)),
    REFERENCE: () => ({
      index: {
        table: 'receipt',
        id: 'payment_id',
        indexed: sql`(left(receipt.provider_ref, 40) collate "C")`,
        where: sql`receipt.outcome = 'paid'`,
      },
      prefix: sql`(left(${text}::text, 40) collate "C")`,
    }),
  }
  const { index, prefix } = ofKind[kind]()
  const rows = await sql<{ id: PaymentId }[]>`${byBeginning(sql, index, { merchantId, prefix, limit })}`
  return [...new Set(rows.map(({ id }) => id))]
}

/** The form in which two texts begin alike, cut to the 64 characters that an index has. */
function formOf(sql: Sql, text: Fragment) {
  return sql`(search_form(${text}) collate "C")`
}

/** The number of the shop's order, under one of the names that shops give to it. */
function orderOf(sql: Sql) {
  const metadata = sql`payment.request -> 'metadata'`
  return sql`coalesce(${metadata} ->> 'orderId', ${metadata} ->> 'order_id', ${metadata} ->> 'order', ${metadata} ->> 'orderNumber',
                      ${metadata} ->> 'wooOrderId')`
}

/** The payments that have an attempt whose id, which is our reference at its provider, lies within these: the newest. */
export async function selectByAttemptIds(
  sql: Sql,
  merchantId: MerchantId,
  { first, last, limit }: IdRange & { readonly limit: number },
): Promise<readonly PaymentId[]> {
  const rows = await sql<{ id: PaymentId }[]>`
    select payment_id as id from attempt
     where merchant_id = ${merchantId} and id >= ${first}::uuid and id <= ${last}::uuid
     order by attempt.id desc
     limit ${limit}`
  return [...new Set(rows.map(({ id }) => id))]
}

/** The payment that a call with this key made. The keys of uses of payment links are ours. */
export async function selectIdByKey(
  sql: Sql | Tx,
  merchantId: MerchantId,
  idempotencyKey: string,
): Promise<readonly PaymentId[]> {
  const rows = await sql<{ id: PaymentId }[]>`
    select id from payment
     where merchant_id = ${merchantId} and idempotency_key = ${idempotencyKey} and link_id is null`
  return rows.map(({ id }) => id)
}

/** The payment whose page has this token. */
export async function selectIdByPage(
  sql: Sql | Tx,
  merchantId: MerchantId,
  token: string,
): Promise<readonly PaymentId[]> {
  const rows = await sql<{ id: PaymentId }[]>`
    select id from payment where page_token = ${token} and merchant_id = ${merchantId}`
  return rows.map(({ id }) => id)
}
