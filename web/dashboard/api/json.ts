// JSON whose integers stay exact: sums above 2^53 become bigints where the browser shows a reviver the text of a number.

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

const keepDigits: Reviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? 0)
    : value

/** Parses an answer. */
export function parseJson(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text, keepDigits)
}

/** Writes a body. A bigint is written as an integer when it fits a JSON number, and all amounts that can be sent do. */
export function writeJson(body: unknown): string {
  return JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value !== 'bigint') return value
    const number = Number(value)
    if (!Number.isSafeInteger(number)) throw new RangeError(`${value} does not fit a JSON number`)
    return number
  })
}
