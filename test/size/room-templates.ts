// Checkout templates, their revisions and their drafts.
import { newId } from '#/kernel/id.ts'
import * as merchants from '#/merchants/queries.ts'
import * as templates from '#/templates/queries.ts'
import type { Registry, World } from './registry.ts'

const template = (w: World) => ({ merchantId: w.merchantId, slug: 'default' })

export const templatesRoom: Registry = {
  'merchants/queries.ts': {
    writeSettings: (w) =>
      merchants.writeSettings(w.sql, w.merchantId, {
        returnUrl: 'https://shop.example.com/thanks',
        legalName: 'Loja da Ana Ltda.',
        taxId: '11222333000181',
        country: 'BR',
      }),
  },
  'templates/queries.ts': {
    selectDrafts: (w) => templates.selectDrafts(w.sql, w.merchantId),
    selectDraft: (w) => templates.selectDraft(w.sql, template(w)),
    lockDrafts: (w) => templates.lockDrafts(w.sql, w.merchantId),
    countDrafts: (w) => templates.countDrafts(w.sql, w.merchantId),
    writeDraft: (w) =>
      templates.writeDraft(w.sql, {
        ...template(w),
        version: newId(),
        base: 0,
        document: {},
        author: w.id('app_user', 1),
      }),
    deleteDraft: (w) => templates.deleteDraft(w.sql, template(w), newId()),
    selectPublication: (w) => templates.selectPublication(w.sql, template(w)),
    selectTemplates: (w) => templates.selectTemplates(w.sql, w.merchantId),
    selectTemplate: (w) => templates.selectTemplate(w.sql, template(w)),
    selectChanged: [(w) => templates.selectChanged(w.sql, w.at(w.size))],
    selectRevisions: (w) => templates.selectRevisions(w.sql, [{ ...template(w), number: 1 }]),
    listRevisions: (w) => templates.listRevisions(w.sql, template(w)),
    lockTemplate: (w) => templates.lockTemplate(w.sql, template(w)),
  },
}
