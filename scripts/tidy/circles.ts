// No file imports itself over others, whatever the way: the linter's rule sees no import that is loaded later.
import { importsOf } from './imports.ts'
import type { Report, Rule } from './rule.ts'
import { isTest, type SourceFile, type Tree } from './tree.ts'

/** Names one circle after another, from its first file. */
export const circles: Rule = {
  name: 'circles: no files import each other in a loop',
  check: (tree): Report => {
    const files = tree.texts.filter(({ path }) => isProgram(path))
    const targets = new Map(files.map((file) => [file.path, targetsOf(tree, file)]))
    return {
      checked: [...targets.values()].reduce((sum, each) => sum + each.length, 0),
      what: `imports in ${files.length} files`,
      findings: loopsOf(targets).map((loop) => `${loop.join(' imports ')}: move what both need`),
    }
  },
}

function isProgram(path: string): boolean {
  return /^(?:src|web|simulators|scripts|contracts)\/.*\.tsx?$/.test(path) && !isTest(path)
}

function targetsOf(tree: Tree, file: SourceFile): readonly string[] {
  return importsOf(tree, file).flatMap(({ target }) => (target === undefined ? [] : [target]))
}

/** One loop for each import that leads back to a file from which it was reached. */
function loopsOf(targets: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const loops: (readonly string[])[] = []
  const done = new Set<string>()
  const walk = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path)
    if (start !== -1) loops.push([...way.slice(start), path])
    if (start !== -1 || done.has(path)) return
    for (const target of targets.get(path) ?? []) walk(target, [...way, path])
    done.add(path)
  }
  for (const path of targets.keys()) walk(path, [])
  return loops
}
