// Words of one area in three languages. A key that one language lacks, or has and the others do not, is a type error.
import type { Locale } from '#/kernel/language.ts'

type Word = string | ((...values: never[]) => string)
type Words = Readonly<Record<string, Word | Readonly<Record<string, Word>>>>

export type Dictionary<T> = Readonly<Record<Locale, T>>

/** pt-BR says which keys there are. */
export function dictionary<T extends Words>(all: {
  readonly 'pt-BR': T
  readonly en: NoInfer<T>
  readonly es: NoInfer<T>
}): Dictionary<T> {
  return all
}
