// The SQL of the erasures' inspection. Every statement reads one page by key.
import { list, type Sql } from '#/db/client.ts'
import type { ErasedPlace, ErasedText } from '#/erasure/redact.ts'

const minId = '00000000-0000-0000-0000-000000000000'

export type ErasureRow = {
  readonly id: string
  readonly merchantId: string
  readonly paymentId: string
  readonly erasedBy: string
  readonly digest: Buffer
  /** What its entry in the audit log says; null when there is none. */
  readonly loggedDigest: string | null
  readonly loggedBy: string | null
}

/** Erasures, by id, each with its entry in the audit log. */
export function selectErasures(
  sql: Sql,
  after: ErasureRow | undefined,
  { action, limit }: { readonly action: string; readonly limit: number },
): Promise<readonly ErasureRow[]> {
  return sql<ErasureRow[]>`
    select erasure.id, erasure.merchant_id as "merchantId", erasure.payment_id as "paymentId", erasure.erased_by as "erasedBy",
           erasure.digest, logged.digest as "loggedDigest", logged.by as "loggedBy"
      from (select * from erasure where id > ${after?.id ?? minId} order by id limit ${limit}) as erasure
      left join lateral (
        select log.after ->> 'digest' as digest, log.actor_kind || ' ' || log.actor_id as by
          from audit_log as log
         where log.subject = 'payment:' || erasure.payment_id and log.action = ${action} and log.merchant_id = erasure.merchant_id
           and log.after ->> 'erasure' = erasure.id::text
         limit 1) as logged on true
     order by erasure.id`
}

/** The texts of these erasures. An erasure has a page of texts at most. */
export function selectTexts(
  sql: Sql,
  erasures: readonly string[],
): Promise<readonly (ErasedText & { readonly erasureId: string })[]> {
  return sql<(ErasedText & { erasureId: string })[]>`
    select erasure_id as "erasureId", place, key, before_digest as "beforeDigest", after_digest as "afterDigest"
      from erased where erasure_id = any (${list(erasures)}::uuid[]) order by erasure_id, place, key`
}

export type ErasedRow = {
  readonly merchantId: string
  readonly place: ErasedPlace
  readonly key: string
  readonly afterDigest: Buffer
  /** Whether the erasure that it names is one of its merchant. */
  readonly hasErasure: boolean
  /** SHA-256 of what stands there; null when the record is not there. */
  readonly presentDigest: Buffer | null
}

/** What was erased, by its key, each with what stands there now. */
export function selectErased(
  sql: Sql,
  after: ErasedRow | undefined,
  limit: number,
): Promise<readonly ErasedRow[]> {
  const { merchantId = minId, place = '', key = '' } = after ?? {}
  return sql<ErasedRow[]>`
    select erased.merchant_id as "merchantId", erased.place, erased.key, erased.after_digest as "afterDigest",
           exists (select from erasure
                    where erasure.id = erased.erasure_id and erasure.merchant_id = erased.merchant_id) as "hasErasure",
           case erased.place
             when 'event.body' then (
               select sha256(convert_to(body, 'UTF8')) from event
                where event.merchant_id = erased.merchant_id and event.sequence = erased.key::bigint)
             when 'receipt.evidence' then (
               select sha256(evidence) from receipt
                where receipt.merchant_id = erased.merchant_id and receipt.payment_id = split_part(erased.key, '/', 1)::uuid
                  and receipt.ordinal = split_part(erased.key, '/', 2)::integer)
             when 'payment.request' then (
               select sha256(convert_to(request::text, 'UTF8')) from payment
                where payment.merchant_id = erased.merchant_id and payment.id = erased.key::uuid)
             else (
               select sha256(convert_to(request::text, 'UTF8')) from refund
                where refund.merchant_id = erased.merchant_id and refund.id = erased.key::uuid)
           end as "presentDigest"
      from (select * from erased where (merchant_id, place, key) > (${merchantId}, ${place}, ${key})
             order by merchant_id, place, key limit ${limit}) as erased
     order by erased.merchant_id, erased.place, erased.key`
}
