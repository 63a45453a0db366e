// Brazilian tax ids: a person's CPF, 11 digits, and a company's CNPJ, 14 characters, of which the first twelve may be
// letters since July 2026 (IN RFB 2229/2024). The last two of each are check digits.
import { cnpj, cpf } from 'cpf-cnpj-validator'

export type TaxId = { readonly kind: 'CPF' | 'CNPJ'; readonly number: string }

/**
 * Returns the tax id in `text`, without its mask and in upper case; undefined if it is not valid. Only a mask in its correct
 * place is accepted: dropping stray characters could turn a typing error into another person's id.
 */
export function parseTaxId(text: string): TaxId | undefined {
  const given = text.trim().toUpperCase()
  if (/^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/.test(given)) {
    const number = given.replaceAll(/\D/g, '')
    return cpf.isValid(number, true) ? { kind: 'CPF', number } : undefined
  }
  if (/^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}$/.test(given)) {
    const number = given.replaceAll(/[^0-9A-Z]/g, '')
    return cnpj.isValid(number, true) ? { kind: 'CNPJ', number } : undefined
  }
  return undefined
}

/** A tax id in its normal form as documents show it, with Brazil's masks. `kind`: its name, where it has one that people know. */
export function writtenTaxId(
  number: string,
  country = 'BR',
): { readonly kind?: TaxId['kind']; readonly text: string } {
  const kind = country === 'BR' ? parseTaxId(number)?.kind : undefined
  if (kind === undefined) return { text: number }
  const [form, mask] = masks[kind]
  return { kind, text: number.replace(form, mask) }
}

const masks = {
  CPF: [/^(...)(...)(...)(..)$/, '$1.$2.$3-$4'],
  CNPJ: [/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5'],
} as const
