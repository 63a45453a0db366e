// Steps as plain sentences.
import type { Locale } from '#/kernel/language.ts'
import type { Sentences, Summaries } from './sentence-types.ts'
import type { Cause, CauseWithFacts } from './step.ts'
import * as en from './words/en.ts'
import * as es from './words/es.ts'
import * as ptBR from './words/pt-br.ts'

export const catalogue: Readonly<Record<Locale, Sentences>> = {
  en: en.sentences,
  'pt-BR': ptBR.sentences,
  es: es.sentences,
}

/** Every cause. */
export const causes = Object.keys(en.sentences) as readonly Cause[]

export const summaries: Readonly<Record<Locale, Summaries>> = {
  en: en.summaries,
  'pt-BR': ptBR.summaries,
  es: es.summaries,
}

/** The sentence of a step. */
export function sentenceOf(language: Locale, { cause, facts }: CauseWithFacts): string {
  // The facts are those of the cause; TypeScript does not connect the two members of a union.
  const sentence = catalogue[language][cause] as (facts: CauseWithFacts['facts']) => string
  return sentence(facts)
}
