// Every way in which one TypeScript file names another.
import { dirname, join } from 'node:path/posix'
import { lineAt, stringAt } from './lex.ts'
import type { SourceFile, Tree } from './tree.ts'

export type Import = {
  readonly line: number
  /** As written; undefined for an expression whose value is known only at run time. */
  readonly specifier: string | undefined
  /** The file of this repository that it names, from the root; undefined for packages. */
  readonly target: string | undefined
}

const clause = String.raw`(?:type\s+)?(?:[\w$]+\s*,?\s*)?(?:\*\s*as\s+[\w$]+|\{[^}]*\})?\s*from\s*`
/** Each ends right before the specifier. */
const forms = [
  new RegExp(String.raw`(?<![\w$.])import\s+${clause}(?=['"])`, 'g'),
  /(?<![\w$.])import\s*(?=['"])/g,
  /(?<![\w$.])export\s+(?:type\s+)?(?:\*(?:\s*as\s+[\w$]+)?|\{[^}]*\})\s*from\s*(?=['"])/g,
  /(?<![\w$.])import\s*\(\s*(?=\S)/g,
  /(?<![\w$.])require(?:\.resolve)?\s*\(\s*(?=\S)/g,
  /(?<![\w$.])import\.meta\.resolve\s*\(\s*(?=\S)/g,
  /(?<![\w$.])new\s+Worker\s*\(\s*(?:new\s+URL\s*\(\s*)?(?=['"`])/g,
]

/** The imports of `file`: static, type-only, side-effect, re-exports, dynamic, required and worker threads. */
export function importsOf(tree: Tree, file: SourceFile): readonly Import[] {
  const { code } = tree.views(file)
  return forms
    .flatMap((form) => [...code.matchAll(form)].map((match) => match.index + match[0].length))
    .map((index) => {
      const isLiteral = /['"]/.test(code.charAt(index))
      const specifier = isLiteral ? stringAt(file.text, index) : undefined
      return { line: lineAt(file.text, index), specifier, target: resolve(file.path, specifier) }
    })
    .sort((a, b) => a.line - b.line)
}

function resolve(from: string, specifier: string | undefined): string | undefined {
  if (specifier?.startsWith('#/')) return join('src', specifier.slice(2))
  if (specifier?.startsWith('.')) return join(dirname(from), specifier)
  return undefined
}
