// The SQL of settlement's inspection: pages of payments with everything that was settled for them.
import { type Sql, type Tx, list } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { KeptMoney } from '#/payments/money.ts'
import type { Outcome } from '#/rails/receipt.ts'

export type PaymentRow = {
  readonly merchantId: MerchantId
  readonly id: PaymentId
  /** Null when there is no such merchant. */
  readonly mode: string | null
  readonly status: string
  readonly amountMinor: bigint
  readonly receivedMinor: bigint
  readonly refundedMinor: bigint
  readonly disputedMinor: bigint
  readonly seenMinor: bigint
  readonly unreleasedMinor: bigint
  readonly feeMinor: bigint
  readonly exceptions: readonly string[]
  readonly walletId: string | null
  readonly completingTx: string | null
  readonly completingRef: string | null
  readonly receipts: number
  readonly version: number
  readonly expiresAt: Date | null
  readonly approvedAt: Date | null
  readonly paidAt: Date | null
  /** Null when the merchant has no such wallet. */
  readonly walletCurrency: string | null
  /** Null for a payment without money, and for one that is older than sums by currency. */
  readonly money: KeptMoney | null
}

type PaymentKey = Pick<PaymentRow, 'merchantId' | 'id'>

const first: PaymentKey = {
  merchantId: '00000000-0000-0000-0000-000000000000' as MerchantId,
  id: '00000000-0000-0000-0000-000000000000' as PaymentId,
}

export function selectPaymentRows(
  tx: Tx,
  after: PaymentKey | undefined,
  limit: number,
): Promise<readonly PaymentRow[]> {
  const { merchantId, id } = after ?? first
  return tx<PaymentRow[]>`
    select payment.merchant_id as "merchantId", payment.id, merchant.mode, payment.status,
           payment.amount_minor as "amountMinor", payment.received_minor as "receivedMinor",
           payment.refunded_minor as "refundedMinor", payment.disputed_minor as "disputedMinor",
           payment.seen_minor as "seenMinor", payment.unreleased_minor as "unreleasedMinor",
           payment.fee_minor as "feeMinor", payment.exceptions, payment.wallet_id as "walletId",
           payment.completing_tx as "completingTx", payment.completing_ref as "completingRef", payment.receipts, payment.version,
           payment.expires_at as "expiresAt", payment.approved_at as "approvedAt", payment.paid_at as "paidAt", wallet.currency as "walletCurrency",
           payment.money
      from payment
      left join merchant on merchant.id = payment.merchant_id
      left join wallet on wallet.merchant_id = payment.merchant_id and wallet.id = payment.wallet_id
     where (payment.merchant_id, payment.id) > (${merchantId}, ${id})
     order by payment.merchant_id, payment.id
     limit ${limit}`
}

export type ReceiptRow = {
  readonly paymentId: PaymentId
  readonly connection: ConnectionId
  readonly providerRef: string
  readonly outcome: Outcome
  readonly occurrence: number
  readonly ordinal: number
  readonly pendingRef: string | null
  readonly bookedMinor: bigint
  /** For a capture: the whole amount of the authorisation. */
  readonly authorisedMinor: bigint | null
  readonly currency: string
  /** SHA-256 of its evidence, also when that was erased. */
  readonly cause: Buffer
  readonly happenedAt: Date
  readonly recordedAt: Date
  /** For final money: whether its payment was PAID before; null for a receipt older than the column. */
  readonly isDuplicate: boolean | null
  /** From its attempt; null when the payment has no such attempt. */
  readonly attemptConnection: string | null
  readonly attemptCurrency: string | null
  readonly method: string | null
}

export function selectReceiptRows(tx: Tx, payments: readonly PaymentKey[]): Promise<readonly ReceiptRow[]> {
  return tx<ReceiptRow[]>`
    select receipt.payment_id as "paymentId", receipt.connection, receipt.provider_ref as "providerRef", receipt.outcome,
           receipt.occurrence, receipt.ordinal, receipt.pending_ref as "pendingRef",
           receipt.booked_minor as "bookedMinor", receipt.authorised_minor as "authorisedMinor", receipt.currency,
           coalesce((select before_digest from erased
                      where erased.merchant_id = receipt.merchant_id and erased.place = 'receipt.evidence'
                        and erased.key = receipt.payment_id || '/' || receipt.ordinal), sha256(receipt.evidence)) as cause,
           receipt.happened_at as "happenedAt", receipt.recorded_at as "recordedAt", receipt.is_duplicate as "isDuplicate",
           attempt.connection as "attemptConnection", attempt.currency as "attemptCurrency", attempt.method
      from ${rowsOf(tx, 'wanted', payments, { merchant_id: 'uuid', payment_id: ['uuid', (each) => each.id] })}
      join receipt using (merchant_id, payment_id)
      left join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id
                       and attempt.payment_id = receipt.payment_id
     order by receipt.payment_id, receipt.ordinal`
}

export type ReleaseRow = {
  readonly paymentId: PaymentId
  /** The ordinal of the receipt. */
  readonly ordinal: number
  readonly currency: string
  readonly minor: bigint
  readonly releasedAt: Date | null
  readonly releasedMinor: bigint | null
}

export function selectReleaseRows(tx: Tx, payments: readonly PaymentKey[]): Promise<readonly ReleaseRow[]> {
  return tx<ReleaseRow[]>`
    select release.payment_id as "paymentId", release.ordinal, release.currency, release.minor,
           release.released_at as "releasedAt", release.released_minor as "releasedMinor"
      from ${rowsOf(tx, 'wanted', payments, { merchant_id: 'uuid', payment_id: ['uuid', (each) => each.id] })}
      join release using (merchant_id, payment_id)
     order by release.payment_id, release.ordinal`
}

export type TransferRow = {
  readonly number: bigint
  readonly subject: string
  readonly step: string
  readonly kind: string
  readonly minor: bigint
  readonly cause: Buffer
  readonly mode: string | null
  readonly debit: string | null
  readonly credit: string | null
  /** When its batch was written. */
  readonly at: Date | null
}

/** All transfers that belong to these, in their order. */
export function selectTransferRows(
  tx: Tx,
  subjects: readonly { readonly id: string }[],
): Promise<readonly TransferRow[]> {
  return tx<TransferRow[]>`
    select transfer.number, transfer.subject, transfer.step, transfer.kind, transfer.minor, transfer.cause,
           debit_account.mode, debit_account.name as debit, credit_account.name as credit, batch.at
      from transfer
      left join account as debit_account on debit_account.id = transfer.debit
      left join account as credit_account on credit_account.id = transfer.credit
      left join batch on batch.number = transfer.batch
     where transfer.subject = any (${list(subjects.map((each) => each.id))}::uuid[])
     order by transfer.number`
}

/** A transfer of shares that moved a pending balance. */
export type ShareMove = Pick<TransferRow, 'number' | 'step' | 'minor' | 'cause' | 'debit' | 'credit'> & {
  readonly paymentId: string
}

/** The transfers of the shares of these payments that moved pending balances. */
export function selectShareMoves(tx: Tx, payments: readonly PaymentKey[]): Promise<readonly ShareMove[]> {
  return tx<ShareMove[]>`
    select split.payment_id as "paymentId", transfer.number, transfer.step, transfer.minor, transfer.cause,
           debit_account.name as debit, credit_account.name as credit
      from ${rowsOf(tx, 'wanted', payments, { merchant_id: 'uuid', payment_id: ['uuid', (each) => each.id] })}
      join payment_split as split using (merchant_id, payment_id)
      join transfer on transfer.subject = split.id and (transfer.step like '%-pending' or transfer.step like '%.release-%')
      left join account as debit_account on debit_account.id = transfer.debit
      left join account as credit_account on credit_account.id = transfer.credit
     order by transfer.number`
}

type OwnedWallet = { readonly merchantId: MerchantId; readonly id: string; readonly currency: string }

/** All wallets of these merchants. */
export function selectWallets(tx: Tx, merchants: readonly MerchantId[]): Promise<readonly OwnedWallet[]> {
  return tx<OwnedWallet[]>`
    select merchant_id as "merchantId", id, currency from wallet where merchant_id = any (${list(merchants)}::uuid[])`
}

/** Returns those of these wallets that exist. */
export function selectNamedWallets(
  tx: Tx,
  named: readonly { readonly merchantId: MerchantId; readonly id: string }[],
): Promise<readonly OwnedWallet[]> {
  return tx<OwnedWallet[]>`
    select distinct wallet.merchant_id as "merchantId", wallet.id, wallet.currency
      from ${rowsOf(tx, 'wanted', named, { merchant_id: 'uuid', id: 'uuid' })}
      join wallet on wallet.merchant_id = wanted.merchant_id and wallet.id = wanted.id`
}

type ParentWallet = {
  readonly merchantId: string
  readonly walletId: string
  readonly currency: string
  readonly parentId: string
}

/** Those of these wallets that belong to the parent of the merchant beside them. */
export function selectParentWallets(
  tx: Tx,
  named: readonly Pick<ParentWallet, 'merchantId' | 'walletId'>[],
): Promise<readonly ParentWallet[]> {
  return tx<ParentWallet[]>`
    select distinct wanted.merchant_id as "merchantId", wallet.id as "walletId", wallet.currency, wallet.merchant_id as "parentId"
      from ${rowsOf(tx, 'wanted', named, { merchant_id: 'uuid', wallet_id: 'uuid' })}
      join sub_account on sub_account.merchant_id = wanted.merchant_id
      join wallet on wallet.merchant_id = sub_account.parent_id and wallet.id = wanted.wallet_id`
}

type SubjectRow = {
  readonly number: bigint
  readonly subject: string
  readonly minor: bigint
  /** Null: its account is not there. */
  readonly currency: string | null
}

/** The subject of each transfer after a number. */
export function selectSubjects(
  sql: Sql,
  range: { readonly after: bigint; readonly upTo: bigint },
): Promise<readonly SubjectRow[]> {
  return sql<SubjectRow[]>`
    select transfer.number, transfer.subject, transfer.minor, account.currency
      from transfer
      left join account on account.id = transfer.debit
     where transfer.number > ${range.after} and transfer.number <= ${range.upTo}
     order by transfer.number`
}

/** Returns which of these ids are ids of payments. Reads all payments, since no index has their ids alone. */
export async function selectPaymentsAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from payment where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

export type ReceiptKey = Pick<ReceiptRow, 'connection' | 'providerRef' | 'outcome' | 'occurrence'>

/** The next page of receipts, by key, with whether their payment exists. */
export function selectReceiptOwners(
  sql: Sql,
  after: ReceiptKey | undefined,
  limit: number,
): Promise<readonly (ReceiptKey & { readonly hasPayment: boolean })[]> {
  const { connection = '', providerRef = '', outcome = '', occurrence = 0 } = after ?? {}
  return sql<(ReceiptKey & { hasPayment: boolean })[]>`
    select receipt.connection, receipt.provider_ref as "providerRef", receipt.outcome, receipt.occurrence,
           payment.id is not null as "hasPayment"
      from receipt
      left join payment on payment.merchant_id = receipt.merchant_id and payment.id = receipt.payment_id
     where (receipt.connection, receipt.provider_ref, receipt.outcome, receipt.occurrence)
           > (${connection}, ${providerRef}, ${outcome}, ${occurrence})
     order by receipt.connection, receipt.provider_ref, receipt.outcome, receipt.occurrence
     limit ${limit}`
}

export type KeptReceipt = {
  readonly connection: string
  readonly providerRef: string
  readonly outcome: Outcome
  readonly occurrence: number
  /** Of a receipt that fits no attempt: the one whose reference it holds, in our format. Null: it holds none, or is older than the column. */
  readonly attemptId: string | null
  /** The amount that was booked, or put into suspense. */
  readonly minor: bigint
  readonly happenedAt: Date
  readonly evidence: Buffer
}

/** The connections of a method. */
export async function selectConnectionsOf(sql: Sql, method: string): Promise<readonly ConnectionId[]> {
  const rows = await sql<
    { id: ConnectionId }[]
  >`select id from connection where method = ${method} order by id`
  return rows.map(({ id }) => id)
}

/** A receipt whose evidence may have been erased. */
export type EvidenceRow = Omit<KeptReceipt, 'evidence'> & { readonly evidence: Buffer | null }

/**
 * A page of the receipts of one connection. One connection, so that the query uses the index; erased ones too, so that a page is read and
 * not searched for.
 */
export function selectReceipts(
  sql: Sql,
  connection: ConnectionId,
  after: EvidenceRow | undefined,
  limit: number,
): Promise<readonly EvidenceRow[]> {
  const { providerRef = '', outcome = '', occurrence = 0 } = after ?? {}
  const key = sql`provider_ref, outcome, occurrence`
  const isNext = sql`connection = ${connection} and (${key}) > (${providerRef}, ${outcome}, ${occurrence})`
  // One look-up for each receipt: for an EXISTS the database may read all erasures.
  const erasure = sql`lateral (
    select true as found from erased
     where erased.merchant_id = receipt.merchant_id and erased.place = 'receipt.evidence'
       and erased.key = receipt.payment_id || '/' || receipt.ordinal limit 1) as erasure on true`
  return sql<EvidenceRow[]>`
    select connection, provider_ref as "providerRef", outcome, occurrence, attempt_id as "attemptId", minor,
           happened_at as "happenedAt", evidence
      from (
        (select connection, ${key}, attempt_id, booked_minor as minor, happened_at,
                case when erasure.found is null then evidence end as evidence
           from receipt left join ${erasure} where ${isNext} order by ${key} limit ${limit})
        union all
        (select connection, ${key}, attempt_id, amount_minor, happened_at, evidence
           from unmatched where ${isNext} order by ${key} limit ${limit})
      ) as page
     order by ${key}
     limit ${limit}`
}

export type ConnectionRow = {
  readonly id: string
  readonly mode: string
  readonly merchantId: string | null
  /** Null when there is no such merchant. */
  readonly merchantMode: string | null
}

export function selectConnections(
  sql: Sql,
  after: ConnectionRow | undefined,
  limit: number,
): Promise<readonly ConnectionRow[]> {
  return sql<ConnectionRow[]>`
    select connection.id, connection.mode, connection.merchant_id as "merchantId", merchant.mode as "merchantMode"
      from connection
      left join merchant on merchant.id = connection.merchant_id
     where connection.id > ${after?.id ?? ''}
     order by connection.id
     limit ${limit}`
}

export type PassRow = { readonly connection: string; readonly pass: string; readonly isConnected: boolean }

/** The next page of reconciliation passes, with whether the connection of each exists. */
export function selectPasses(
  sql: Sql,
  after: PassRow | undefined,
  limit: number,
): Promise<readonly PassRow[]> {
  const { connection = '', pass = '' } = after ?? {}
  return sql<PassRow[]>`
    select reconciliation.connection, reconciliation.look as pass, connection.id is not null as "isConnected"
      from reconciliation
      left join connection on connection.id = reconciliation.connection
     where (reconciliation.connection, reconciliation.look) > (${connection}, ${pass})
     order by reconciliation.connection, reconciliation.look
     limit ${limit}`
}
