// Reads what callers send: forms whose names nest, such as `line_items[0][price_data][currency]`.
import { badParam } from './api-error.ts'
import type { Metadata } from './wire.ts'

export type FormValue = string | FormFields | readonly FormValue[]
export type FormFields = { readonly [name: string]: FormValue }

type Growing = Map<string, Growing | string>

/** The fields of a body or of a query. */
export function formOf(pairs: URLSearchParams): FormFields {
  const root: Growing = new Map()
  for (const [name, value] of pairs) {
    const parts = name.match(/[^[\]]+|\[\]/g) ?? []
    let at = root
    for (const [i, part] of parts.entries()) {
      const key = part === '[]' ? `${at.size}` : part
      if (i === parts.length - 1) at.set(key, value)
      else {
        const next = at.get(key)
        const inner: Growing = next instanceof Map ? next : new Map<string, Growing | string>()
        at.set(key, inner)
        at = inner
      }
    }
  }
  return fieldsOf(root)
}

function fieldsOf(map: Growing): FormFields {
  return Object.fromEntries([...map].map(([name, value]) => [name, valueOf(value)]))
}

function valueOf(value: Growing | string): FormValue {
  if (typeof value === 'string') return value
  const isList = value.size > 0 && [...value.keys()].every((key) => /^\d{1,4}$/.test(key))
  return isList ? [...value.values()].map(valueOf) : fieldsOf(value)
}

/** Some fields, and their prefix in errors: `at` is empty for the outermost. */
export type Params = { readonly fields: FormFields; readonly at: string }

export function nameOf({ at }: Params, name: string): string {
  return at === '' ? name : `${at}[${name}]`
}

/** Refuses parameters that the endpoint does not have. */
export function only(params: Params, allowed: readonly string[]): void {
  const stranger = Object.keys(params.fields).find((name) => !allowed.includes(name))
  if (stranger === undefined) return
  const name = nameOf(params, stranger)
  throw badParam(name, `Received unknown parameter: ${name}`, 'parameter_unknown')
}

export function textOf(params: Params, name: string, max = 5000): string | undefined {
  const value = params.fields[name]
  if (value === undefined) return undefined
  const full = nameOf(params, name)
  if (typeof value !== 'string') throw badParam(full, `Invalid string: ${JSON.stringify(value)}`)
  if (value === '')
    throw badParam(
      full,
      `You passed an empty string for '${full}'. We assume empty values are an attempt to unset a parameter; however '${full}' cannot be unset. You should remove '${full}' from your request or supply a non-empty value.`,
      'parameter_invalid_empty',
    )
  if (value.length > max)
    throw badParam(full, `Invalid string: ${value.slice(0, 20)}…; must be at most ${max} characters`)
  return value
}

/** A text that may be unset: null when it is given as empty. */
export function textOrNothing(params: Params, name: string, max = 5000): string | null | undefined {
  return params.fields[name] === '' ? null : textOf(params, name, max)
}

export function mustHave<T>(params: Params, name: string, value: T | undefined): T {
  if (value !== undefined) return value
  const full = nameOf(params, name)
  throw badParam(full, `Missing required param: ${full}.`, 'parameter_missing')
}

export function integerOf(params: Params, name: string, min: number, max: number): number | undefined {
  const text = textOf(params, name)
  if (text === undefined) return undefined
  const full = nameOf(params, name)
  if (!/^-?\d{1,15}$/.test(text))
    throw badParam(full, `Invalid integer: ${text}`, 'parameter_invalid_integer')
  const value = Number.parseInt(text, 10)
  if (value < min)
    throw badParam(
      full,
      `This value must be greater than or equal to ${min}.`,
      min === 1 ? 'parameter_invalid_integer' : undefined,
    )
  if (value > max)
    throw badParam(full, `This value must be less than or equal to ${max} (it currently is '${value}').`)
  return value
}

export function choiceOf<T extends string>(params: Params, name: string, all: readonly T[]): T | undefined {
  const text = textOf(params, name)
  const found = all.find((each) => each === text)
  if (text === undefined || found !== undefined) return found
  const full = nameOf(params, name)
  throw badParam(full, `Invalid ${full}: must be one of ${all.join(', ')}`)
}

export function flagOf(params: Params, name: string): boolean | undefined {
  const text = choiceOf(params, name, ['true', 'false'])
  return text === undefined ? undefined : text === 'true'
}

/** The fields under a name; none when it is absent. */
export function under(params: Params, name: string): Params {
  const value = params.fields[name] ?? {}
  const at = nameOf(params, name)
  if (typeof value === 'string' || isList(value)) throw badParam(at, 'Invalid object')
  return { fields: value, at }
}

export function listOf(params: Params, name: string): readonly FormValue[] | undefined {
  const value = params.fields[name]
  if (value === undefined) return undefined
  if (!isList(value)) throw badParam(nameOf(params, name), 'Invalid array')
  return value
}

export function textsOf(params: Params, name: string): readonly string[] | undefined {
  const list = listOf(params, name)
  if (list?.every((each) => typeof each === 'string') === false)
    throw badParam(nameOf(params, name), 'Invalid array')
  return list
}

/** Metadata of a new object. At most 50 keys of 40 characters, values of 500. An empty value is left out. */
export function metadataOf(params: Params, name = 'metadata'): Metadata {
  return mergedMetadata(params, {}, name)
}

/** Metadata of an existing object: keys that are not named stay, an empty value unsets its key, an empty whole unsets all. */
export function mergedMetadata(params: Params, before: Metadata, name = 'metadata'): Metadata {
  if (params.fields[name] === '') return {}
  const { fields, at } = under(params, name)
  for (const [key, value] of Object.entries(fields)) {
    if (key.length > 40)
      throw badParam(at, `Metadata keys must be at most 40 characters long: ${key.slice(0, 40)}…`)
    if (typeof value !== 'string' || value.length > 500)
      throw badParam(`${at}[${key}]`, 'Metadata values must be texts of at most 500 characters')
  }
  const pairs = Object.entries({ ...before, ...fields }).filter(([, value]) => value !== '')
  if (pairs.length > 50) throw badParam(at, 'You can have up to 50 metadata keys')
  return Object.fromEntries(pairs) as Metadata
}

function isList(value: FormValue): value is readonly FormValue[] {
  return Array.isArray(value)
}
