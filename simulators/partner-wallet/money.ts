// Amounts of a coin: text or a JSON number with at most eight decimals, counted in units of the eighth decimal.

const places = 8
const shape = /^(\d{1,15})(?:\.(\d{1,8}))?$/

/** Units of an amount as callers send it; undefined when it is invalid. */
export function unitsOf(value: unknown): bigint | undefined {
  const text = typeof value === 'number' ? textOf(value) : value
  if (typeof text !== 'string') return undefined
  const found = shape.exec(text)
  if (found === null) return undefined
  const [, whole = '', part = ''] = found
  return BigInt(whole + part.padEnd(places, '0'))
}

/** "1.50000000", as queries and webhooks write it. */
export function fixed(units: bigint): string {
  const digits = units.toString().padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** "1.5", as the answer to a new order writes it. */
export function short(units: bigint): string {
  return fixed(units).replace(/\.?0+$/, '')
}

/** JavaScript writes small numbers with an exponent. */
function textOf(value: number): string {
  return Math.abs(value) < 1e-6 && value !== 0 ? value.toFixed(places + 1).replace(/0$/, '') : String(value)
}
