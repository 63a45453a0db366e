// All SQL of the drafts of templates.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { MerchantId, UserId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import type { TemplateKey } from './template.ts'

/** A draft that nobody saves for this long is deleted. */
const keptMs = 90 * 24 * hourMs

export type DraftSummary = {
  readonly slug: string
  readonly version: string
  /** The revision that it began from. */
  readonly base: number
  readonly authorId: UserId
  readonly author: string
  readonly savedAt: Date
}

export type DraftRow = DraftSummary & { readonly document: Readonly<Record<string, unknown>> }

function columns(sql: Sql | Tx) {
  return sql`draft.slug, draft.version, draft.base, draft.author as "authorId",
             coalesce(nullif(app_user.name, ''), app_user.email) as author, draft.saved_at as "savedAt"`
}

/** The merchant's drafts without their documents, by slug. */
export function selectDrafts(sql: Sql, merchantId: MerchantId): Promise<readonly DraftSummary[]> {
  return sql<DraftSummary[]>`
    select ${columns(sql)} from template_draft as draft join app_user on app_user.id = draft.author
     where draft.merchant_id = ${merchantId} and draft.ends_at > ${dueNow(sql)}
     order by draft.slug`
}

export async function selectDraft(sql: Sql | Tx, key: TemplateKey): Promise<DraftRow | undefined> {
  const [row] = await sql<DraftRow[]>`
    select ${columns(sql)}, draft.document from template_draft as draft join app_user on app_user.id = draft.author
     where draft.merchant_id = ${key.merchantId} and draft.slug = ${key.slug} and draft.ends_at > ${dueNow(sql)}`
  return row
}

/** No other transaction saves a draft of this merchant until this one ends: two that save the first draft find no row to lock. */
export async function lockDrafts(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`template drafts/${merchantId}`}, 0))`
}

export async function countDrafts(tx: Tx, merchantId: MerchantId): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from template_draft where merchant_id = ${merchantId}`
  return row?.count ?? 0
}

export type NewDraft = TemplateKey & {
  readonly version: string
  readonly base: number
  readonly document: Readonly<Record<string, unknown>>
  readonly author: UserId
}

/** Stores the draft, in the place of the one before. */
export async function writeDraft(tx: Tx, draft: NewDraft): Promise<void> {
  const { merchantId, slug, version, base, document, author } = draft
  await tx`
    insert into template_draft (merchant_id, slug, version, base, document, author, saved_at, ends_at)
    values (${merchantId}, ${slug}, ${version}, ${base}, ${JSON.stringify(document)}::text::json, ${author},
            ${dueNow(tx)}, ${dueIn(tx, keptMs)})
    on conflict (merchant_id, slug) do update
       set version = excluded.version, base = excluded.base, document = excluded.document, author = excluded.author,
           saved_at = excluded.saved_at, ends_at = excluded.ends_at`
}

/** Deletes the draft if it still has this version. Returns whether it did. */
export async function deleteDraft(sql: Sql | Tx, key: TemplateKey, version: string): Promise<boolean> {
  const rows = await sql`
    delete from template_draft
     where merchant_id = ${key.merchantId} and slug = ${key.slug} and version = ${version} returning 1`
  return rows.length > 0
}

export type Publication = { readonly revision: number; readonly at: Date; readonly by: string | null }

/** The present revision: when it was published, and by whom, where that is a person. Undefined before the first. */
export async function selectPublication(sql: Sql, key: TemplateKey): Promise<Publication | undefined> {
  const [row] = await sql<Publication[]>`
    select revision.number as revision, revision.created_at as at,
           (select case when log.actor_kind = 'USER'
                        then (select coalesce(nullif(name, ''), email) from app_user where id = log.actor_id::uuid) end
              from audit_log as log
             where log.subject = ${`template:${key.merchantId}/${key.slug}`} and log.action = 'template.set'
             order by log.id desc limit 1) as by
      from template
      join template_revision as revision on revision.merchant_id = template.merchant_id and revision.slug = template.slug
                                        and revision.number = template.revision
     where template.merchant_id = ${key.merchantId} and template.slug = ${key.slug}`
  return row
}
