// The labels that come with the state.
import type { Labels } from '#/checkout/labels.ts'
import type { PageState } from '#/checkout/page-state.ts'

/** The page's own labels, in its language. The labels of a method are in the same object; its panel reads them. */
export function wordsOf(state: PageState): Labels {
  return state.texts as Labels
}
