// A small tree of files in a temporary folder, for the tests of the rules.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { faultsOf, type Rule } from './rule.ts'
import { readTree } from './tree.ts'

/** The faults that `rule` finds in a tree of `files`, path to text. The tree is removed afterwards. */
export function faultsIn(rule: Rule, files: Readonly<Record<string, string>>): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'vintem-tidy-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return faultsOf(rule.check(readTree(root)))
  } finally {
    rmSync(root, { recursive: true })
  }
}
