// The SQL of the inspection of refunds by bank transfer.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { RefundStatus } from '#/refunds/refund.ts'

/** The payout of a refund, with the refund that it names and the sender of the money that this gives back. */
export type RefundPayoutRow = {
  readonly reference: string
  readonly id: string
  readonly connection: string
  readonly minor: bigint
  readonly iban: string
  readonly beneficiary: string
  readonly state: string
  readonly returnedMinor: bigint
  /** Null: there is no such refund. */
  readonly status: RefundStatus | null
  readonly isOfRefund: boolean
  readonly destination: Readonly<Record<string, string>> | null
  readonly requestedIban: string | null
  readonly senderIban: string | null
}

/** The next page of payouts of refunds, by reference. */
export function selectRefundPayouts(
  tx: Sql | Tx,
  after: string,
  limit: number,
): Promise<readonly RefundPayoutRow[]> {
  return tx<RefundPayoutRow[]>`
    select payout.reference, payout.payout_id as id, payout.connection, payout.amount_minor as minor, payout.iban, payout.beneficiary,
           payout.state, payout.returned_minor as "returnedMinor", refund.status,
           coalesce(refund.connection = payout.connection and refund.amount_minor = payout.amount_minor
                    and refund.payout_type = 'SEPA', false) as "isOfRefund",
           refund.destination, refund.request ->> 'iban' as "requestedIban", sender.iban as "senderIban"
      from sepa_payout as payout
      left join refund on refund.merchant_id = payout.merchant_id and refund.id = payout.payout_id
      left join lateral (
        select entry.fact -> 'party' ->> 'iban' as iban
          from (values (refund.paid_ref, 0),
                       (substring(refund.paid_ref from '^(.+)/[0-9]{1,6}$'),
                        substring(refund.paid_ref from '^.+/([0-9]{1,6})$')::integer)) as named (reference, part)
          join sepa_entry as entry
            on entry.connection = refund.connection and entry.reference = named.reference and entry.part = named.part
         where entry.kind = 'PAID' and entry.credit
         limit 1) as sender on true
     where payout.kind = 'REFUND' and payout.reference > ${after}
     order by payout.reference
     limit ${limit}`
}

/** Those of these payouts about which a signal waits to be settled. */
export async function selectSignaled(
  tx: Sql | Tx,
  connections: readonly string[],
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const bodies = references.map((refund) => Buffer.from(JSON.stringify({ refund })))
  const rows = await tx<{ reference: string }[]>`
    select wanted.reference
      from unnest(${list(references)}::text[], ${list(bodies)}::text[]::bytea[]) as wanted (reference, body)
      join inbox on inbox.body = wanted.body
     where inbox.method = 'SEPA_TRANSFER' and inbox.connection = any (${list(connections)}::text[])`
  return new Set(rows.map(({ reference }) => reference))
}
