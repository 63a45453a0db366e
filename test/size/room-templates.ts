// Checkout templates, their revisions and their drafts.
import { newId } from '#/kernel/id.ts'
import * as drafts from '#/templates/draft-queries.ts'
import * as templates from '#/templates/queries.ts'
import type { Registry, World } from './registry.ts'

const template = (w: World) => ({ merchantId: w.merchantId, slug: 'default' })

export const templatesRoom: Registry = {
  'templates/draft-queries.ts': {
    selectDrafts: (w) => drafts.selectDrafts(w.sql, w.merchantId),
    selectDraft: (w) => drafts.selectDraft(w.sql, template(w)),
    lockDrafts: (w) => drafts.lockDrafts(w.sql, w.merchantId),
    countDrafts: (w) => drafts.countDrafts(w.sql, w.merchantId),
    writeDraft: (w) =>
      drafts.writeDraft(w.sql, {
        ...template(w),
        version: newId(),
        base: 0,
        document: {},
        author: w.id('app_user', 1),
      }),
    deleteDraft: (w) => drafts.deleteDraft(w.sql, template(w), newId()),
    selectPublication: (w) => drafts.selectPublication(w.sql, template(w)),
  },
  'templates/queries.ts': {
    selectTemplates: (w) => templates.selectTemplates(w.sql, w.merchantId),
    selectTemplate: (w) => templates.selectTemplate(w.sql, template(w)),
    selectChanged: [(w) => templates.selectChanged(w.sql, w.at(w.size))],
    selectRevisions: (w) => templates.selectRevisions(w.sql, [{ ...template(w), number: 1 }]),
    listRevisions: (w) => templates.listRevisions(w.sql, template(w)),
    lockTemplate: (w) => templates.lockTemplate(w.sql, template(w)),
  },
}
