// A connection to a wallet provider as it is kept: what is no secret (`settings`) and what is (`secrets`), and their reading.
// Everything that would only fail at the first order is looked at here, so that the operator's command can say it at once.
import type { FieldFault } from '#/kernel/error.ts'
import type { Credentials } from './sign.ts'

export type PartnerPaySettings = {
  readonly apiUrl: string
  /** For a channel partner: whose orders these are at the provider. */
  readonly subMerchantId?: string
}

export type CheckedPartnerPaySettings =
  | { readonly ok: true; readonly settings: PartnerPaySettings; readonly credentials: Credentials }
  | { readonly ok: false; readonly errors: readonly FieldFault[] }

type Fields = Readonly<Record<string, unknown>>

export const partnerPayProvider = 'binance'
export const partnerPaySettingNames: readonly string[] = ['apiUrl', 'subMerchantId']
export const partnerPaySecretNames: readonly string[] = ['apiKey', 'apiSecret']

const usualApiUrl = 'https://bpay.binanceapi.com'

/** Reads `settings` {apiUrl?, subMerchantId?} and `secrets` {apiKey, apiSecret}. No fault repeats a secret. */
export function checkPartnerPaySettings(settings: Fields, secrets: Fields): CheckedPartnerPaySettings {
  const errors: FieldFault[] = []
  const read = (fields: Fields, place: string, field: string, rule: Rule): string | undefined => {
    const sent = fields[field]
    const pointer = `${place}/${field}`
    const fault = (message: string) => void errors.push({ pointer, code: 'invalid', message })
    if (sent === undefined || sent === null || sent === '') {
      if (rule.isNeeded) fault('This is needed.')
      return undefined
    }
    if (typeof sent === 'string' && rule.fits(sent)) return sent
    fault(rule.message)
    return undefined
  }
  const apiUrl = read(settings, '/settings', 'apiUrl', url) ?? usualApiUrl
  const subMerchantId = read(settings, '/settings', 'subMerchantId', subMerchant)
  const apiKey = read(secrets, '/secrets', 'apiKey', key)
  const apiSecret = read(secrets, '/secrets', 'apiSecret', key)
  // What is missing has left a fault above; the tests below only tell the compiler so.
  if (errors.length > 0 || apiKey === undefined || apiSecret === undefined) return { ok: false, errors }
  return {
    ok: true,
    settings: { apiUrl, ...(subMerchantId === undefined ? {} : { subMerchantId }) },
    credentials: { apiKey, apiSecret },
  }
}

type Rule = {
  readonly isNeeded?: true
  readonly fits: (text: string) => boolean
  readonly message: string
}

const url: Rule = { fits: isApiUrl, message: 'This is to be an https:// URL.' }
const subMerchant: Rule = {
  fits: (text) => /^\d{1,19}$/.test(text),
  message: 'This is to be a text of at most 19 digits.',
}
const key: Rule = {
  isNeeded: true,
  // It stands in a header.
  fits: (text) => /^[!-~]{8,256}$/.test(text),
  message: 'This is to be a text of 8 to 256 characters, without spaces.',
}

/** Plain HTTP would let everyone on the way change an order, so it is for this machine alone. */
function isApiUrl(text: string): boolean {
  const parsed = URL.parse(text)
  const isLocal = parsed !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(parsed.hostname)
  return parsed?.protocol === 'https:' || (isLocal && parsed?.protocol === 'http:')
}
