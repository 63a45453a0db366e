// All SQL of payments; that of their attempts is in attempt-queries.ts. Writes accept arrays; every read names the merchant.
import { paymentStatuses } from '#/contract/payments.ts'
import { list, recordSeparator, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow, type IsDue } from '#/db/due.ts'
import { newestIds } from '#/db/lists.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId, PaymentId, RefundId, WalletId, PaymentLinkId } from '#/kernel/id.ts'
import { currencies, type Currency } from '#/kernel/money.ts'
import { statesWithout } from '#/merchants/account-state.ts'
import { selectMovedSince } from '#/merchants/queries.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import { keptMoney, readMoney, type KeptMoney } from './money.ts'
import type { Payment } from './payment.ts'

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

/** A payment as it is read. Each receipt reads one, so SQL names the fields: `fromRow` would compute the names for each row. */
type PaymentRow = {
  readonly [Name in keyof Omit<Required<Payment>, 'money' | 'page'>]:
    | Required<Payment>[Name]
    | (undefined extends Payment[Name] ? null : never)
} & {
  readonly money: KeptMoney | null
  readonly token: string | null
  readonly url: string | null
}

function columns(sql: Sql | Tx) {
  return sql`payment.merchant_id as "merchantId", payment.id, merchant.mode, payment.request,
             payment.idempotency_key as "idempotencyKey", payment.status,
             payment.amount_minor as "amountMinor", payment.currency, payment.methods, payment.method, payment.page_token as token,
             payment.page_url as url, payment.link_id as "linkId", payment.template_revision as "templateRevision", payment.payer,
             payment.payer_erased_at as "payerErasedAt", payment.received_minor as "receivedMinor",
             payment.refunded_minor as "refundedMinor", payment.disputed_minor as "disputedMinor", payment.seen_minor as "seenMinor",
             payment.unreleased_minor as "unreleasedMinor", payment.fee_minor as "feeMinor", payment.money, payment.exceptions,
             payment.wallet_id as "walletId", payment.completing_tx as "completingTx", payment.completing_ref as "completingRef",
             payment.last_error as "lastError", payment.receipts, payment.version, payment.created_at as "createdAt",
             payment.expires_at as "expiresAt", payment.approved_at as "approvedAt", payment.paid_at as "paidAt"`
}

export type StoredKey = { readonly key: string; readonly fingerprint: Buffer; readonly payment: Payment }

/** The payments that were made before with these pairs of merchant and key. */
export async function selectByKeys(
  sql: Sql | Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly idempotencyKey: string }[],
): Promise<readonly StoredKey[]> {
  const rows = await sql<(PaymentRow & Omit<StoredKey, 'payment'>)[]>`
    select payment.idempotency_key as key, payment.fingerprint, ${columns(sql)}
      from ${rowsOf(sql, 'wanted', keys, { merchant_id: 'uuid', idempotency_key: 'text' })}
      join payment using (merchant_id, idempotency_key)
      join merchant on merchant.id = payment.merchant_id`
  return rows.map(({ key, fingerprint, ...row }) => ({ key, fingerprint, payment: toPayment(row) }))
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
      from ${rowsOf(sql, 'wanted', earlier, { merchant_id: 'uuid', id: ['uuid', (each) => each.walletId] })}
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
      from ${rowsOf(sql, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
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
     where ${isOver(sql)}
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

/** Whether a payment is due to expire, those that wait for a check or for money on its way included. */
export const isExpiryDue: IsDue = (sql) => sql`exists (select from payment where ${isOver(sql)})`

function isOver(sql: Sql | Tx) {
  return sql`status in ('PENDING', 'WAITING_PAYMENT') and expires_at <= ${dueNow(sql)}`
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

function toPayment({ money, token, url, ...row }: PaymentRow): Payment {
  const known: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) if (value !== null) known[name] = value
  return {
    ...(known as Omit<Payment, 'money' | 'page'>),
    money: money === null ? [] : readMoney(money, row),
    ...(token === null || url === null ? {} : { page: { token, url } }),
  }
}

// The SQL of counting how often payment links are used.

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

// The payments that a batch of work is about.

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
