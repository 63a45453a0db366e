// The SQL of the withdrawals' inspections.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId, WithdrawalId } from '#/kernel/id.ts'
import type { Destination, PayoutType } from '#/rails/payout-rail.ts'
import type { WithdrawalRequest, WithdrawalStatus } from '#/withdrawals/withdrawal.ts'
import { type BothPersons, bothColumns, bothJoined, minId } from './records-queries.ts'

type WithdrawalKey = { readonly merchantId: MerchantId; readonly id: WithdrawalId }

/** The key of a record, as in its events. */
export type Key = { readonly merchantId: MerchantId; readonly id: string }

/** A withdrawal with what its replay needs. */
export type ReplayedWithdrawal = WithdrawalKey & {
  /** Null when there is no such merchant. */
  readonly mode: string | null
  readonly type: PayoutType
  readonly status: WithdrawalStatus
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly currency: string
  readonly walletId: string
  /** The accounts from which its money can leave. */
  readonly sources: readonly string[]
  readonly hasFailure: boolean
  readonly returnedMinor: bigint
  readonly fingerprint: Buffer
  readonly version: number
  readonly createdAt: Date
  readonly completedAt: Date | null
}

/** The next page of withdrawals, by key. */
export function selectReplayed(
  tx: Tx,
  after: Key | undefined,
  limit: number,
): Promise<readonly ReplayedWithdrawal[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return tx<ReplayedWithdrawal[]>`
    select withdrawal.merchant_id as "merchantId", withdrawal.id, merchant.mode, withdrawal.type, withdrawal.status,
           withdrawal.amount_minor as "amountMinor", withdrawal.fee_minor as "feeMinor", withdrawal.currency,
           withdrawal.wallet_id as "walletId", withdrawal.failure is not null as "hasFailure",
           withdrawal.returned_minor as "returnedMinor", withdrawal.fingerprint, withdrawal.version,
           withdrawal.created_at as "createdAt", withdrawal.completed_at as "completedAt",
           case withdrawal.type
             when 'CRYPTO' then array['coins:' || (connection.settings ->> 'chain') || ':' || withdrawal.currency || ':hot']
             else array['provider:' || coalesce(connection.settings ->> 'account', connection.id) || ':' || withdrawal.currency]
           end as sources
      from (select * from withdrawal
             where (merchant_id, id) > (${merchantId}, ${id})
             order by merchant_id, id limit ${limit}) as withdrawal
      left join merchant on merchant.id = withdrawal.merchant_id
      left join connection on connection.id = withdrawal.connection
     order by withdrawal.merchant_id, withdrawal.id`
}

/** Returns which of these ids are ids of withdrawals. */
export async function selectWithdrawalsAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from withdrawal where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

export type RequestedWithdrawal = WithdrawalKey &
  BothPersons & {
    readonly type: PayoutType
    readonly request: WithdrawalRequest
    readonly fingerprint: Buffer
    readonly idempotencyKey: string | null
    /** Its place in its batch, and the key of that batch; null where it has none, or the batch is not there. */
    readonly batchPlace: number | null
    readonly batchKey: string | null
    readonly reference: string
    readonly destination: Destination
    readonly status: WithdrawalStatus
    readonly amountMinor: bigint
    readonly currency: string
    readonly createdAt: Date
    readonly walletId: string
    readonly isDue: boolean
    /** Whether the wallet is the merchant's, in this currency. */
    readonly isWalletOfMerchant: boolean
    /** Whether its connection exists, sends by its type and in its mode, and is its merchant's own or shared. */
    readonly isConnected: boolean
    /** After a restore its provider, or the chain, said that it had left. */
    readonly hasLeft: boolean
  }

/** The next page of withdrawals, by key, each with whether it is due and whether wallet and connection fit it. */
export function selectRequested(
  sql: Sql,
  after: Key | undefined,
  limit: number,
): Promise<readonly RequestedWithdrawal[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<RequestedWithdrawal[]>`
    select withdrawal.merchant_id as "merchantId", withdrawal.id, withdrawal.type, withdrawal.request,
           withdrawal.fingerprint, withdrawal.idempotency_key as "idempotencyKey", withdrawal.reference,
           withdrawal.destination, withdrawal.status, withdrawal.amount_minor as "amountMinor", withdrawal.currency,
           ${bothColumns('withdrawal', sql)},
           withdrawal.batch_place as "batchPlace", batch.idempotency_key as "batchKey",
           withdrawal.created_at as "createdAt", withdrawal.wallet_id as "walletId",
           withdrawal.left_before_restore as "hasLeft", due.withdrawal_id is not null as "isDue", coalesce(wallet.currency = withdrawal.currency, false) as "isWalletOfMerchant",
           coalesce(split_part(connection.method, '_', 1) = withdrawal.type and connection.mode = merchant.mode
                    and coalesce(connection.merchant_id = withdrawal.merchant_id, true), false) as "isConnected"
      from (select * from withdrawal
             where (merchant_id, id) > (${merchantId}, ${id})
             order by merchant_id, id limit ${limit}) as withdrawal
      left join merchant on merchant.id = withdrawal.merchant_id
      left join wallet on wallet.merchant_id = withdrawal.merchant_id and wallet.id = withdrawal.wallet_id
      left join connection on connection.id = withdrawal.connection
      ${bothJoined('withdrawal', sql)}
      left join withdrawal_batch as batch
        on batch.merchant_id = withdrawal.merchant_id and batch.id = withdrawal.batch_id
      left join withdrawal_due as due
        on due.merchant_id = withdrawal.merchant_id and due.withdrawal_id = withdrawal.id
     order by withdrawal.merchant_id, withdrawal.id`
}

/**
 * The next page of batches, by key, each with the number of its withdrawals, and whether one key requested the batch and all of
 * them.
 */
export function selectBatches(
  sql: Sql,
  after: Key | undefined,
  limit: number,
): Promise<
  readonly (Key & { readonly count: number; readonly found: number; readonly isRequestedByOne: boolean })[]
> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<(Key & { count: number; found: number; isRequestedByOne: boolean })[]>`
    select batch.merchant_id as "merchantId", batch.id, batch.count, count(withdrawal.id)::integer as found,
           coalesce(bool_and(withdrawal.requested_by = batch.requested_by), true) as "isRequestedByOne"
      from (select * from withdrawal_batch
             where (merchant_id, id) > (${merchantId}, ${id})
             order by merchant_id, id limit ${limit}) as batch
      left join withdrawal on withdrawal.merchant_id = batch.merchant_id and withdrawal.batch_id = batch.id
     group by batch.merchant_id, batch.id, batch.count
     order by batch.merchant_id, batch.id`
}

/** The next page of due rows, with whether the withdrawal of each exists. */
export function selectDue(
  sql: Sql,
  after: Key | undefined,
  limit: number,
): Promise<readonly (Key & { readonly isThere: boolean })[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<(Key & { isThere: boolean })[]>`
    select due.merchant_id as "merchantId", due.withdrawal_id as id, withdrawal.id is not null as "isThere"
      from withdrawal_due as due
      left join withdrawal on withdrawal.merchant_id = due.merchant_id and withdrawal.id = due.withdrawal_id
     where (due.merchant_id, due.withdrawal_id) > (${merchantId}, ${id})
     order by due.merchant_id, due.withdrawal_id
     limit ${limit}`
}

/** The key of a sum of withdrawals of one day, which counts towards the merchant's limit. */
export type DayKey = {
  readonly merchantId: MerchantId
  readonly type: string
  readonly currency: string
  /** In UTC: `2026-11-21`. */
  readonly day: string
}

/** The counted sums of a merchant, day by day. */
export function selectCounted(
  sql: Sql,
  merchantId: MerchantId,
): Promise<readonly (DayKey & { readonly minor: bigint })[]> {
  return sql<(DayKey & { minor: bigint })[]>`
    select merchant_id as "merchantId", type, currency, to_char(day, 'YYYY-MM-DD') as day, minor
      from withdrawal_spent
     where merchant_id = ${merchantId}`
}

export type CountedRefund = Key & {
  /** Null for a refund whose provider returns the money: it does not count. */
  readonly type: string | null
  /** The ledger currency: USD received by CRYPTO is USDT. */
  readonly currency: string
  readonly status: string
  readonly amountMinor: bigint
  readonly createdAt: Date
}

/** The next page of a merchant's refunds, by id, each with the sum towards which it counts. */
export function selectRefunds(
  sql: Sql,
  merchantId: MerchantId,
  after: Pick<Key, 'id'> | undefined,
  limit: number,
): Promise<readonly CountedRefund[]> {
  return sql<CountedRefund[]>`
    select merchant_id as "merchantId", id, payout_type as type,
           case currency when 'USD' then 'USDT' else currency end as currency, status,
           amount_minor as "amountMinor", created_at as "createdAt"
      from refund
     where merchant_id = ${merchantId} and id > ${after?.id ?? minId}
     order by id
     limit ${limit}`
}

/** The next page of merchants, by id, that have a counted sum but never had a withdrawal. */
export function selectCountedForNothing(
  sql: Sql,
  after: { readonly merchantId: MerchantId } | undefined,
  limit: number,
): Promise<readonly { readonly merchantId: MerchantId }[]> {
  return sql<{ merchantId: MerchantId }[]>`
    select distinct merchant_id as "merchantId" from withdrawal_spent as spent
     where merchant_id > ${after?.merchantId ?? minId}
       and not exists (select from withdrawal where withdrawal.merchant_id = spent.merchant_id)
     order by merchant_id
     limit ${limit}`
}

/** The counted sum of one day, and the sum of its withdrawals, at one instant. */
export async function selectDay(
  sql: Sql,
  { merchantId, type, currency, day }: DayKey,
): Promise<{ readonly counted: bigint; readonly made: bigint }> {
  const [row] = await sql<{ counted: bigint; made: bigint }[]>`
    select coalesce((select minor from withdrawal_spent
                      where merchant_id = ${merchantId} and type = ${type} and currency = ${currency}
                        and day = ${day}::text::date), 0) as counted,
           coalesce((select sum(amount_minor) from withdrawal
                      where merchant_id = ${merchantId} and type = ${type} and currency = ${currency}
                        and (created_at at time zone 'UTC')::date = ${day}::text::date
                        and status not in ('FAILED', 'CANCELED')), 0)::bigint
             + coalesce((select sum(amount_minor) from refund
                          where merchant_id = ${merchantId} and payout_type = ${type}
                            and ${currency} = case currency when 'USD' then 'USDT' else currency end
                            and (created_at at time zone 'UTC')::date = ${day}::text::date
                            and status <> 'FAILED'), 0)::bigint as made`
  return row ?? { counted: 0n, made: 0n }
}

export type NotifiedWithdrawal = WithdrawalKey & {
  readonly mode: string
  readonly status: WithdrawalStatus
  readonly request: WithdrawalRequest
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly walletId: string
  readonly providerRef: string | null
  readonly endToEndId: string | null
  readonly txHash: string | null
  readonly failure: { readonly code: string; readonly message: string } | null
  readonly returnedMinor: bigint
  readonly reviewRequired: boolean
  readonly version: number
  readonly createdAt: Date
  readonly completedAt: Date | null
}

/** These withdrawals, with the fields that their events contain. */
export function selectNotified(tx: Tx, keys: readonly Key[]): Promise<readonly NotifiedWithdrawal[]> {
  return tx<NotifiedWithdrawal[]>`
    select withdrawal.merchant_id as "merchantId", withdrawal.id, merchant.mode, withdrawal.status, withdrawal.request,
           withdrawal.amount_minor as "amountMinor", withdrawal.fee_minor as "feeMinor",
           withdrawal.wallet_id as "walletId", withdrawal.provider_ref as "providerRef",
           withdrawal.end_to_end_id as "endToEndId", withdrawal.tx_hash as "txHash", withdrawal.failure,
           withdrawal.returned_minor as "returnedMinor", withdrawal.review_required as "reviewRequired",
           withdrawal.version, withdrawal.created_at as "createdAt", withdrawal.completed_at as "completedAt"
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join withdrawal on withdrawal.merchant_id = wanted.merchant_id and withdrawal.id = wanted.id
      left join merchant on merchant.id = withdrawal.merchant_id`
}

export type WithdrawalState = WithdrawalKey & {
  readonly status: WithdrawalStatus
  readonly returnedMinor: bigint
  readonly createdAt: Date
  /** Whether its hold was released because it was canceled. */
  readonly wasCanceled: boolean
}

/** The next page of withdrawals, by key, with their states. */
export function selectStates(
  sql: Sql,
  after: Key | undefined,
  limit: number,
): Promise<readonly WithdrawalState[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<WithdrawalState[]>`
    select merchant_id as "merchantId", id, status, returned_minor as "returnedMinor", created_at as "createdAt",
           status in ('CANCELED', 'COMPLETED')
           and (select true from transfer
                 where transfer.subject = withdrawal.id
                   and transfer.cause = sha256(convert_to('canceled ' || withdrawal.id, 'UTF8'))
                 limit 1) is not null as "wasCanceled"
      from withdrawal
     where (merchant_id, id) > (${merchantId}, ${id})
     order by merchant_id, id
     limit ${limit}`
}
