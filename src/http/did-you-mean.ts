// What the caller of a misspelt field or value probably meant.

/** Longer ones are no spelling mistake, and would take long to compare. */
const lengthMax = 40

/**
 * The one of `known` that `given` is but for capitals and punctuation (`payment_methods`, `brl`), else the one that differs in at most
 * two letters, or in one if `given` has fewer than six. Undefined where there is none, or more than one.
 */
export function meantBy(given: string, known: readonly string[]): string | undefined {
  if (given.length > lengthMax) return undefined
  const letters = lettersOf(given)
  const same = known.find((each) => lettersOf(each) === letters)
  if (same !== undefined) return same
  const most = letters.length < 6 ? 1 : 2
  const near = known.filter((each) => lettersBetween(lettersOf(each), letters) <= most)
  return near.length === 1 ? near[0] : undefined
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** The least number of letters to add, drop or change (Levenshtein 1966). */
function lettersBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [row, letter] of one.split('').entries()) {
    const line = [row + 1]
    for (const [column, each] of other.split('').entries()) {
      const changed = (above[column] ?? 0) + (each === letter ? 0 : 1)
      line.push(Math.min(changed, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1))
    }
    above = line
  }
  return above.at(-1) ?? 0
}
