// Tests draw by chance in one place, whose seed is in the tree: the same run draws the same cases on every machine.
import { importsOf } from './imports.ts'
import type { Report, Rule } from './rule.ts'
import { isTest } from './tree.ts'

const source = 'test/chance.ts'

/** What merchants copy, such as the SDK, imports nothing of the product: its tests write the seed themselves. */
const isOfProduct = (path: string) => /^(?:src|test|scripts)\//.test(path)

export const chance: Rule = {
  name: `chance: tests take fast-check from ${source}, which gives it a seed`,
  check: (tree): Report => {
    const files = tree.texts.filter(({ path }) => path.endsWith('.ts') && isTest(path))
    const found = files.flatMap((file) =>
      importsOf(tree, file)
        .filter(({ specifier }) => specifier === 'fast-check' && file.path !== source)
        .filter(() => isOfProduct(file.path) || !/\bseed: \d+/.test(file.text))
        .map(
          ({ line }) => `${file.path}:${line} takes fast-check without a seed: import { fc } from ${source}`,
        ),
    )
    return { checked: files.length, what: 'files of tests', findings: found }
  },
}
