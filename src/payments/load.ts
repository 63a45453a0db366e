// The payments that a batch of work is about.
import type { Sql, Tx } from '#/db/client.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { selectMovedSince } from '#/merchants/moved-queries.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Payment } from './payment.ts'
import { selectPayments } from './queries.ts'

/** The distinct payments of these references. */
export function distinctRefs<Ref extends PaymentRef>(refs: readonly Ref[]): readonly Ref[] {
  return [...new Map(refs.map((ref) => [`${ref.merchantId}/${ref.paymentId}`, ref])).values()]
}

/**
 * The payments of these items, by id. The caller must compare the merchant of each payment, because an item of another merchant in
 * the batch may name the same id.
 */
export async function loadPayments(
  sql: Sql | Tx,
  refs: readonly PaymentRef[],
): Promise<Map<PaymentId, Payment>> {
  const payments = await selectPayments(sql, distinctRefs(refs))
  return new Map(payments.map((payment) => [payment.id, payment]))
}

/**
 * Loads how far the clocks were moved. Only checkouts of a sandbox need it: their end is computed again from the creation
 * whenever the payer chooses.
 */
export async function loadMoved(tx: Tx, payments: readonly Payment[]): Promise<ReadonlyMap<string, number>> {
  const checkouts = payments.filter(
    ({ mode, request }) => mode === 'SANDBOX' && request.checkout !== undefined,
  )
  if (checkouts.length === 0) return new Map()
  const moved = await selectMovedSince(
    tx,
    checkouts.map(({ merchantId, id, createdAt }) => ({ merchantId, id, since: createdAt })),
  )
  return new Map(moved.map(({ id, movedMs }) => [id, movedMs]))
}
