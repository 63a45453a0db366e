// A PIX connection as it is kept: what is no secret (`settings`) and what is (`secrets`), and their reading. Everything
// that would only fail at the first charge is looked at here, so that the operator's command can say it at once.
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { FieldFault } from '#/kernel/error.ts'
import { foldAccents, type Receiver } from './br-code.ts'
import type { PixClientOptions } from './client.ts'
import { findProfile, profileNames, type PspProfile } from './profile.ts'

export type PixSettings = {
  readonly profile: PspProfile
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly pixKey: string
  readonly receiver: Receiver
  /** PEM: whom to believe instead of the public authorities. */
  readonly ca?: string
}

export type CheckedPixSettings =
  | {
      readonly ok: true
      readonly settings: PixSettings
      readonly credentials: PixClientOptions['credentials']
    }
  | { readonly ok: false; readonly errors: readonly FieldFault[] }

/**
 * Reads `settings` {profile, baseUrl?, tokenUrl?, pixKey, receiverName, receiverCity, ca?} and `secrets` {clientId,
 * clientSecret?, and certificate and privateKey in PEM, or pfx in base64 and its passphrase}. The profile knows the URLs
 * of its PSP, unless it is `bacen`. No fault repeats a secret.
 */
export function checkPixSettings(
  settings: Readonly<Record<string, unknown>>,
  secrets: Readonly<Record<string, unknown>>,
): CheckedPixSettings {
  const errors: FieldFault[] = []
  const fault = (pointer: string, message: string) => errors.push({ pointer, code: 'invalid', message })
  const public_ = reader(settings, '/settings', fault)
  const secret = reader(secrets, '/secrets', fault)

  const name = public_.text('profile')
  const profile = name === undefined ? undefined : findProfile(name)
  if (name !== undefined && profile === undefined) {
    fault('/settings/profile', `There is no profile ${name}: use ${profileNames.join(' or ')}.`)
  }
  const baseUrl = public_.optional('baseUrl') ?? profile?.baseUrl
  const tokenUrl = public_.optional('tokenUrl') ?? profile?.tokenUrl
  checkUrl('/settings/baseUrl', baseUrl, fault)
  checkUrl('/settings/tokenUrl', tokenUrl, fault)
  const pixKey = public_.text('pixKey')
  if (pixKey !== undefined && !/^[!-~]{1,77}$/.test(pixKey)) {
    fault('/settings/pixKey', 'A PIX key has 1 to 77 characters, without spaces and accents.')
  }
  const receiver = {
    name: receiverText(public_, 'receiverName', 25, fault),
    city: receiverText(public_, 'receiverCity', 15, fault),
  }
  const ca = public_.optional('ca')
  if (ca !== undefined && !isCertificate(ca)) fault('/settings/ca', 'This is no certificate in PEM.')

  const clientId = secret.text('clientId')
  const needsSecret = profile !== undefined && profile.auth !== 'body_no_secret'
  const clientSecret = needsSecret ? secret.text('clientSecret') : secret.optional('clientSecret')
  const tls = readTls(secret, fault)

  // What is missing has left a fault above; the tests below only tell the compiler so.
  if (errors.length > 0 || !profile || !baseUrl || !tokenUrl || !pixKey || !clientId || !tls) {
    return { ok: false, errors }
  }
  return {
    ok: true,
    settings: { profile, baseUrl, tokenUrl, pixKey, receiver, ...(ca === undefined ? {} : { ca }) },
    credentials: { clientId, ...(clientSecret === undefined ? {} : { clientSecret }), tls },
  }
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
