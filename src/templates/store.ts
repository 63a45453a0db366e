// Templates in memory. The plan of each active template is polled every second, so that choosing one needs no query. Whole revisions,
// which never change, are loaded when a page needs them.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { createRecent } from '#/kernel/recent.ts'
import { addMs, secondMs } from '#/kernel/time.ts'
import { selectChanged, type PlannedRow } from './queries.ts'
import { findRevision } from './record.ts'
import {
  defaultDocument,
  defaultRevision,
  defaultSlug,
  type Revision,
  type TemplateDocument,
  type TemplateKey,
  type TemplateMethod,
} from './template.ts'

/** What a creation needs of a template: which revision it pins, and which methods and currencies that allows. */
export type CheckoutPlan = Pick<TemplateDocument, 'currencies'> & {
  readonly revision: number
  readonly methods: readonly TemplateMethod[]
  /** Methods that are local in the payer's country are first. */
  readonly localFirst?: true
  /** The hosts that a payment's own links may lead to; absent: any. */
  readonly allowedHosts?: readonly string[]
}

export type TemplateFinder = {
  /** The active template of this slug. */
  find(key: TemplateKey): CheckoutPlan | undefined
  /** Polls for changes now: another process may have changed a template a moment ago. */
  refresh(): Promise<void>
}

export type TemplateStore = TemplateFinder & {
  /** The revision that a payment pinned; undefined when there is none. */
  revisionOf(key: TemplateKey, number: number): Promise<Revision | undefined>
  /** The present revision of a merchant's `default`, active or not: the design of a page without a checkout. */
  usualOf(merchantId: TemplateKey['merchantId']): Promise<Revision>
  close(): void
}

const refreshMs = secondMs
/** Changes have the time of their statement, not of their commit: a change that took this long to commit is still found. */
const overlapMs = 10 * secondMs
/** The most revisions in memory; a revision can be as large as its logo. */
const revisionsMax = 200

const defaultPlan: CheckoutPlan = {
  revision: 0,
  methods: defaultDocument.methods,
  localFirst: true,
  currencies: defaultDocument.currencies,
}

/** Without any stored template: every merchant has the default one. */
export const defaultTemplates: TemplateFinder = {
  find: ({ slug }) => (slug === defaultSlug ? defaultPlan : undefined),
  refresh: async () => {},
}

/** Reads all templates, and polls for changes until it is closed. */
export async function openTemplateStore({
  sql,
  log,
}: {
  readonly sql: Sql
  readonly log: Log
}): Promise<TemplateStore> {
  const byKey = new Map<string, PlannedRow>()
  let since: Date | undefined

  async function refresh(): Promise<void> {
    for (const row of await selectChanged(sql, since)) {
      const changedAt = addMs(row.changedAt, -overlapMs)
      if (since === undefined || changedAt > since) since = changedAt
      const before = byKey.get(keyOf(row))
      // Two polls may overtake one another: the later change counts.
      if (before === undefined || before.changedAt <= row.changedAt) byKey.set(keyOf(row), row)
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
      const row = byKey.get(keyOf(key))
      if (row === undefined) return defaultTemplates.find(key)
      return row.isActive ? planOf(row) : undefined
    },
    refresh,
    revisionOf: revisions.get,
    async usualOf(merchantId) {
      const key = { merchantId, slug: defaultSlug }
      return (await revisions.get(key, byKey.get(keyOf(key))?.revision ?? 0)) ?? defaultRevision
    },
    close: () => clearInterval(timer),
  }
}

function planOf({ revision, plan }: PlannedRow): CheckoutPlan {
  if (plan === null) return defaultPlan
  const { methods, currencies, allowedHosts, localFirst } = plan
  return {
    revision,
    methods,
    currencies,
    ...(localFirst === true ? { localFirst } : {}),
    ...(allowedHosts === null ? {} : { allowedHosts }),
  }
}

function keyOf({ merchantId, slug }: TemplateKey): string {
  return `${merchantId}/${slug}`
}

/** The revisions used last. One that could not be read, or was not found, is read again at the next use. */
function createRevisions(sql: Sql) {
  const kept = createRecent<string, Revision>(revisionsMax)
  return {
    async get(key: TemplateKey, number: number): Promise<Revision | undefined> {
      const name = `${keyOf(key)}/${number}`
      const revision = kept.get(name)
      if (revision !== undefined) return revision
      const found = await findRevision(sql, key, number)
      if (found !== undefined) kept.set(name, found)
      return found
    },
  }
}
