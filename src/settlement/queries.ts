// The SQL of settlement, except that of its inbox: receipts, and money that fits no attempt.
import { list, pack, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId, DisputeId, Id, MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import type { PieceRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import type { Placed } from './placed.ts'

export type StoredReceipt = {
  readonly connection: ConnectionId
  readonly providerRef: string
  readonly outcome: Outcome
  readonly occurrence: number
  readonly pendingRef: string | null
  readonly bookedMinor: bigint
}

/** The recorded receipts that are the same as these, or that announce or end the same money. */
export async function selectRelated(
  tx: Sql | Tx,
  receipts: readonly Receipt[],
): Promise<readonly StoredReceipt[]> {
  const pending = receipts.filter((receipt) => receipt.pendingRef !== undefined)
  const columns = tx`receipt.connection, receipt.provider_ref as "providerRef", receipt.outcome, receipt.occurrence,
                     receipt.pending_ref as "pendingRef", receipt.booked_minor as "bookedMinor"`
  // On a chain money always comes to an address of ours, mostly of a payment. A report of a provider may have fitted no attempt.
  const strays = receipts.filter(
    ({ attempt, txHash }) =>
      attempt?.paymentId === undefined || attempt.isLost === true || txHash === undefined,
  )
  const [same, suspended, announced] = await Promise.all([
    tx<StoredReceipt[]>`
      select ${columns}
        from unnest(${list(receipts.map((each) => each.connection))}::text[],
                    ${list(receipts.map((each) => each.providerRef))}::text[],
                    ${list(receipts.map((each) => each.outcome))}::text[],
                    ${list(receipts.map((each) => each.occurrence))}::integer[])
             as wanted (connection, provider_ref, outcome, occurrence)
        join receipt using (connection, provider_ref, outcome, occurrence)`,
    strays.length === 0 ? [] : selectUnmatched(tx, strays),
    pending.length === 0
      ? []
      : tx<StoredReceipt[]>`
          select ${columns}
            from unnest(${list(pending.map((each) => each.connection))}::text[],
                        ${list(pending.map((each) => each.pendingRef ?? null))}::text[])
                 as wanted (connection, pending_ref)
            join receipt on receipt.connection = wanted.connection and receipt.pending_ref = wanted.pending_ref`,
  ])
  return [...same, ...suspended, ...announced]
}

function selectUnmatched(tx: Sql | Tx, receipts: readonly Receipt[]): Promise<readonly StoredReceipt[]> {
  return tx<StoredReceipt[]>`
    select unmatched.connection, unmatched.provider_ref as "providerRef", unmatched.outcome, unmatched.occurrence,
           null::text as "pendingRef", 0::bigint as "bookedMinor"
      from unnest(${list(receipts.map((each) => each.connection))}::text[],
                  ${list(receipts.map((each) => each.providerRef))}::text[],
                  ${list(receipts.map((each) => each.outcome))}::text[],
                  ${list(receipts.map((each) => each.occurrence))}::integer[])
           as wanted (connection, provider_ref, outcome, occurrence)
      join unmatched using (connection, provider_ref, outcome, occurrence)`
}

/** A provider's report of how a refund ended. */
export type RefundReport = Pick<StoredReceipt, 'connection' | 'providerRef' | 'outcome' | 'occurrence'> & {
  readonly recordedAt: Date
}

/** The recorded reports of the refunds that these receipts name: the latest of each outcome. */
export function selectRefundReports(
  tx: Sql | Tx,
  receipts: readonly Pick<Receipt, 'connection' | 'providerRef'>[],
): Promise<readonly RefundReport[]> {
  return tx<RefundReport[]>`
    select distinct on (receipt.connection, receipt.provider_ref, receipt.outcome)
           receipt.connection, receipt.provider_ref as "providerRef", receipt.outcome, receipt.occurrence,
           receipt.recorded_at as "recordedAt"
      from (select distinct *
              from unnest(${list(receipts.map((each) => each.connection))}::text[],
                          ${list(receipts.map((each) => each.providerRef))}::text[]) as ref (connection, provider_ref)) as wanted
      join receipt using (connection, provider_ref)
     where receipt.outcome in ('refunded', 'refund_failed')
     order by receipt.connection, receipt.provider_ref, receipt.outcome, receipt.occurrence desc`
}

/** Money that went to suspense, with the merchant and the wallet if it was credited. */
export type SuspendedRef = {
  readonly connection: ConnectionId
  readonly providerRef: string
  readonly unmatchedId: Id<'unmatched'>
  readonly mode: Mode
  readonly currency: Currency
  readonly minor: bigint
  readonly resolution: Resolution | null
  readonly walletId: WalletId | null
  readonly merchantId: MerchantId | null
}

/** Those of these references that name money that went to suspense. */
export function selectSuspendedRefs(
  tx: Tx,
  refs: readonly { readonly connection: ConnectionId; readonly providerRef: string }[],
): Promise<readonly SuspendedRef[]> {
  return tx<SuspendedRef[]>`
    select distinct unmatched.connection, unmatched.provider_ref as "providerRef", unmatched.id as "unmatchedId",
           unmatched.mode, unmatched.currency, unmatched.amount_minor as minor, unmatched.resolution,
           wallet.id as "walletId", wallet.merchant_id as "merchantId"
      from unnest(${list(refs.map((each) => each.connection))}::text[],
                  ${list(refs.map((each) => each.providerRef))}::text[]) as wanted (connection, provider_ref)
      join unmatched using (connection, provider_ref)
      left join wallet on wallet.id = unmatched.wallet_id
     where unmatched.outcome = 'paid'`
}

/** How much came with each of these arrivals of money. */
export function selectPieceAmounts(
  tx: Tx,
  pieces: readonly PieceRef[],
): Promise<readonly (PieceRef & { readonly minor: bigint })[]> {
  return tx<(PieceRef & { minor: bigint })[]>`
    select receipt.merchant_id as "merchantId", receipt.payment_id as "paymentId", receipt.connection,
           receipt.provider_ref as "paidRef", receipt.booked_minor as minor
      from unnest(${list(pieces.map((each) => each.connection))}::text[],
                  ${list(pieces.map((each) => each.paidRef))}::text[]) as wanted (connection, provider_ref)
      join receipt using (connection, provider_ref)
     where receipt.outcome = 'paid'`
}

export type NewReceipt = {
  readonly receipt: Placed
  readonly ordinal: number
  readonly bookedMinor: bigint
  /** For final money: whether its payment was PAID before it came. */
  readonly isDuplicate?: boolean
}

export async function insertReceipts(tx: Tx, news: readonly NewReceipt[], recordedAt: Date): Promise<void> {
  const receipts = news.map((each) => each.receipt)
  const evidence = pack(receipts.map((each) => each.evidence))
  await tx`
    insert into receipt (connection, provider_ref, outcome, occurrence, merchant_id, payment_id, attempt_id, ordinal,
                         pending_ref, booked_minor, authorised_minor, currency, means, evidence, happened_at, recorded_at,
                         is_duplicate)
    select connection, provider_ref, outcome, occurrence, merchant_id, payment_id, attempt_id, ordinal, pending_ref,
           booked_minor, authorised_minor, currency, means::json,
           substring(${evidence.bytes}::bytea from start for length), happened_at, ${recordedAt}::timestamptz, is_duplicate
      from (select unnest(${list(receipts.map((each) => each.connection))}::text[]) as connection,
                   unnest(${list(receipts.map((each) => each.providerRef))}::text[]) as provider_ref,
                   unnest(${list(receipts.map((each) => each.outcome))}::text[]) as outcome,
                   unnest(${list(receipts.map((each) => each.occurrence))}::integer[]) as occurrence,
                   unnest(${list(receipts.map((each) => each.attempt.merchantId))}::uuid[]) as merchant_id,
                   unnest(${list(receipts.map((each) => each.attempt.paymentId))}::uuid[]) as payment_id,
                   unnest(${list(receipts.map((each) => each.attempt.id))}::uuid[]) as attempt_id,
                   unnest(${list(news.map((each) => each.ordinal))}::integer[]) as ordinal,
                   unnest(${list(receipts.map((each) => each.pendingRef))}::text[]) as pending_ref,
                   unnest(${list(news.map((each) => each.bookedMinor))}::bigint[]) as booked_minor,
                   unnest(${list(receipts.map((each) => each.authorised?.minor))}::bigint[]) as authorised_minor,
                   unnest(${list(receipts.map((each) => each.amount.currency))}::text[]) as currency,
                   unnest(${list(receipts.map(({ means }) => JSON.stringify(means)))}::text[]) as means,
                   unnest(${evidence.starts}::integer[]) as start, unnest(${evidence.lengths}::integer[]) as length,
                   unnest(${list(receipts.map((each) => each.happenedAt))}::timestamptz[]) as happened_at,
                   unnest(${list(news.map((each) => each.isDuplicate))}::boolean[]) as is_duplicate) as new`
}

export type NewUnmatched = {
  readonly id: Id<'unmatched'>
  readonly mode: Mode
  readonly reason: Unmatched['reason']
  readonly receipt: Receipt
  readonly recordedAt: Date
  /** The dispute that this receipt changed, when it is about money that was credited out of suspense. */
  readonly disputeId?: DisputeId
}

export async function insertUnmatched(tx: Tx, news: readonly NewUnmatched[]): Promise<void> {
  const receipts = news.map((each) => each.receipt)
  await tx`
    insert into unmatched (id, mode, connection, provider_ref, outcome, occurrence, reason, about_ref, dispute_id, attempt_id,
                           amount_minor, currency, evidence, happened_at, recorded_at)
    select *
      from unnest(${list(news.map((each) => each.id))}::uuid[], ${list(news.map((each) => each.mode))}::text[],
                  ${list(receipts.map((each) => each.connection))}::text[],
                  ${list(receipts.map((each) => each.providerRef))}::text[],
                  ${list(receipts.map((each) => each.outcome))}::text[],
                  ${list(receipts.map((each) => each.occurrence))}::integer[],
                  ${list(news.map((each) => each.reason))}::text[],
                  ${list(receipts.map((each) => each.dispute?.paidRef))}::text[],
                  ${list(news.map((each) => each.disputeId))}::uuid[],
                  ${list(receipts.map((each) => each.attempt?.id))}::uuid[],
                  ${list(receipts.map((each) => each.amount.minor))}::bigint[],
                  ${list(receipts.map((each) => each.amount.currency))}::text[],
                  ${list(receipts.map((each) => each.evidence))}::text[]::bytea[],
                  ${list(receipts.map((each) => each.happenedAt))}::timestamptz[],
                  ${list(news.map((each) => each.recordedAt))}::timestamptz[])`
}

export type Resolution = 'CREDITED' | 'RETURNED'

/** Money in suspense, or a receipt about such money, as it was recorded. */
export type Unmatched = {
  readonly id: Id<'unmatched'>
  readonly mode: Mode
  readonly method: Method
  readonly connection: ConnectionId
  readonly providerRef: string
  readonly outcome: Outcome
  /**
   * - `no_attempt`: it contains no reference in our format.
   * - `unknown_attempt`: it contains one, and no attempt has it.
   * - `wrong_amount`, `wrong_currency`: its attempt requested another amount or currency.
   * - `suspended_money`: it is about money in suspense.
   */
  readonly reason: 'no_attempt' | 'unknown_attempt' | 'wrong_amount' | 'wrong_currency' | 'suspended_money'
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly happenedAt: Date
  readonly recordedAt: Date
  readonly resolvedAt: Date | null
  readonly resolution: Resolution | null
  readonly walletId: WalletId | null
  readonly note: string | null
  /** The owner, if a restore lost the attempt whose reference the receipt contains and an issuance log has that attempt. */
  readonly lostMerchantId: MerchantId | null
  readonly lostPaymentId: PaymentId | null
  /** Other outcomes that the provider reported of the same money: mostly a return. */
  readonly reportedSince: readonly Outcome[]
}

/** Money that waits for a person, oldest first; with `all`, also resolved money, and receipts that are no money. */
export function selectSuspended(sql: Sql, all: boolean): Promise<readonly Unmatched[]> {
  const open = sql`where unmatched.resolved_at is null and unmatched.outcome = 'paid' and unmatched.amount_minor > 0`
  return sql<Unmatched[]>`${unmatchedRows(sql)} ${all ? sql`` : open} order by unmatched.id`
}

/**
 * One page of money that waits for a person, oldest first. With `all`, also money that was resolved, and receipts that are no
 * money. The page can be limited to one connection and one currency. `after`: the last row of the page before.
 */
export function selectUnmatchedPage(
  sql: Sql,
  page: {
    readonly all: boolean
    readonly connection?: string
    readonly currency?: Currency
    readonly after?: Id<'unmatched'>
    readonly limit: number
  },
): Promise<readonly Unmatched[]> {
  const { all, connection, currency, after } = page
  const open = sql`and unmatched.resolved_at is null and unmatched.outcome = 'paid' and unmatched.amount_minor > 0`
  return sql<Unmatched[]>`
    ${unmatchedRows(sql)}
     where true
           ${all ? sql`` : open}
           ${connection === undefined ? sql`` : sql`and unmatched.connection = ${connection}`}
           ${currency === undefined ? sql`` : sql`and unmatched.currency = ${currency}`}
           ${after === undefined ? sql`` : sql`and unmatched.id > ${after}`}
     order by unmatched.id
     limit ${page.limit}`
}

export function selectUnmatchedById(
  tx: Sql | Tx,
  ids: readonly Id<'unmatched'>[],
): Promise<readonly Unmatched[]> {
  return tx<Unmatched[]>`${unmatchedRows(tx)} where unmatched.id = any (${list(ids)}::uuid[])`
}

/** A provider names events of money with the money's reference, `:` and a suffix. In byte order these names lie from `:` to before `;`. */
function unmatchedRows(sql: Sql | Tx) {
  return sql`
    select unmatched.id, unmatched.mode, connection.method, unmatched.connection,
           unmatched.provider_ref as "providerRef", unmatched.outcome, unmatched.reason,
           unmatched.amount_minor as "amountMinor", unmatched.currency, unmatched.happened_at as "happenedAt",
           unmatched.recorded_at as "recordedAt", unmatched.resolved_at as "resolvedAt", unmatched.resolution,
           unmatched.wallet_id as "walletId", unmatched.note, lost.merchant_id as "lostMerchantId",
           lost.payment_id as "lostPaymentId",
           coalesce((select json_agg(other.outcome order by other.id)
                       from (select id, outcome from unmatched as named
                              where named.connection = unmatched.connection
                                and named.provider_ref collate "C" >= unmatched.provider_ref || ':'
                                and named.provider_ref collate "C" < unmatched.provider_ref || ';'
                              union
                             select id, outcome from unmatched as about
                              where about.connection = unmatched.connection
                                and about.about_ref = unmatched.provider_ref) as other), '[]') as "reportedSince"
      from unmatched
      join connection on connection.id = unmatched.connection
      left join lost_issuance as lost on lost.attempt_id = unmatched.attempt_id and lost.connection = unmatched.connection`
}

export type Resolved = {
  readonly id: Id<'unmatched'>
  readonly resolution: Resolution
  readonly walletId?: WalletId
  readonly note?: string
}

export async function writeResolved(tx: Tx, resolved: readonly Resolved[], at: Date): Promise<void> {
  await tx`
    update unmatched
       set resolved_at = ${at}, resolution = new.resolution, wallet_id = new.wallet_id, note = new.note
      from unnest(${list(resolved.map((each) => each.id))}::uuid[],
                  ${list(resolved.map((each) => each.resolution))}::text[],
                  ${list(resolved.map((each) => each.walletId))}::uuid[],
                  ${list(resolved.map((each) => each.note))}::text[])
           as new (id, resolution, wallet_id, note)
     where unmatched.id = new.id`
}

/** Returns whether the event came for the first time. */
export async function insertCallbackEvent(
  tx: Tx,
  connection: ConnectionId,
  eventId: string,
  receivedAt: Date,
): Promise<boolean> {
  const result = await tx`
    insert into callback_event (connection, event_id, received_at)
    values (${connection}, ${eventId}, ${receivedAt})
        on conflict do nothing`
  return result.count === 1
}

/** Deletes the oldest events from before that instant, at most `limit`. Returns how many it deleted. */
export async function deleteCallbackEvents(sql: Sql, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from callback_event
     where ctid = any (array(select ctid from callback_event
                              where received_at < ${before} order by received_at limit ${limit}))`
  return result.count
}
