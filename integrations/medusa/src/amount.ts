// Medusa counts in decimals of the currency, Vintem in integers of minor units. Between them is text and bigint, never a float.
import type { Currency } from '../../../sdk/typescript/src/vintem.ts'
import { refusal } from './refusal.ts'

/** How many decimals a currency has in Vintem's amounts. USDT has two there, not the token's 18. */
const exponents = { BRL: 2, EUR: 2, USD: 2, USDT: 2 } as const satisfies Readonly<Record<Currency, number>>

/** A number beyond this is no sum of money, and would take long to compute. */
const digitsMax = 100

/** The currency that Medusa's code means, such as `brl`. Throws a refusal for one that Vintem does not take. */
export function currencyOf(code: string): Currency {
  const capitals = code.toUpperCase()
  if (Object.hasOwn(exponents, capitals)) return capitals as Currency
  throw refusal(`Vintem takes ${Object.keys(exponents).join(', ')}, not ${capitals}`)
}

/**
 * An amount of Medusa in minor units. Medusa may compute more decimals than the currency has, such as for taxes: they are rounded, half
 * away from zero. Throws a refusal for what is no amount above zero, or is too large for the API.
 */
export function toMinor(amount: unknown, currency: Currency): number {
  const text = textOf(amount)
  const [, sign, whole, fraction = '', power = '0'] = decimal.exec(text ?? '') ?? []
  const shift = exponents[currency] - fraction.length + Number(power)
  if (whole === undefined || whole + fraction === '' || Math.abs(shift) > digitsMax)
    throw refusal(`${String(text)} is no amount`)
  const digits = BigInt(whole + fraction)
  const minor = shift >= 0 ? digits * 10n ** BigInt(shift) : rounded(digits, 10n ** BigInt(-shift))
  if (sign === '-' || minor < 1n)
    throw refusal(`${text} ${currency} is too little: the least is ${toDecimal(1, currency)}`)
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) throw refusal(`${text} ${currency} is too much`)
  return Number(minor)
}

/** 4990 of BRL is `49.90`. */
export function toDecimal(minor: number, currency: Currency): string {
  const exponent = exponents[currency]
  const digits = String(minor).padStart(exponent + 1, '0')
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

const decimal = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i

/**
 * The digits of one of Medusa's amounts, as text. An amount is a number, a text, `{ value }` as it is stored, Medusa's BigNumber, which has
 * that as `raw`, or a BigNumber of bignumber.js. The shortest text of a number is what somebody wrote: 0.1 is `0.1`.
 */
function textOf(amount: unknown): string | undefined {
  if (typeof amount === 'string') return amount.trim()
  if (typeof amount === 'number') return String(amount)
  if (typeof amount !== 'object' || amount === null) return undefined
  if ('raw' in amount && amount.raw !== undefined) return textOf(amount.raw)
  if ('value' in amount) return textOf(amount.value)
  return isBignumber(amount) ? amount.toFixed() : undefined
}

/** Of bignumber.js: without an argument, toFixed writes all digits. */
function isBignumber(amount: object): amount is { readonly toFixed: () => string } {
  return 'toFixed' in amount && typeof amount.toFixed === 'function'
}

function rounded(digits: bigint, divisor: bigint): bigint {
  return (digits * 2n + divisor) / (divisor * 2n)
}
