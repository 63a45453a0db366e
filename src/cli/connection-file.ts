// The file that describes a connection, as an operator writes it: what is no secret, what takes money in, and what gives it
// back. Certificates may lie beside it.
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf, type FieldFault } from '#/kernel/error.ts'
import type { NewConnection } from '#/merchants/connections.ts'
import {
  cardProvider,
  cardRefundSecretNames,
  cardSecretNames,
  cardSettingNames,
  checkCardRefundSecrets,
  checkCardSettings,
} from '#/rails/card/settings.ts'
import {
  checkPartnerPaySettings,
  partnerPayProvider,
  partnerPaySecretNames,
  partnerPaySettingNames,
} from '#/rails/partner-pay/settings.ts'
import { payoutProfileNames, profileNames } from '#/rails/pix/profile.ts'
import { checkPixPayoutSettings, checkPixSettings } from '#/rails/pix/settings.ts'
import { UsageError } from './command.ts'

type Fields = Readonly<Record<string, unknown>>

export type ConnectionFile = {
  readonly provider: string
} & Pick<NewConnection, 'settings' | 'secrets' | 'refundSecrets'>

export type ReadConnectionFile =
  | { readonly ok: true; readonly connection: ConnectionFile }
  | { readonly ok: false; readonly faults: readonly FieldFault[] }

const settingNames = ['baseUrl', 'tokenUrl', 'pixKey', 'receiverName', 'receiverCity', 'ca', 'callbackCa']
const payoutSettingNames = ['baseUrl', 'tokenUrl', 'pixKey', 'account', 'ca']
const secretNames = ['clientId', 'clientSecret', 'certificate', 'privateKey', 'pfx', 'passphrase']
/** Read as a file where this stands instead; as base64 what is not text. */
const fileNames: Readonly<Record<string, BufferEncoding>> = {
  ca: 'utf8',
  callbackCa: 'utf8',
  certificate: 'utf8',
  privateKey: 'utf8',
  pfx: 'base64',
}

/**
 * Reads the file, and the files that it names, from its own folder on. Everything that would only fail at the first
 * charge is a fault here; none repeats a secret. Throws UsageError when there is no JSON object to read.
 */
export async function readPixConnection(file: string): Promise<ReadConnectionFile> {
  const sections = await readSections(file, {
    known: ['provider', 'settings', 'secrets', 'refundSecrets'],
    providers: profileNames,
    settings: settingNames,
  })
  const { provider, settings, secrets, faults, part, sent } = sections
  const refundSecrets =
    sent['refundSecrets'] === undefined ? undefined : await part('refundSecrets', secretNames)
  if (faults.length === 0) {
    const check = (own: Fields) => checkPixSettings({ profile: provider, ...settings }, own)
    faults.push(...faultsOf(check, secrets, refundSecrets), ...callbackFaults(settings))
  }
  if (faults.length > 0) return { ok: false, faults }
  const refunds = refundSecrets === undefined ? {} : { refundSecrets }
  return { ok: true, connection: { provider, settings, secrets, ...refunds } }
}

/** The same for a connection that sends: its secrets are for workers alone, and it takes nothing in. */
export async function readPixPayoutConnection(file: string): Promise<ReadConnectionFile> {
  const { provider, settings, secrets, faults } = await readSections(file, {
    known: ['provider', 'settings', 'secrets'],
    providers: payoutProfileNames,
    settings: payoutSettingNames,
  })
  if (faults.length === 0) {
    const checked = checkPixPayoutSettings({ profile: provider, ...settings }, secrets)
    if (!checked.ok) faults.push(...checked.errors)
  }
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, connection: { provider, settings, secrets: {}, refundSecrets: secrets } }
}

/** The same for a connection to a wallet provider. */
export async function readPartnerPayConnection(file: string): Promise<ReadConnectionFile> {
  const { provider, settings, secrets, faults, part, sent } = await readSections(file, {
    known: ['provider', 'settings', 'secrets', 'refundSecrets'],
    providers: [partnerPayProvider],
    settings: partnerPaySettingNames,
    secrets: partnerPaySecretNames,
    page: 'docs/rails/partner-pay.md',
  })
  const refundSecrets =
    sent['refundSecrets'] === undefined ? undefined : await part('refundSecrets', partnerPaySecretNames)
  if (faults.length === 0)
    faults.push(...faultsOf((own) => checkPartnerPaySettings(settings, own), secrets, refundSecrets))
  if (faults.length > 0) return { ok: false, faults }
  const refunds = refundSecrets === undefined ? {} : { refundSecrets }
  return { ok: true, connection: { provider, settings, secrets, ...refunds } }
}

/** The same for a connection to a card provider. */
export async function readCardConnection(file: string): Promise<ReadConnectionFile> {
  const { provider, settings, secrets, faults, part, sent } = await readSections(file, {
    known: ['provider', 'settings', 'secrets', 'refundSecrets'],
    providers: [cardProvider],
    settings: cardSettingNames,
    secrets: cardSecretNames,
    page: 'docs/rails/card.md',
  })
  const refundSecrets =
    sent['refundSecrets'] === undefined ? undefined : await part('refundSecrets', cardRefundSecretNames)
  if (faults.length === 0) {
    const checked = checkCardSettings(settings, secrets)
    const refunds = refundSecrets === undefined ? undefined : checkCardRefundSecrets(refundSecrets)
    faults.push(...(checked.ok ? [] : checked.errors), ...(refunds?.ok === false ? refunds.errors : []))
  }
  if (faults.length > 0) return { ok: false, faults }
  const refunds = refundSecrets === undefined ? {} : { refundSecrets }
  return { ok: true, connection: { provider, settings, secrets, ...refunds } }
}

type Sections = {
  readonly known: readonly string[]
  readonly providers: readonly string[]
  readonly settings: readonly string[]
  /** Those of PIX, unless told. */
  readonly secrets?: readonly string[]
  /** The page that shows such a file. */
  readonly page?: string
}

async function readSections(file: string, sections: Sections) {
  const { known, providers, settings: names, secrets: ownSecrets = secretNames } = sections
  const sent = await readJson(file, sections.page ?? 'docs/rails/pix.md')
  const faults: FieldFault[] = []
  const fault = (pointer: string, message: string) => void faults.push({ pointer, code: 'invalid', message })
  for (const name of Object.keys(sent))
    if (!known.includes(name)) fault(`/${name}`, 'There is no such field.')

  const folder = path.dirname(file)
  const part = (name: string, own: readonly string[]) => readPart(sent, { name, names: own, folder, fault })
  const { provider } = sent
  if (typeof provider !== 'string' || !providers.includes(provider))
    fault('/provider', `This is one of ${providers.join(', ')}.`)
  const settings = (await part('settings', names)) ?? {}
  const secrets = (await part('secrets', ownSecrets)) ?? {}
  return { sent, faults, part, provider: String(provider), settings, secrets }
}

async function readJson(file: string, page: string): Promise<Fields> {
  const remedy = `${page} shows one.`
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}.`, remedy)
  })
  const sent = parse(text)
  // The parser's own words would repeat a piece of the file.
  if (!isFields(sent)) throw new UsageError(`${file} holds no JSON object.`, remedy)
  return sent
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type PartOptions = {
  readonly name: string
  readonly names: readonly string[]
  readonly folder: string
  readonly fault: (pointer: string, message: string) => void
}

/** One part of the file, with the contents of the files that it names; undefined when it is no object. */
async function readPart(
  sent: Fields,
  { name, names, folder, fault }: PartOptions,
): Promise<Fields | undefined> {
  const given = sent[name]
  if (!isFields(given)) {
    fault(`/${name}`, 'This is to be an object.')
    return undefined
  }
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(given)) {
    const target = field.replace(/File$/, '')
    const encoding = field === target ? undefined : fileNames[target]
    const pointer = `/${name}/${field}`
    if (!names.includes(target) || (field !== target && encoding === undefined))
      fault(pointer, 'There is no such field.')
    else if (encoding === undefined) fields[field] = value
    else if (given[target] !== undefined) fault(pointer, `This stands beside ${target}: one of both.`)
    else fields[target] = await readBeside(folder, value, encoding, (message) => fault(pointer, message))
  }
  return fields
}

async function readBeside(
  folder: string,
  value: unknown,
  encoding: BufferEncoding,
  fault: (message: string) => void,
): Promise<string | undefined> {
  if (typeof value !== 'string' || value === '') {
    fault('This is to be the path of a file.')
    return undefined
  }
  try {
    return await readFile(path.resolve(folder, value), encoding)
  } catch (error) {
    fault(`The file cannot be read: ${messageOf(error)}.`)
    return undefined
  }
}

type Check = (
  secrets: Fields,
) => { readonly ok: true } | { readonly ok: false; readonly errors: readonly FieldFault[] }

/** Of both sets of secrets; those of the settings are said once. */
function faultsOf(check: Check, secrets: Fields, refundSecrets: Fields | undefined): readonly FieldFault[] {
  const collecting = check(secrets)
  const refunding = refundSecrets === undefined ? undefined : check(refundSecrets)
  return [
    ...(collecting.ok ? [] : collecting.errors),
    ...(refunding === undefined || refunding.ok
      ? []
      : refunding.errors
          .filter(({ pointer }) => pointer.startsWith('/secrets'))
          .map((each) => ({ ...each, pointer: each.pointer.replace('/secrets', '/refundSecrets') }))),
  ]
}

function callbackFaults({ callbackCa }: Fields): readonly FieldFault[] {
  const isWell = callbackCa === undefined || isCertificate(callbackCa)
  return isWell
    ? []
    : [{ pointer: '/settings/callbackCa', code: 'invalid', message: 'This is no certificate in PEM.' }]
}

function isCertificate(pem: unknown): boolean {
  try {
    return typeof pem === 'string' && new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
