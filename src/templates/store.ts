// The templates in memory: what creations need of each active one, looked after every second, so that choosing one costs
// nothing; and whole revisions, which never change, as pages ask for them.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { createRecent } from '#/kernel/recent.ts'
import { addMs, secondMs } from '#/kernel/time.ts'
import { defaultDocument, defaultRevision } from './default-template.ts'
import { selectChanged, type PlannedRow } from './queries.ts'
import { findRevision } from './record.ts'
import {
  defaultSlug,
  type Revision,
  type TemplateDocument,
  type TemplateKey,
  type TemplateMethod,
} from './template.ts'

/** What a creation needs of a template: which revision it pins, and what that lets through. */
export type CheckoutPlan = Pick<TemplateDocument, 'currencies'> & {
  readonly revision: number
  readonly methods: readonly TemplateMethod[]
  /** Where a payment's own links may lead; absent: anywhere. */
  readonly allowedHosts?: readonly string[]
}

export type TemplateFinder = {
  /** The active template of this slug. */
  find(key: TemplateKey): CheckoutPlan | undefined
  /** Looks for what changed now: another process may have made it just before. */
  refresh(): Promise<void>
}

export type TemplateStore = TemplateFinder & {
  /** The revision that a payment pinned; undefined when there is none. */
  revisionOf(key: TemplateKey, number: number): Promise<Revision | undefined>
  /** The present revision of a merchant's `default`, active or not: how a page without a checkout looks. */
  usualOf(merchantId: TemplateKey['merchantId']): Promise<Revision>
  close(): void
}

const refreshMs = secondMs
/** A change is stamped before its commit: one that took this long to commit is still found. */
const overlapMs = 10 * secondMs
/** At most; a revision can weigh as much as its logo. */
const revisionsMax = 200

const defaultPlan: CheckoutPlan = {
  revision: 0,
  methods: defaultDocument.methods,
  currencies: defaultDocument.currencies,
}

/** Where nobody made a template: every merchant has the default one. */
export const defaultTemplates: TemplateFinder = {
  find: ({ slug }) => (slug === defaultSlug ? defaultPlan : undefined),
  refresh: async () => {},
}

/** Reads all templates, and goes on looking for changes until it is closed. */
export async function openTemplateStore({
  sql,
  log,
}: {
  readonly sql: Sql
  readonly log: Log
}): Promise<TemplateStore> {
  const known = new Map<string, PlannedRow>()
  let since: Date | undefined

  async function refresh(): Promise<void> {
    for (const row of await selectChanged(sql, since)) {
      const changedAt = addMs(row.changedAt, -overlapMs)
      if (since === undefined || changedAt > since) since = changedAt
      const before = known.get(keyOf(row))
      // Two looks may overtake one another: the later change counts.
      if (before === undefined || before.changedAt <= row.changedAt) known.set(keyOf(row), row)
    }
  }

  await refresh()
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => log.warn({ error: messageOf(error) }, 'templates cannot be read'))
  }, refreshMs)
  timer.unref()
  const revisions = createRevisions(sql)
  return {
    find(key) {
      const row = known.get(keyOf(key))
      if (row === undefined) return defaultTemplates.find(key)
      return row.isActive ? planOf(row) : undefined
    },
    refresh,
    revisionOf: revisions.get,
    async usualOf(merchantId) {
      const key = { merchantId, slug: defaultSlug }
      return (await revisions.get(key, known.get(keyOf(key))?.revision ?? 0)) ?? defaultRevision
    },
    close: () => clearInterval(timer),
  }
}

function planOf({ revision, plan }: PlannedRow): CheckoutPlan {
  if (plan === null) return defaultPlan
  const { methods, currencies, allowedHosts } = plan
  return { revision, methods, currencies, ...(allowedHosts === null ? {} : { allowedHosts }) }
}

function keyOf({ merchantId, slug }: TemplateKey): string {
  return `${merchantId}/${slug}`
}

/** The revisions used last. What cannot be read, or is not there, is asked for again. */
function createRevisions(sql: Sql) {
  const kept = createRecent<string, Revision>(revisionsMax)
  return {
    async get(key: TemplateKey, number: number): Promise<Revision | undefined> {
      const name = `${keyOf(key)}/${number}`
      const known = kept.get(name)
      if (known !== undefined) return known
      const found = await findRevision(sql, key, number)
      if (found !== undefined) kept.set(name, found)
      return found
    },
  }
}
