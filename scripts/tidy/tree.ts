// The files of this repository, as the rules see them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lex, type Views } from './lex.ts'

export type SourceFile = {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

export type Tree = {
  readonly root: string
  /** Every file, texts or not. */
  readonly paths: ReadonlySet<string>
  readonly texts: readonly SourceFile[]
  /** The text of `path`, or undefined when there is no such file. */
  readonly read: (path: string) => string | undefined
  /** The views of a TypeScript file, made once. */
  readonly views: (file: SourceFile) => Views
}

/** What is made by tools or people's runs, and never committed. */
const ignored =
  /^(?:node_modules|\.git|\.vintem.*|dist(?:-.*)?|coverage|\.venv|__pycache__|\.(?:pytest|mypy)_cache)$/
const binary = /\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|pdf|zip|gz|tgz|bin|log)$/

/** Reads every file under `root` that is not ignored. */
export function readTree(root: string): Tree {
  const paths = [...walk(root, '')].sort()
  const texts = paths
    .filter((path) => !binary.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const byPath = new Map(texts.map((file) => [file.path, file.text]))
  const views = new Map<SourceFile, Views>()
  return {
    root,
    paths: new Set(paths),
    texts,
    read: (path) => byPath.get(path),
    views: (file) => {
      const made = views.get(file) ?? lex(file.text)
      views.set(file, made)
      return made
    },
  }
}

/** The TypeScript programs: product, simulators, contracts, tests and scripts. */
export function codeFiles(tree: Tree): readonly SourceFile[] {
  return tree.texts.filter(({ path }) => /^(?:src|simulators|contracts|test|scripts)\/.*\.ts$/.test(path))
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/')
}

function* walk(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (ignored.test(entry.name)) continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* walk(root, path)
    else if (entry.isFile()) yield path
  }
}
