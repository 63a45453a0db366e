// The SQL that finds what is to be erased. Every statement names one merchant; those of texts read one page.
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { keptTerms, type ErasedText } from './redact.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A payment, and what may still need its payer's data. */
export type Subject = {
  readonly id: PaymentId
  readonly status: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly createdAt: Date
  readonly erasedAt: Date | null
  readonly requestText: string
  readonly hasPayer: boolean
  /** Money that was detected and is not final, or is final and not released. */
  readonly isMoneyOnItsWay: boolean
  readonly pendingRefunds: number
  readonly openDisputes: number
  /** The provider of one of its attempts still has to be notified or queried. */
  readonly isQueryDue: boolean
  /** Evidence of a dispute that is being sent. */
  readonly isEvidenceSent: boolean
}

/** These payments of the merchant, in the order of their ids. Unknown ids are left out. */
export function selectSubjects(
  sql: Sql | Tx,
  merchantId: MerchantId,
  ids: readonly PaymentId[],
): Promise<readonly Subject[]> {
  return sql<Subject[]>`
    select payment.id, payment.status, payment.amount_minor as "amountMinor", payment.currency, payment.created_at as "createdAt",
           payment.payer_erased_at as "erasedAt", payment.request::text as "requestText", payment.payer is not null as "hasPayer",
           payment.seen_minor > 0 or payment.unreleased_minor > 0
             or exists (select from release
                         where release.merchant_id = payment.merchant_id and release.payment_id = payment.id
                           and release.released_at is null) as "isMoneyOnItsWay",
           (select count(*)::integer from refund
             where refund.merchant_id = payment.merchant_id and refund.payment_id = payment.id
               and (refund.status = 'PENDING' or exists (select from refund_due as due
                                                          where due.merchant_id = refund.merchant_id and due.refund_id = refund.id)))
             as "pendingRefunds",
           (select count(*)::integer from dispute
             where dispute.merchant_id = payment.merchant_id and dispute.payment_id = payment.id and dispute.status = 'OPEN') as "openDisputes",
           exists (select from attempt
                    where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
                      and (exists (select from attempt_closing as closing
                                    where closing.merchant_id = attempt.merchant_id and closing.attempt_id = attempt.id)
                        or exists (select from attempt_check as check_of
                                    where check_of.merchant_id = attempt.merchant_id and check_of.attempt_id = attempt.id)
                        or exists (select from authorisation_order as ordered
                                    where ordered.merchant_id = attempt.merchant_id and ordered.attempt_id = attempt.id
                                      and ordered.ended_at is null))) as "isQueryDue",
           exists (select from dispute join dispute_evidence as evidence
                            on evidence.merchant_id = dispute.merchant_id and evidence.dispute_id = dispute.id
                    where dispute.merchant_id = payment.merchant_id and dispute.payment_id = payment.id
                      and evidence.status = 'SENDING') as "isEvidenceSent"
      from payment
     where payment.merchant_id = ${merchantId} and payment.id = any (${list(ids)}::uuid[])
     order by payment.id`
}

/** Identifies a payer: by the tax id, or by the e-mail address in upper or lower case. */
export type KnownBy = { readonly taxId: string } | { readonly email: string }

/**
 * The merchant's payments of this payer after an id. The value that the record shows decides, so an erased payment is not
 * found.
 */
export async function selectPaymentsOf(
  sql: Sql,
  merchantId: MerchantId,
  by: KnownBy,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly PaymentId[]> {
  const taxId = sql`coalesce(payment.request ->> 'customerTaxId', payment.payer ->> 'taxId')`
  const email = sql`coalesce(payment.request ->> 'customerEmail', payment.payer ->> 'email')`
  const isOf =
    'taxId' in by
      ? sql`${taxId} is not null and hashtext(${taxId}) = hashtext(${by.taxId}::text) and ${taxId} = ${by.taxId}`
      : sql`${email} is not null
            and hashtext(lower(${email} collate "C")) = hashtext(lower(${by.email}::text collate "C"))
            and lower(${email} collate "C") = lower(${by.email}::text collate "C")`
  const rows = await sql<{ id: PaymentId }[]>`
    select payment.id from payment
     where payment.merchant_id = ${merchantId} and payment.id > ${page.after} and ${isOf}
     order by payment.id limit ${page.limit}`
  return rows.map(({ id }) => id)
}

export type EventOf = {
  readonly id: string
  readonly sequence: bigint
  readonly type: string
  readonly body: string
  readonly isErased: boolean
}

/** The events of a payment, its refunds and its disputes after a number. */
export function selectEventsOf(
  sql: Sql | Tx,
  key: PaymentKey,
  page: { readonly after: bigint; readonly limit: number },
): Promise<readonly EventOf[]> {
  const { merchantId, paymentId } = key
  return sql<EventOf[]>`
    with resource as (
      select ${paymentId}::uuid as id
      union all
      select id from refund where merchant_id = ${merchantId} and payment_id = ${paymentId}
      union all
      select id from dispute where merchant_id = ${merchantId} and payment_id = ${paymentId}
    )
    select event.id, event.sequence, event.type, event.body, erased.key is not null as "isErased"
      from resource
      join event on event.resource_id = resource.id and event.merchant_id = ${merchantId}
      left join erased on erased.merchant_id = event.merchant_id and erased.place = 'event.body' and erased.key = event.sequence::text
     where event.sequence > ${page.after}
     order by event.sequence
     limit ${page.limit}`
}

export type PaymentKey = { readonly merchantId: MerchantId; readonly paymentId: PaymentId }

export type ReceiptOf = { readonly ordinal: number; readonly digest: Buffer }

/** Receipts of a payment with evidence that is not erased, after an ordinal. A deposit's evidence is public on its chain, and stays. */
export function selectReceiptsOf(
  sql: Sql | Tx,
  { merchantId, paymentId }: PaymentKey,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly ReceiptOf[]> {
  return sql<ReceiptOf[]>`
    select receipt.ordinal, sha256(receipt.evidence) as digest
      from receipt
      join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id and attempt.method <> 'CRYPTO'
      left join erased on erased.merchant_id = receipt.merchant_id and erased.place = 'receipt.evidence'
                      and erased.key = receipt.payment_id || '/' || receipt.ordinal
     where receipt.merchant_id = ${merchantId} and receipt.payment_id = ${paymentId} and receipt.ordinal > ${page.after}
       and erased.key is null
     order by receipt.ordinal
     limit ${page.limit}`
}

export type RefundOf = { readonly id: string; readonly requestText: string; readonly isErased: boolean }

/** The refunds of a payment after an id. */
export function selectRefundsOf(
  sql: Sql | Tx,
  { merchantId, paymentId }: PaymentKey,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly RefundOf[]> {
  return sql<RefundOf[]>`
    select refund.id, refund.request::text as "requestText", erased.key is not null as "isErased"
      from refund
      left join erased on erased.merchant_id = refund.merchant_id and erased.place = 'refund.request' and erased.key = refund.id::text
     where refund.merchant_id = ${merchantId} and refund.payment_id = ${paymentId} and refund.id > ${page.after}
     order by refund.id
     limit ${page.limit}`
}

/** How many texts beside the books a payment has that would go: no digest of them is kept. */
export async function countOthers(sql: Sql | Tx, { merchantId, paymentId }: PaymentKey): Promise<number> {
  const [row] = await sql<{ found: number }[]>`
    select ((select count(*) from attempt
             where merchant_id = ${merchantId} and payment_id = ${paymentId}
               and (asked::jsonb - ${list(keptTerms)}::text[] <> '{}' or refusal ->> 'said' is not null))
         + (select count(*) from dispute join dispute_evidence as evidence
                     on evidence.merchant_id = dispute.merchant_id and evidence.dispute_id = dispute.id
             where dispute.merchant_id = ${merchantId} and dispute.payment_id = ${paymentId} and evidence.texts <> '{}')
         + (select count(*) from dispute join dispute_evidence_file as file
                     on file.merchant_id = dispute.merchant_id and file.dispute_id = dispute.id
             where dispute.merchant_id = ${merchantId} and dispute.payment_id = ${paymentId})
         + (select count(*) from metadata_value as value, metadata_key as key, payment
             where ${isIndexed(sql, { merchantId, paymentId })}))::integer as found`
  return must(row, 'a count has a row').found
}

/** That `value` is in the index of metadata for this payment, whose request still has the values. */
const isIndexed = (sql: Sql | Tx, { merchantId, paymentId }: PaymentKey): Fragment => sql`
  key.merchant_id = ${merchantId} and key.resource = 'PAYMENT'
  and payment.merchant_id = ${merchantId} and payment.id = ${paymentId}
  and value.merchant_id = key.merchant_id and value.key_id = key.id and value.record_id = payment.id
  and value.value_hash = hashtext(payment.request -> 'metadata' ->> key.name)`

/** How many copies of these events the sandbox's own inbox has. */
export async function countSandboxCopies(sql: Sql | Tx, ids: readonly string[]): Promise<number> {
  const [row] = await sql<{ found: number }[]>`
    select count(*)::integer as found from sandbox_inbox where ${isCopyOf(sql, ids)}`
  return must(row, 'a count has a row').found
}

/** That a row of `sandbox_inbox` is a copy of one of these events. */
const isCopyOf = (sql: Sql | Tx, ids: readonly string[]): Fragment =>
  sql`headers ->> 'webhook-id' = any (${list(ids)}::text[])`

/** How many answers of the merchant's servers to the deliveries of these events are kept. */
export async function countAnswers(
  sql: Sql | Tx,
  merchantId: MerchantId,
  sequences: readonly bigint[],
): Promise<number> {
  const [row] = await sql<{ found: number }[]>`
    select count(*)::integer as found
      from delivery join delivery_attempt as attempt
        on attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id
     where delivery.merchant_id = ${merchantId} and delivery.event_sequence = any (${list(sequences)}::bigint[])
       and attempt.response_body is not null`
  return must(row, 'a count has a row').found
}

// The SQL that erases. It runs as the owner of the tables: the application's role may change neither events nor receipts.

export type Erasure = PaymentKey & {
  readonly id: string
  readonly erasedBy: string
  readonly at: Date
  readonly digest: Buffer
}

/** Records what is going to be erased. This comes first, because an event's body can change only if the change is recorded. */
export async function insertErased(
  tx: Tx,
  { id, merchantId, paymentId, erasedBy, at, digest }: Erasure,
  texts: readonly ErasedText[],
): Promise<void> {
  await tx`
    insert into erasure (id, merchant_id, payment_id, erased_by, at, digest)
    values (${id}, ${merchantId}, ${paymentId}, ${erasedBy}, ${at}, ${digest})`
  await tx`
    insert into erased (merchant_id, place, key, erasure_id, before_digest, after_digest)
    select ${merchantId}, unnest(${list(texts.map(({ place }) => place))}::text[]),
           unnest(${list(texts.map(({ key }) => key))}::text[]), ${id}::uuid,
           unnest(${list(texts.map(({ beforeDigest }) => beforeDigest))}::bytea[]),
           unnest(${list(texts.map(({ afterDigest }) => afterDigest))}::bytea[])`
}

export type NewText = { readonly key: string; readonly text: string }

export async function updateBodies(
  tx: Tx,
  merchantId: MerchantId,
  bodies: readonly NewText[],
): Promise<void> {
  await tx`
    update event set body = given.body
      from (select unnest(${list(bodies.map(({ key }) => key))}::bigint[]) as sequence,
                   unnest(${list(bodies.map(({ text }) => text))}::text[]) as body) as given
     where event.merchant_id = ${merchantId} and event.sequence = given.sequence`
}

/** Clears what the merchant's servers answered to the deliveries of these events. Returns how many answers. */
export async function clearAnswers(
  tx: Tx,
  merchantId: MerchantId,
  sequences: readonly bigint[],
): Promise<number> {
  const cleared = await tx`
    update delivery_attempt as attempt set response_body = null
      from delivery
     where delivery.merchant_id = ${merchantId} and delivery.event_sequence = any (${list(sequences)}::bigint[])
       and attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id and attempt.response_body is not null`
  return cleared.count
}

/** Removes these events from the sandbox's own inbox, which keeps few. */
export async function deleteSandboxCopies(tx: Tx, ids: readonly string[]): Promise<number> {
  const deleted = await tx`delete from sandbox_inbox where ${isCopyOf(tx, ids)}`
  return deleted.count
}

export async function clearReceipts(
  tx: Tx,
  { merchantId, paymentId }: PaymentKey,
  ordinals: readonly number[],
): Promise<void> {
  await tx`
    update receipt set evidence = '', means = null
     where merchant_id = ${merchantId} and payment_id = ${paymentId} and ordinal = any (${list(ordinals)}::integer[])`
}

export async function updateRefundRequests(
  tx: Tx,
  merchantId: MerchantId,
  requests: readonly NewText[],
): Promise<void> {
  await tx`
    update refund set request = given.request::json, reason = null, metadata = null
      from (select unnest(${list(requests.map(({ key }) => key))}::uuid[]) as id,
                   unnest(${list(requests.map(({ text }) => text))}::text[]) as request) as given
     where refund.merchant_id = ${merchantId} and refund.id = given.id`
}

/** Erases the evidence of the payment's disputes, and the terms of the openings of its attempts. Returns how many rows. */
export async function clearOthers(tx: Tx, { merchantId, paymentId }: PaymentKey): Promise<number> {
  const disputes = tx`select id from dispute where merchant_id = ${merchantId} and payment_id = ${paymentId}`
  const files = await tx`
    delete from dispute_evidence_file where merchant_id = ${merchantId} and dispute_id in (${disputes})`
  const texts = await tx`
    update dispute_evidence set texts = '{}'
     where merchant_id = ${merchantId} and dispute_id in (${disputes}) and texts <> '{}'`
  const attempts = await tx`
    update attempt
       set asked = (select json_object_agg(key, value) from json_each(asked) where key = any (${list(keptTerms)}::text[])),
           refusal = (refusal::jsonb - 'said')::json
     where merchant_id = ${merchantId} and payment_id = ${paymentId}
       and (asked::jsonb - ${list(keptTerms)}::text[] <> '{}' or refusal ->> 'said' is not null)`
  return files.count + texts.count + attempts.count
}

/** Removes the payment from the index of metadata, while its request still has the values. */
export async function deleteIndexed(tx: Tx, key: PaymentKey): Promise<number> {
  const deleted = await tx`
    delete from metadata_value as value using metadata_key as key, payment where ${isIndexed(tx, key)}`
  return deleted.count
}

/** The last write of all: until then a payment whose erasure was interrupted is still found by its payer's data. */
export async function updatePayment(
  tx: Tx,
  { merchantId, paymentId }: PaymentKey,
  { request, at }: { readonly request: string; readonly at: Date },
): Promise<void> {
  await tx`
    update payment set request = ${request}::text::json, payer = null, payer_erased_at = coalesce(payer_erased_at, ${at})
     where merchant_id = ${merchantId} and id = ${paymentId}`
}
