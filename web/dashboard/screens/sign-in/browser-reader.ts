// What each sign-in says of its browser: the first one gives the account its language and time zone.
import { readerOfBrowser } from '../../words/reader.ts'

/** The language in which the sign-in page is shown, and the time zone of this device. */
export function browserReader(): { readonly language: string; readonly timeZone: string } {
  const { locale, timeZone } = readerOfBrowser()
  return { language: locale, timeZone }
}
