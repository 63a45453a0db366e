// The language of a page: that of its link, else what was chosen before, else what the browser prefers, else the template's default.

import type { FastifyRequest } from 'fastify'
import { locales, type Locale } from '#/templates/template.ts'

export { locales, type Locale }

/** In their own words, for the switch. */
export const languageNames: Readonly<Record<Locale, string>> = {
  'pt-BR': 'Português',
  en: 'English',
  es: 'Español',
}

const languageCookie = 'vintem_lang'

/** Our language for a tag (`pt`, `EN-us`, `es-419`); undefined when we do not have it. */
export function localeOf(tag: string): Locale | undefined {
  const [language = ''] = tag.trim().toLowerCase().split(/[-_]/)
  return locales.find((each) => each.toLowerCase().split('-')[0] === language)
}

export type LanguagePreference = {
  /** `?lang=` of the link. */
  readonly query?: string | undefined
  readonly cookieHeader?: string | undefined
  readonly acceptLanguage?: string | undefined
}

/** The first language that the template offers: query, cookie, browser; else the template's default. */
export function chooseLocale(
  preference: LanguagePreference,
  languages: { readonly default: Locale; readonly enabled: readonly Locale[] },
): Locale {
  const wanted = [
    preference.query ?? '',
    cookieOf(preference.cookieHeader),
    ...preferencesOf(preference.acceptLanguage),
  ]
  for (const tag of wanted) {
    const locale = localeOf(tag)
    if (locale !== undefined && languages.enabled.includes(locale)) return locale
  }
  return languages.default
}

/** The language preferences of a request. */
export function languagePreferenceOf({
  headers,
  query,
}: Pick<FastifyRequest, 'headers' | 'query'>): LanguagePreference {
  // A request that cannot be read has none.
  const { lang } = (query ?? {}) as { readonly lang?: unknown }
  return {
    query: typeof lang === 'string' ? lang : undefined,
    cookieHeader: headers.cookie,
    acceptLanguage: headers['accept-language'],
  }
}

/** Kept for a year, and not readable by scripts. */
export function setLanguageCookie(locale: Locale, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : ''
  return `${languageCookie}=${locale}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`
}

function cookieOf(header: string | undefined): string {
  const pairs = (header ?? '').split(';').map((each) => each.trim())
  return pairs.find((each) => each.startsWith(`${languageCookie}=`))?.slice(languageCookie.length + 1) ?? ''
}

/** Further preferences are ignored: no browser sends that many. */
const preferencesMax = 20

/** The tags of Accept-Language (RFC 9110 §12.5.4), the most preferred first. */
function preferencesOf(header: string | undefined): readonly string[] {
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
