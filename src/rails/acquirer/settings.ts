// A card connection as it is stored: `settings`, which are not secret, and `secrets`, and how they are read. Values that would
// fail only with the first payer are checked here, so that the operator's command reports them at once.
import { Type as T, type Static } from 'typebox'
import { isCountry } from '#/kernel/country.ts'
import type { Checked, FieldFault } from '#/kernel/error.ts'
import type { Mode } from '#/kernel/mode.ts'
import { providerUrl, readParts, shaped, type Fields } from '#/rails/kit/settings.ts'
import { cardCurrencies } from './fields.ts'
import { localMethods } from './methods/all.ts'

/** The one provider that this rail speaks to, as a connection names it. */
export const cardProvider = 'stripe'

/** As the provider's own pages load them: https://docs.stripe.com/security/guide#content-security-policy */
const defaultOrigins = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://hooks.stripe.com',
  'https://checkout.stripe.com',
  'https://api.stripe.com',
]
const origin = shaped(
  /^(?:https:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?)$/,
  'An origin is https:// and a host, nothing behind it.',
)
const currency = shaped(
  new RegExp(`^(?:${cardCurrencies.join('|')})$`),
  `The currencies are among ${cardCurrencies.join(', ')}.`,
)
const isList = { fault: 'This is to be a list.' }
const localNames = localMethods.map(({ method }) => method).join('|')
const localMethod = shaped(
  new RegExp(`^(?:${localNames})$`),
  `The local methods are ${localNames.replaceAll('|', ', ')}.`,
)

export const cardSettings = T.Object({
  apiUrl: providerUrl({ default: 'https://api.stripe.com' }),
  /** The script that the payer's page loads to mount the provider's frame. */
  scriptUrl: providerUrl({ default: 'https://js.stripe.com/endive/stripe.js' }),
  publishableKey: shaped(/^pk_\w+$/, 'A publishable key begins with pk_.'),
  /** The first one is the default of a payment without a currency. */
  currencies: T.Array(currency, { minItems: 1, fault: 'This is needed: a list.' }),
  /** A frame of the provider in our page, or its own page. */
  presentation: T.Union([T.Literal('frame'), T.Literal('hosted')], {
    default: 'frame',
    fault: 'This is one of frame, hosted.',
  }),
  /** The country of the account, ISO 3166-1 alpha-2. */
  country: T.Optional(
    T.Refine(T.String({ fault: 'A country is two capital letters of ISO 3166-1, such as PT.' }), isCountry),
  ),
  /** The local methods that the account has enabled: only these are offered. */
  methods: T.Array(localMethod, { default: [], ...isList }),
  settlementDelaySeconds: T.Integer({
    minimum: 0,
    maximum: 366 * 24 * 60 * 60,
    default: 0,
    fault: 'This is a whole number of seconds, a year at most.',
  }),
  /** The origins that the frame's page may load from. */
  origins: T.Array(origin, { default: defaultOrigins, ...isList }),
})
export type CardSettings = Readonly<Static<typeof cardSettings>>

const secretKey = shaped(/^[rs]k_\w+$/, 'A secret key begins with sk_, a restricted one with rk_.')
const signingSecret = shaped(/^whsec_[!-~]+$/, 'A signing secret begins with whsec_.')

export const cardSecrets = T.Object({
  secretKey,
  /** Any of them may have signed a callback. None: every callback is rejected. */
  webhookSecrets: T.Array(signingSecret, { default: [], ...isList }),
})
export type CardSecrets = Readonly<Static<typeof cardSecrets>>

/** A restricted key that can refund. */
export const cardRefundSecrets = T.Object({ secretKey })

export type CheckedCardSettings = Checked<{
  readonly settings: CardSettings
  readonly secrets: CardSecrets
}>

/** Reads both parts. Fields that are left out get the provider's own values. No fault contains a secret. */
export function checkCardSettings(settings: Fields, secrets: Fields): CheckedCardSettings {
  const read = readParts({ settings: cardSettings, secrets: cardSecrets }, { settings, secrets })
  if (!read.ok) return read
  const faults = faultsOfMethods(read.parts.settings)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, settings: trimmed(read.parts.settings), secrets: read.parts.secrets }
}

/** Local methods that an account in this country cannot have, or whose currency it does not take. */
function faultsOfMethods({ country, currencies, methods }: CardSettings): readonly FieldFault[] {
  return methods.flatMap((name, index) => {
    const pointer = `/settings/methods/${index}`
    const method = localMethods.find((each) => each.method === name)
    const [isBrazilian, needsBrazil] = [country === 'BR', method?.accountIn === 'BR']
    if (country === undefined)
      return [{ pointer: '/settings/country', code: 'required', message: 'This is needed with methods.' }]
    if (needsBrazil !== isBrazilian) {
      const where = needsBrazil ? 'in Brazil, on a connection of its own' : 'outside Brazil'
      return [{ pointer, code: 'not_allowed', message: `${name} needs an account ${where}.` }]
    }
    if (method === undefined || currencies.includes(method.currency)) return []
    return [{ pointer, code: 'not_allowed', message: `${name} needs ${method.currency} in currencies.` }]
  })
}

/** Paths are appended to these. */
function trimmed(settings: CardSettings): CardSettings {
  const trim = (url: string) => url.replace(/\/+$/, '')
  return { ...settings, apiUrl: trim(settings.apiUrl), scriptUrl: trim(settings.scriptUrl) }
}

export function checkCardRefundSecrets(refundSecrets: Fields): Checked<{ readonly secretKey: string }> {
  const read = readParts({ refundSecrets: cardRefundSecrets }, { refundSecrets })
  return read.ok ? { ok: true, ...read.parts.refundSecrets } : read
}

/** Test keys take no real money, and live keys no test money. Returns the fields that belong to the other mode. */
export function checkCardMode(mode: Mode, fields: Fields): readonly FieldFault[] {
  const wrong = mode === 'LIVE' ? 'test' : 'live'
  return Object.entries(fields).flatMap(([pointer, key]) =>
    typeof key === 'string' && new RegExp(`^[a-z]{2}_${wrong}_`).test(key)
      ? [{ pointer, code: 'invalid', message: `This is a ${wrong} key, and the connection is ${mode}.` }]
      : [],
  )
}
