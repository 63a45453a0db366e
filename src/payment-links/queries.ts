// The SQL of payment links.
import { usesCountedMax } from '#/contract/payment-links.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { newestIds } from '#/db/lists.ts'
import type { MerchantId, PaymentLinkId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { type LinkRequest, type LinkUses, type PaymentLink } from './link.ts'

export type LinkRef = { readonly merchantId: MerchantId; readonly id: PaymentLinkId }
export type NewLink = PaymentLink & { readonly idempotencyKey?: string; readonly fingerprint: Buffer }

/** Returns false when the merchant used the key before. */
export async function insertLink(tx: Tx, link: NewLink): Promise<boolean> {
  const { amount } = link
  const range = 'minor' in amount ? [amount.minor, null, null] : [null, amount.minMinor, amount.maxMinor]
  const [minor = null, least = null, most = null] = range
  const result = await tx`
    insert into payment_link (merchant_id, id, token, url, idempotency_key, fingerprint, request, currency,
                              amount_minor, min_minor, max_minor, uses_max, expires_at, created_at)
    values (${link.merchantId}, ${link.id}, ${link.token}, ${link.url}, ${link.idempotencyKey ?? null}, ${link.fingerprint},
            ${JSON.stringify(link.request)}::text::json, ${link.currency}, ${minor}, ${least}, ${most},
            ${link.usesMax ?? null}, ${link.expiresAt ?? null}, ${link.createdAt})
        on conflict (merchant_id, idempotency_key) do nothing`
  return result.count === 1
}

/** Links of a merchant that are not archived, counted up to `limit`. */
export async function countOpenLinks(sql: Sql | Tx, merchantId: MerchantId, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
      from (select from payment_link where merchant_id = ${merchantId} and archived_at is null limit ${limit}) as counted`
  return row?.count ?? 0
}

/** The link that the key made, with the fingerprint of its request. */
export async function selectLinkByKey(
  sql: Sql | Tx,
  merchantId: MerchantId,
  idempotencyKey: string,
): Promise<{ readonly link: PaymentLink; readonly fingerprint: Buffer } | undefined> {
  const [row] = await sql<(LinkRow & { fingerprint: Buffer })[]>`
    select ${columns(sql)}, link.fingerprint
      from payment_link as link
      join merchant on merchant.id = link.merchant_id
     where link.merchant_id = ${merchantId} and link.idempotency_key = ${idempotencyKey}`
  return row === undefined ? undefined : { link: toLink(row), fingerprint: row.fingerprint }
}

export async function selectLink(
  sql: Sql | Tx,
  { merchantId, id }: LinkRef,
): Promise<PaymentLink | undefined> {
  const [row] = await sql<LinkRow[]>`
    select ${columns(sql)}
      from payment_link as link
      join merchant on merchant.id = link.merchant_id
     where link.merchant_id = ${merchantId} and link.id = ${id}`
  return row === undefined ? undefined : toLink(row)
}

/** The link of a page. Without a merchant, because the token identifies the link. */
export async function selectLinkByToken(sql: Sql, token: string): Promise<PaymentLink | undefined> {
  const [row] = await sql<LinkRow[]>`
    select ${columns(sql)}
      from payment_link as link
      join merchant on merchant.id = link.merchant_id
     where link.token = ${token}`
  return row === undefined ? undefined : toLink(row)
}

/** One page of a merchant's links, newest first. */
export async function listLinks(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly isArchived?: boolean; readonly before?: PaymentLinkId; readonly limit: number },
): Promise<readonly PaymentLink[]> {
  const { isArchived, limit } = page
  const within =
    isArchived === undefined
      ? sql``
      : isArchived
        ? sql`and payment_link.archived_at is not null`
        : sql`and payment_link.archived_at is null`
  const ids = newestIds(sql, 'payment_link', { merchantId, kinds: [], span: page, within, limit })
  const rows = await sql<LinkRow[]>`
    select ${columns(sql)}
      from (${ids}) as page
      join payment_link as link on link.merchant_id = ${merchantId} and link.id = page.id
      join merchant on merchant.id = link.merchant_id
     order by link.id desc`
  return rows.map(toLink)
}

/** How often each of these links was used, each count up to `usesCountedMax`. */
export async function countUses(
  sql: Sql | Tx,
  merchantId: MerchantId,
  ids: readonly PaymentLinkId[],
): Promise<ReadonlyMap<PaymentLinkId, LinkUses>> {
  const rows = await sql<(LinkUses & { id: PaymentLinkId })[]>`
    select wanted.id,
           (select count(*)::integer
              from (select from payment
                     where merchant_id = ${merchantId} and link_id = wanted.id and status = 'PAID'
                     limit ${usesCountedMax}) as counted) as paid,
           (select count(*)::integer
              from (select from payment
                     where merchant_id = ${merchantId} and link_id = wanted.id
                       and status in ('PENDING', 'WAITING_PAYMENT', 'APPROVED')
                     limit ${usesCountedMax}) as counted) as open
      from unnest(${list(ids)}::uuid[]) as wanted (id)`
  return new Map(rows.map(({ id, paid, open }) => [id, { paid, open }]))
}

/** Archives the link, once. Its payments go on. */
export async function archiveLink(tx: Tx, { merchantId, id }: LinkRef): Promise<boolean> {
  const result = await tx`
    update payment_link set archived_at = ${dueNow(tx)}
     where merchant_id = ${merchantId} and id = ${id} and archived_at is null`
  return result.count === 1
}

type LinkRow = {
  merchant_id: MerchantId
  id: PaymentLinkId
  mode: Mode
  token: string
  url: string
  request: LinkRequest
  currency: Currency
  amount_minor: bigint | null
  min_minor: bigint | null
  max_minor: bigint | null
  uses_max: number | null
  expires_at: Date | null
  archived_at: Date | null
  created_at: Date
}

function columns(sql: Sql | Tx) {
  return sql`link.merchant_id, link.id, merchant.mode, link.token, link.url, link.request, link.currency,
             link.amount_minor, link.min_minor, link.max_minor, link.uses_max, link.expires_at, link.archived_at, link.created_at`
}

function toLink(row: LinkRow): PaymentLink {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    mode: row.mode,
    token: row.token,
    url: row.url,
    request: row.request,
    currency: row.currency,
    amount:
      row.amount_minor === null
        ? { minMinor: row.min_minor ?? 0n, maxMinor: row.max_minor ?? 0n }
        : { minor: row.amount_minor },
    ...(row.uses_max === null ? {} : { usesMax: row.uses_max }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.archived_at === null ? {} : { archivedAt: row.archived_at }),
    createdAt: row.created_at,
  }
}
