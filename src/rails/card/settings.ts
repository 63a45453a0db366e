// A card connection as it is kept: what is no secret (`settings`) and what is (`secrets`), and their reading. What would
// only fail with the first payer is looked at here, so that the operator's command can say it at once.
import type { Mode } from '#/kernel/mode.ts'
import type { FieldFault } from '#/kernel/error.ts'
import { isCardCurrency } from './fields.ts'

export type CardSettings = {
  readonly apiUrl: string
  /** What the payer's page loads to mount the provider's frame. */
  readonly scriptUrl: string
  readonly publishableKey: string
  /** The first one counts where a payment names none. */
  readonly currencies: readonly string[]
  /** A frame of the provider within our page, or its own page. */
  readonly presentation: 'frame' | 'hosted'
  readonly settlementDelaySeconds: number
  /** What the frame's page may load from. */
  readonly origins: readonly string[]
}

export type CardSecrets = {
  readonly secretKey: string
  /** Any of them may have signed a callback. None: no callback is believed. */
  readonly webhookSecrets: readonly string[]
}

export type CheckedCardSettings =
  | { readonly ok: true; readonly settings: CardSettings; readonly secrets: CardSecrets }
  | { readonly ok: false; readonly errors: readonly FieldFault[] }

/** The one provider that this rail speaks to, as a connection names it. */
export const cardProvider = 'stripe'

export const cardSettingNames = [
  'apiUrl',
  'scriptUrl',
  'publishableKey',
  'currencies',
  'presentation',
  'settlementDelaySeconds',
  'origins',
] as const
export const cardSecretNames = ['secretKey', 'webhookSecrets'] as const
export const cardRefundSecretNames = ['secretKey'] as const

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads `settings` {publishableKey, currencies, apiUrl?, scriptUrl?, presentation?, settlementDelaySeconds?, origins?} and
 * `secrets` {secretKey, webhookSecrets?}. What is left out is the provider's own. No fault repeats a secret.
 */
export function checkCardSettings(settings: Fields, secrets: Fields): CheckedCardSettings {
  const errors: FieldFault[] = []
  const fault: Fault = (pointer, message) => errors.push({ pointer, code: 'invalid', message })
  const [open, secret] = [reader(settings, '/settings', fault), reader(secrets, '/secrets', fault)]
  const checked = {
    apiUrl: readUrl(open, 'apiUrl', 'https://api.stripe.com', fault),
    scriptUrl: readUrl(open, 'scriptUrl', 'https://js.stripe.com/endive/stripe.js', fault),
    publishableKey: open.text('publishableKey', /^pk_\w+$/, 'A publishable key begins with pk_.'),
    currencies: readCurrencies(open, fault),
    presentation: open.one('presentation', ['frame', 'hosted'] as const) ?? 'frame',
    settlementDelaySeconds: open.count('settlementDelaySeconds') ?? 0,
    origins: open.texts('origins', origin, 'An origin is https:// and a host, nothing behind it.') ?? origins,
  }
  const checkedSecrets = {
    secretKey: readSecretKey(secret),
    webhookSecrets:
      secret.texts('webhookSecrets', /^whsec_[!-~]+$/, 'A signing secret begins with whsec_.') ?? [],
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, settings: checked, secrets: checkedSecrets }
}

/** Reads `refundSecrets` {secretKey}: a restricted key that can refund. */
export function checkCardRefundSecrets(
  secrets: Fields,
):
  | { readonly ok: true; readonly secretKey: string }
  | { readonly ok: false; readonly errors: readonly FieldFault[] } {
  const errors: FieldFault[] = []
  const secretKey = readSecretKey(
    reader(secrets, '/refundSecrets', (pointer, message) =>
      errors.push({ pointer, code: 'invalid', message }),
    ),
  )
  return errors.length > 0 ? { ok: false, errors } : { ok: true, secretKey }
}

/** Test keys take no real money, and live keys no play money: which of the fields are of the other mode. */
export function checkCardMode(mode: Mode, fields: Readonly<Record<string, unknown>>): readonly FieldFault[] {
  const wrong = mode === 'LIVE' ? 'test' : 'live'
  return Object.entries(fields).flatMap(([pointer, key]) =>
    typeof key === 'string' && new RegExp(`^[a-z]{2}_${wrong}_`).test(key)
      ? [{ pointer, code: 'invalid', message: `This is a ${wrong} key, and the connection is ${mode}.` }]
      : [],
  )
}

/** As the provider's own pages load them: https://docs.stripe.com/security/guide#content-security-policy */
const origins: readonly string[] = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://hooks.stripe.com',
  'https://checkout.stripe.com',
  'https://api.stripe.com',
]
const origin =
  /^(?:https:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?)$/

type Fault = (pointer: string, message: string) => void
type Reader = ReturnType<typeof reader>

function reader(fields: Fields, pointer: string, fault: Fault) {
  const given = (field: string) => {
    const value = fields[field]
    return value === null || value === '' ? undefined : value
  }
  const wrong = (field: string, message: string) => fault(`${pointer}/${field}`, message)
  return {
    pointer,
    given,
    text(field: string, shape: RegExp, message: string): string {
      const value = given(field)
      if (value === undefined) wrong(field, 'This is needed.')
      else if (typeof value !== 'string' || !shape.test(value)) wrong(field, message)
      else return value
      return ''
    },
    one<T extends string>(field: string, among: readonly T[]): T | undefined {
      const value = given(field)
      const found = among.find((each) => each === value)
      if (value !== undefined && found === undefined) wrong(field, `This is one of ${among.join(', ')}.`)
      return found
    },
    count(field: string): number | undefined {
      const value = given(field)
      if (value === undefined) return undefined
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= yearSeconds)
        return value
      wrong(field, 'This is a whole number of seconds, a year at most.')
      return undefined
    },
    texts(field: string, shape: RegExp, message: string): readonly string[] | undefined {
      const value = given(field)
      if (value === undefined) return undefined
      if (!Array.isArray(value)) {
        wrong(field, 'This is to be a list.')
        return undefined
      }
      return value.flatMap((each: unknown, index) => {
        if (typeof each === 'string' && shape.test(each)) return [each]
        wrong(`${field}/${index}`, message)
        return []
      })
    },
  }
}

const yearSeconds = 366 * 24 * 60 * 60

/** Plain HTTP would show the key to everyone on the way, so it is for this machine alone. */
function readUrl(from: Reader, field: string, usual: string, fault: Fault): string {
  const value = from.given(field) ?? usual
  const url = typeof value === 'string' ? URL.parse(value) : null
  const isLocal = url !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (typeof value === 'string' && (url?.protocol === 'https:' || (isLocal && url.protocol === 'http:')))
    return value.replace(/\/+$/, '')
  fault(`${from.pointer}/${field}`, 'This is to be an https:// URL.')
  return usual
}

function readCurrencies(from: Reader, fault: Fault): readonly string[] {
  const message = 'The currencies are among BRL, EUR, USD.'
  const named = from.texts('currencies', /^[A-Z]{3}$/, message) ?? []
  const at = `${from.pointer}/currencies`
  if (from.given('currencies') === undefined || named.length === 0) fault(at, 'This is needed: a list.')
  for (const [index, each] of named.entries()) if (!isCardCurrency(each)) fault(`${at}/${index}`, message)
  return named
}

function readSecretKey(from: Reader): string {
  return from.text('secretKey', /^[rs]k_\w+$/, 'A secret key begins with sk_, a restricted one with rk_.')
}
