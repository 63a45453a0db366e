// The SQL of counting how often payment links are used.
import type { Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId, PaymentLinkId } from '#/kernel/id.ts'

export type LockedLink = {
  readonly merchantId: MerchantId
  readonly id: PaymentLinkId
  readonly usesMax: number | null
  /** Archived, or expired. */
  readonly isOver: boolean
}

/** These links, locked until the transaction ends, in one order for all transactions. */
export function lockLinks(
  tx: Tx,
  refs: readonly { readonly merchantId: MerchantId; readonly linkId: PaymentLinkId }[],
): Promise<readonly LockedLink[]> {
  return tx<LockedLink[]>`
    select merchant_id as "merchantId", id, uses_max as "usesMax",
           archived_at is not null or coalesce(expires_at <= ${dueNow(tx)}, false) as "isOver"
      from payment_link
     where (merchant_id, id) in (
             select * from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', link_id: 'uuid' })})
     order by merchant_id, id
       for no key update`
}

/** How many payments of each of these limited links are PAID or can still be, counted up to the limit. */
export async function countTaken(tx: Tx, links: readonly LockedLink[]): Promise<Map<PaymentLinkId, number>> {
  const rows = await tx<{ id: PaymentLinkId; taken: number }[]>`
    select link.id, counted.taken
      from ${rowsOf(tx, 'link', links, { merchant_id: 'uuid', id: 'uuid', uses_max: 'integer' })}
           cross join lateral (
             select count(*)::integer as taken
               from (select from payment
                      where payment.merchant_id = link.merchant_id and payment.link_id = link.id
                        and payment.status in ('PENDING', 'WAITING_PAYMENT', 'APPROVED', 'PAID')
                      limit link.uses_max) as active) as counted`
  return new Map(rows.map(({ id, taken }) => [id, taken]))
}

/** Which of these idempotency keys have made a payment. The key of a use names its link, so it is of one merchant. */
export async function selectMade(
  tx: Tx,
  uses: readonly { readonly merchantId: MerchantId; readonly idempotencyKey: string }[],
): Promise<Set<string>> {
  const rows = await tx<{ key: string }[]>`
    select payment.idempotency_key as key
      from ${rowsOf(tx, 'given', uses, { merchant_id: 'uuid', idempotency_key: 'text' })}
           join payment using (merchant_id, idempotency_key)`
  return new Set(rows.map(({ key }) => key))
}
