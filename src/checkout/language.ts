// In which language a page speaks: what its link says, what was chosen before, what the browser prefers, what the template
// falls back to.

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

/** A language of ours for a tag of the outside (`pt`, `EN-us`, `es-419`); undefined when we do not speak it. */
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

/** The first that the template speaks of: query, cookie, browser; else the template's own. */
export function chooseLocale(
  wish: LanguagePreference,
  languages: { readonly default: Locale; readonly enabled: readonly Locale[] },
): Locale {
  const wanted = [wish.query ?? '', cookieOf(wish.cookieHeader), ...preferencesOf(wish.acceptLanguage)]
  for (const tag of wanted) {
    const locale = localeOf(tag)
    if (locale !== undefined && languages.enabled.includes(locale)) return locale
  }
  return languages.default
}

/** What a request says of its language. */
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

/** Kept for a year, and not for scripts. */
export function setLanguageCookie(locale: Locale, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : ''
  return `${languageCookie}=${locale}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`
}

function cookieOf(header: string | undefined): string {
  const pairs = (header ?? '').split(';').map((each) => each.trim())
  return pairs.find((each) => each.startsWith(`${languageCookie}=`))?.slice(languageCookie.length + 1) ?? ''
}

/** More are not looked at: no browser sends them. */
const preferencesMax = 20

/** The tags of Accept-Language (RFC 9110 §12.5.4), the most wanted first. */
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
