// The languages of our texts for people, and how a request names the one that it prefers.

export const locales = ['pt-BR', 'en', 'es'] as const
export type Locale = (typeof locales)[number]

/** In their own words. */
export const languageNames: Readonly<Record<Locale, string>> = {
  'pt-BR': 'Português',
  en: 'English',
  es: 'Español',
}

/** Our language for a tag (`pt`, `EN-us`, `es-419`); undefined when we do not have it. */
export function localeOf(tag: string): Locale | undefined {
  const [language = ''] = tag.trim().toLowerCase().split(/[-_]/)
  return locales.find((each) => each.toLowerCase().split('-')[0] === language)
}

/** Further preferences are ignored: no browser sends that many. */
const preferencesMax = 20

/** The tags of Accept-Language (RFC 9110 §12.5.4), the most preferred first. */
export function preferencesOf(header: string | undefined): readonly string[] {
  const given = (header ?? '').split(',').slice(0, preferencesMax)
  return given
    .map((each) => {
      const [tag = '', ...parameters] = each.split(';').map((part) => part.trim())
      const weight = parameters.find((part) => part.startsWith('q='))?.slice(2) ?? '1'
      return { tag, weight: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}
