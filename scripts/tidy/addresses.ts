// Addresses on EVM chains have one reader: a second one, which forgets the checksum or the addresses that only burn, lets through at one
// door what is refused at the next.
import { lineAt } from './lex.ts'
import type { Report, Rule } from './rule.ts'
import { isTest, type SourceFile, type Tree } from './tree.ts'

/** A class of hexadecimal digits forty times, in an expression or a pattern, and the readers of libraries. */
const readers =
  /\[(?:0-9|a-f|A-F|\\d){2,3}\]\{40\}(?!\d)|(?<![.\w$])(?:getAddress|isAddress|checksumAddress)\s*[(,}]/g

/** Where the form itself is needed, and why. */
const mayRead: Readonly<Record<string, string>> = {
  'src/kernel/evm-address.ts': 'the reader',
  'src/contract/patterns.ts': 'the form that the published schema tells; the reader judges after it',
  'web/dashboard/kit/format.ts': 'the browser finds a wrong form early; the server judges',
}

export const addressReaders: Rule = {
  name: 'addresses are read by kernel/evm-address.ts alone',
  check: (tree: Tree): Report => {
    const files = tree.texts.filter(({ path }) => /^(?:src|web)\/.*\.tsx?$/.test(path) && !isTest(path))
    return {
      checked: files.length,
      what: 'files',
      findings: files.filter(({ path }) => mayRead[path] === undefined).flatMap(findingsIn),
    }
  },
}

function findingsIn({ path, text }: SourceFile): readonly string[] {
  return [...text.matchAll(readers)].map(
    (match) =>
      `${path}:${lineAt(text, match.index)} reads an address itself: use readAddress or readRecipient of kernel/evm-address.ts`,
  )
}
