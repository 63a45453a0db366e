// The SQL of beginning an attempt: what payments tried, with what their providers were asked for, and what payers told.
import type { PaymentRef } from '#/rails/words.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { AttemptId, MerchantId } from '#/kernel/id.ts'
import type { Refused } from '#/rails/refusal.ts'
import type { KeptAttempt } from './attempt-queries.ts'
import type { Payment } from './payment.ts'

/** What a provider is asked for, besides what the payment itself says. It never changes: a repeated call is the same one. */
export type OpeningTerms = {
  readonly presentation?: 'HOSTED'
  readonly locale?: string
  /** ISO 8601. Until when this attempt can be paid. */
  readonly expiresAt: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
}

/**
 * Why a provider will never take an attempt, and when it said so (ISO 8601). `said`: its own words, for the operator.
 * `isOfPayer`: other words of the payer may be taken.
 */
export type Refusal = Omit<Refused, 'ok'> & { readonly at: string }

export type TriedAttempt = KeptAttempt & {
  /** Null until it is asked for; for ever where the creation asks. */
  readonly asked: OpeningTerms | null
  readonly refusal: Refusal | null
  /** Since when nothing can come of it any more, as its provider says. */
  readonly overAt: Date | null
}

/** What these payments tried, oldest first. */
export function selectTried(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly TriedAttempt[]> {
  return sql<TriedAttempt[]>`
    select attempt.id, attempt.merchant_id as "merchantId", attempt.payment_id as "paymentId", attempt.method,
           attempt.connection, attempt.amount_minor as "amountMinor", attempt.currency, attempt.artifacts,
           attempt.asked, attempt.refusal, attempt.over_at as "overAt"
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
      join attempt using (merchant_id, payment_id)
     order by attempt.id`
}

type Of<Value> = { readonly merchantId: MerchantId; readonly attemptId: AttemptId } & Value

export async function writeAsked(
  tx: Tx,
  attempts: readonly Of<{ readonly asked: OpeningTerms }>[],
): Promise<void> {
  await tx`
    update attempt
       set asked = new.asked
      from unnest(${list(attempts.map((each) => each.merchantId))}::uuid[], ${list(attempts.map((each) => each.attemptId))}::uuid[],
                  ${list(attempts.map((each) => JSON.stringify(each.asked)))}::text[]::json[])
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

/** Keeps what the payers of these payments told. Of several versions of one payment the last counts. */
export async function writePayers(tx: Tx, versions: readonly Payment[]): Promise<void> {
  const payments = [...new Map(versions.map((payment) => [payment.id, payment])).values()]
  await tx`
    update payment
       set payer = new.payer
      from unnest(${list(payments.map((each) => each.merchantId))}::uuid[], ${list(payments.map((each) => each.id))}::uuid[],
                  ${list(payments.map((each) => each.payer && JSON.stringify(each.payer)))}::text[]::json[])
           as new (merchant_id, id, payer)
     where payment.merchant_id = new.merchant_id and payment.id = new.id`
}
