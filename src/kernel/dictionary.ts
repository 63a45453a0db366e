// Texts for people. A dictionary has each text with its languages side by side, in the order of `locales`; a text with values in it is a
// function that returns them. A text that lacks a language does not compile.
import { localeOf, locales, type Locale } from './language.ts'

type InEach<Languages extends readonly unknown[]> = { readonly [Place in keyof Languages]: string }

/** One text in each language. */
export type Texts = InEach<typeof locales>

export type Entries = { readonly [name: string]: Texts | ((...values: never[]) => Texts) | Entries }

/** What entries say in one language. */
export type Words<Entry> = Entry extends Texts
  ? string
  : Entry extends (...values: infer Values) => Texts
    ? (...values: Values) => string
    : { readonly [Name in keyof Entry]: Words<Entry[Name]> }

export type Dictionary<InOne> = Readonly<Record<Locale, InOne>>

/**
 * The words of each language, put together when the language is first read. Those of `common` are among them, unless `entries` have
 * another text under the same name.
 */
export function dictionary<const All extends Entries, Common = object>(
  entries: All,
  common?: Dictionary<Common>,
): Dictionary<Omit<Common, keyof All> & Words<All>> {
  const inOne = (locale: Locale) => {
    let words: object | undefined
    const get = () => (words ??= Object.assign({}, common?.[locale], wordsIn(locale, entries)))
    return [locale, { enumerable: true, get }] as const
  }
  return Object.defineProperties({}, Object.fromEntries(locales.map(inOne))) as Dictionary<
    Omit<Common, keyof All> & Words<All>
  >
}

/** The words of a language; English for one that we do not have. */
export function wordsOf<InOne>(all: Dictionary<InOne>, language: string): InOne {
  return all[localeOf(language) ?? 'en']
}

/** A text in one language. */
export function textIn(locale: Locale, texts: Texts): string {
  return texts[locales.indexOf(locale)] as string
}

/** Replaces the names in braces by their values. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
}

/** The singular or plural form of each language, whichever it takes with `count`. Of a count as it is written, "1" alone is one. */
export function counted(count: number | string, one: Texts, other: Texts): Texts {
  const number = typeof count === 'number' ? count : count === '1' ? 1 : 2
  // By its rules Portuguese takes the singular with 0 too, but people write "0 vezes".
  const isOne = (locale: Locale) => number !== 0 && pluralsOf(locale).select(number) === 'one'
  return locales.map((locale) => textIn(locale, isOne(locale) ? one : other)) as readonly string[] as Texts
}

const plurals = new Map<Locale, Intl.PluralRules>()

function pluralsOf(locale: Locale): Intl.PluralRules {
  const rules = plurals.get(locale) ?? new Intl.PluralRules(locale)
  plurals.set(locale, rules)
  return rules
}

function wordsIn(locale: Locale, entry: Entries[string]): unknown {
  if (typeof entry === 'function') return (...values: never[]) => textIn(locale, entry(...values))
  if (isTexts(entry)) return textIn(locale, entry)
  return Object.fromEntries(Object.entries(entry).map(([name, each]) => [name, wordsIn(locale, each)]))
}

function isTexts(entry: Texts | Entries): entry is Texts {
  return Array.isArray(entry)
}
