// Money is an integer of minor units with its currency; never a float.
import { invariant } from './check.ts'

/** ISO 4217, plus USDT with two decimals (interface §2) and BNB, which only the gas accounts use. */
export const currencies = {
  BRL: { exponent: 2 },
  EUR: { exponent: 2 },
  USD: { exponent: 2 },
  USDT: { exponent: 2 },
  BNB: { exponent: 9 },
} as const satisfies Record<string, { exponent: number }>

export type Currency = keyof typeof currencies

export type Money = { readonly minor: bigint; readonly currency: Currency }

/** The largest amount in minor units: the largest integer that a JSON number holds exactly (2^53 − 1). */
export const minorMax = BigInt(Number.MAX_SAFE_INTEGER)

export function isCurrency(text: string): text is Currency {
  return Object.hasOwn(currencies, text)
}

/** The currency that a text with lower-case letters means. Undefined when it means none, or has capitals already. */
export function inCapitals(text: string): Currency | undefined {
  const capitals = text.trim().toUpperCase()
  return !isCurrency(text) && isCurrency(capitals) ? capitals : undefined
}

/** Converts an integer that must fit a JSON number. Throws InvariantError beyond ±(2^53 − 1). */
export function toJsonInteger(integer: bigint): number {
  invariant(fitsJson(integer), `${integer} does not fit a JSON number`)
  return Number(integer)
}

/**
 * An amount or a sum for a JSON response: a number if that is exact, which is faster to write; otherwise the bigint, whose digits
 * `toJson` writes. The schemas of responses use int64 for both.
 */
export function amountToJson(minor: bigint): number | bigint {
  return fitsJson(minor) ? toJsonInteger(minor) : minor
}

/**
 * An amount of a JSON request, in minor units. The parser of the body and its schema refuse other values than exact integers with
 * 400, so any other value is our own fault, an InvariantError.
 */
export function amountFromJson(amount: number): bigint {
  invariant(Number.isSafeInteger(amount), `${amount} is no exact integer`)
  return BigInt(amount)
}

function fitsJson(integer: bigint): boolean {
  return integer <= minorMax && integer >= -minorMax
}

/**
 * The amount that may be added to a sum so that a JSON number still holds the sum exactly. A request for more is refused;
 * received money never is, unless one receipt alone is above `minorMax` (settlement/settle.ts).
 */
export function roomIn(sum: bigint): bigint {
  return maxOf(0n, minorMax - sum)
}

export function minOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** `1234` of BRL as `12.34`, without grouping: for logs, tables and descriptions, not for pages. */
export function toDecimal({ minor, currency }: Money): string {
  const { exponent } = currencies[currency]
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/** Units of a network, which are finer than minor units, as an exact decimal with at least two digits after the point. */
export function unitsToDecimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0')
  return `${digits.slice(0, -decimals)}.${fraction}`
}
