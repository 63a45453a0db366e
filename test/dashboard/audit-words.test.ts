// Every action that the audit log can hold has a name on the screens that show the log.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { auditActionWords } from '../../web/dashboard/words/audit-actions.ts'
import { operatorActionWords } from '../../web/dashboard/words/operator-audit-actions.ts'

const source = join(import.meta.dirname, '../../src')

/** The texts `room.verb` on lines of the program that speak of an action. */
const actions = new Set(
  globSync('**/*.ts', { cwd: source })
    // The directory of cells writes down its own changes.
    .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('cells/'))
    .flatMap((path) => readFileSync(join(source, path), 'utf8').split('\n'))
    .filter((line) => /\baction\b/.test(line))
    .flatMap((line) => [...line.matchAll(/'([a-z_-]+\.[a-z_-]+)'/g)].map(([, action]) => action ?? '')),
)

test('each audited action has a name in the operator’s log', () => {
  assert.ok(actions.size > 60, `${actions.size} actions`)
  const known = { ...auditActionWords.en.actions, ...operatorActionWords.en.actions }
  assert.deepEqual([...actions].filter((action) => !(action in known)).toSorted(), [])
})
