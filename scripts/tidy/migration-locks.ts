// A migration of a table that is in use must not stop its traffic: reading a whole table under a lock is done beside the
// traffic, in steps of its own.
import { indexChangeOf, stepsOf, type Step } from '../../src/db/migration.ts'
import type { SqlStatement } from '../../src/db/sql-statements.ts'
import type { Report, Rule } from './rule.ts'

/** Migrations before this number were written when all of them ran in one transaction. */
const since = '0026'

/** A line before a statement with the reason why it may be done at once: a table that stays small. */
const reasoned = /^-- at once: \S.*/

export const migrationLocks: Rule = {
  name: 'migrations: a table in use is not locked while all of it is read',
  check: (tree): Report => {
    const files = tree.texts.filter(({ path }) => /^migrations\/\d{4}[^/]*\.sql$/.test(path))
    return {
      checked: files.length,
      what: 'migrations',
      findings: files
        .map(({ path, text }) => ({ name: path.slice('migrations/'.length), text }))
        .filter(({ name }) => name >= since)
        .flatMap(faultsOfMigration),
    }
  },
}

/** Statements of a migration that would lock an existing table for as long as it takes to read all of it. */
export function faultsOfMigration(file: { readonly name: string; readonly text: string }): readonly string[] {
  let steps: readonly Step[]
  try {
    steps = stepsOf(file)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  const created = new Set<string>()
  return steps.flatMap((step) => {
    if (step.kind === 'OUTSIDE') return []
    const invalid = new Set<string>()
    return step.statements.flatMap((statement) => {
      const text = normal(statement.text)
      const table = /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(text)?.[1]
      if (table !== undefined) created.add(table)
      for (const [, name = ''] of text.matchAll(/\badd constraint (\w+) (?=.*\bnot valid\b)/g))
        invalid.add(name)
      const fault = faultOf(text, created, invalid)
      if (fault === undefined || isReasoned(statement)) return []
      return [`migrations/${file.name}:${statement.line} ${fault}`]
    })
  })
}

function isReasoned({ comments }: SqlStatement): boolean {
  return comments.some((line) => reasoned.test(line))
}

function faultOf(
  text: string,
  created: ReadonlySet<string>,
  invalid: ReadonlySet<string>,
): string | undefined {
  if (indexChangeOf(text) !== undefined) {
    return 'is concurrent, so it needs a line "-- step outside a transaction" before it'
  }
  const indexed = /^create (?:unique )?index (?:if not exists )?\w+ on (?:only )?(\w+)/.exec(text)?.[1]
  if (indexed !== undefined && !created.has(indexed)) {
    return `locks ${indexed} while the index is built: create it concurrently, in a step outside a transaction`
  }
  const altered = /^alter table (?:if exists )?(?:only )?(\w+) /.exec(text)?.[1]
  if (altered === undefined || created.has(altered)) return undefined
  const validated = /\bvalidate constraint (\w+)/.exec(text)?.[1]
  if (validated !== undefined) {
    return invalid.has(validated)
      ? `validates ${validated} in the step that adds it: give it a "-- step" of its own`
      : undefined
  }
  for (const action of actionsOf(text)) {
    const isAdded = /^add (?:constraint|check|foreign key|unique|primary key|exclude)\b/.test(action)
    if (isAdded && !/\bnot valid\b|\busing index\b/.test(action)) {
      return `locks ${altered} while its rows are checked: add the constraint NOT VALID, and validate it in a "-- step" of its own`
    }
    if (
      /^add (?:column )?\w/.test(action) &&
      !isAdded &&
      /\b(?:check \(|references |unique|primary key)/.test(action)
    ) {
      return `locks ${altered} while its rows are checked: add the column alone, its constraint NOT VALID`
    }
    if (/^alter (?:column )?\w+ (?:set not null|(?:set data )?type )/.test(action)) {
      return `locks ${altered} while all of it is read: use a new column, or a check that is validated before`
    }
  }
  return undefined
}

/** Lower case, without comments and with one space between words. What is quoted is left empty. */
function normal(text: string): string {
  const plain = text.replace(/--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'/g, (found) =>
    found.startsWith("'") ? "''" : ' ',
  )
  return plain.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/** The actions of an `alter table`, which commas outside parentheses divide. */
function actionsOf(text: string): readonly string[] {
  const actions = ['']
  let depth = 0
  for (const sign of text.replace(/^alter table (?:if exists )?(?:only )?\w+ /, '')) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += sign
  }
  return actions.map((action) => action.trim())
}
