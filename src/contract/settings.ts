// What a merchant decides for all its payments.
import { Type as T } from 'typebox'
import * as patterns from './patterns.ts'
import { documented, emptyIsAbsent, pageUrl, text } from './words.ts'

const returnUrl =
  'Where the payer’s page leads when the payer is done, for payments that have no `returnUrl` of their own or of their template.'

const legalName =
  'Your name before the law. Receipts show it beside the name of the shop: the payer’s page, and mails to payers.'
const taxId = 'Your tax id, which receipts show in full: that of `country`, and without one a CPF or CNPJ.'
const country = 'The country of your tax id (ISO 3166-1 alpha-2, and XK for Kosovo). Default: BR.'

export const settings = T.Object(
  {
    returnUrl: T.Optional(T.String({ description: `${returnUrl} Absent: the page stays.` })),
    legalName: T.Optional(T.String({ description: legalName })),
    taxId: T.Optional(T.String({ description: `${taxId} Without its mask.` })),
    country: T.Optional(T.String({ description: country })),
  },
  { title: 'Settings', description: 'What you decide for all your payments.' },
)

export const settingsRequest = T.Object(
  {
    returnUrl: T.Optional(pageUrl(`${returnUrl} Absent: none.`)),
    legalName: T.Optional(emptyIsAbsent(documented(text(200, legalName), { pattern: patterns.notBlank }))),
    taxId: T.Optional(
      emptyIsAbsent(
        documented(
          T.String({
            minLength: 4,
            maxLength: 30,
            description: `${taxId} With or without its mask.`,
            examples: ['11.222.333/0001-81'],
          }),
          { pattern: patterns.taxId },
        ),
      ),
    ),
    country: T.Optional(
      emptyIsAbsent(T.String({ pattern: '^[A-Z]{2}$', description: country, examples: ['BR'] })),
    ),
  },
  { title: 'SetSettingsRequest', additionalProperties: false },
)
