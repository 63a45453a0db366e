// The SQL of the reader that makes letters of events, and of what members and merchants chose.
import type { Sql, Tx } from '#/db/client.ts'
import { list } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Role } from '#/people/roles.ts'
import type { UserId } from '#/people/user.ts'
import type { Notice } from './notices.ts'

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
    select reader.sequence, merchant.name as "merchantName", merchant.mode,
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
