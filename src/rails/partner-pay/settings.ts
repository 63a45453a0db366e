// A connection to a wallet provider as it is stored: `settings`, which are not secret, and `secrets`, and how they are read.
// Values that would fail only at the first order are checked here, so that the operator's command reports them at once.
import { Type as T, type Static } from 'typebox'
import type { Checked } from '#/kernel/error.ts'
import { providerUrl, readParts, shaped, type Fields } from '#/rails/kit/settings.ts'
import type { Credentials } from './sign.ts'

export const partnerPayProvider = 'binance'

export const partnerPaySettings = T.Object({
  apiUrl: providerUrl({ default: 'https://bpay.binanceapi.com' }),
  /** For a channel partner: the sub-merchant that the orders belong to. */
  subMerchantId: T.Optional(shaped(/^\d{1,19}$/, 'This is to be a text of at most 19 digits.')),
})
export type PartnerPaySettings = Readonly<Static<typeof partnerPaySettings>>

/** They are sent in headers. */
const key = shaped(/^[!-~]{8,256}$/, 'This is to be a text of 8 to 256 characters, without spaces.')

export const partnerPaySecrets = T.Object({ apiKey: key, apiSecret: key })

export type CheckedPartnerPaySettings = Checked<{
  readonly settings: PartnerPaySettings
  readonly credentials: Credentials
}>

/** Reads both parts. No fault contains a secret. */
export function checkPartnerPaySettings(settings: Fields, secrets: Fields): CheckedPartnerPaySettings {
  const read = readParts({ settings: partnerPaySettings, secrets: partnerPaySecrets }, { settings, secrets })
  return read.ok ? { ok: true, settings: read.parts.settings, credentials: read.parts.secrets } : read
}
