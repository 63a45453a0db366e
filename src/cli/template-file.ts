// The file that describes a template, as a person writes it. Its logo may lie beside it.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '#/kernel/error.ts'
import { UsageError } from './command.ts'

type Fields = Readonly<Record<string, unknown>>

/** By the end of a file's name. The bytes themselves are checked later. */
const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
}

/**
 * The content of the file, checked only for being JSON. `brand.logoFile`, a path relative to the file's own folder, becomes
 * `brand.logo`. Throws UsageError when a file cannot be read.
 */
export async function readTemplateFile(file: string): Promise<unknown> {
  const sent = parse(file, await read(file))
  if (!isFields(sent)) return sent
  const { brand } = sent
  if (!isFields(brand) || brand['logoFile'] === undefined) return sent
  const { logoFile, ...others } = brand
  if (typeof logoFile !== 'string' || others['logo'] !== undefined)
    throw new UsageError('/brand/logoFile: This must be the path of a picture, instead of logo.', remedy)
  const type = types[path.extname(logoFile).toLowerCase()]
  if (type === undefined) throw new UsageError(`${logoFile} is no PNG, JPEG or WebP by its name.`, remedy)
  const bytes = await read(path.resolve(path.dirname(file), logoFile))
  return { ...sent, brand: { ...others, logo: `data:${type};base64,${bytes.toString('base64')}` } }
}

const remedy = 'docs/checkout.md shows one.'

async function read(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}.`, remedy)
  })
}

function parse(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${messageOf(error)}.`, remedy)
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
