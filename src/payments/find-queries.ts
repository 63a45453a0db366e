// The SQL of finding payments. Each expression stands as the index of migration 0031 has it, or the index is not used.
import { list, type Fragment, type Sql } from '#/db/client.ts'
import type { SearchKey } from '#/db/search.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { paymentExceptions, type PaymentException } from './payment.ts'
import type { PaymentFilter } from './queries.ts'

/** The e-mail address that the record shows. */
function emailOf(sql: Sql) {
  return sql`coalesce(payment.request ->> 'customerEmail', payment.payer ->> 'email')`
}

/** A to Z are compared without regard to case: what else is the same address, only its own mail server knows. */
function lower(sql: Sql, text: Fragment) {
  return sql`lower(${text} collate "C")`
}

export function emailKey(sql: Sql, email: string): SearchKey {
  return {
    indexed: sql`hashtext(${lower(sql, emailOf(sql))})`,
    values: sql`array[hashtext(${lower(sql, sql`${email}::text`)})]`,
    where: sql`${emailOf(sql)} is not null`,
  }
}

export function hasEmail(sql: Sql, email: string) {
  return sql`${lower(sql, emailOf(sql))} = ${lower(sql, sql`${email}::text`)}`
}

/** The tax id that the record shows: a CPF or CNPJ without its mask. */
function taxIdOf(sql: Sql) {
  return sql`coalesce(payment.request ->> 'customerTaxId', payment.payer ->> 'taxId')`
}

export function taxIdKey(sql: Sql, taxId: string): SearchKey {
  return {
    indexed: sql`hashtext(${taxIdOf(sql)})`,
    values: sql`array[hashtext(${taxId}::text)]`,
    where: sql`${taxIdOf(sql)} is not null`,
  }
}

export function hasTaxId(sql: Sql, taxId: string) {
  return sql`${taxIdOf(sql)} = ${taxId}::text`
}

export function amountKey(sql: Sql, minor: bigint): SearchKey {
  return { indexed: sql`payment.amount_minor`, values: sql`array[${minor}::bigint]` }
}

export function hasAmount(sql: Sql, minor: bigint) {
  return sql`payment.amount_minor = ${minor}`
}

/** A set of exceptions as a number: each exception is one bit, in the order of `paymentExceptions`. */
export function exceptionsKey(sql: Sql, wanted: readonly PaymentException[]): SearchKey {
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

export function hasException(sql: Sql, wanted: readonly PaymentException[]) {
  return sql`payment.exceptions && ${list(wanted)}::text[]`
}

/** What fits every payment: the candidates are the answer. */
export function isAny(sql: Sql) {
  return sql`true`
}

/** The filters that every list of payments has. */
export function ofKinds(sql: Sql, { status, method, currency }: PaymentFilter): readonly Fragment[] {
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
