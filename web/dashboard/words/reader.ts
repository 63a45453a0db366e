// Who reads the page: the language and time zone that words, amounts and instants are written for.
import { createContext, useContext, useMemo } from 'react'
import { localeOf, type Locale } from '#/kernel/language.ts'
import { formatFor, type Format } from '../kit/format.ts'
import type { Dictionary } from './dictionary.ts'

export type Reader = { readonly locale: Locale; readonly timeZone: string }

/** What the browser says, until a user has signed in. */
export function readerOfBrowser(): Reader {
  const locale = navigator.languages.map(localeOf).find((each) => each !== undefined) ?? 'en'
  return { locale, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** The user's own settings come first. */
export function readerOf(user: {
  readonly language?: string | null
  readonly timeZone?: string | null
}): Reader {
  const own = readerOfBrowser()
  return {
    locale: localeOf(user.language ?? '') ?? own.locale,
    timeZone: isTimeZone(user.timeZone) ? user.timeZone : own.timeZone,
  }
}

export const ReaderContext = createContext<Reader>(readerOfBrowser())

export function useReader(): Reader {
  return useContext(ReaderContext)
}

/** The words of an area in the reader's language. */
export function useWords<T>(all: Dictionary<T>): T {
  return all[useReader().locale]
}

export function useFormat(): Format {
  const { locale, timeZone } = useReader()
  return useMemo(() => formatFor(locale, timeZone), [locale, timeZone])
}

function isTimeZone(name: string | null | undefined): name is string {
  if (name === null || name === undefined || name === '') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}
