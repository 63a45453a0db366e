// Drafts of templates. The editor saves them while a person types, and all members share them. A draft has no effect until it is published,
// so saving one writes no row of the audit log; publishing does.
import { Type as T } from 'typebox'
import { AppError } from '#/kernel/error.ts'
import { instant, uuid, whole } from '#/kernel/schema.ts'
import { selectDraft, selectPublication, type DraftSummary } from '#/templates/draft-queries.ts'
import { draftBytesMax, saveDraft, takeDraft } from '#/templates/draft.ts'
import { isSlug } from '#/templates/template.ts'
import type { MerchantCaller } from './merchant-entrance.ts'
import { route, type DashboardRoute } from './route.ts'

export const draftSummary = T.Object(
  {
    slug: T.String(),
    version: uuid('Changes with each save.'),
    base: whole(0, 2 ** 31, 'The revision that it began from.'),
    authorId: uuid('Who saved it last.'),
    author: T.String({ description: 'Their name, or their email address.' }),
    savedAt: instant(),
  },
  { title: 'TemplateDraftSummary' },
)

const document = T.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description: 'As the editor holds it. It may be invalid.',
})

const get = route({
  method: 'GET',
  path: '/templates/{id}/draft',
  idForm: 'text',
  access: 'member',
  permission: 'templates:read',
  operationId: 'getTemplateDraft',
  summary: 'The draft of a template, and which revision is published now, by whom and when',
  answer: T.Object(
    {
      draft: T.Optional(T.Object({ ...draftSummary.properties, document }, { title: 'TemplateDraft' })),
      published: T.Optional(
        T.Object({
          revision: whole(1, 2 ** 31, 'Its number.'),
          at: instant(),
          by: T.Union([T.String(), T.Null()], { description: 'null: no person of the dashboard.' }),
        }),
      ),
    },
    { title: 'TemplateDraftNow' },
  ),
  async handle({ http }, { caller, id }) {
    const key = keyOf(caller, id)
    const [draft, published] = await Promise.all([
      selectDraft(http.sql, key),
      selectPublication(http.sql, key),
    ])
    return { ...(draft && { draft }), ...(published && { published }) }
  },
})

const save = route({
  method: 'PUT',
  path: '/templates/{id}/draft',
  idForm: 'text',
  access: 'member',
  permission: 'templates:write',
  operationId: 'saveTemplateDraft',
  summary: 'Saves the draft, unless somebody else has saved, published or discarded it since',
  unaudited: 'a draft is on no page; publishing it has its row',
  answer: draftSummary,
  body: T.Object(
    {
      version: uuid('Chosen by the caller; the same when the request is repeated.'),
      seen: T.Optional(
        uuid('The version that is replaced. Absent: there is none. Another one there now: 409.'),
      ),
      base: whole(0, 2 ** 31, 'The revision that the draft began from.'),
      document,
    },
    { additionalProperties: false },
  ),
  bodyBytesMax: draftBytesMax + 1_024,
  async handle({ http }, { caller, id, body }) {
    const saved = await saveDraft(http.sql, { ...keyOf(caller, id), ...body, author: caller.visitor.user.id })
    return summaryOf(saved)
  },
})

const discard = route({
  method: 'DELETE',
  path: '/templates/{id}/draft',
  idForm: 'text',
  access: 'member',
  permission: 'templates:write',
  operationId: 'discardTemplateDraft',
  summary: 'Discards the draft of this version',
  unaudited: 'a draft is on no page',
  query: T.Object({ version: uuid('Another one there now: 409.') }, { additionalProperties: false }),
  handle: ({ http }, { caller, id, query }) => takeDraft(http.sql, keyOf(caller, id), query.version),
})

function summaryOf({ slug, version, base, authorId, author, savedAt }: DraftSummary) {
  return { slug, version, base, authorId, author, savedAt }
}

/** The template that the path names. 404: no template can have this name. */
export function keyOf({ merchant }: MerchantCaller, slug: string) {
  if (!isSlug(slug))
    throw new AppError(
      'not_found',
      'A template’s name is lower case letters and digits, with hyphens within.',
    )
  return { merchantId: merchant.id, slug }
}

export const draftRoutes: readonly DashboardRoute[] = [get, save, discard]
