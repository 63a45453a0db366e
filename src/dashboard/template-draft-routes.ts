// Drafts of templates. The editor saves them while a person types, and all members share them. A draft has no effect until it is published,
// so saving one writes no row of the audit log; publishing does.
import { Type as T } from 'typebox'
import { recordOf, type Of } from '#/contract/record.ts'
import { draftDocument, templateDraftNow, templateDraftSummary } from '#/contract/templates.ts'
import { AppError } from '#/kernel/error.ts'
import { uuid, whole } from '#/kernel/schema.ts'
import { draftBytesMax, saveDraft, takeDraft } from '#/templates/draft.ts'
import { selectDraft, selectPublication, type DraftSummary } from '#/templates/queries.ts'
import { isSlug } from '#/templates/template.ts'
import type { MerchantCaller } from './merchant-entrance.ts'
import { route, type DashboardRoute } from './route.ts'

const get = route({
  method: 'GET',
  path: '/templates/{id}/draft',
  idForm: 'text',
  access: 'member',
  permission: 'templates:read',
  operationId: 'getTemplateDraft',
  summary: 'The draft of a template, and which revision is published now, by whom and when',
  answer: templateDraftNow,
  async handle({ http }, { caller, id }) {
    const key = keyOf(caller, id)
    const [draft, published] = await Promise.all([
      selectDraft(http.sql, key),
      selectPublication(http.sql, key),
    ])
    return {
      ...(draft && { draft: { ...draftRecord(draft), document: draft.document } }),
      ...(published && { published }),
    }
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
  answer: templateDraftSummary,
  body: T.Object(
    {
      version: uuid('Chosen by the caller; the same when the request is repeated.'),
      seen: T.Optional(
        uuid('The version that is replaced. Absent: there is none. Another one there now: 409.'),
      ),
      base: whole(0, 2 ** 31, 'The revision that the draft began from.'),
      document: draftDocument,
    },
    { additionalProperties: false },
  ),
  bodyBytesMax: draftBytesMax + 1_024,
  async handle({ http }, { caller, id, body }) {
    return draftRecord(
      await saveDraft(http.sql, { ...keyOf(caller, id), ...body, author: caller.visitor.user.id }),
    )
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

export function draftRecord(draft: DraftSummary): Of<typeof templateDraftSummary> {
  const { slug, version, base, authorId, author, savedAt } = draft
  return recordOf<typeof templateDraftSummary>({
    slug,
    version,
    base,
    authorId,
    author,
    savedAt: savedAt.toISOString(),
  })
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
