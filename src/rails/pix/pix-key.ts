// PIX keys: the destinations of payouts. The caller names the type of a key; it is never guessed: eleven digits may be a CPF or a
// phone. Patterns: DICT API 1.8.0, and API Pix 2.9.0 for the CNPJ with letters.
import { pixKeyTypes } from '#/contract/withdrawals.ts'
import { parseTaxId } from '#/kernel/tax-id.ts'

export type PixKeyType = (typeof pixKeyTypes)[number]

/** Returns the type that a word means; undefined if it is not valid. */
export function pixKeyTypeOf(word: string | undefined): PixKeyType | undefined {
  return word === 'RANDOM' ? 'EVP' : pixKeyTypes.find((each) => each === word)
}

export type ParsedPixKey =
  | { readonly ok: true; readonly key: string }
  /** `message`: the expected form of the key, as a sentence without its subject. */
  | { readonly ok: false; readonly message: string }

/** Returns the key in its normal form, the one of the directory. Masks of tax ids and phones are accepted in their correct places. */
export function parsePixKey(type: PixKeyType, given: string): ParsedPixKey {
  const text = given.trim()
  const key = readers[type](text)
  return key === undefined ? { ok: false, message: meanings[type] } : { ok: true, key }
}

const readers: Readonly<Record<PixKeyType, (text: string) => string | undefined>> = {
  CPF: (text) => taxIdOf(text, 'CPF'),
  CNPJ: (text) => taxIdOf(text, 'CNPJ'),
  PHONE: phoneOf,
  EMAIL: emailOf,
  EVP: (text) => matching(text.toLowerCase(), /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
}

const meanings: Readonly<Record<PixKeyType, string>> = {
  CPF: 'is no CPF: eleven digits, of which the last two check the others',
  CNPJ: 'is no CNPJ: fourteen characters, of which the last two are digits that check the others',
  PHONE: 'is no Brazilian mobile number: the area code and nine digits, with or without +55',
  EMAIL: 'is no e-mail address of at most 77 characters',
  EVP: 'is no random key: a UUID with hyphens',
}

function taxIdOf(text: string, kind: 'CPF' | 'CNPJ'): string | undefined {
  const found = parseTaxId(text)
  return found?.kind === kind ? found.number : undefined
}

/** Area codes in use (ANATEL), then a mobile number. The directory accepts mobile numbers. */
const mobile = /^\+55(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])[6-9]\d{8}$/

/** A number without its country is Brazilian. Eleven digits are always an area code and a number, never a country code. */
function phoneOf(text: string): string | undefined {
  const plain = text.replaceAll(/[ ().-]/g, '')
  const country = /^\d{11}$/.test(plain) ? '+55' : /^55\d{11}$/.test(plain) ? '+' : ''
  return matching(country + plain, mobile)
}

const local = /^[a-z0-9!#$&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$&'*+/=?^_`{|}~-]+)*$/
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/

function emailOf(text: string): string | undefined {
  const lower = text.toLowerCase()
  const [before = '', after = '', ...more] = lower.split('@')
  const isOne = more.length === 0 && lower.length <= 77 && local.test(before) && domain.test(after)
  return isOne ? lower : undefined
}

function matching(text: string, pattern: RegExp): string | undefined {
  return pattern.test(text) ? text : undefined
}
