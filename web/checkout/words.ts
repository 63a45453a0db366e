// The labels that come with the state, and how the view fills them in.
import type { PageState } from '#/checkout/page-state.ts'
import type { Labels } from '#/checkout/texts/labels.ts'

/** The page's own labels, in its language. The labels of a method are in the same object; its panel reads them. */
export function wordsOf(state: PageState): Labels {
  return state.texts as Labels
}

/** Replaces the names in braces in `text` by their `values`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
}
