// The countries of the world, by ISO 3166-1. One list for the API, the payer's form and settings: a payer lives where he lives, whatever
// methods we have there.
import list from 'country-list/data.json' with { type: 'json' }

/** ISO 3166-1 alpha-2, and XK, which the standard leaves to users and all use for Kosovo. In the order of the letters. */
export const countries: readonly string[] = [...list.map(({ code }) => code), 'XK'].toSorted()

const known: ReadonlySet<string> = new Set(countries)

/** Whether the text is one of these codes, in capitals. */
export function isCountry(text: string): boolean {
  return known.has(text)
}
