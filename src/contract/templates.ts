// Checkout templates: what a merchant writes, and what its people are shown. templates/check.ts checks what a schema cannot express.
import { Type as T, type Static, type TSchema } from 'typebox'
import { locales } from '#/kernel/language.ts'
import type { Currency } from '#/kernel/money.ts'
import { instant, uuid, whole } from '#/kernel/schema.ts'
import { methods } from '#/rails/methods.ts'

export const themes = ['light', 'dark', 'auto'] as const
export const fonts = ['system', 'rounded', 'serif', 'mono'] as const
export const collections = ['hidden', 'optional', 'required'] as const
export const fieldNames = ['name', 'email', 'phone', 'taxId'] as const
export const addressUses = ['none', 'billing', 'shipping'] as const
/** The currencies that a payment can have. */
export const templateCurrencies = ['BRL', 'EUR', 'USD', 'USDT'] as const satisfies readonly Currency[]

const strict = { additionalProperties: false } as const

const oneOf = <const Names extends readonly string[]>(names: Names) =>
  T.Unsafe<Names[number]>({ type: 'string', enum: names })

/** An object with these names as fields, none of them required. */
function named<const Name extends string, Schema extends TSchema>(names: readonly Name[], schema: Schema) {
  const fields = Object.fromEntries(names.map((name) => [name, schema]))
  return T.Unsafe<Partial<Record<Name, Static<Schema>>>>(T.Partial(T.Object(fields), strict))
}

const text = T.String({ minLength: 1, maxLength: 500 })
const url = T.String({ minLength: 1, maxLength: 2_048 })
const amount = T.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const brand = T.Object(
  {
    displayName: T.Optional(T.String({ minLength: 1, maxLength: 80 })),
    logo: T.Optional(T.String({ minLength: 1, maxLength: 100_000 })),
    theme: T.Optional(oneOf(themes)),
    font: T.Optional(oneOf(fonts)),
    radius: T.Optional(T.Integer({ minimum: 0, maximum: 24 })),
    colors: T.Optional(T.Object({ accent: T.Optional(T.String({ maxLength: 60 })) }, strict)),
  },
  strict,
)

const method = T.Object(
  {
    method: oneOf(methods),
    enabled: T.Optional(T.Boolean()),
    highlight: T.Optional(T.Boolean()),
    limits: T.Optional(
      named(templateCurrencies, T.Object({ min: T.Optional(amount), max: T.Optional(amount) }, strict)),
    ),
  },
  strict,
)

export const templateFile = T.Object(
  {
    name: T.String({ minLength: 1, maxLength: 80 }),
    brand: T.Optional(brand),
    languages: T.Optional(
      T.Object(
        {
          default: T.Optional(oneOf(locales)),
          enabled: T.Optional(T.Array(oneOf(locales), { minItems: 1, uniqueItems: true })),
        },
        strict,
      ),
    ),
    timeZone: T.Optional(T.String({ minLength: 1, maxLength: 64 })),
    fields: T.Optional(named(fieldNames, oneOf(collections))),
    address: T.Optional(oneOf(addressUses)),
    methods: T.Optional(T.Array(method, { minItems: 1, maxItems: methods.length })),
    localFirst: T.Optional(T.Boolean()),
    currencies: T.Optional(T.Array(oneOf(templateCurrencies), { minItems: 1, uniqueItems: true })),
    texts: T.Optional(
      named(
        locales,
        T.Object({ title: T.Optional(text), note: T.Optional(text), thanks: T.Optional(text) }, strict),
      ),
    ),
    support: T.Optional(
      T.Object(
        { url: T.Optional(url), email: T.Optional(T.String({ minLength: 3, maxLength: 254 })) },
        strict,
      ),
    ),
    legal: T.Optional(T.Object({ termsUrl: T.Optional(url), privacyUrl: T.Optional(url) }, strict)),
    urls: T.Optional(
      T.Object(
        {
          success: T.Optional(url),
          cancel: T.Optional(url),
          allowedHosts: T.Optional(
            T.Array(T.String({ minLength: 1, maxLength: 260 }), {
              minItems: 1,
              maxItems: 50,
              uniqueItems: true,
            }),
          ),
        },
        strict,
      ),
    ),
    cancelButton: T.Optional(T.Boolean()),
    autoReturnSeconds: T.Optional(T.Integer({ minimum: 0, maximum: 60 })),
    expiry: T.Optional(named(methods, T.Integer({ minimum: 60, maximum: 2_592_000 }))),
  },
  strict,
)

export type TemplateFile = Static<typeof templateFile>

export const template = T.Object(
  {
    slug: T.String(),
    name: T.Optional(T.String({ description: 'In a list: what its people call it.' })),
    isActive: T.Boolean(),
    revision: whole(0, 2 ** 31, 'The present revision. 0: the template that every merchant has.'),
    changedAt: T.Optional(instant()),
  },
  { title: 'Template' },
)

export const templateWithDocument = T.Object(
  {
    template,
    shownRevision: whole(0, 2 ** 31, 'The revision of the document.'),
    document: T.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'As it can be sent back; its fields are those of docs/checkout.md.',
    }),
  },
  { title: 'TemplateWithDocument' },
)

export const contrastWarning = T.Object(
  {
    pointer: T.String(),
    code: T.Union([T.Literal('text_contrast'), T.Literal('edge_contrast')]),
    scheme: T.Union([T.Literal('light'), T.Literal('dark')]),
    ratio: T.Number({ description: 'From 1 to 21, by WCAG 2.2.' }),
    needed: T.Number(),
    shade: T.String({ description: 'The colour that the page shows there, as #rrggbb.' }),
    message: T.String(),
  },
  { title: 'ContrastWarning' },
)

export const templateDraftSummary = T.Object(
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

export const draftDocument = T.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description: 'As the editor holds it. It may be invalid.',
})

export const templateDraftNow = T.Object(
  {
    draft: T.Optional(
      T.Object({ ...templateDraftSummary.properties, document: draftDocument }, { title: 'TemplateDraft' }),
    ),
    published: T.Optional(
      T.Object({
        revision: whole(1, 2 ** 31, 'Its number.'),
        at: instant(),
        by: T.Union([T.String(), T.Null()], { description: 'null: no person of the dashboard.' }),
      }),
    ),
  },
  { title: 'TemplateDraftNow' },
)
