// Steps as plain sentences.
import { textIn, type Texts } from '#/kernel/dictionary.ts'
import { locales, type Locale } from '#/kernel/language.ts'
import { sayIn, type Say } from './say.ts'
import type { Entries, Sentences, Summaries } from './sentence-types.ts'
import type { Cause, CauseWithFacts } from './step.ts'
import { books } from './words/books.ts'
import { deliveries } from './words/deliveries.ts'
import { records } from './words/records.ts'
import { reports } from './words/reports.ts'
import { summaryEntries } from './words/summaries.ts'

const entries: Entries = { ...reports, ...records, ...books, ...deliveries }

/** Every cause. */
export const causes = Object.keys(entries) as readonly Cause[]

export const catalogue = inEach<Sentences>(entries)

export const summaries = inEach<Summaries>(summaryEntries)

/** The sentence of a step. */
export function sentenceOf(language: Locale, { cause, facts }: CauseWithFacts): string {
  // The facts are those of the cause; TypeScript does not connect the two members of a union.
  const sentence = catalogue[language][cause] as (facts: CauseWithFacts['facts']) => string
  return sentence(facts)
}

type Entry = ((facts: unknown, say: Say) => Texts) | { readonly [name: string]: Entry }

/** The functions of each language, without what they say it with. */
function inEach<InOne>(all: object): Readonly<Record<Locale, InOne>> {
  const found = locales.map((locale) => [locale, inOne(locale, sayIn(locale), all as Entry)])
  return Object.fromEntries(found) as Readonly<Record<Locale, InOne>>
}

function inOne(locale: Locale, say: Say, entry: Entry): unknown {
  if (typeof entry === 'function') return (facts: unknown) => textIn(locale, entry(facts, say))
  return Object.fromEntries(Object.entries(entry).map(([name, each]) => [name, inOne(locale, say, each)]))
}
