// How the search reads words: the build and the browser must do it alike.

/** What one result shows. */
export type Found = { readonly title: string; readonly heading: string; readonly href: string }

/** What is kept of a part of a page. `weight`: how much a match in it counts, 1 in a guide. */
export type Stored = Found & { readonly weight: number }

export const searchOptions = {
  // `lead`: the words in bold with which the part begins, such as the status of an error.
  fields: ['title', 'heading', 'lead', 'text'],
  storeFields: ['title', 'heading', 'href', 'weight'],
  searchOptions: {
    boost: { title: 5, heading: 5, lead: 4 },
    boostDocument: (_id: unknown, _term: string, stored?: Readonly<Record<string, unknown>>) =>
      Number(stored?.['weight'] ?? 1),
    prefix: true,
    // One letter in five may be wrong.
    fuzzy: 0.2,
    combineWith: 'AND' as const,
  },
}
