// The local methods of the acquirer. A new one is a table beside this file, and its line here.
import { bancontact } from './bancontact.ts'
import { bizum } from './bizum.ts'
import { boleto } from './boleto.ts'
import { ideal } from './ideal.ts'
import { mbWay } from './mb-way.ts'
import type { LocalMethod } from './method.ts'
import { multibanco } from './multibanco.ts'

const tables = [multibanco, mbWay, ideal, bancontact, bizum, boleto]

export type LocalName = (typeof tables)[number]['method']

export const localMethods: readonly LocalMethod<LocalName>[] = tables

/** The method of a payment at the provider, by the provider's name of its type. Any other type is a card's. */
export function methodOfType(type: string | undefined): LocalName | 'CREDIT_CARD' {
  return localMethods.find((each) => each.type === type)?.method ?? 'CREDIT_CARD'
}
