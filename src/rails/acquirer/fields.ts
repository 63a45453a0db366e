// Reads the provider's answers field by field. A required field that cannot be read throws NonsenseError with its name.
import { ProviderError } from '#/kernel/error.ts'
import { isUuid } from '#/kernel/id.ts'
import type { Currency, Money } from '#/kernel/money.ts'
import { unixSeconds } from '#/kernel/time.ts'

/** The provider answered, and the answer cannot be read: the result of the call is unknown. */
export class NonsenseError extends ProviderError {
  override name = 'NonsenseError'

  constructor(name: string, what: string) {
    super('unknown', `the card provider's answer makes no sense: ${name} ${what}`)
  }
}

/** Reads the body as JSON. */
export function parseJson(body: Buffer): unknown {
  const sent = jsonOf(body)
  if (sent === undefined) throw new NonsenseError('body', 'is no JSON')
  return sent
}

/** The same; undefined when it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

export type Sent = Readonly<Record<string, unknown>>
export type Fields = { readonly name: string; readonly fields: Sent }

export function isFields(sent: unknown): sent is Sent {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent)
}

export function isPresent(sent: unknown): boolean {
  return isFields(sent) || (typeof sent === 'string' && sent !== '')
}

/** The form of the provider's names. They go into paths. */
export function isName(sent: string): boolean {
  return /^\w{3,255}$/.test(sent)
}

export function objectOf(sent: unknown, object: string): Fields {
  if (!isFields(sent) || sent['object'] !== object) throw new NonsenseError(object, 'is none')
  const { id } = sent
  if (object !== 'list' && (typeof id !== 'string' || !isName(id)))
    throw new NonsenseError(`${object}.id`, 'is none')
  return { name: object, fields: sent }
}

export function part({ name, fields }: Fields, field: string): Fields {
  const sent = fields[field]
  return { name: `${name}.${field}`, fields: isFields(sent) ? sent : {} }
}

export function text(at: Fields, field: string): string {
  const sent = optionalText(at, field)
  if (sent === undefined) throw new NonsenseError(`${at.name}.${field}`, 'is missing')
  return sent
}

export function optionalText({ fields }: Fields, field: string): string | undefined {
  const sent = fields[field]
  return typeof sent === 'string' && sent !== '' ? sent : undefined
}

export function flag(at: Fields, field: string): boolean {
  const sent = at.fields[field]
  if (typeof sent !== 'boolean') throw new NonsenseError(`${at.name}.${field}`, 'is neither true nor false')
  return sent
}

export function integer(at: Fields, field: string, sign?: 'signed'): bigint {
  const sent = at.fields[field]
  if (typeof sent !== 'number' || !Number.isSafeInteger(sent) || (sent < 0 && sign === undefined))
    throw new NonsenseError(`${at.name}.${field}`, 'is no amount')
  return BigInt(sent)
}

/** Currencies with other than two decimals, such as JPY, use other units: none of them is accepted. */
export const cardCurrencies = ['BRL', 'EUR', 'USD'] as const satisfies readonly Currency[]

function isCardCurrency(currency: string): currency is (typeof cardCurrencies)[number] {
  return cardCurrencies.some((each) => each === currency)
}

export function money(at: Fields, field: string): Money {
  const currency = text(at, 'currency').toUpperCase()
  if (!isCardCurrency(currency)) throw new NonsenseError(`${at.name}.currency`, 'is none of ours')
  return { minor: integer(at, field), currency }
}

export function instant(at: Fields, field: string): Date {
  const sent = optionalInstant(at, field)
  if (sent === undefined) throw new NonsenseError(`${at.name}.${field}`, 'is no instant')
  return sent
}

export function optionalInstant({ fields }: Fields, field: string): Date | undefined {
  const sent = fields[field]
  const isSeconds = typeof sent === 'number' && Number.isInteger(sent) && sent > 0 && sent < 1e11
  return isSeconds ? unixSeconds(BigInt(sent)) : undefined
}

export function list({ name, fields }: Fields, field: string): readonly unknown[] {
  const sent = fields[field]
  if (!Array.isArray(sent)) throw new NonsenseError(`${name}.${field}`, 'is no list')
  return sent
}

/** The texts of a list; none where there is no list. */
export function textsIn({ fields }: Fields, field: string): readonly string[] {
  const sent = fields[field]
  return Array.isArray(sent) ? sent.filter((each) => typeof each === 'string') : []
}

/** Returns one of our ids in an object's metadata. */
export function referenceIn(at: Fields, field: string): string | undefined {
  const sent = optionalText(part(at, 'metadata'), field)
  return sent !== undefined && isUuid(sent) ? sent : undefined
}
