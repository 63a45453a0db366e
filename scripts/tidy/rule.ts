// The types of house rules. A rule that has checked nothing has not passed.
import type { Tree } from './tree.ts'

export type Report = {
  /** How many things were checked, and what they are: 212 'files'. */
  readonly checked: number
  readonly what: string
  /** Each fault as one line: where, what, and what to do instead. */
  readonly findings: readonly string[]
}

export type Rule = {
  /** The rule itself, as a sentence that is true when it passes. */
  readonly name: string
  readonly check: (tree: Tree) => Report
}

/** The faults of a report; having checked nothing is a fault too. */
export function faultsOf(report: Report): readonly string[] {
  return report.checked === 0
    ? [`nothing to check: no ${report.what} found`, ...report.findings]
    : report.findings
}
