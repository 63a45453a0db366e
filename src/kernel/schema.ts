// The common schemas of the API: enumerations, whole numbers, ids, instants. A schema checks requests, writes responses and is
// published.
import { Type as T } from 'typebox'
import { given } from '#/kernel/given.ts'

/** An enumeration with this name in openapi.json. */
export function oneOf<const Values extends string>(
  title: string,
  values: readonly Values[],
  description: string,
) {
  return T.Enum([...values], { type: 'string', title, description })
}

// ---- Whole numbers. All are int64 with both bounds, because a client that reads 32 bits would misread money without an error.

/** openapi-shapes.ts writes it as 2^63 − 1, which no JavaScript number holds. */
const int64Max = 2 ** 63
const int64Min = -(2 ** 63)

/** A whole number within bounds that fit the integers of every language. */
export function whole(minimum: number, maximum: number, description: string, examples?: readonly number[]) {
  const options = { format: 'int64', minimum, maximum, description }
  return T.Integer({ ...options, ...(examples === undefined ? {} : { examples: [...examples] }) })
}

/** An amount of a request, or its echo: minor units, within the exact range of JSON numbers. */
export const amountIn = amount('Minor units (cents): 1234 is 12.34.', [1234])

export function amount(description: string, examples?: readonly number[]) {
  return whole(1, Number.MAX_SAFE_INTEGER, description, examples)
}

/** A sum of minor units. No receipt is above 2^53 − 1, but a sum of them can be. */
export function sum(description: string) {
  return whole(0, int64Max, `${description} Can be above 2^53.`)
}

/** A sum of minor units with a sign. */
export function signedSum(description: string) {
  return whole(int64Min, int64Max, `${description} Can be beyond ±2^53.`)
}

/** A count, or a position in an order. */
export function count(description: string) {
  return whole(0, Number.MAX_SAFE_INTEGER, description)
}

export const version = count('Grows with each change.')

export const uuid = (description?: string) => T.String({ format: 'uuid', ...given({ description }) })

export const instant = (description?: string) => T.String({ format: 'date-time', ...given({ description }) })
