// Who reads the page: the language and time zone that words, amounts and instants are written for.
import { createContext, useContext } from 'react'
import type { Dictionary } from '#/kernel/dictionary.ts'
import { localeOf, type Locale } from '#/kernel/language.ts'
import { formatFor, type Format } from '../kit/format.ts'

export type Reader = { readonly locale: Locale; readonly timeZone: string }

let zoneOfBrowser: string | undefined

/** What the browser says, until a user has signed in. Its time zone is looked up when it is needed: that takes milliseconds. */
export function readerOfBrowser(): Reader {
  return {
    locale: navigator.languages.map(localeOf).find((each) => each !== undefined) ?? 'en',
    get timeZone() {
      return (zoneOfBrowser ??= Intl.DateTimeFormat().resolvedOptions().timeZone)
    },
  }
}

/** The user's own settings come first. */
export function readerOf(user: {
  readonly language?: string | null
  readonly timeZone?: string | null
}): Reader {
  const own = readerOfBrowser()
  const locale = localeOf(user.language ?? '') ?? own.locale
  const { timeZone } = user
  return { locale, timeZone: isTimeZone(timeZone, locale) ? timeZone : own.timeZone }
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
  return formatFor(locale, timeZone)
}

/** Asked with a formatter that the page needs anyway. */
function isTimeZone(name: string | null | undefined, locale: Locale): name is string {
  if (name === null || name === undefined || name === '') return false
  try {
    return formatFor(locale, name).day(new Date()) !== ''
  } catch {
    return false
  }
}
