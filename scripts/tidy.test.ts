// The house rules, held against this repository: see tidy/rules.ts. `npm run check` runs them.
import { join } from 'node:path'
import { test } from 'node:test'
import { faultsOf } from './tidy/rule.ts'
import { rules } from './tidy/rules.ts'
import { readTree } from './tidy/tree.ts'

// Each fault names its file and line; where it was found out helps nobody.
Error.stackTraceLimit = 0

const tree = readTree(join(import.meta.dirname, '..'))

for (const rule of rules) {
  test(rule.name, (t) => {
    const look = rule.look(tree)
    t.diagnostic(`saw ${look.seen} ${look.what}`)
    const faults = faultsOf(look)
    if (faults.length > 0) throw new Error(faults.join('\n'))
  })
}
