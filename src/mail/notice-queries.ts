// The SQL of notices about times that come: evidence is due, an endpoint will be disabled, a key will expire. All by the database's clock.
import { type Sql, type Tx, list } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { leastId } from '#/db/lists.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { dayMs, hourMs, minuteMs } from '#/kernel/time.ts'
import type { Role } from '#/people/roles.ts'
import type { UserId } from '#/people/user.ts'
import type { Notice } from './notices.ts'

/** How long before a key expires its members are notified. */
const keyMs = 7 * dayMs
/**
 * Members are notified of an endpoint when it has only failed for an hour. It is disabled after five days of this
 * (webhooks/due/queries.ts).
 */
const failingLeftMs = 5 * dayMs - hourMs
/** A note that members were notified is deleted after this time: longer than anything stays due. */
const keptMs = 60 * dayMs

/** Something with a date to come. `step`: which of the notices about this date it is; each step is notified once. */
export type Coming = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly step: string
  readonly dueAt: Date
  /** What the notice names. */
  readonly name: string | null
  readonly amountMinor: bigint | null
  readonly currency: string | null
}

export type Page = { readonly after: string | undefined; readonly limit: number }

/**
 * A condition: members were not notified of this yet. `due`: the alias, in the surrounding statement, of the record that the notice is
 * about.
 */
function notNotified(sql: Sql, kind: Notice, step = sql`''`) {
  return sql`not exists (
    select from mail_told as notified
     where notified.merchant_id = due.merchant_id and notified.kind = ${kind} and notified.subject_id = due.id
       and notified.step = ${step})`
}

/**
 * Open disputes whose evidence is due within three days, or within one, in the order of their ids. Not among them:
 * - disputes that were opened later than that many days before the date, because the notice of the opening has the date;
 * - disputes whose evidence was submitted.
 */
export function selectEvidenceDue(sql: Sql, { after, limit }: Page): Promise<readonly Coming[]> {
  const days = sql`case when evidence_due_at <= ${dueIn(sql, dayMs)} then 1 else 3 end`
  return sql<Coming[]>`
    select due.merchant_id as "merchantId", due.id, next.step, evidence_due_at as "dueAt", null as name,
           amount_minor as "amountMinor", currency
      from dispute as due
     cross join lateral (select ${days} as days, due.round || '/' || ${days} as step) as next
     where status = 'OPEN' and evidence_due_at > ${dueNow(sql)} and evidence_due_at <= ${dueIn(sql, 3 * dayMs)}
       and due.created_at <= evidence_due_at - next.days * interval '1 day'
       and due.id > ${after ?? leastId}
       and ${notNotified(sql, 'DISPUTE_DUE', sql`next.step`)}
       and not exists (select from dispute_evidence as evidence
                        where evidence.merchant_id = due.merchant_id and evidence.dispute_id = due.id
                          and evidence.status in ('SENDING', 'SENT'))
     order by due.id
     limit ${limit}`
}

/** Endpoints that have only failed for an hour or more and will be disabled, in the order of their ids. */
export function selectFailing(sql: Sql, { after, limit }: Page): Promise<readonly Coming[]> {
  return sql<Coming[]>`
    select due.merchant_id as "merchantId", due.id, '' as step, failing.disable_at as "dueAt", due.url as name,
           null as "amountMinor", null as currency
      from webhook_endpoint_failing as failing
      join webhook_endpoint as due on due.merchant_id = failing.merchant_id and due.id = failing.endpoint_id
     where failing.disable_at > ${dueNow(sql)} and failing.disable_at <= ${dueIn(sql, failingLeftMs)}
       and not failing.is_gone and due.status in ('ENABLED', 'STARTING')
       and due.id > ${after ?? leastId}
       and ${notNotified(sql, 'ENDPOINT_FAILING')}
     order by due.id
     limit ${limit}`
}

/**
 * API keys that expire within seven days, in the order of their ids. Not among them:
 * - keys that were made for less than seven days;
 * - keys that another key replaces, because whoever rolled them chose their end.
 */
export function selectExpiring(sql: Sql, { after, limit }: Page): Promise<readonly Coming[]> {
  return sql<Coming[]>`
    select due.merchant_id as "merchantId", due.id, '' as step, due.expires_at as "dueAt", due.name,
           null as "amountMinor", null as currency
      from api_key as due
     where due.expires_at > ${dueNow(sql)} and due.expires_at <= ${dueIn(sql, keyMs)} and due.revoked_at is null
       and due.member is null and due.created_at <= due.expires_at - ${keyMs}::double precision * interval '1 millisecond'
       and due.id > ${after ?? leastId}
       and ${notNotified(sql, 'KEY_EXPIRING')}
       and not exists (select from api_key as newer
                        where newer.merchant_id = due.merchant_id and newer.rolled_from = due.id)
     order by due.id
     limit ${limit}`
}

/** Notes that members were notified. False when this was noted before. */
export async function insertNotified(
  tx: Tx,
  kind: Notice,
  { merchantId, id, step }: Coming,
): Promise<boolean> {
  const rows = await tx`
    insert into mail_told (merchant_id, kind, subject_id, step, told_at)
    values (${merchantId}, ${kind}, ${id}, ${step}, ${dueNow(tx)})
        on conflict do nothing
    returning subject_id`
  return rows.length > 0
}

/**
 * Deletes the notes of endpoints that have succeeded since, so that members are notified when such an endpoint fails again, and all notes
 * that are older than `keptMs`. At most `limit` rows of each.
 */
export async function forgetNotified(sql: Sql, limit: number): Promise<void> {
  await sql`
    delete from mail_told where ctid = any (array(
      select notified.ctid from mail_told as notified
       where kind = 'ENDPOINT_FAILING'
         and not exists (select from webhook_endpoint_failing as failing
                          where failing.merchant_id = notified.merchant_id and failing.endpoint_id = notified.subject_id)
       limit ${limit}))`
  await sql`
    delete from mail_told where ctid = any (array(
      select ctid from mail_told where told_at <= ${dueIn(sql, -keptMs)} limit ${limit}))`
}

/** How often the dates to come are scanned. */
export const scanEveryMs = minuteMs

// The SQL of the reader that makes letters of events, and of what members and merchants chose.

export type Stream = 'NOTICE' | 'RECEIPT'

/** The next merchants in the order of their ids, and which have events that the stream has not read. */
export function selectBehind(
  sql: Sql,
  stream: Stream,
  after: MerchantId | undefined,
  limit: number,
): Promise<readonly { readonly id: MerchantId; readonly isBehind: boolean }[]> {
  return sql<{ id: MerchantId; isBehind: boolean }[]>`
    select merchant.id, coalesce(counter.sequence, 0) > coalesce(reader.sequence, 0) as "isBehind"
      from merchant
      left join event_counter as counter on counter.merchant_id = merchant.id
      left join mail_reader as reader on reader.merchant_id = merchant.id and reader.stream = ${stream}
     where merchant.id > ${after ?? '00000000-0000-0000-0000-000000000000'}
     order by merchant.id
     limit ${limit}`
}

export type Reader = {
  readonly sequence: bigint
  /** Letters that were written in the present hour. */
  readonly written: number
  readonly merchantName: string
  readonly merchantLegalName: string | null
  readonly merchantTaxId: string | null
  readonly merchantCountry: string | null
  readonly mode: Mode
}

/** The reader of a stream, locked. Waits while another worker has it, and then sees how far it came. */
export async function lockReader(
  tx: Tx,
  merchantId: MerchantId,
  stream: Stream,
): Promise<Reader | undefined> {
  await tx`
    insert into mail_reader (merchant_id, stream) values (${merchantId}, ${stream}) on conflict do nothing`
  const [row] = await tx<Reader[]>`
    select reader.sequence, merchant.name as "merchantName", merchant.legal_name as "merchantLegalName",
           merchant.tax_id as "merchantTaxId", merchant.tax_country as "merchantCountry", merchant.mode,
           case when reader.hour = date_trunc('hour', ${dueNow(tx)}) then reader.written else 0 end as written
      from mail_reader as reader
      join merchant on merchant.id = reader.merchant_id
     where reader.merchant_id = ${merchantId} and reader.stream = ${stream}
       for update of reader`
  return row
}

/** How far it has read, and how many letters it has written in this hour. */
export async function moveReader(
  tx: Tx,
  merchantId: MerchantId,
  stream: Stream,
  { sequence, written }: { readonly sequence: bigint; readonly written: number },
): Promise<void> {
  await tx`
    update mail_reader
       set sequence = ${sequence}, written = ${written}, hour = date_trunc('hour', ${dueNow(tx)})
     where merchant_id = ${merchantId} and stream = ${stream}`
}

export type ReadEvent = {
  readonly sequence: bigint
  readonly type: string
  readonly resourceId: string
  /** Null: its type causes no letter, or it is too old. */
  readonly body: string | null
}

/** The next events of a merchant. */
export function selectEvents(
  tx: Tx,
  merchantId: MerchantId,
  {
    after,
    types,
    lifeMs,
    limit,
  }: {
    readonly after: bigint
    readonly types: readonly string[]
    readonly lifeMs: number
    readonly limit: number
  },
): Promise<readonly ReadEvent[]> {
  return tx<ReadEvent[]>`
    select sequence, type, resource_id as "resourceId",
           case when type = any (${list(types)}::text[]) and at > ${dueIn(tx, -lifeMs)} then body end as body
      from event
     where merchant_id = ${merchantId} and sequence > ${after}
     order by sequence
     limit ${limit}`
}

export type Recipient = {
  readonly userId: UserId
  readonly email: string
  readonly language: string
}

/** The members with one of these roles who did not turn this notice off. */
export function selectRecipients(
  sql: Sql | Tx,
  merchantId: MerchantId,
  { kind, may, limit }: { readonly kind: Notice; readonly may: readonly Role[]; readonly limit: number },
): Promise<readonly Recipient[]> {
  return sql<Recipient[]>`
    select app_user.id as "userId", app_user.email, app_user.language
      from membership
      join app_user on app_user.id = membership.user_id and app_user.disabled_at is null
      left join mail_notice as chosen on chosen.merchant_id = membership.merchant_id
       and chosen.user_id = membership.user_id and chosen.kind = ${kind}
     where membership.merchant_id = ${merchantId} and membership.role = any (${list(may)}::text[]) and coalesce(chosen.is_on, true)
     order by membership.user_id
     limit ${limit}`
}

/** What a member chose. */
export function selectChosen(
  sql: Sql,
  merchantId: MerchantId,
  userId: UserId,
): Promise<readonly { readonly kind: string; readonly isOn: boolean }[]> {
  return sql<{ kind: string; isOn: boolean }[]>`
    select kind, is_on as "isOn" from mail_notice where merchant_id = ${merchantId} and user_id = ${userId}`
}

export async function putNotice(
  tx: Tx,
  merchantId: MerchantId,
  userId: UserId,
  { kind, isOn }: { readonly kind: Notice; readonly isOn: boolean },
): Promise<void> {
  await tx`
    insert into mail_notice (merchant_id, user_id, kind, is_on) values (${merchantId}, ${userId}, ${kind}, ${isOn})
        on conflict (merchant_id, user_id, kind) do update set is_on = excluded.is_on`
}

export async function selectReceipts(sql: Sql | Tx, merchantId: MerchantId): Promise<boolean> {
  const [row] = await sql<{ isOn: boolean }[]>`
    select is_on as "isOn" from mail_receipts where merchant_id = ${merchantId}`
  return row?.isOn === true
}

export async function putReceipts(tx: Tx, merchantId: MerchantId, isOn: boolean): Promise<void> {
  await tx`
    insert into mail_receipts (merchant_id, is_on) values (${merchantId}, ${isOn})
        on conflict (merchant_id) do update set is_on = excluded.is_on`
}

export type PayerOf = {
  /** Null: they gave none. */
  readonly email: string | null
  /** The payer's language in the newest attempt whose opening at the provider names one. */
  readonly language: string | null
  /** The first language of the payment's checkout template. */
  readonly templateLanguage: string | null
}

/** What is known of a payment's payer. */
export async function selectPayer(
  tx: Tx,
  merchantId: MerchantId,
  paymentId: string,
): Promise<PayerOf | undefined> {
  const [row] = await tx<PayerOf[]>`
    select coalesce(request ->> 'customerEmail', payer ->> 'email') as email,
           (select asked ->> 'locale' from attempt
             where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
               and asked ->> 'locale' is not null
             order by attempt.id desc limit 1) as language,
           (select document -> 'languages' ->> 'default' from template_revision as template
             where template.merchant_id = payment.merchant_id and template.slug = request ->> 'checkout'
               and template.number = payment.template_revision) as "templateLanguage"
      from payment where merchant_id = ${merchantId} and id = ${paymentId}`
  return row
}
