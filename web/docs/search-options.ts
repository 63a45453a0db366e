// How the search reads words: the build and the browser must do it alike.

/** What one result shows. */
export type Found = { readonly title: string; readonly heading: string; readonly href: string }

export const searchOptions = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'href'],
  searchOptions: {
    boost: { title: 3, heading: 4 },
    prefix: true,
    // One letter in five may be wrong.
    fuzzy: 0.2,
    combineWith: 'AND' as const,
  },
}
