// The SQL of initiating an attempt: the attempts of payments with their terms, and the payers' data.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { AttemptId, MerchantId } from '#/kernel/id.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Mandate } from '#/rails/method.ts'
import type { PayerAddress } from '#/rails/rail.ts'
import type { Refused } from '#/rails/refusal.ts'
import type { KeptAttempt } from './attempt-queries.ts'
import type { Payment } from './payment.ts'

/** The terms of an opening that are not in the payment itself. They never change, so a repeated call is the same one. */
export type OpeningTerms = {
  readonly presentation?: 'HOSTED'
  readonly locale?: string
  /** ISO 8601. This attempt can be paid until then. */
  readonly expiresAt: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
  readonly customerPhone?: string
  readonly customerAddress?: PayerAddress
  readonly customerIban?: string
  readonly mandate?: Mandate
  /** The attempt is for the rest of a payment. */
  readonly rest?: RestTerms
}

/**
 * The basis of the amount of an attempt for the rest, in minor units as text: the payment's amount less what was received and not
 * refunded. `receipts`: how many receipts of the payment were booked then.
 */
export type RestTerms = {
  readonly receipts: number
  readonly received: string
  readonly refunded: string
}

/**
 * Why a provider will never accept an attempt, and when it answered so (ISO 8601).
 * - `said`: the provider's own text, for the operator.
 * - `isOfPayer`: the provider may accept other data of the payer.
 */
export type Refusal = Omit<Refused, 'ok'> & { readonly at: string }

export type TriedAttempt = KeptAttempt & {
  /** The terms of its opening. Null until they are stored; always null if the attempt was opened by the creation. */
  readonly terms: OpeningTerms | null
  readonly refusal: Refusal | null
  /** Since when it cannot be paid any more, as reported by its provider. */
  readonly overAt: Date | null
  /** How far a sandbox's clock was moved since the attempt was made: the attempt's stored instants count as that much earlier. */
  readonly movedMs: number
}

/** The attempts of these payments, oldest first. */
export function selectTried(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly TriedAttempt[]> {
  return sql<TriedAttempt[]>`
    select attempt.id, attempt.merchant_id as "merchantId", attempt.payment_id as "paymentId", attempt.method,
           attempt.connection, attempt.amount_minor as "amountMinor", attempt.currency, attempt.artifacts,
           attempt.asked as terms, attempt.refusal, attempt.over_at as "overAt",
           moved_ms_since(attempt.merchant_id, attempt.created_at)::float8 as "movedMs"
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
      join attempt using (merchant_id, payment_id)
     order by attempt.id`
}

type Of<Value> = { readonly merchantId: MerchantId; readonly attemptId: AttemptId } & Value

export async function writeTerms(
  tx: Tx,
  attempts: readonly Of<{ readonly terms: OpeningTerms }>[],
): Promise<void> {
  await tx`
    update attempt
       set asked = new.asked
      from unnest(${list(attempts.map((each) => each.merchantId))}::uuid[], ${list(attempts.map((each) => each.attemptId))}::uuid[],
                  ${list(attempts.map((each) => JSON.stringify(each.terms)))}::text[]::json[])
           as new (merchant_id, id, asked)
     where attempt.merchant_id = new.merchant_id and attempt.id = new.id`
}

export async function writeRefusals(
  tx: Tx,
  attempts: readonly Of<{ readonly refusal: Refusal }>[],
): Promise<void> {
  await tx`
    update attempt
       set refusal = new.refusal
      from unnest(${list(attempts.map((each) => each.merchantId))}::uuid[], ${list(attempts.map((each) => each.attemptId))}::uuid[],
                  ${list(attempts.map((each) => JSON.stringify(each.refusal)))}::text[]::json[])
           as new (merchant_id, id, refusal)
     where attempt.merchant_id = new.merchant_id and attempt.id = new.id`
}

/** Writes the payers' data of these payments. If there are several versions of one payment, the last one counts. */
export async function writePayers(tx: Tx, versions: readonly Payment[]): Promise<void> {
  const payments = [...new Map(versions.map((payment) => [payment.id, payment])).values()]
  await tx`
    update payment
       set payer = new.payer
      from unnest(${list(payments.map((each) => each.merchantId))}::uuid[], ${list(payments.map((each) => each.id))}::uuid[],
                  ${list(payments.map(({ payer }) => JSON.stringify(payer)))}::text[]::json[])
           as new (merchant_id, id, payer)
     where payment.merchant_id = new.merchant_id and payment.id = new.id`
}
