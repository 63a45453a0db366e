// All SQL of checkout templates. Revisions are added, never changed or deleted.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId, UserId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'
import type { Logo, TemplateDocument, TemplateKey } from './template.ts'

export type TemplateRow = TemplateKey & {
  readonly isActive: boolean
  /** The revision that new payments pin. */
  readonly revision: number
  readonly createdAt: Date
  readonly changedAt: Date
}

export type NamedRow = TemplateRow & { readonly name: string | null }

function columns(sql: Sql | Tx) {
  return sql`template.merchant_id as "merchantId", template.slug, template.is_active as "isActive", template.revision,
             template.created_at as "createdAt", template.changed_at as "changedAt"`
}

/** A merchant's templates, by slug, each with the name of its present revision; null for the one that every merchant has. */
export function selectTemplates(sql: Sql, merchantId: MerchantId): Promise<readonly NamedRow[]> {
  return sql<NamedRow[]>`
    select ${columns(sql)}, document ->> 'name' as name
      from template left join template_revision as now on now.merchant_id = template.merchant_id
                          and now.slug = template.slug and now.number = template.revision
     where template.merchant_id = ${merchantId} order by template.slug`
}

export async function selectTemplate(sql: Sql | Tx, key: TemplateKey): Promise<TemplateRow | undefined> {
  const [row] = await sql<TemplateRow[]>`
    select ${columns(sql)} from template where merchant_id = ${key.merchantId} and slug = ${key.slug}`
  return row
}

/** The fields of a revision that a creation needs. */
export type Plan = Pick<TemplateDocument, 'methods' | 'currencies'> & {
  readonly allowedHosts: readonly string[] | null
  readonly localFirst: boolean | null
}

export type PlannedRow = TemplateRow & { readonly plan: Plan | null }

/** The templates that changed since an instant, or all templates, each with its plan; null for a revision that is in no table. */
export function selectChanged(sql: Sql, since: Date | undefined): Promise<readonly PlannedRow[]> {
  return sql<PlannedRow[]>`
    select ${columns(sql)},
           case when number is not null
                then json_build_object('methods', document -> 'methods', 'currencies', document -> 'currencies',
                                       'allowedHosts', document -> 'urls' -> 'allowedHosts',
                                       'localFirst', document -> 'localFirst')
           end as plan
      from template
      left join template_revision as now on now.merchant_id = template.merchant_id and now.slug = template.slug
                                        and now.number = template.revision
     ${since === undefined ? sql`` : sql`where template.changed_at >= ${since}`}`
}

export type RevisionRow = TemplateKey & {
  readonly number: number
  readonly document: TemplateDocument
  readonly logo: Buffer | null
  readonly logoType: Logo['type'] | null
  readonly createdAt: Date
}

/** These revisions. A revision that does not exist is left out. */
export function selectRevisions(
  sql: Sql | Tx,
  wanted: readonly (TemplateKey & { readonly number: number })[],
): Promise<readonly RevisionRow[]> {
  return sql<RevisionRow[]>`
    select merchant_id as "merchantId", slug, number, document, logo, logo_type as "logoType", created_at as "createdAt"
      from template_revision
      join ${rowsOf(sql, 'wanted', wanted, { merchant_id: 'uuid', slug: 'text', number: 'integer' })}
        using (merchant_id, slug, number)`
}

export type RevisionSummary = { readonly number: number; readonly name: string; readonly createdAt: Date }

/** All revisions of a template, newest first. */
export function listRevisions(sql: Sql, key: TemplateKey): Promise<readonly RevisionSummary[]> {
  return sql<RevisionSummary[]>`
    select number, document ->> 'name' as name, created_at as "createdAt"
      from template_revision
     where merchant_id = ${key.merchantId} and slug = ${key.slug}
     order by number desc`
}

/** The template's row, if there is one. No other transaction changes or creates it until this one ends. */
export async function lockTemplate(tx: Tx, key: TemplateKey): Promise<TemplateRow | undefined> {
  // Two transactions that create the same template wait for each other here, where there is no row to lock.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`template/${key.merchantId}/${key.slug}`}, 0))`
  return selectTemplate(tx, key)
}

export async function insertRevision(tx: Tx, revision: RevisionRow): Promise<void> {
  const { merchantId, slug, number, document, logo, logoType, createdAt } = revision
  await tx`
    insert into template_revision (merchant_id, slug, number, document, logo, logo_type, created_at)
    values (${merchantId}, ${slug}, ${number}, ${JSON.stringify(document)}::text::json, ${logo}, ${logoType}, ${createdAt})`
}

/** Creates the template, or changes it. */
export async function writeTemplate(
  tx: Tx,
  template: Pick<TemplateRow, 'merchantId' | 'slug' | 'isActive' | 'revision'>,
): Promise<void> {
  const { merchantId, slug, isActive, revision } = template
  await tx`
    insert into template (merchant_id, slug, is_active, revision, created_at, changed_at)
    values (${merchantId}, ${slug}, ${isActive}, ${revision}, clock_timestamp(), clock_timestamp())
    on conflict (merchant_id, slug)
    do update set is_active = excluded.is_active, revision = excluded.revision, changed_at = excluded.changed_at`
}

// All SQL of the drafts of templates.

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

function draftColumns(sql: Sql | Tx) {
  return sql`draft.slug, draft.version, draft.base, draft.author as "authorId",
             coalesce(nullif(app_user.name, ''), app_user.email) as author, draft.saved_at as "savedAt"`
}

/** The merchant's drafts without their documents, by slug. */
export function selectDrafts(sql: Sql, merchantId: MerchantId): Promise<readonly DraftSummary[]> {
  return sql<DraftSummary[]>`
    select ${draftColumns(sql)} from template_draft as draft join app_user on app_user.id = draft.author
     where draft.merchant_id = ${merchantId} and draft.ends_at > ${dueNow(sql)}
     order by draft.slug`
}

export async function selectDraft(sql: Sql | Tx, key: TemplateKey): Promise<DraftRow | undefined> {
  const [row] = await sql<DraftRow[]>`
    select ${draftColumns(sql)}, draft.document from template_draft as draft join app_user on app_user.id = draft.author
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
