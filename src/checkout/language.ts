// The language of a page: that of its link, else what was chosen before, else what the browser prefers, else the template's default.

import type { FastifyRequest } from 'fastify'
import { localeOf, preferencesOf, type Locale } from '#/kernel/language.ts'

const languageCookie = 'vintem_lang'

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
  const preferred = [
    preference.query ?? '',
    cookieOf(preference.cookieHeader),
    ...preferencesOf(preference.acceptLanguage),
  ]
  for (const tag of preferred) {
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
