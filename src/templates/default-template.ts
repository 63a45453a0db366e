// The template that every merchant has from the start: everything enabled, nothing to set up.
import { templateCurrencies } from '#/contract/templates.ts'
import { locales } from '#/kernel/language.ts'
import { methods } from '#/rails/methods.ts'
import { defaultSlug, type Revision, type TemplateDocument } from './template.ts'

/** Copper, the colour of a coin; white text on it is readable. */
export const ownAccent = '#b55a2b'

/**
 * Every method, currency and language, those of later releases included. A wallet app's order ends after an hour
 * (interface §8).
 */
export const defaultDocument: TemplateDocument = {
  name: 'Default',
  brand: { theme: 'auto', font: 'system', radius: 12, colors: { accent: ownAccent } },
  languages: { default: 'en', enabled: locales },
  timeZone: 'America/Sao_Paulo',
  // No fields: a payer chooses a method with one press.
  fields: { name: 'hidden', email: 'hidden', phone: 'hidden', taxId: 'hidden' },
  address: 'none',
  methods: methods.map((method) => ({ method, highlight: false })),
  localFirst: true,
  currencies: templateCurrencies,
  texts: {},
  support: {},
  legal: {},
  urls: {},
  expiry: { PARTNER_PAY: 3_600 },
}

/** Revision 0 of `default`. It is in no table, so merchants that existed before templates have it too. */
export const defaultRevision: Revision = { slug: defaultSlug, number: 0, document: defaultDocument }
