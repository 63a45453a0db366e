// Strict reading of JSON: the policy, the key files, the journal and every message. A field that is missing, unknown or
// of another form is an error that names it; a value that could hold a secret is never part of the text.
import { readAddress, readRecipient, type AddressReading, type EvmAddress } from '#/kernel/evm-address.ts'

/** The input differs from what is required. The message names the place. */
export class ShapeError extends Error {
  override name = 'ShapeError'
}

/** Reads one value; `at` is its place, for the error. Throws ShapeError. */
export type Reader<Value> = (value: unknown, at: string) => Value

/** Twenty bytes as 0x and 40 digits, in lower case. */
export type Address = EvmAddress
export type Hex = `0x${string}`

/** Parses JSON text and reads it. */
export function readJson<Value>(text: string, read: Reader<Value>, name: string): Value {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ShapeError(`${name} is not JSON`)
  }
  return read(value, name)
}

/** An object with exactly these fields; those whose reader is `optional` may be missing. */
export function object<Fields extends Record<string, Reader<unknown>>>(
  fields: Fields,
): Reader<{ readonly [Name in keyof Fields]: ReturnType<Fields[Name]> }> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ShapeError(`${at} is not an object`)
    const given = new Map<string, unknown>(Object.entries(value))
    for (const name of given.keys())
      if (!Object.hasOwn(fields, name)) throw new ShapeError(`${at} has an unknown field, ${quoted(name)}`)
    const read = Object.entries(fields).map(([name, reader]) => [
      name,
      reader(given.get(name), `${at}.${name}`),
    ])
    return Object.fromEntries(read) as { readonly [Name in keyof Fields]: ReturnType<Fields[Name]> }
  }
}

/** One of several objects, distinguished by the text of one field. */
export function oneOf<Variants extends Record<string, Reader<unknown>>>(
  field: string,
  variants: Variants,
): Reader<ReturnType<Variants[keyof Variants]>> {
  return (value, at) => {
    const named: unknown =
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([name]) => name === field)?.[1]
        : undefined
    const reader = typeof named === 'string' && Object.hasOwn(variants, named) ? variants[named] : undefined
    if (reader === undefined)
      throw new ShapeError(`${at}.${field} is none of ${Object.keys(variants).join(', ')}`)
    return reader(value, at) as ReturnType<Variants[keyof Variants]>
  }
}

export function list<Value>(reader: Reader<Value>, max = 10_000): Reader<readonly Value[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new ShapeError(`${at} is not a list`)
    if (value.length > max) throw new ShapeError(`${at} has more than ${max} elements`)
    return value.map((each, index) => reader(each, `${at}[${index}]`))
  }
}

/** The value, or undefined where there is none. */
export function optional<Value>(reader: Reader<Value>): Reader<Value | undefined> {
  return (value, at) => (value === undefined ? undefined : reader(value, at))
}

/** One of these texts. */
export function choice<Value extends string>(...values: readonly Value[]): Reader<Value> {
  return (value, at) => {
    const found = values.find((each) => each === value)
    if (found === undefined) throw new ShapeError(`${at} is none of ${values.join(', ')}`)
    return found
  }
}

/** Text of a form; `form` describes it. */
export function textLike<Value extends string = string>(pattern: RegExp, form: string): Reader<Value> {
  return (value, at) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw new ShapeError(`${at} is not ${form}`)
    return value as Value
  }
}

export const flag: Reader<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new ShapeError(`${at} is neither true nor false`)
  return value
}

/** A JSON number that is a whole one. */
export function integer(min: number, max: number): Reader<number> {
  return (value, at) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max)
      throw new ShapeError(`${at} is not a whole number from ${min} to ${max}`)
    return value
  }
}

const uint256Max = 2n ** 256n - 1n

/** An unsigned number as decimal text without leading zeros: what a JSON number could not hold exactly. */
export function decimal(max = uint256Max): Reader<bigint> {
  return (value, at) => {
    if (typeof value !== 'string' || !/^(?:0|[1-9]\d{0,77})$/.test(value) || BigInt(value) > max)
      throw new ShapeError(`${at} is not a decimal text from "0" to "${max}"`)
    return BigInt(value)
  }
}

/** The largest number that JSON and the EVM libraries count with: enough for any chain id and any nonce. */
export const safeMax = BigInt(Number.MAX_SAFE_INTEGER)

/** An address, returned in lower case. */
export const address: Reader<Address> = (value, at) => addressBy(readAddress, value, at)

/** An address that something is sent to, or that a person wrote: none that nobody owns. */
export const recipient: Reader<Address> = (value, at) => addressBy(readRecipient, value, at)

function addressBy(read: (text: string) => AddressReading, value: unknown, at: string): Address {
  if (typeof value !== 'string') throw new ShapeError(`${at} is not a text`)
  const reading = read(value)
  if (!reading.ok) throw new ShapeError(`${at} ${reading.message}`)
  return reading.address
}

/** Bytes, in lower case. */
export function bytes(max: number): Reader<Hex> {
  return (value, at) => {
    const text = textLike(/^0x(?:[0-9a-f]{2})*$/i, '0x and pairs of hexadecimal digits')(value, at)
    if (text.length > 2 + 2 * max) throw new ShapeError(`${at} has more than ${max} bytes`)
    return text.toLowerCase() as Hex
  }
}

export const bytes32: Reader<Hex> = (value, at) =>
  textLike(/^0x[0-9a-f]{64}$/i, '0x and 64 hexadecimal digits')(value, at).toLowerCase() as Hex

/** A name from a file, short enough for a line of text. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 40))
}
