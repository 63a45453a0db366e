// Checkout templates: what a member sees and changes of them. A change is a new revision; payments keep the one they were created with.
import { Type as T } from 'typebox'
import {
  contrastWarning,
  template,
  templateDraftSummary,
  templateFile,
  templateWithDocument,
} from '#/contract/templates.ts'
import { queryOf } from '#/http/query.ts'
import { AppError, noSuch } from '#/kernel/error.ts'
import { instant, uuid, whole } from '#/kernel/schema.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { none } from '#/people/concern.ts'
import { checkTemplate } from '#/templates/check.ts'
import { logoUrl } from '#/templates/logo.ts'
import { selectDrafts, listRevisions } from '#/templates/queries.ts'
import {
  findRevision,
  findTemplate,
  listTemplates,
  setTemplate,
  switchTemplate,
  templateRecord,
  type Also,
} from '#/templates/record.ts'
import type { Revision } from '#/templates/template.ts'
import type { MerchantCaller } from './merchant-entrance.ts'
import { bodyOf } from './place.ts'
import { memberRoute, type DashboardRoute } from './route.ts'
import { contrastWarnings } from './template-contrast.ts'
import { draftRecord, draftRoutes, keyOf } from './template-draft-routes.ts'

const list = memberRoute({
  route: 'GET /templates',
  permission: 'templates:read',
  operationId: 'listTemplates',
  summary: 'The templates of the merchant',
  answer: T.Object({
    data: T.Array(template),
    drafts: T.Array(templateDraftSummary, { description: 'Also of templates that were never published.' }),
  }),
  async handle({ http }, { caller }) {
    const { id } = caller.merchant
    const [data, drafts] = await Promise.all([listTemplates(http.sql, id), selectDrafts(http.sql, id)])
    return { data: data.map(templateRecord), drafts: drafts.map(draftRecord) }
  },
})

const get = memberRoute({
  route: 'GET /templates/{id}',
  idForm: 'text',
  permission: 'templates:read',
  operationId: 'getTemplate',
  summary: 'A template with its content, now or in an earlier revision',
  answer: templateWithDocument,
  query: queryOf({ revision: T.Optional(whole(0, 2 ** 31, 'Default: the present one.')) }),
  async handle({ http }, { caller, id, query }) {
    const key = keyOf(caller, id)
    const found = await findTemplate(http.sql, key)
    if (found === undefined) throw noSuch('template')
    const revision = await findRevision(http.sql, key, query.revision ?? found.revision)
    if (revision === undefined) throw noSuch('template')
    return { template: templateRecord(found), shownRevision: revision.number, document: documentOf(revision) }
  },
})

const set = memberRoute({
  route: 'PUT /templates/{id}',
  idForm: 'text',
  permission: 'templates:write',
  starts: 'setting',
  concern: 'payers',
  operationId: 'setTemplate',
  summary: 'Creates a template, or publishes a new revision of one',
  answer: T.Object({ template, isNew: T.Boolean({ description: 'Whether a revision was written.' }) }),
  query: queryOf({
    draft: T.Optional(
      uuid('The version of the draft that is published, and ends with it. Another one there now: 409.'),
    ),
    revision: T.Optional(
      whole(0, 2 ** 31, 'The revision that it was compared with. Another one there now: 409.'),
    ),
  }),
  body: templateFile,
  bodyBytesMax: 262_144,
  async handle({ http, templates }, { caller, id, body, query, by }) {
    const checked = checkTemplate(body, caller.merchant.mode)
    if (!checked.ok)
      throw new AppError('invalid_request', 'The template is not valid.', { faults: checked.faults })
    const also = noting(caller, by, 'template.set')
    const result = await setTemplate(http, keyOf(caller, id), checked, also, query)
    await templates.refresh()
    return { ...result, template: templateRecord(result.template) }
  },
})

const check = memberRoute({
  route: 'POST /templates/check',
  permission: 'templates:read',
  starts: 'setting',
  concern: none('it stores nothing'),
  operationId: 'checkTemplate',
  summary: 'Says what is wrong with a draft, and where its colour is hard to see; stores nothing',
  unaudited: 'it stores nothing',
  answer: T.Object({
    faults: T.Array(T.Object({ pointer: T.String(), code: T.String(), message: T.String() })),
    warnings: T.Array(contrastWarning, { description: 'Of a draft that is valid, or nearly so.' }),
  }),
  body: T.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
  bodyBytesMax: 262_144,
  handle: async (_deps, { caller, body }) => {
    const checked = checkTemplate(body, caller.merchant.mode)
    return { faults: checked.ok ? [] : checked.faults, warnings: contrastWarnings(body) }
  },
})

const revisions = memberRoute({
  route: 'GET /templates/{id}/revisions',
  idForm: 'text',
  permission: 'templates:read',
  operationId: 'listTemplateRevisions',
  summary: 'The revisions of a template, newest first',
  answer: T.Object({
    data: T.Array(
      T.Object({ number: whole(1, 2 ** 31, 'Its number.'), name: T.String(), createdAt: instant() }),
    ),
  }),
  async handle({ http }, { caller, id }) {
    const key = keyOf(caller, id)
    if ((await findTemplate(http.sql, key)) === undefined) throw noSuch('template')
    return { data: await listRevisions(http.sql, key) }
  },
})

const switchActive = memberRoute({
  route: 'PATCH /templates/{id}',
  idForm: 'text',
  permission: 'templates:write',
  starts: 'setting',
  concern: 'payers',
  operationId: 'switchTemplate',
  summary: 'Lets new payments name the template, or no longer',
  answer: template,
  body: bodyOf({ isActive: T.Boolean() }),
  async handle({ http, templates }, { caller, id, body, by }) {
    const action = body.isActive ? 'template.activate' : 'template.deactivate'
    const switched = await switchTemplate(
      http.sql,
      keyOf(caller, id),
      body.isActive,
      noting(caller, by, action),
    )
    if (switched === undefined) throw noSuch('template')
    await templates.refresh()
    return templateRecord(switched)
  },
})

function noting({ merchant }: MerchantCaller, by: By, action: string): Also {
  return (tx, { slug, revision, isActive }) =>
    writeAudit(tx, [
      {
        ...by,
        action,
        subject: `template:${merchant.id}/${slug}`,
        merchantId: merchant.id,
        after: { revision, isActive },
      },
    ])
}

/** The document with its logo inserted. */
function documentOf({ document, logo }: Revision): Readonly<Record<string, unknown>> {
  if (logo === undefined) return document
  return { ...document, brand: { ...document.brand, logo: logoUrl(logo) } }
}

export const templateRoutes: readonly DashboardRoute[] = [
  list,
  get,
  set,
  check,
  revisions,
  switchActive,
  ...draftRoutes,
]
