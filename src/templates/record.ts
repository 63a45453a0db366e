// Stores templates. A change is a new revision, so an open payment goes on with the revision that it pinned.
import { recordOf, type Of } from '#/contract/record.ts'
import type { template as templateSchema } from '#/contract/templates.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Clock } from '#/kernel/time.ts'
import { takeDraft } from './draft.ts'
import * as queries from './queries.ts'
import {
  defaultRevision,
  defaultSlug,
  type Logo,
  type Revision,
  type TemplateDocument,
  type TemplateKey,
} from './template.ts'

/** A template as its merchant's people see it. */
export type Template = {
  readonly slug: string
  /** For the merchant's own people, where templates are listed. */
  readonly name?: string
  readonly isActive: boolean
  readonly revision: number
  /** Absent: it is the default template of every merchant, never changed. */
  readonly changedAt?: Date
}

export function templateRecord({
  slug,
  name,
  isActive,
  revision,
  changedAt,
}: Template): Of<typeof templateSchema> {
  return recordOf<typeof templateSchema>({
    slug,
    name,
    isActive,
    revision,
    changedAt: changedAt?.toISOString(),
  })
}

/** A merchant's templates, by slug, with the `default` that each has. */
export async function listTemplates(
  sql: Sql,
  merchantId: TemplateKey['merchantId'],
): Promise<readonly Template[]> {
  const rows = await queries.selectTemplates(sql, merchantId)
  const stored = rows.map((row) => ({ ...toTemplate(row), ...(row.name === null ? {} : { name: row.name }) }))
  const hasDefault = stored.some(({ slug }) => slug === defaultSlug)
  return [...stored, ...(hasDefault ? [] : [untouched])].toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** The template of this slug, active or not. */
export async function findTemplate(sql: Sql, key: TemplateKey): Promise<Template | undefined> {
  const row = await queries.selectTemplate(sql, key)
  if (row !== undefined) return toTemplate(row)
  return key.slug === defaultSlug ? untouched : undefined
}

/** One revision of a template; undefined when there is none of this number. */
export async function findRevision(
  sql: Sql,
  key: TemplateKey,
  number: number,
): Promise<Revision | undefined> {
  if (number === 0) return key.slug === defaultSlug ? defaultRevision : undefined
  const [row] = await queries.selectRevisions(sql, [{ ...key, number }])
  return row && toRevision(row)
}

/** Runs in the transaction of a change. */
export type Also = (tx: Tx, template: Template) => Promise<void>

export type SetTemplate = { readonly template: Template; readonly isNew: boolean }

/**
 * Makes this the newest revision of the template, for payments created from now on. A new template is active at once. A revision equal to
 * the present one is not written. `from`: the version of the draft that is published, which is deleted with this, and the revision with
 * which its author compared it. Refused (409) when either is another one by now.
 */
export async function setTemplate(
  deps: { readonly sql: Sql; readonly clock: Clock },
  key: TemplateKey,
  { document, logo }: { readonly document: TemplateDocument; readonly logo?: Logo },
  also?: Also,
  from: { readonly draft?: string | undefined; readonly revision?: number | undefined } = {},
): Promise<SetTemplate> {
  return deps.sql.begin(async (tx): Promise<SetTemplate> => {
    const present = await queries.lockTemplate(tx, key)
    const number = present?.revision ?? 0
    if (from.revision !== undefined && from.revision !== number)
      throw new AppError('invalid_state', `Revision ${number} was published since.`)
    if (from.draft !== undefined) await takeDraft(tx, key, from.draft)
    const [current] = number === 0 ? [] : await queries.selectRevisions(tx, [{ ...key, number }])
    if (present !== undefined && current !== undefined && isSame(toRevision(current), { document, logo }))
      return { template: toTemplate(present), isNew: false }
    const revision = {
      ...key,
      number: number + 1,
      document,
      logo: logo?.bytes ?? null,
      logoType: logo?.type ?? null,
      createdAt: deps.clock.now(),
    }
    await queries.insertRevision(tx, revision)
    await queries.writeTemplate(tx, {
      ...key,
      isActive: present?.isActive ?? true,
      revision: revision.number,
    })
    const template = toTemplate(must(await queries.selectTemplate(tx, key), 'it was written'))
    await also?.(tx, template)
    return { template, isNew: true }
  })
}

/** Lets new payments name the template, or not. Payments that pinned it keep it. Undefined: there is no such template. */
export async function switchTemplate(
  sql: Sql,
  key: TemplateKey,
  isActive: boolean,
  also?: Also,
): Promise<Template | undefined> {
  return sql.begin(async (tx): Promise<Template | undefined> => {
    const present = await queries.lockTemplate(tx, key)
    if (present === undefined && key.slug !== defaultSlug) return undefined
    await queries.writeTemplate(tx, { ...key, isActive, revision: present?.revision ?? 0 })
    const template = toTemplate(must(await queries.selectTemplate(tx, key), 'it was written'))
    await also?.(tx, template)
    return template
  })
}

const untouched: Template = { slug: defaultSlug, isActive: true, revision: 0 }

function toTemplate({ slug, isActive, revision, changedAt }: queries.TemplateRow): Template {
  return { slug, isActive, revision, changedAt }
}

function toRevision({ slug, number, document, logo, logoType }: queries.RevisionRow): Revision {
  return {
    slug,
    number,
    document,
    ...(logo === null || logoType === null ? {} : { logo: { type: logoType, bytes: logo } }),
  }
}

function isSame(
  present: Revision,
  { document, logo }: { readonly document: TemplateDocument; readonly logo: Logo | undefined },
): boolean {
  const isSameLogo =
    logo === undefined || present.logo === undefined
      ? logo === present.logo
      : logo.type === present.logo.type && logo.bytes.equals(present.logo.bytes)
  return isSameLogo && canonicalJson(document) === canonicalJson(present.document)
}
