// Three things that only a few files may do: choose the clock by which something is due, claim rows that other workers may claim too,
// and start a transaction without limits.
import { lineAt } from './lex.ts'
import type { Report, Rule } from './rule.ts'
import { codeFiles, isTest, type SourceFile, type Tree } from './tree.ts'

const dated = 'due_at|lease_until|release_at'
/**
 * The value to which such a column is set or compared. A lease may also be compared with its value read before, which is a fence, and with
 * the row's own due time, which says whether a worker has claimed the row.
 */
const byDue =
  /^\s*(?:\$\{(?:dueNow|dueIn|dueInOrder|afterDueInOrder)\(|\$\{leaseUntil\}|least\(\s*(?:due\.)?due_at\s*,\s*\$\{dueNow\(|case\s+when\s+(?:\w+\s*=\s*\$\{claim\.number\}(?:\s+and\s+)?)?(?:due_at\s*>\s*\$\{dueNow\(\w+\)\})?\s+then\s+\$\{dueIn\(|case\s+when\s+is_held_back\s+then\s+'infinity'\s+else\s+\$\{dueNow\(|'infinity'|excluded\.|due\.due_at\)|null\b)/

/** Each comparison or assignment, each column of rowsOf, and each list of columns that a row is inserted with, up to the statement's end. */
const uses = new RegExp(
  String.raw`\b(?:${dated})\s*(?:[<>]=?|=|:)|\bexpires_at\s*[<>]=?|\binsert\s+into\s+\w+\s*\([^)]*\b(?:${dated})\b[^)]*\)`,
  'g',
)

export const dueTimes: Rule = {
  name: 'what is due is said by dueNow, dueIn and dueInOrder of db/due.ts alone',
  // The migrator runs where db/due.ts may not exist yet; it uses the same clock with SQL of its own.
  check: (tree) => reportOn(tree, (file) => (file.path === 'src/db/migrator.ts' ? [] : dueFaults(file))),
}

function dueFaults({ path, text }: SourceFile): readonly string[] {
  return [...text.matchAll(uses)].flatMap((match) => {
    const rest = text.slice(match.index + match[0].length)
    const isInsert = /^insert/i.test(match[0])
    const fits = isInsert
      ? /\$\{(?:dueNow|dueIn|dueInOrder)\(/.test(rest.split(/`\s*\n/)[0] ?? '')
      : byDue.test(rest)
    return fits ? [] : [`${path}:${lineAt(text, match.index)} dates or compares with something else`]
  })
}

/** The runner of durable work, which the inbox and reconciliation use too, and the deliveries of webhooks. */
const mayClaim = /^src\/(?:jobs\/due-queries|webhooks\/due\/queries)\.ts$/

export const claims: Rule = {
  name: 'rows are claimed by the runner of src/jobs: `skip locked` is nowhere else',
  check: (tree) =>
    reportOn(tree, ({ path, text }) =>
      mayClaim.test(path)
        ? []
        : [...text.matchAll(/\bskip\s+locked\b/gi)].map(
            (match) =>
              `${path}:${lineAt(text, match.index)} passes over locked rows: use dueWorker of src/jobs, or wait for the row`,
          ),
    ),
}

/** The driver itself, the words that start a transaction, and the option that removes its limits. */
const openings =
  /(?<![.\w])postgres\((?!\?)|\.unsafe\s*\(\s*[`'](?:begin|start\s+transaction)\b|\btransactionSeconds:/gi
const mayOpen = /^src\/db\/(?:client|transaction|failure|migrate|primary)\.ts$/

export const limits: Rule = {
  name: 'a transaction begins with `begin` of a client, which sets its limits',
  check: (tree) =>
    reportOn(tree, ({ path, text }) =>
      mayOpen.test(path)
        ? []
        : [...text.matchAll(openings)].map(
            (match) => `${path}:${lineAt(text, match.index)} has ${match[0].trim()}: use sql.begin`,
          ),
    ),
}

function reportOn(tree: Tree, find: (file: SourceFile) => readonly string[]): Report {
  const files = codeFiles(tree).filter(({ path }) => path.startsWith('src/') && !isTest(path))
  return { checked: files.length, what: 'files', findings: files.flatMap(find) }
}
