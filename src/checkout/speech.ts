// All texts of a language, in one place.
import type { Locale } from '#/kernel/language.ts'
import { labels, type Labels } from './labels.ts'
import { methodLabels } from './methods/all.ts'
import { sentences, type Sentences } from './sentences.ts'

/** The view uses `labels`; the server fills in `sentences`. */
export type Speech = { readonly labels: Labels; readonly sentences: Sentences }

export const speech: Readonly<Record<Locale, Speech>> = {
  'pt-BR': speechIn('pt-BR'),
  en: speechIn('en'),
  es: speechIn('es'),
}

function speechIn(locale: Locale): Speech {
  return { labels: { ...labels[locale], ...methodLabels(locale) }, sentences: sentences[locale] }
}
