// All SQL of withdrawals, except lists (list-queries.ts) and limits (limit-queries.ts). Writes process whole arrays; every read of a
// merchant names the merchant.
import { list, recordSeparator, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import { claimKey, type Claim } from '#/jobs/claim.ts'
import { chosen, hasten, type DueTable } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import { invariant } from '#/kernel/check.ts'
import type {
  ApiKeyId,
  ConnectionId,
  MerchantId,
  PayoutScheduleId,
  WalletId,
  WithdrawalBatchId,
  WithdrawalId,
} from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Destination, PayoutType } from '#/rails/payout-rail.ts'
import type { Withdrawal, WithdrawalRequest, WithdrawalStatus } from './withdrawal.ts'

export type NewWithdrawal = Withdrawal & {
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Buffer
  /** Of the call that requests it. */
  readonly trace?: string | undefined
}

/** Inserts them all. Returns the ids of those whose merchant has declared keys of metadata. */
export async function insertWithdrawals(
  tx: Tx,
  withdrawals: readonly NewWithdrawal[],
): Promise<ReadonlySet<WithdrawalId>> {
  const [destinations, requests] = [
    withdrawals.map((each) => JSON.stringify(each.destination)).join(recordSeparator),
    withdrawals.map((each) => JSON.stringify(each.request)).join(recordSeparator),
  ]
  const rows = await tx<{ id: WithdrawalId; hasKeys: boolean }[]>`
    insert into withdrawal (merchant_id, id, type, status, amount_minor, fee_minor, currency, wallet_id, connection,
                            reference, destination, request, fingerprint, idempotency_key, requested_by, created_at,
                            batch_id, batch_place, schedule_id, trace)
    select *
      from unnest(${list(withdrawals.map((each) => each.merchantId))}::uuid[],
                  ${list(withdrawals.map((each) => each.id))}::uuid[], ${list(withdrawals.map((each) => each.type))}::text[],
                  ${list(withdrawals.map((each) => each.status))}::text[],
                  ${list(withdrawals.map((each) => each.amountMinor))}::bigint[],
                  ${list(withdrawals.map((each) => each.feeMinor))}::bigint[],
                  ${list(withdrawals.map((each) => each.currency))}::text[],
                  ${list(withdrawals.map((each) => each.walletId))}::uuid[],
                  ${list(withdrawals.map((each) => each.connection))}::text[],
                  ${list(withdrawals.map((each) => each.reference))}::text[],
                  string_to_array(${destinations}, ${recordSeparator})::json[],
                  string_to_array(${requests}, ${recordSeparator})::json[],
                  ${list(withdrawals.map((each) => each.fingerprint))}::text[]::bytea[],
                  ${list(withdrawals.map((each) => each.idempotencyKey))}::text[],
                  ${list(withdrawals.map((each) => each.requestedBy))}::uuid[],
                  ${list(withdrawals.map((each) => each.createdAt))}::timestamptz[],
                  ${list(withdrawals.map((each) => each.batch?.id))}::uuid[],
                  ${list(withdrawals.map((each) => each.batch?.place))}::integer[],
                  ${list(withdrawals.map((each) => each.scheduleId))}::uuid[],
                  ${list(withdrawals.map((each) => each.trace))}::text[])
    returning id, exists (select from metadata_key where metadata_key.merchant_id = withdrawal.merchant_id) as "hasKeys"`
  return new Set(rows.flatMap(({ id, hasKeys }) => (hasKeys ? [id] : [])))
}

export type WithdrawalRow = {
  merchant_id: MerchantId
  id: WithdrawalId
  mode: Mode
  type: PayoutType
  status: WithdrawalStatus
  amount_minor: bigint
  fee_minor: bigint
  currency: Currency
  wallet_id: WalletId
  connection: ConnectionId
  reference: string
  destination: Destination
  request: WithdrawalRequest
  requested_by: ApiKeyId
  batch_id: WithdrawalBatchId | null
  batch_place: number | null
  schedule_id: PayoutScheduleId | null
  decided_by: ApiKeyId | null
  provider_ref: string | null
  end_to_end_id: string | null
  tx_hash: string | null
  failure: { code: string; message: string } | null
  returned_minor: bigint
  review_required: boolean
  version: number
  created_at: Date
  completed_at: Date | null
  note: string | null
}

export function columns(sql: Sql | Tx) {
  return sql`withdrawal.merchant_id, withdrawal.id, merchant.mode, withdrawal.type, withdrawal.status,
             withdrawal.amount_minor, withdrawal.fee_minor, withdrawal.currency, withdrawal.wallet_id,
             withdrawal.connection, withdrawal.reference, withdrawal.destination, withdrawal.request,
             withdrawal.requested_by, withdrawal.decided_by, withdrawal.provider_ref, withdrawal.end_to_end_id,
             withdrawal.tx_hash, withdrawal.failure, withdrawal.returned_minor, withdrawal.review_required,
             withdrawal.version, withdrawal.created_at, withdrawal.completed_at, withdrawal.note,
             withdrawal.batch_id, withdrawal.batch_place, withdrawal.schedule_id`
}

export type StoredWithdrawalKey = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly withdrawal: Withdrawal
}

/** The withdrawals that keys created before, by the references derived from merchant and key: one index covers all states. */
export async function selectByKeys(
  sql: Sql | Tx,
  references: readonly string[],
): Promise<readonly StoredWithdrawalKey[]> {
  const rows = await sql<(WithdrawalRow & { key: string; fingerprint: Buffer })[]>`
    select withdrawal.idempotency_key as key, withdrawal.fingerprint, ${columns(sql)}
      from unnest(${list(references)}::text[]) as wanted (reference)
      join withdrawal on withdrawal.reference = wanted.reference
      join merchant on merchant.id = withdrawal.merchant_id
     where withdrawal.idempotency_key is not null`
  return rows.map((row) => ({ key: row.key, fingerprint: row.fingerprint, withdrawal: toWithdrawal(row) }))
}

/** These withdrawals, for callers that know only their ids. */
export async function selectWithdrawalsById(
  sql: Sql | Tx,
  ids: readonly WithdrawalId[],
): Promise<readonly Withdrawal[]> {
  const rows = await sql<WithdrawalRow[]>`
    select ${columns(sql)}
      from withdrawal
      join merchant on merchant.id = withdrawal.merchant_id
     where withdrawal.id = any (${list(ids)}::uuid[])`
  return rows.map(toWithdrawal)
}

/** The withdrawals of a type that have these references at their provider. */
export async function selectByReferences(
  sql: Sql,
  type: PayoutType,
  references: readonly string[],
): Promise<readonly Withdrawal[]> {
  const rows = await sql<WithdrawalRow[]>`
    select ${columns(sql)}
      from withdrawal
      join merchant on merchant.id = withdrawal.merchant_id
     where withdrawal.reference = any (${list(references)}::text[]) and withdrawal.type = ${type}`
  return rows.map(toWithdrawal)
}

/** Writes what can change of a withdrawal. Of several versions of one the last one wins. */
export async function writeWithdrawals(tx: Tx, versions: readonly Withdrawal[]): Promise<void> {
  const withdrawals = [...new Map(versions.map((withdrawal) => [withdrawal.id, withdrawal])).values()]
  const result = await tx`
    update withdrawal
       set status = new.status, decided_by = new.decided_by, provider_ref = new.provider_ref,
           end_to_end_id = new.end_to_end_id, tx_hash = new.tx_hash, failure = new.failure,
           returned_minor = new.returned_minor, review_required = new.review_required, version = new.version,
           completed_at = new.completed_at, note = new.note
      from unnest(${list(withdrawals.map((each) => each.merchantId))}::uuid[],
                  ${list(withdrawals.map((each) => each.id))}::uuid[],
                  ${list(withdrawals.map((each) => each.status))}::text[],
                  ${list(withdrawals.map((each) => each.decidedBy))}::uuid[],
                  ${list(withdrawals.map((each) => each.providerRef))}::text[],
                  ${list(withdrawals.map((each) => each.endToEndId))}::text[],
                  ${list(withdrawals.map((each) => each.txHash))}::text[],
                  ${list(withdrawals.map((each) => JSON.stringify(each.failure)))}::text[]::json[],
                  ${list(withdrawals.map((each) => each.returnedMinor))}::bigint[],
                  ${list(withdrawals.map((each) => each.reviewRequired))}::text[]::boolean[],
                  ${list(withdrawals.map((each) => each.version))}::integer[],
                  ${list(withdrawals.map((each) => each.completedAt))}::timestamptz[],
                  ${list(withdrawals.map((each) => each.note))}::text[])
           as new (merchant_id, id, status, decided_by, provider_ref, end_to_end_id, tx_hash, failure, returned_minor,
                   review_required, version, completed_at, note)
     where withdrawal.merchant_id = new.merchant_id and withdrawal.id = new.id`
  invariant(result.count === withdrawals.length, 'every withdrawal that changed is there')
}

type WithdrawalKey = Pick<Withdrawal, 'merchantId' | 'id'>

/** Records that these withdrawals are due at their providers. */
export async function insertDue(
  tx: Tx,
  withdrawals: readonly (WithdrawalKey & Pick<Withdrawal, 'connection'>)[],
): Promise<void> {
  await tx`
    insert into withdrawal_due (merchant_id, withdrawal_id, connection, due_at)
    select merchant_id, id, connection, ${dueNow(tx)}
      from ${rowsOf(tx, 'new', withdrawals, { merchant_id: 'uuid', id: 'uuid', connection: 'text' })}
        on conflict do nothing`
}

/** Records that these withdrawals are not due any more. */
export async function deleteDue(tx: Tx, withdrawals: readonly WithdrawalKey[]): Promise<void> {
  await tx`
    delete from withdrawal_due
     using ${rowsOf(tx, 'ended', withdrawals, { merchant_id: 'uuid', id: 'uuid' })}
     where withdrawal_due.merchant_id = ended.merchant_id and withdrawal_due.withdrawal_id = ended.id`
}

/** Withdrawals that are due at a provider, each with when. */
export const withdrawalDue: DueTable = {
  name: 'withdrawal_due',
  isClaimable: (sql) => sql`(due.asked_at is not null or not is_frozen(due.merchant_id, (
    select type from withdrawal
     where withdrawal.merchant_id = due.merchant_id and withdrawal.id = due.withdrawal_id)))`,
  carry: ['asked_at'],
}

/** Instants are the database's. */
export type DueWithdrawal = {
  readonly withdrawal: Withdrawal
  readonly claim: Claim
  /** When it was first claimed. */
  readonly firstClaimedAt: Date
  /** When it was last sent, or may have been, without an answer that confirms or denies it. */
  readonly lastSentAt: Date | null
  /** From when on this worker holds the claim. */
  readonly claimedAt: Date
}

type DueRow = WithdrawalRow & {
  sends: number
  lane: string
  trace: string | null
  begun_at: Date
  asked_before: Date | null
  asked_at: Date
}

/**
 * Claims due withdrawals for the time of the lease; frozen ones only if they may have been sent. From the claim on a withdrawal
 * may have been sent, because a worker that dies reports nothing. Returns them in the order of their creation.
 */
export async function claimDue(sql: Sql, slots: Slots, leaseMs: number): Promise<readonly DueWithdrawal[]> {
  const rows = await sql<DueRow[]>`
    with recursive ${chosen(sql, withdrawalDue, slots)}, taken as (
      update withdrawal_due as due
         set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, sends = due.sends + 1,
             begun_at = coalesce(due.begun_at, ${dueNow(sql)}), asked_at = ${dueNow(sql)}
        from chosen
       where due.ctid = chosen.ctid
      returning due.merchant_id, due.withdrawal_id, due.connection as lane, due.sends, due.begun_at,
                chosen.asked_at as asked_before, due.asked_at
    )
    select ${columns(sql)}, withdrawal.trace, taken.lane, taken.sends, taken.begun_at, taken.asked_at,
           case when left_before_restore then coalesce(taken.asked_before, withdrawal.created_at) else taken.asked_before end as asked_before
      from taken
      join withdrawal on withdrawal.merchant_id = taken.merchant_id and withdrawal.id = taken.withdrawal_id
      join merchant on merchant.id = withdrawal.merchant_id
     order by withdrawal.id`
  return rows.map((row) => ({
    withdrawal: toWithdrawal(row),
    claim: { id: row.id, connection: row.lane, number: row.sends, trace: row.trace },
    firstClaimedAt: row.begun_at,
    lastSentAt: row.asked_before,
    claimedAt: row.asked_at,
  }))
}

/**
 * Makes the withdrawal due again in `waitMs`, unless it was hastened meanwhile. `wasNotSent`: nothing was sent this time, so
 * the earlier `asked_at` is restored. Returns false when another worker has claimed it since, or its end is known.
 */
export async function postponeDue(
  sql: Sql,
  { withdrawal: { merchantId, id }, claim, lastSentAt }: DueWithdrawal,
  { waitMs, wasNotSent }: { readonly waitMs: number; readonly wasNotSent: boolean },
): Promise<boolean> {
  const result = await sql`
    update withdrawal_due
       set due_at = case when due_at > ${dueNow(sql)} then ${dueIn(sql, waitMs)} else due_at end,
           asked_at = case when ${wasNotSent} then ${lastSentAt}::timestamptz else asked_at end
     where merchant_id = ${merchantId} and withdrawal_id = ${id} and sends = ${claim.number}`
  return result.count === 1
}

/**
 * Releases a withdrawal that was claimed and certainly never sent: it waits for `waitMs`, and all traces of a sending are
 * removed.
 */
export async function releaseDue(
  sql: Sql,
  { withdrawal: { merchantId, id }, claim }: DueWithdrawal,
  waitMs: number,
): Promise<void> {
  await sql`
    update withdrawal_due
       set due_at = case when due_at > ${dueNow(sql)} then ${dueIn(sql, waitMs)} else due_at end, asked_at = null,
           begun_at = null
     where merchant_id = ${merchantId} and withdrawal_id = ${id} and sends = ${claim.number}`
}

/** Those of these claims that no later claim superseded; they stay so until the transaction ends. */
export async function lockClaims(
  tx: Tx,
  claims: readonly Pick<Claim, 'id' | 'number'>[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ id: WithdrawalId; number: number }[]>`
    with claimed as (
      select unnest(${list(claims.map(({ id }) => id))}::uuid[]) as id,
             unnest(${list(claims.map((each) => each.number))}::integer[]) as sends
    )
    select due.withdrawal_id as id, due.sends as number
      from claimed
      join withdrawal on withdrawal.id = claimed.id
      join withdrawal_due as due on due.merchant_id = withdrawal.merchant_id and due.withdrawal_id = withdrawal.id
     where due.sends = claimed.sends
     order by due.merchant_id, due.withdrawal_id
       for update of due`
  return new Set(rows.map(claimKey))
}

/** The end is known: the withdrawal is not due any more, unless it was hastened meanwhile. */
export async function dropDue(
  sql: Sql,
  { withdrawal: { merchantId, id }, claim }: DueWithdrawal,
): Promise<void> {
  await sql`
    delete from withdrawal_due
     where merchant_id = ${merchantId} and withdrawal_id = ${id} and sends = ${claim.number}
       and due_at > ${dueNow(sql)}`
}

/**
 * Makes withdrawals of a type due now, by their references. These include completed withdrawals, which may have been returned,
 * and failed ones, which may have been paid after all. Returns how many are due now.
 */
export async function hastenDue(
  sql: Sql | Tx,
  type: PayoutType,
  references: readonly string[],
): Promise<number> {
  const hastened = await hasten(
    sql,
    withdrawalDue,
    sql`select due.ctid
          from withdrawal
          join withdrawal_due as due on due.merchant_id = withdrawal.merchant_id and due.withdrawal_id = withdrawal.id
         where withdrawal.reference = any (${list(references)}::text[]) and withdrawal.type = ${type}
           and withdrawal.status in ('PROCESSING', 'COMPLETED', 'FAILED')`,
  )
  const added = await sql`
    insert into withdrawal_due (merchant_id, withdrawal_id, connection, due_at, asked_at)
    select merchant_id, id, connection, ${dueNow(sql)}, ${dueNow(sql)}
      from withdrawal
     where reference = any (${list(references)}::text[]) and type = ${type} and status in ('COMPLETED', 'FAILED')
     order by merchant_id, id
        on conflict do nothing`
  return hastened + added.count
}

export function toWithdrawal(row: WithdrawalRow): Withdrawal {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    mode: row.mode,
    type: row.type,
    status: row.status,
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    currency: row.currency,
    walletId: row.wallet_id,
    connection: row.connection,
    reference: row.reference,
    destination: row.destination,
    request: row.request,
    requestedBy: row.requested_by,
    returnedMinor: row.returned_minor,
    reviewRequired: row.review_required,
    version: row.version,
    createdAt: row.created_at,
    ...(row.batch_id === null || row.batch_place === null
      ? {}
      : { batch: { id: row.batch_id, place: row.batch_place } }),
    ...(row.schedule_id === null ? {} : { scheduleId: row.schedule_id }),
    ...(row.decided_by === null ? {} : { decidedBy: row.decided_by }),
    ...(row.provider_ref === null ? {} : { providerRef: row.provider_ref }),
    ...(row.end_to_end_id === null ? {} : { endToEndId: row.end_to_end_id }),
    ...(row.tx_hash === null ? {} : { txHash: row.tx_hash }),
    ...(row.failure === null ? {} : { failure: row.failure }),
    ...(row.completed_at === null ? {} : { completedAt: row.completed_at }),
    ...(row.note === null ? {} : { note: row.note }),
  }
}
