// What a house rule is. A rule that found nothing to look at has not passed.
import type { Tree } from './tree.ts'

export type Look = {
  /** How many things were looked at, and what they are: 212 'files'. */
  readonly seen: number
  readonly what: string
  /** Each fault as one line: where, what, and what to do instead. */
  readonly findings: readonly string[]
}

export type Rule = {
  /** The rule itself, as a sentence that is true when it passes. */
  readonly name: string
  readonly look: (tree: Tree) => Look
}

/** The findings of a look; an empty look is a finding too. */
export function faultsOf(look: Look): readonly string[] {
  return look.seen === 0 ? [`nothing to look at: no ${look.what} found`, ...look.findings] : look.findings
}
