// A PIX connection as it is kept: what is no secret (`settings`) and what is (`secrets`), and their reading. Everything
// that would only fail at the first charge is looked at here, so that the operator's command can say it at once.
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { FieldFault } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { foldAccents, type Receiver } from './br-code.ts'
import type { PixClientOptions } from './client.ts'
import { findProfile, payoutProfileNames, profileNames, type PspProfile } from './profile.ts'

export type PixSettings = {
  readonly profile: PspProfile
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly pixKey: string
  readonly receiver: Receiver
  /** PEM: whom to believe instead of the public authorities. */
  readonly ca?: string
}

type Checked<Settings> =
  | {
      readonly ok: true
      readonly settings: Settings
      readonly credentials: PixClientOptions['credentials']
    }
  | { readonly ok: false; readonly errors: readonly FieldFault[] }

export type CheckedPixSettings = Checked<PixSettings>

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads `settings` {profile, baseUrl?, tokenUrl?, pixKey, receiverName, receiverCity, ca?} and `secrets` {clientId,
 * clientSecret?, and certificate and privateKey in PEM, or pfx in base64 and its passphrase}. The profile knows the URLs
 * of its PSP, unless it is `bacen`. No fault repeats a secret.
 */
export function checkPixSettings(settings: Fields, secrets: Fields): CheckedPixSettings {
  const errors: FieldFault[] = []
  const fault: Fault = (pointer, message) => errors.push({ pointer, code: 'invalid', message })
  const public_ = reader(settings, '/settings', fault)
  const profile = readProfile(public_, profileNames, fault)
  const urls = readUrls(public_, profile?.baseUrl, profile, fault)
  const account = readAccount(public_, fault)
  const receiver = {
    name: receiverText(public_, 'receiverName', 25, fault),
    city: receiverText(public_, 'receiverCity', 15, fault),
  }
  const credentials = readCredentials(reader(secrets, '/secrets', fault), profile, fault)
  // What is missing has left a fault above; the tests below only tell the compiler so.
  if (errors.length > 0 || !profile || !urls || !account || !credentials) return { ok: false, errors }
  return { ok: true, settings: { profile, ...urls, ...account, receiver }, credentials }
}

/** For sending: an application of its own, which takes nothing in. */
export type PixPayoutSettings = Omit<PixSettings, 'receiver'> & {
  readonly profile: PspProfile & Required<Pick<PspProfile, 'payouts'>>
  /** The connection that takes money in for the same account. */
  readonly account?: ConnectionId
}

export type CheckedPixPayoutSettings = Checked<PixPayoutSettings>

/**
 * Reads the settings {profile, baseUrl?, tokenUrl?, pixKey, account?, ca?} of a connection that sends, and its secrets,
 * which are those of one that takes in. `baseUrl` ends before the version: `https://pix.api.efipay.com.br`.
 */
export function checkPixPayoutSettings(settings: Fields, secrets: Fields): CheckedPixPayoutSettings {
  const errors: FieldFault[] = []
  const fault: Fault = (pointer, message) => errors.push({ pointer, code: 'invalid', message })
  const public_ = reader(settings, '/settings', fault)
  const profile = readProfile(public_, payoutProfileNames, fault)
  const urls = readUrls(public_, profile?.payouts?.baseUrl, profile, fault)
  const own = readAccount(public_, fault)
  const account = public_.optional('account')
  const credentials = readCredentials(reader(secrets, '/secrets', fault), profile, fault)
  const payouts = profile?.payouts
  if (errors.length > 0 || !profile || !payouts || !urls || !own || !credentials) return { ok: false, errors }
  return {
    ok: true,
    settings: {
      profile: { ...profile, payouts },
      ...urls,
      ...own,
      ...(account === undefined ? {} : { account: account as ConnectionId }),
    },
    credentials,
  }
}

function readProfile(from: Reader, names: readonly string[], fault: Fault): PspProfile | undefined {
  const name = from.text('profile')
  if (name === undefined) return undefined
  const profile = names.includes(name) ? findProfile(name) : undefined
  if (profile === undefined)
    fault(`${from.pointer}/profile`, `There is no profile ${name}: use ${names.join(' or ')}.`)
  return profile
}

function readUrls(from: Reader, usual: string | undefined, profile: PspProfile | undefined, fault: Fault) {
  const baseUrl = from.optional('baseUrl') ?? usual
  const tokenUrl = from.optional('tokenUrl') ?? profile?.tokenUrl
  checkUrl(`${from.pointer}/baseUrl`, baseUrl, fault)
  checkUrl(`${from.pointer}/tokenUrl`, tokenUrl, fault)
  return baseUrl === undefined || tokenUrl === undefined ? undefined : { baseUrl, tokenUrl }
}

function readAccount(from: Reader, fault: Fault): Pick<PixSettings, 'pixKey' | 'ca'> | undefined {
  const pixKey = from.text('pixKey')
  if (pixKey !== undefined && !/^[!-~]{1,77}$/.test(pixKey)) {
    fault(`${from.pointer}/pixKey`, 'A PIX key has 1 to 77 characters, without spaces and accents.')
  }
  const ca = from.optional('ca')
  if (ca !== undefined && !isCertificate(ca)) fault(`${from.pointer}/ca`, 'This is no certificate in PEM.')
  return pixKey === undefined ? undefined : { pixKey, ...(ca === undefined ? {} : { ca }) }
}

function readCredentials(secret: Reader, profile: PspProfile | undefined, fault: Fault) {
  const clientId = secret.text('clientId')
  const needsSecret = profile !== undefined && profile.auth !== 'body_no_secret'
  const clientSecret = needsSecret ? secret.text('clientSecret') : secret.optional('clientSecret')
  const tls = readTls(secret, fault)
  return clientId === undefined || tls === undefined
    ? undefined
    : { clientId, ...(clientSecret === undefined ? {} : { clientSecret }), tls }
}

type Fault = (pointer: string, message: string) => void

type Reader = {
  readonly pointer: string
  optional(field: string): string | undefined
  /** A fault when it is not there. */
  text(field: string): string | undefined
}

function reader(fields: Readonly<Record<string, unknown>>, pointer: string, fault: Fault): Reader {
  const optional = (field: string) => {
    const value = fields[field]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value
    fault(`${pointer}/${field}`, 'This is to be a text.')
    return undefined
  }
  return {
    pointer,
    optional,
    text(field) {
      const value = optional(field)
      if (value === undefined) fault(`${pointer}/${field}`, 'This is needed.')
      return value
    },
  }
}

/** Plain HTTP would show the token to everyone on the way, so it is for this machine alone. */
function checkUrl(pointer: string, text: string | undefined, fault: Fault): void {
  const url = text === undefined ? null : URL.parse(text)
  const isLocal = url !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (text === undefined) fault(pointer, 'This is needed: the profile has none.')
  else if (url?.protocol !== 'https:' && !(isLocal && url?.protocol === 'http:')) {
    fault(pointer, 'This is to be an https:// URL.')
  }
}

function receiverText(from: Reader, field: string, max: number, fault: Fault): string {
  const text = foldAccents(from.text(field) ?? '')
  if (text !== '' && (text.length > max || !/^[ -~]+$/.test(text))) {
    fault(`${from.pointer}/${field}`, `A BR Code takes ${max} plain characters at most.`)
  }
  return text
}

function readTls(secret: Reader, fault: Fault): PixClientOptions['credentials']['tls'] | undefined {
  const pfx = secret.optional('pfx')
  if (pfx === undefined) return readPem(secret, fault)
  const bytes = Buffer.from(pfx, 'base64')
  const passphrase = secret.optional('passphrase') ?? ''
  try {
    createSecureContext({ pfx: bytes, passphrase })
    return { pfx: bytes, passphrase }
  } catch {
    fault('/secrets/pfx', 'This is no PKCS #12 file in base64, or the passphrase is another.')
    return undefined
  }
}

function readPem(secret: Reader, fault: Fault) {
  const [cert, key] = [secret.text('certificate'), secret.text('privateKey')]
  if (cert === undefined || key === undefined) return undefined
  if (!isCertificate(cert)) {
    fault('/secrets/certificate', 'This is no certificate in PEM.')
    return undefined
  }
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return { cert, key }
    fault('/secrets/privateKey', 'The key is not the one of the certificate.')
  } catch {
    fault('/secrets/privateKey', 'This is no private key in PEM without a passphrase.')
  }
  return undefined
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
