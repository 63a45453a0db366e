// A PIX connection as it is stored: `settings`, which are not secret, and `secrets`, and how they are read. Values that would
// fail only at the first charge are checked here, so that the operator's command reports them at once.
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Type as T, type Static } from 'typebox'
import { must } from '#/kernel/check.ts'
import type { Checked } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { inAscii } from '#/rails/kit/latin.ts'
import {
  certificate,
  isCertificate,
  providerUrl,
  readParts,
  shaped,
  text,
  type Complain,
  type Fields,
} from '#/rails/kit/settings.ts'
import type { Receiver } from './br-code.ts'
import type { PixClientOptions } from './client.ts'
import { findProfile, payoutProfileNames, profileNames, type PspProfile } from './profile.ts'

const pixKey = shaped(/^[!-~]{1,77}$/, 'A PIX key has 1 to 77 characters, without spaces and accents.')
/** Default: the profile's URL; `bacen` has none. */
const url = T.Optional(providerUrl())
/** The authorities that are trusted instead of the public ones. */
const ca = T.Optional(certificate())

/** A BR Code is in ASCII: every letter has such a form, but not every sign. */
const receiverText = (max: number) =>
  T.Refine(
    T.String({ fault: `A BR Code takes ${max} plain characters at most, and a letter or digit of them.` }),
    (value) => inAscii(value).length <= max && /[A-Za-z0-9]/.test(inAscii(value)),
  )

export const pixSettings = T.Object({
  baseUrl: url,
  tokenUrl: url,
  pixKey,
  receiverName: receiverText(25),
  receiverCity: receiverText(15),
  ca,
  /** The authority of its callbacks' certificates, if it is another one. */
  callbackCa: T.Optional(certificate()),
})

/** For a connection that sends. `baseUrl` ends before the version: `https://pix.api.efipay.com.br`. */
export const pixPayoutSettings = T.Object({
  baseUrl: url,
  tokenUrl: url,
  pixKey,
  /** The connection that receives money for the same account. */
  account: T.Optional(text({ connectionOf: 'PIX' })),
  ca,
})

/** Either certificate and privateKey, in PEM, or pfx (PKCS #12, base64) and its passphrase. */
export const pixSecrets = T.Object({
  clientId: text(),
  clientSecret: T.Optional(text()),
  certificate: T.Optional(text({ file: 'utf8' })),
  privateKey: T.Optional(text({ file: 'utf8' })),
  pfx: T.Optional(text({ file: 'base64' })),
  passphrase: T.Optional(text()),
})

export type PixSettings = {
  readonly profile: PspProfile
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly pixKey: string
  readonly receiver: Receiver
  readonly ca?: string
}

/** For sending: an application of its own, which receives nothing. */
export type PixPayoutSettings = Omit<PixSettings, 'receiver'> & {
  readonly profile: PspProfile & Required<Pick<PspProfile, 'payouts'>>
  readonly account?: ConnectionId
}

type Credentials = PixClientOptions['credentials']

type CheckedFor<Settings> = Checked<{ readonly settings: Settings; readonly credentials: Credentials }>

export type CheckedPixSettings = CheckedFor<PixSettings>
export type CheckedPixPayoutSettings = CheckedFor<PixPayoutSettings>

const profile = text()

/** Reads `settings`, which include the name of the `profile`, and `secrets`. No fault contains a secret. */
export function checkPixSettings(settings: Fields, secrets: Fields): CheckedPixSettings {
  const schemas = { settings: T.Object({ profile, ...pixSettings.properties }), secrets: pixSecrets }
  const read = readParts(schemas, { settings, secrets }, (parts, complain) => {
    const named = findProfile(parts.settings.profile ?? '')
    complainOfProfile(parts.settings, profileNames, complain)
    complainOfUrls(urlsOf(parts.settings, named, named?.baseUrl), settings, complain)
    complainOfSecrets(parts.secrets, named, complain)
  })
  if (!read.ok) return read
  const { receiverName, receiverCity, ...common } = read.parts.settings
  const named = profileOf(common)
  const receiver = { name: inAscii(receiverName), city: inAscii(receiverCity) }
  return {
    ok: true,
    settings: { ...accountOf(common, named, named.baseUrl), profile: named, receiver },
    credentials: credentialsOf(read.parts.secrets),
  }
}

/** The same for a connection that sends; its secrets have the same form. */
export function checkPixPayoutSettings(settings: Fields, secrets: Fields): CheckedPixPayoutSettings {
  const schemas = { settings: T.Object({ profile, ...pixPayoutSettings.properties }), secrets: pixSecrets }
  const read = readParts(schemas, { settings, secrets }, (parts, complain) => {
    const named = findProfile(parts.settings.profile ?? '')
    complainOfProfile(parts.settings, payoutProfileNames, complain)
    complainOfUrls(urlsOf(parts.settings, named, named?.payouts?.baseUrl), settings, complain)
    complainOfSecrets(parts.secrets, named, complain)
  })
  if (!read.ok) return read
  const { account, ...common } = read.parts.settings
  const named = profileOf(common)
  const payouts = must(named.payouts, 'a profile that sends has payouts')
  return {
    ok: true,
    settings: {
      ...accountOf(common, named, payouts.baseUrl),
      profile: { ...named, payouts },
      ...(account === undefined ? {} : { account: account as ConnectionId }),
    },
    credentials: credentialsOf(read.parts.secrets),
  }
}

type AccountSettings = {
  readonly baseUrl?: string
  readonly tokenUrl?: string
  readonly pixKey: string
  readonly ca?: string
}

function accountOf(settings: AccountSettings, named: PspProfile, defaultBaseUrl: string | undefined) {
  const { baseUrl, tokenUrl } = urlsOf(settings, named, defaultBaseUrl)
  return {
    baseUrl: must(baseUrl, 'the base URL was checked'),
    tokenUrl: must(tokenUrl, 'the token URL was checked'),
    pixKey: settings.pixKey,
    ...given({ ca: settings.ca }),
  }
}

function profileOf(settings: { readonly profile: string }): PspProfile {
  return must(findProfile(settings.profile), 'the profile was checked')
}

function urlsOf(
  { baseUrl, tokenUrl }: Pick<AccountSettings, 'baseUrl' | 'tokenUrl'>,
  named: PspProfile | undefined,
  defaultBaseUrl: string | undefined,
) {
  return { baseUrl: baseUrl ?? defaultBaseUrl, tokenUrl: tokenUrl ?? named?.tokenUrl }
}

function complainOfProfile(
  { profile: name }: { readonly profile?: string },
  names: readonly string[],
  complain: Complain,
): void {
  if (name !== undefined && !names.includes(name))
    complain('/settings/profile', `There is no profile ${name}: use ${names.join(' or ')}.`)
}

/** A URL that was given and does not fit already has its fault. */
function complainOfUrls(urls: ReturnType<typeof urlsOf>, given: Fields, complain: Complain): void {
  for (const name of ['baseUrl', 'tokenUrl'] as const)
    if (urls[name] === undefined && (given[name] ?? '') === '')
      complain(`/settings/${name}`, 'This is needed: the profile has none.')
}

type Secrets = Static<typeof pixSecrets>

function complainOfSecrets(
  secrets: Partial<Secrets>,
  named: PspProfile | undefined,
  complain: Complain,
): void {
  const needsSecret = named !== undefined && named.auth !== 'body_no_secret'
  if (needsSecret && secrets.clientSecret === undefined) complain('/secrets/clientSecret', 'This is needed.')
  if (secrets.pfx !== undefined) return complainOfPfx(secrets.pfx, secrets.passphrase, complain)
  const { certificate: cert, privateKey: key } = secrets
  if (cert === undefined) complain('/secrets/certificate', 'This is needed.')
  if (key === undefined) complain('/secrets/privateKey', 'This is needed.')
  if (cert !== undefined && key !== undefined) complainOfPem(cert, key, complain)
}

function complainOfPfx(pfx: string, passphrase: string | undefined, complain: Complain): void {
  try {
    createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase: passphrase ?? '' })
  } catch {
    complain('/secrets/pfx', 'This is no PKCS #12 file in base64, or the passphrase is another.')
  }
}

function complainOfPem(cert: string, key: string, complain: Complain): void {
  if (!isCertificate(cert)) return complain('/secrets/certificate', 'This is no certificate in PEM.')
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return
    complain('/secrets/privateKey', 'The key is not the one of the certificate.')
  } catch {
    complain('/secrets/privateKey', 'This is no private key in PEM without a passphrase.')
  }
}

/** Expects secrets that were checked. */
function credentialsOf({
  clientId,
  clientSecret,
  certificate: cert,
  privateKey: key,
  ...file
}: Secrets): Credentials {
  const tls =
    file.pfx === undefined
      ? { cert: must(cert, 'a certificate was checked'), key: must(key, 'a key was checked') }
      : { pfx: Buffer.from(file.pfx, 'base64'), passphrase: file.passphrase ?? '' }
  return { clientId, ...given({ clientSecret }), tls }
}
