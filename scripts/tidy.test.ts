// Checks this repository by the house rules of tidy/rules.ts. `npm run check` runs them.
import { join } from 'node:path'
import { test } from 'node:test'
import { faultsOf } from './tidy/rule.ts'
import { rules } from './tidy/rules.ts'
import { readTree } from './tidy/tree.ts'

// Each fault names its file and line; a stack trace adds nothing.
Error.stackTraceLimit = 0

const tree = readTree(join(import.meta.dirname, '..'))

for (const rule of rules) {
  test(rule.name, (t) => {
    const report = rule.check(tree)
    t.diagnostic(`checked ${report.checked} ${report.what}`)
    const faults = faultsOf(report)
    if (faults.length > 0) throw new Error(faults.join('\n'))
  })
}
