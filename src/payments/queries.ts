// All SQL of payments; that of their attempts is in attempt-queries.ts. Writes accept arrays; every read names the merchant.
import { paymentStatuses } from '#/contract/payments.ts'
import { list, recordSeparator, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { newestIds } from '#/db/lists.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId, PaymentId, PaymentLinkId, RefundId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { currencies, type Currency } from '#/kernel/money.ts'
import { statesWithout } from '#/merchants/account-state.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import { keptMoney, readMoney, type KeptMoney } from './money.ts'
import {
  type Payer,
  type Payment,
  type PaymentException,
  type PaymentRequest,
  type PaymentStatus,
} from './payment.ts'

export type NewPayment = Payment & {
  readonly idempotencyKey: string
  readonly fingerprint: Buffer
  /** Of the call that makes it. */
  readonly trace?: string | undefined
}

/**
 * Inserts the payments whose key is new and whose merchant is not suspended, in their order. Returns their ids, each with whether
 * its merchant has declared keys of metadata.
 */
export async function insertPayments(
  tx: Tx,
  payments: readonly NewPayment[],
): Promise<ReadonlyMap<PaymentId, boolean>> {
  const requests = payments.map((each) => JSON.stringify(each.request)).join(recordSeparator)
  const rows = await tx<{ id: PaymentId; hasKeys: boolean }[]>`
    insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency,
                         methods, method, webhook_url, page_token, page_url, link_id, template_revision, created_at, expires_at, trace)
    select merchant_id, id, key, fingerprint, request::json, status, amount_minor, currency,
           string_to_array(methods, ','), method, webhook_url, page_token, page_url, link_id, template_revision, created_at, expires_at, trace
      from (select unnest(${list(payments.map((each) => each.merchantId))}::uuid[]) as merchant_id,
                   unnest(${list(payments.map((each) => each.id))}::uuid[]) as id,
                   unnest(${list(payments.map((each) => each.idempotencyKey))}::text[]) as key,
                   unnest(${list(payments.map((each) => each.fingerprint))}::bytea[]) as fingerprint,
                   unnest(string_to_array(${requests}, ${recordSeparator})) as request,
                   unnest(${list(payments.map((each) => each.status))}::text[]) as status,
                   unnest(${list(payments.map((each) => each.amountMinor))}::bigint[]) as amount_minor,
                   unnest(${list(payments.map((each) => each.currency))}::text[]) as currency,
                   unnest(${list(payments.map((each) => each.methods.join(',')))}::text[]) as methods,
                   unnest(${list(payments.map((each) => each.method))}::text[]) as method,
                   unnest(${list(payments.map((each) => each.request.webhookUrl))}::text[]) as webhook_url,
                   unnest(${list(payments.map((each) => each.page?.token))}::text[]) as page_token,
                   unnest(${list(payments.map((each) => each.page?.url))}::text[]) as page_url,
                   unnest(${list(payments.map((each) => each.linkId))}::uuid[]) as link_id,
                   unnest(${list(payments.map((each) => each.templateRevision))}::integer[]) as template_revision,
                   unnest(${list(payments.map((each) => each.createdAt))}::timestamptz[]) as created_at,
                   unnest(${list(payments.map((each) => each.expiresAt))}::timestamptz[]) as expires_at,
                   unnest(${list(payments.map((each) => each.trace))}::text[]) as trace) as new
     where merchant_id not in (select merchant_id from money_freeze where kind = 'SUSPENSION' and merchant_id is not null)
       -- Locked: a payment is there before its sub-account's state changes, or is refused.
       and coalesce((select state from sub_account where sub_account.merchant_id = new.merchant_id for key share), '')
           <> all (${list(statesWithout('payment'))}::text[])
    on conflict do nothing
    returning id, exists (select from metadata_key where metadata_key.merchant_id = payment.merchant_id) as "hasKeys"`
  return new Map(rows.map(({ id, hasKeys }) => [id, hasKeys]))
}

type PaymentRow = {
  merchant_id: MerchantId
  id: PaymentId
  mode: Mode
  request: PaymentRequest
  status: PaymentStatus
  amount_minor: bigint
  currency: Currency
  methods: Method[]
  method: Method | null
  page_token: string | null
  page_url: string | null
  link_id: PaymentLinkId | null
  template_revision: number | null
  payer: Payer | null
  payer_erased_at: Date | null
  received_minor: bigint
  refunded_minor: bigint
  disputed_minor: bigint
  seen_minor: bigint
  unreleased_minor: bigint
  fee_minor: bigint
  money: KeptMoney | null
  exceptions: PaymentException[]
  wallet_id: WalletId | null
  completing_tx: string | null
  completing_ref: string | null
  last_error: { code: string; message: string } | null
  receipts: number
  version: number
  created_at: Date
  expires_at: Date | null
  approved_at: Date | null
  paid_at: Date | null
}

function columns(sql: Sql | Tx) {
  return sql`payment.merchant_id, payment.id, merchant.mode, payment.request, payment.status, payment.amount_minor,
             payment.currency, payment.methods, payment.method, payment.page_token, payment.page_url, payment.link_id, payment.template_revision, payment.payer, payment.payer_erased_at,
             payment.received_minor, payment.refunded_minor,
             payment.disputed_minor, payment.seen_minor, payment.unreleased_minor, payment.fee_minor, payment.money, payment.exceptions, payment.wallet_id,
             payment.completing_tx, payment.completing_ref, payment.last_error, payment.receipts, payment.version, payment.created_at,
             payment.expires_at, payment.approved_at, payment.paid_at`
}

export type StoredKey = { readonly key: string; readonly fingerprint: Buffer; readonly payment: Payment }

/** The payments that were made before with these pairs of merchant and key. */
export async function selectByKeys(
  sql: Sql | Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly idempotencyKey: string }[],
): Promise<readonly StoredKey[]> {
  const rows = await sql<(PaymentRow & { idempotency_key: string; fingerprint: Buffer })[]>`
    select payment.idempotency_key, payment.fingerprint, ${columns(sql)}
      from unnest(${list(keys.map((each) => each.merchantId))}::uuid[], ${list(keys.map((each) => each.idempotencyKey))}::text[])
           as wanted (merchant_id, key)
      join payment on payment.merchant_id = wanted.merchant_id and payment.idempotency_key = wanted.key
      join merchant on merchant.id = payment.merchant_id`
  return rows.map((row) => ({
    key: row.idempotency_key,
    fingerprint: row.fingerprint,
    payment: toPayment(row),
  }))
}

/** These payments, by id, with their money. Unknown ids, and ids of another merchant, are left out. */
export async function selectPayments(
  sql: Sql | Tx,
  refs: readonly PaymentRef[],
): Promise<readonly Payment[]> {
  const rows = await sql<PaymentRow[]>`
    select ${columns(sql)}
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, id)
      join payment on payment.merchant_id = wanted.merchant_id and payment.id = wanted.id
      join merchant on merchant.id = payment.merchant_id`
  const payments = rows.map(toPayment)
  return withEarlierMoney(sql, payments)
}

/** Derives the money of payments from before the column `money`: all of it is in the currency of the payment's one wallet. */
async function withEarlierMoney(sql: Sql | Tx, payments: readonly Payment[]): Promise<readonly Payment[]> {
  const earlier = payments.flatMap(({ merchantId, walletId, money }) =>
    walletId === undefined || money.length > 0 ? [] : [{ merchantId, walletId }],
  )
  if (earlier.length === 0) return payments
  const wallets = await sql<{ id: WalletId; currency: Currency }[]>`
    select distinct wallet.id, wallet.currency
      from unnest(${list(earlier.map((each) => each.merchantId))}::uuid[], ${list(earlier.map((each) => each.walletId))}::uuid[])
           as wanted (merchant_id, id)
      join wallet on wallet.merchant_id = wanted.merchant_id and wallet.id = wanted.id`
  const currencyOf = new Map(wallets.map(({ id, currency }) => [id, currency]))
  return payments.map((payment) => {
    const { walletId, method, receivedMinor, feeMinor, unreleasedMinor, refundedMinor } = payment
    const currency = walletId === undefined ? undefined : currencyOf.get(walletId)
    if (payment.money.length > 0 || walletId === undefined || currency === undefined) return payment
    const methods = method === undefined ? [] : [{ method, receivedMinor, feeMinor }]
    return { ...payment, money: [{ currency, walletId, unreleasedMinor, refundedMinor, methods }] }
  })
}

/** The payment of the payer's page with this token. The only read without a merchant, because the token identifies the payment. */
export async function selectByPageToken(sql: Sql, token: string): Promise<Payment | undefined> {
  const [row] = await sql<PaymentRow[]>`
    select ${columns(sql)}
      from payment
      join merchant on merchant.id = payment.merchant_id
     where payment.page_token = ${token}`
  return row === undefined ? undefined : toPayment(row)
}

/** A refund whose end is not known. */
export type PendingRefund = {
  readonly id: RefundId
  readonly paymentId: PaymentId
  readonly minor: bigint
}

/** The refunds of these payments whose end is not known. */
export function selectPendingRefunds(
  sql: Sql | Tx,
  refs: readonly PaymentRef[],
): Promise<readonly PendingRefund[]> {
  return sql<PendingRefund[]>`
    select refund.id, refund.payment_id as "paymentId", refund.amount_minor as minor
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
      join refund using (merchant_id, payment_id)
     where refund.status = 'PENDING'`
}

export type PaymentFilter = {
  readonly status?: string
  readonly method?: string
  readonly currency?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Only payments created before this one. */
  readonly before?: PaymentId
  readonly limit: number
}

/** One page of a merchant's payments, newest first. */
export async function listPayments(
  sql: Sql | Tx,
  merchantId: MerchantId,
  filter: PaymentFilter,
): Promise<readonly Payment[]> {
  const within = filter.method === undefined ? sql`` : sql`and ${filter.method} = any (payment.methods)`
  const kinds = [
    { column: 'currency', value: filter.currency, all: Object.keys(currencies) },
    { column: 'status', value: filter.status, all: paymentStatuses },
  ]
  const rows = await sql<PaymentRow[]>`
    select ${columns(sql)}
      from (${newestIds(sql, 'payment', { merchantId, kinds, span: filter, within, limit: filter.limit })}) as page
      join payment on payment.merchant_id = ${merchantId} and payment.id = page.id
      join merchant on merchant.id = payment.merchant_id
     order by payment.id desc`
  return rows.map(toPayment)
}

/**
 * Payments that are due to expire and whose amount is not on its way. A payment whose attempt was not checked since waits for that
 * check, or until `silenceMs` after it was due.
 */
export function selectDue(sql: Sql | Tx, silenceMs: number, limit: number): Promise<readonly PaymentRef[]> {
  return sql<{ merchantId: MerchantId; paymentId: PaymentId }[]>`
    select merchant_id as "merchantId", id as "paymentId"
      from payment
     where status in ('PENDING', 'WAITING_PAYMENT') and expires_at <= ${dueNow(sql)}
       and seen_minor + received_minor - refunded_minor < amount_minor
       and (expires_at <= ${dueIn(sql, -silenceMs)}
            or not exists (select from attempt
                             join attempt_check on attempt_check.merchant_id = attempt.merchant_id
                                               and attempt_check.attempt_id = attempt.id
                            where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
                              and (attempt_check.checked_at is null or attempt_check.checked_at < payment.expires_at)))
     order by expires_at
     limit ${limit}`
}

/** Writes the columns that can change. If there are several versions of one payment, the last one counts. */
export async function writePayments(tx: Tx, versions: readonly Payment[]): Promise<void> {
  const payments = [...new Map(versions.map((payment) => [payment.id, payment])).values()]
  const result = await tx`
    update payment
       set status = new.status, method = new.method, received_minor = new.received_minor,
           refunded_minor = new.refunded_minor, disputed_minor = new.disputed_minor, seen_minor = new.seen_minor, unreleased_minor = new.unreleased_minor,
           fee_minor = new.fee_minor, money = new.money, exceptions = string_to_array(new.exceptions, ','), wallet_id = new.wallet_id,
           completing_tx = new.completing_tx, completing_ref = new.completing_ref, last_error = new.last_error, receipts = new.receipts,
           version = new.version, expires_at = new.expires_at, approved_at = new.approved_at, paid_at = new.paid_at
      from (select unnest(${list(payments.map((each) => each.merchantId))}::uuid[]) as merchant_id,
                   unnest(${list(payments.map((each) => each.id))}::uuid[]) as id,
                   unnest(${list(payments.map((each) => each.status))}::text[]) as status,
                   unnest(${list(payments.map((each) => each.method))}::text[]) as method,
                   unnest(${list(payments.map((each) => each.receivedMinor))}::bigint[]) as received_minor,
                   unnest(${list(payments.map((each) => each.refundedMinor))}::bigint[]) as refunded_minor,
                   unnest(${list(payments.map((each) => each.disputedMinor))}::bigint[]) as disputed_minor,
                   unnest(${list(payments.map((each) => each.seenMinor))}::bigint[]) as seen_minor,
                   unnest(${list(payments.map((each) => each.unreleasedMinor))}::bigint[]) as unreleased_minor,
                   unnest(${list(payments.map((each) => each.feeMinor))}::bigint[]) as fee_minor,
                   unnest(${list(payments.map((each) => keptMoney(each.money)))}::json[]) as money,
                   unnest(${list(payments.map((each) => each.exceptions.join(',')))}::text[]) as exceptions,
                   unnest(${list(payments.map((each) => each.walletId))}::uuid[]) as wallet_id,
                   unnest(${list(payments.map((each) => each.completingTx))}::text[]) as completing_tx,
                   unnest(${list(payments.map((each) => each.completingRef))}::text[]) as completing_ref,
                   unnest(${list(payments.map((each) => each.lastError && JSON.stringify(each.lastError)))}::json[]) as last_error,
                   unnest(${list(payments.map((each) => each.receipts))}::integer[]) as receipts,
                   unnest(${list(payments.map((each) => each.version))}::integer[]) as version,
                   unnest(${list(payments.map((each) => each.expiresAt))}::timestamptz[]) as expires_at,
                   unnest(${list(payments.map((each) => each.approvedAt))}::timestamptz[]) as approved_at,
                   unnest(${list(payments.map((each) => each.paidAt))}::timestamptz[]) as paid_at) as new
     where payment.merchant_id = new.merchant_id and payment.id = new.id`
  must(result.count === payments.length || undefined, 'every payment that changed is there')
}

/** Writes the payers' data of these payments. If there are several versions of one payment, the last one counts. */
export async function writePayers(tx: Tx, versions: readonly Payment[]): Promise<void> {
  const payments = [...new Map(versions.map((payment) => [payment.id, payment])).values()]
  await tx`
    update payment
       set payer = new.payer
      from ${rowsOf(tx, 'new', payments, { merchant_id: 'uuid', id: 'uuid', payer: ['json', (each) => each.payer] })}
     where payment.merchant_id = new.merchant_id and payment.id = new.id`
}

function toPayment(row: PaymentRow): Payment {
  const sums = {
    receivedMinor: row.received_minor,
    refundedMinor: row.refunded_minor,
    unreleasedMinor: row.unreleased_minor,
    feeMinor: row.fee_minor,
  }
  return {
    ...sums,
    merchantId: row.merchant_id,
    id: row.id,
    mode: row.mode,
    request: row.request,
    status: row.status,
    amountMinor: row.amount_minor,
    currency: row.currency,
    methods: row.methods,
    disputedMinor: row.disputed_minor,
    seenMinor: row.seen_minor,
    money: row.money === null ? [] : readMoney(row.money, sums),
    exceptions: row.exceptions,
    receipts: row.receipts,
    version: row.version,
    createdAt: row.created_at,
    ...(row.method === null ? {} : { method: row.method }),
    ...(row.page_token === null || row.page_url === null
      ? {}
      : { page: { token: row.page_token, url: row.page_url } }),
    ...(row.link_id === null ? {} : { linkId: row.link_id }),
    ...(row.template_revision === null ? {} : { templateRevision: row.template_revision }),
    ...(row.payer === null ? {} : { payer: row.payer }),
    ...(row.payer_erased_at === null ? {} : { payerErasedAt: row.payer_erased_at }),
    ...(row.wallet_id === null ? {} : { walletId: row.wallet_id }),
    ...(row.completing_tx === null ? {} : { completingTx: row.completing_tx }),
    ...(row.completing_ref === null ? {} : { completingRef: row.completing_ref }),
    ...(row.last_error === null ? {} : { lastError: row.last_error }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.approved_at === null ? {} : { approvedAt: row.approved_at }),
    ...(row.paid_at === null ? {} : { paidAt: row.paid_at }),
  }
}
