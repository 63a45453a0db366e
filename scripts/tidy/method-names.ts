// What differs between methods is in their descriptors; the code that only one has is a file of the payer's page and of the sandbox, behind a
// map. A comparison elsewhere is a line that is easily missed when a method is added.
import { methods } from '#/rails/methods.ts'
import { lineAt } from './lex.ts'
import type { Report, Rule } from './rule.ts'
import { isTest, type SourceFile, type Tree } from './tree.ts'

const rooms = /^(?:src\/(?:checkout|sandbox)\/|web\/checkout\/|src\/http\/sandbox\.ts$).*(?<=\.tsx?)$/
/** The files of the methods, and the maps. */
const methodFiles = /^(?:src\/(?:checkout|sandbox)\/methods|web\/checkout\/panels)\//

const anyOf = methods.join('|')
const name = String.raw`(?<quote>['"])(?:${anyOf})\k<quote>`
/** A name that is compared, branched on, looked up, or first in a list; and the key of a map. */
const uses: readonly RegExp[] = [
  new RegExp(String.raw`[=!]==?\s*${name}`, 'g'),
  new RegExp(String.raw`${name}\s*[=!]==?`, 'g'),
  new RegExp(String.raw`\bcase\s+${name}`, 'g'),
  new RegExp(String.raw`\.(?:get|has|includes|indexOf)\(\s*${name}`, 'g'),
  new RegExp(String.raw`\[\s*${name}`, 'g'),
  new RegExp(String.raw`(?<=[{,\n]\s*)(?:${anyOf})\??:`, 'g'),
]

export const methodNames: Rule = {
  name: 'methods: the payer’s page and the sandbox name a method in its own file alone',
  check: (tree): Report => {
    const files = tree.texts.filter(
      ({ path }) => rooms.test(path) && !methodFiles.test(path) && !isTest(path),
    )
    return {
      checked: files.length,
      what: 'files',
      findings: files.flatMap((file) => findingsIn(tree, file)),
    }
  },
}

function findingsIn(tree: Tree, file: SourceFile): readonly string[] {
  const { path, text } = file
  // The lexer does not understand JSX.
  const code = path.endsWith('.tsx') ? text : tree.views(file).code
  return uses.flatMap((use) =>
    [...text.matchAll(use)]
      // A name in a comment, or in a longer text, does not name a method in code.
      .filter((match) => isCode(code, match))
      .map(
        (match) =>
          `${path}:${lineAt(text, match.index)} has ${match[0].trim()}: put what differs into its descriptor, or into the map of methods/all.ts`,
      ),
  )
}

/**
 * Whether the match is code: its quote, or for a match without quotes its first letter, is also in the view of the file that has no texts.
 */
function isCode(code: string, { index, 0: found, groups }: RegExpExecArray): boolean {
  const quote = groups?.['quote']
  const at = index + (quote === undefined ? 0 : found.indexOf(quote))
  return code.charAt(at) === found.charAt(at - index)
}
