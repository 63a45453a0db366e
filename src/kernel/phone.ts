// Phone numbers: stored as E.164, and accepted as the people of a country write them among themselves.

/**
 * The number in `text` as E.164: with its country code, or as the people of `country` (ISO 3166-1 alpha-2) write it. Punctuation between
 * the digits is left out.
 */
export function parsePhone(text: string, country?: string): string | undefined {
  const plain = text.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
  if (/^\+[1-9]\d{7,14}$/.test(plain)) return plain
  const rule = country === undefined ? undefined : national[country]
  const number = rule?.number.exec(plain)?.[1]
  return rule === undefined || number === undefined ? undefined : `+${rule.code}${number}`
}

/**
 * The countries whose payers have a method of their own: country code, and the number behind an optional trunk prefix (ITU-T E.164, and
 * the numbering plans of ANATEL, ANACOM, CNMC, ACM and BIPT).
 */
const national: Readonly<Record<string, { readonly code: string; readonly number: RegExp } | undefined>> = {
  BR: { code: '55', number: /^0?([1-9][1-9](?:[2-5]\d{7}|9\d{8}))$/ },
  PT: { code: '351', number: /^([2379]\d{8})$/ },
  ES: { code: '34', number: /^([6-9]\d{8})$/ },
  NL: { code: '31', number: /^0([1-9]\d{8})$/ },
  BE: { code: '32', number: /^0([1-9]\d{7,8})$/ },
}
