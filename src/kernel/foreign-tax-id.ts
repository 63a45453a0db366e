// Tax ids of any country, by its own check digits. Brazil's are in tax-id.ts, which browsers read too.
import { createRequire } from 'node:module'
import type * as Stdnum from 'stdnum'
import { parseTaxId } from './tax-id.ts'

/** The tax id in `text`, as `country` (ISO 3166-1 alpha-2) writes it without its mask; undefined if it is none. */
export function parseTaxIdOf(country: string, text: string): string | undefined {
  if (country === 'BR') return parseTaxId(text)?.number
  if (text.length > lengthMax) return undefined
  const { personValidators, entityValidators } = rules()
  const known = [...(personValidators[country] ?? []), ...(entityValidators[country] ?? [])]
  if (known.length === 0) return plainForm.exec(plainOf(text))?.[0]
  for (const each of known) {
    const verdict = each.validate(text.trim())
    if (verdict.isValid) return plainOf(verdict.compact)
  }
  return undefined
}

/** What a tax id is compared by, whatever its country is. */
export function plainTaxId(text: string): string {
  return parseTaxId(text)?.number ?? plainOf(text)
}

/** Longer than any tax id with its mask. */
const lengthMax = 30

/** Of a country whose check digits we do not know. */
const plainForm = /^[A-Z0-9]{4,25}$/

function plainOf(text: string): string {
  return text.toUpperCase().replaceAll(/[\s./-]/g, '')
}

/** Loaded when the first foreign tax id comes: the rules of all countries take as long to load as a tenth of the program. */
function rules(): typeof Stdnum {
  loaded ??= createRequire(import.meta.url)('stdnum') as typeof Stdnum
  return loaded
}
let loaded: typeof Stdnum | undefined
