// Drafts of templates. The editor saves them while a person types, and all members share them. A draft has no effect until it is published,
// so saving one writes no row of the audit log; publishing does.
import { Type as T } from 'typebox'
import { recordOf, type Of } from '#/contract/record.ts'
import { draftDocument, templateDraftNow, templateDraftSummary } from '#/contract/templates.ts'
import { queryOf } from '#/http/query.ts'
import { AppError } from '#/kernel/error.ts'
import { uuid, whole } from '#/kernel/schema.ts'
import { none } from '#/people/concern.ts'
import { draftBytesMax, saveDraft, takeDraft } from '#/templates/draft.ts'
import { selectDraft, selectPublication, type DraftSummary } from '#/templates/queries.ts'
import { isSlug } from '#/templates/template.ts'
import type { MerchantCaller } from './merchant-entrance.ts'
import { bodyOf } from './place.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const get = memberRoute({
  route: 'GET /templates/{id}/draft',
  idForm: 'text',
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

const save = memberRoute({
  route: 'PUT /templates/{id}/draft',
  idForm: 'text',
  permission: 'templates:write',
  starts: 'setting',
  concern: none('a draft is on no page'),
  operationId: 'saveTemplateDraft',
  summary: 'Saves the draft, unless somebody else has saved, published or discarded it since',
  unaudited: 'a draft is on no page; publishing it has its row',
  answer: templateDraftSummary,
  body: bodyOf({
    version: uuid('Chosen by the caller; the same when the request is repeated.'),
    seen: T.Optional(
      uuid('The version that is replaced. Absent: there is none. Another one there now: 409.'),
    ),
    base: whole(0, 2 ** 31, 'The revision that the draft began from.'),
    document: draftDocument,
  }),
  bodyBytesMax: draftBytesMax + 1_024,
  async handle({ http }, { caller, id, body }) {
    return draftRecord(
      await saveDraft(http.sql, { ...keyOf(caller, id), ...body, author: caller.visitor.user.id }),
    )
  },
})

const discard = memberRoute({
  route: 'DELETE /templates/{id}/draft',
  idForm: 'text',
  permission: 'templates:write',
  starts: 'ending',
  concern: none('a draft is on no page'),
  operationId: 'discardTemplateDraft',
  summary: 'Discards the draft of this version',
  unaudited: 'a draft is on no page',
  query: queryOf({ version: uuid('Another one there now: 409.') }),
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
