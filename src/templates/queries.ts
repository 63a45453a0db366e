// All SQL of checkout templates. Revisions are added, never changed or deleted.
import type { Sql, Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId } from '#/kernel/id.ts'
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
