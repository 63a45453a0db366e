// Amounts as an operator reads them; decimal numbers as an operator types them, to integers and back. No float on the way.
import { toDecimal, type Currency } from '#/kernel/money.ts'

/** An amount with its currency, such as `12.50 BRL`. */
export function amountText({
  amountMinor,
  currency,
}: {
  readonly amountMinor: bigint
  readonly currency: Currency
}): string {
  return `${toDecimal({ minor: amountMinor, currency })} ${currency}`
}

/** `text` as a count of 10^-exponent: `parseDecimal('0.3', 2)` is 30n. Undefined when it is no such number. */
export function parseDecimal(text: string, exponent: number): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > exponent) return undefined
  return BigInt(whole + fraction.padEnd(exponent, '0'))
}

/** The shortest text that parseDecimal reads as `count`: `formatDecimal(15000n, 4)` is `1.5`. */
export function formatDecimal(count: bigint, exponent: number): string {
  const digits = count.toString().padStart(exponent + 1, '0')
  const fraction = digits.slice(-exponent).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -exponent) : `${digits.slice(0, -exponent)}.${fraction}`
}
