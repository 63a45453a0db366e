// The shape of a template as a merchant writes it. check.ts checks what a schema cannot express.
import { Type as T, type Static, type TSchema } from 'typebox'
import { locales } from '#/kernel/language.ts'
import { methods } from '#/rails/method.ts'
import { addressUses, collections, fonts, templateCurrencies, themes } from './template.ts'

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
    fields: T.Optional(
      T.Object(
        {
          name: T.Optional(oneOf(collections)),
          email: T.Optional(oneOf(collections)),
          phone: T.Optional(oneOf(collections)),
          taxId: T.Optional(oneOf(collections)),
        },
        strict,
      ),
    ),
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
