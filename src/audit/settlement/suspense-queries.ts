// The SQL of the inspection of money in suspense.
import { type Sql, type Tx, list } from '#/db/client.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'
import type { DisputeReceipt } from './dispute.ts'

export type UnmatchedRow = {
  readonly id: Id<'unmatched'>
  readonly mode: string
  readonly connection: string
  /** Null when there is no such connection. */
  readonly connectionMode: string | null
  readonly providerRef: string
  readonly outcome: string
  readonly occurrence: number
  readonly amountMinor: bigint
  readonly currency: string
  /** SHA-256 of its evidence. */
  readonly cause: Buffer
  readonly recordedAt: Date
  readonly resolvedAt: Date | null
  readonly resolution: 'CREDITED' | 'RETURNED' | null
  readonly walletId: string | null
  readonly note: string | null
  /** The wallet's merchant; null when there is no such wallet in this currency. */
  readonly merchantId: string | null
  readonly merchantMode: string | null
  /** Whether a payment counts the same receipt. */
  readonly isCounted: boolean
}

/** The next page of receipts that fit no attempt, by id. */
export function selectUnmatchedRows(
  tx: Tx,
  after: UnmatchedRow | undefined,
  limit: number,
): Promise<readonly UnmatchedRow[]> {
  const id = after?.id ?? '00000000-0000-0000-0000-000000000000'
  return tx<UnmatchedRow[]>`
    select unmatched.id, unmatched.mode, unmatched.connection, connection.mode as "connectionMode",
           unmatched.provider_ref as "providerRef", unmatched.outcome, unmatched.occurrence,
           unmatched.amount_minor as "amountMinor", unmatched.currency, sha256(unmatched.evidence) as cause,
           unmatched.recorded_at as "recordedAt", unmatched.resolved_at as "resolvedAt", unmatched.resolution,
           unmatched.wallet_id as "walletId", unmatched.note, merchant.id as "merchantId",
           merchant.mode as "merchantMode", receipt.connection is not null as "isCounted"
      from (select * from unmatched where id > ${id} order by id limit ${limit}) as unmatched
      left join connection on connection.id = unmatched.connection
      left join wallet on wallet.id = unmatched.wallet_id and wallet.currency = unmatched.currency
      left join merchant on merchant.id = wallet.merchant_id
      left join receipt
        on receipt.connection = unmatched.connection and receipt.provider_ref = unmatched.provider_ref
       and receipt.outcome = unmatched.outcome and receipt.occurrence = unmatched.occurrence
     order by unmatched.id`
}

/** Returns which of these ids are ids of money in suspense. */
export async function selectUnmatchedAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from unmatched where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/** A receipt of a dispute, with the dispute that it moved. */
type DisputeReport = DisputeReceipt & { readonly disputeId: string }

/** The receipts of these disputes, in the order in which a provider reports them. Nothing else moves such a dispute. */
export function selectDisputeReports(tx: Tx, disputes: readonly string[]): Promise<readonly DisputeReport[]> {
  return tx<DisputeReport[]>`
    select unmatched.dispute_id as "disputeId", unmatched.connection, unmatched.provider_ref as "providerRef",
           unmatched.outcome, unmatched.occurrence, unmatched.currency, sha256(unmatched.evidence) as cause,
           unmatched.recorded_at as "recordedAt", 0::bigint as "bookedMinor"
      from unmatched
     where unmatched.dispute_id = any (${list(disputes)}::uuid[])
     order by unmatched.occurrence,
              array_position(array['dispute_opened', 'dispute_taken', 'dispute_lost', 'dispute_won'], unmatched.outcome)`
}

const minId = '00000000-0000-0000-0000-000000000000'

export type UnrecordedRow = {
  readonly id: string
  readonly mode: string
  readonly kind: string
  readonly connection: string
  /** Null when there is no such connection. */
  readonly connectionMode: string | null
  readonly account: string
  readonly accountMode: string | null
  readonly reference: string
  readonly chain: string | null
  /** Of coins: whether the chain showed this movement out of a hot wallet, of exactly the amount, on the same log. */
  readonly isShown: boolean
  readonly amountMinor: bigint
  readonly knownMinor: bigint
  /** What the books have under the same reference; null: nothing. */
  readonly bookedMinor: bigint | null
  readonly currency: string
  readonly merchantId: string | null
  readonly paymentId: string | null
  /** Whether its merchant has its payment; true where it names none. */
  readonly hasPayment: boolean
  /** SHA-256 of the provider's report. */
  readonly cause: Buffer
  readonly recordedAt: Date
  readonly resolvedAt: Date | null
  readonly resolution: 'CHARGED' | 'WRITTEN_OFF' | 'RETURNED' | null
  readonly walletId: string | null
  readonly note: string | null
  /** The wallet's merchant; null when there is no such wallet in this currency. */
  readonly chargedTo: MerchantId | null
  readonly chargedMode: string | null
  /** Whether two people are in the request that decided it: the person who requested it, and another person who approved it. */
  readonly isApproved: boolean
}

/** The next page of money that left unrecorded, by id. */
export function selectUnrecordedRows(
  tx: Tx,
  after: Pick<UnrecordedRow, 'id'> | undefined,
  limit: number,
): Promise<readonly UnrecordedRow[]> {
  return tx<UnrecordedRow[]>`
    select unrecorded.id, unrecorded.mode, unrecorded.kind, unrecorded.connection, sent.mode as "connectionMode",
           unrecorded.account, held.mode as "accountMode", unrecorded.reference, unrecorded.chain,
           exists (select from coin_move as move
                     join coin_place as place on place.chain = move.chain and place.address = move.sender and place.place = 'hot'
                    where move.id = unrecorded.move and move.chain = unrecorded.chain and move.booked_as = 'LEFT'
                      and move.value = unrecorded.amount_minor * 1e16::numeric
                      and sha256(move.log) = unrecorded.report_hash) as "isShown",
           unrecorded.amount_minor as "amountMinor",
           unrecorded.known_minor as "knownMinor",
           case unrecorded.kind
             when 'WITHDRAWAL' then (select amount_minor from withdrawal
                                      where withdrawal.reference = unrecorded.reference
                                        and withdrawal.connection = unrecorded.connection)
             else (select amount_minor from refund where refund.id = unrecorded.reference::uuid) end as "bookedMinor",
           unrecorded.currency, unrecorded.merchant_id as "merchantId", unrecorded.payment_id as "paymentId",
           unrecorded.merchant_id is null or payment.id is not null as "hasPayment", unrecorded.report_hash as cause,
           unrecorded.recorded_at as "recordedAt", unrecorded.resolved_at as "resolvedAt", unrecorded.resolution,
           unrecorded.wallet_id as "walletId", unrecorded.note, merchant.id as "chargedTo", merchant.mode as "chargedMode",
           exists (select from operator_proposal as proposal
                    where proposal.subject = 'unrecorded:' || unrecorded.id and proposal.status = 'APPROVED'
                      and (proposal.by_kind, proposal.by_id) <> (proposal.decided_kind, proposal.decided_id)) as "isApproved"
      from (select * from unrecorded where id > ${after?.id ?? minId} order by id limit ${limit}) as unrecorded
      left join connection as sent on sent.id = unrecorded.connection
      left join connection as held on held.id = unrecorded.account
      left join payment on payment.merchant_id = unrecorded.merchant_id and payment.id = unrecorded.payment_id
      left join wallet on wallet.id = unrecorded.wallet_id and wallet.currency = unrecorded.currency
      left join merchant on merchant.id = wallet.merchant_id
     order by unrecorded.id`
}

/** Returns which of these ids are ids of money that left unrecorded. */
export async function selectUnrecordedAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from unrecorded where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

export type UnrecordedSum = {
  readonly connection: string
  readonly currency: string
  /** The balance of the account. */
  readonly owedMinor: bigint
  readonly openMinor: bigint
}

/** The next page of connections, by key, each in every currency: the balance of what left unrecorded, and the undecided sum. */
export function selectUnrecordedSums(
  sql: Sql,
  after: UnrecordedSum | undefined,
  { currencies, limit }: { readonly currencies: readonly string[]; readonly limit: number },
): Promise<readonly UnrecordedSum[]> {
  return sql<UnrecordedSum[]>`
    with page as (
      select id, mode from connection where id > ${after?.connection ?? ''} order by id limit ${limit}
    ), undecided as (
      select account, mode, currency, sum(amount_minor)::bigint as minor
        from unrecorded where resolved_at is null group by 1, 2, 3
    )
    select page.id as connection, each.currency, coalesce(balance.minor, 0) as "owedMinor",
           coalesce(undecided.minor, 0) as "openMinor"
      from page
     cross join unnest(${list(currencies)}::text[]) as each (currency)
      left join account on account.mode = page.mode and account.name = 'unrecorded:' || page.id || ':' || each.currency
      left join balance on balance.account_id = account.id
      left join undecided
        on undecided.account = page.id and undecided.mode = page.mode and undecided.currency = each.currency
     order by page.id, each.currency`
}
