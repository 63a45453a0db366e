// The SQL that erases. It runs as the owner of the tables: the application's role may change neither events nor receipts.
import { list, type Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { ErasedText } from './digest.ts'
import { isCopyOf, isIndexed, type PaymentKey } from './queries.ts'
import { keptTerms } from './redact.ts'

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
