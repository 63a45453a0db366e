// All texts of a language, in one place.
import type { Locale } from '#/kernel/language.ts'
import { enSentences, type Sentences } from './sentences/en.ts'
import { esSentences } from './sentences/es.ts'
import { ptBrSentences } from './sentences/pt-br.ts'
import { enLabels } from './texts/en.ts'
import { esLabels } from './texts/es.ts'
import type { Labels } from './texts/labels.ts'
import { ptBrLabels } from './texts/pt-br.ts'

/** The view uses `labels`; the server fills in `sentences`. */
export type Speech = { readonly labels: Labels; readonly sentences: Sentences }

export const speech: Readonly<Record<Locale, Speech>> = {
  'pt-BR': { labels: ptBrLabels, sentences: ptBrSentences },
  en: { labels: enLabels, sentences: enSentences },
  es: { labels: esLabels, sentences: esSentences },
}
