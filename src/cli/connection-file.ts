// The file that describes a connection, as an operator writes it: settings without secrets, secrets for receiving money, and
// secrets for sending it back. Certificates may lie beside it.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { TObject } from 'typebox'
import { messageOf, type Checked, type FieldFault } from '#/kernel/error.ts'
import type { NewConnection } from '#/merchants/connections.ts'
import { checkParts, partSchemas } from '#/rails/kit/connection-parts.ts'
import type { ConnectionParts, ConnectionType } from '#/rails/kit/connection-type.ts'
import type { FieldOptions, Fields } from '#/rails/kit/settings.ts'
import { UsageError } from './command.ts'

export type ConnectionFile = {
  readonly provider: string
} & Pick<NewConnection, 'settings' | 'secrets' | 'refundSecrets'>

export type ReadConnectionFile = Checked<{ readonly connection: ConnectionFile }>

/**
 * Reads the file, and the files that it names, relative to its own folder. Reports everything that would otherwise fail at the first
 * charge as a fault; no fault repeats a secret. Throws UsageError when there is no JSON object to read.
 */
export async function readConnectionFile(type: ConnectionType, file: string): Promise<ReadConnectionFile> {
  const faults: FieldFault[] = []
  const parts = await readParts(type, file, (pointer, message) =>
    faults.push({ pointer, code: 'invalid', message }),
  )
  return faults.length > 0 ? { ok: false, faults } : checkParts(type, parts)
}

type Complain = (pointer: string, message: string) => void

async function readParts(type: ConnectionType, file: string, complain: Complain): Promise<ConnectionParts> {
  const schemas = partSchemas(type)
  const sent = await readJson(file, type.page)
  for (const name of Object.keys(sent))
    if (name !== 'provider' && !Object.hasOwn(schemas, name)) complain(`/${name}`, 'There is no such field.')
  const { provider } = sent
  if (typeof provider !== 'string' || !type.providers.includes(provider))
    complain('/provider', `This is one of ${type.providers.join(', ')}.`)
  const folder = path.dirname(file)
  const read = async (name: string, schema: TObject) =>
    (await readPart(sent, { name, schema, folder, complain })) ?? {}
  return {
    provider: String(provider),
    settings: await read('settings', type.settings),
    secrets: await read('secrets', type.secrets),
    ...(type.refundSecrets === undefined || sent['refundSecrets'] === undefined
      ? {}
      : { refundSecrets: await read('refundSecrets', type.refundSecrets) }),
  }
}

async function readJson(file: string, page: string): Promise<Fields> {
  const remedy = `${page} shows one.`
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}.`, remedy)
  })
  const sent = parse(text)
  // The parser's own message would repeat a piece of the file.
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
  readonly schema: TObject
  readonly folder: string
  readonly complain: Complain
}

/** One part of the file, with the contents of the files that it names; undefined when it is no object. */
async function readPart(
  sent: Fields,
  { name, schema: { properties }, folder, complain }: PartOptions,
): Promise<Fields | undefined> {
  const given = sent[name]
  if (!isFields(given)) {
    complain(`/${name}`, 'This must be an object.')
    return undefined
  }
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(given)) {
    const target = field.replace(/File$/, '')
    const { file: encoding }: FieldOptions = field === target ? {} : (properties[target] ?? {})
    const pointer = `/${name}/${field}`
    if (!Object.hasOwn(properties, target) || (field !== target && encoding === undefined))
      complain(pointer, 'There is no such field.')
    else if (encoding === undefined) fields[field] = value
    else if (given[target] !== undefined) complain(pointer, `Give either this or ${target}, not both.`)
    else fields[target] = await readBeside(folder, value, encoding, (message) => complain(pointer, message))
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
    fault('This must be the path of a file.')
    return undefined
  }
  try {
    return await readFile(path.resolve(folder, value), encoding)
  } catch (error) {
    fault(`The file cannot be read: ${messageOf(error)}.`)
    return undefined
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
