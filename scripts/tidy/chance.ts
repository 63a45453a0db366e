// Tests draw by chance in one place, whose seed is in the tree: the same run draws the same cases on every machine and on every day.
import { importsOf } from './imports.ts'
import { lineAt } from './lex.ts'
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

/** Tests that read the machine's time: by a pattern of their paths, why. */
const readers: readonly (readonly [files: RegExp, why: string])[] = [
  [/^simulators\//, 'a simulator is a program whose only clock is the machine’s'],
  [/^(?:sdk|integrations)\//, 'a receiver compares the time in a signature with its own'],
  [
    /^test\/(?:rehearsal-shop|docs\/receivers|journeys\/medusa-provider\.test)\.ts$/,
    'a receiver compares the time in a signature with its own',
  ],
  [
    /^test\/(?:dashboard\/world|browser\/dashboard-factor\.test)\.ts$/,
    'the code of an authenticator app is of now',
  ],
  [/^test\/shifted-clock\.ts$/, 'it shifts the machine’s time'],
  [/^src\/kernel\/id\.test\.ts$/, 'ids rise from those that this process has made before'],
  [
    /^test\/(?:laws\/keys\.test|dashboard\/answers\.test|browser\/dashboard-filling|cluster\/api-begin-end\.cluster)\.ts$/,
    'the server that answers has the machine’s time',
  ],
  [
    /^test\/contract\/(?:keys|rolled-keys|request-log|transfer-grants|sandbox-clock|webhook-endpoints|payout-schedules)\.test\.ts$/,
    'the server that answers has the machine’s time',
  ],
  [
    /^src\/(?:checkout\/link-page|disputes\/evidence)\.test\.ts$/,
    'the database that judges the date has the machine’s time',
  ],
]

export const machineTime: Rule = {
  name: 'chance: a test does not depend on when it runs',
  check: (tree): Report => {
    const files = tree.texts.filter(({ path }) => path.endsWith('.ts') && isTest(path))
    const reads = files.flatMap((file) =>
      [...tree.views(file).code.matchAll(/\bDate\.now\b/g)].map(({ index }) => ({ ...file, index })),
    )
    const found = reads.filter(({ path }) => !readers.some(([of]) => of.test(path)))
    return {
      checked: files.length,
      what: 'files of tests',
      findings: found.map(
        ({ path, text, index }) =>
          `${path}:${lineAt(text, index)} reads the machine's time: use a fixed date or the clock that it gives, or say in scripts/tidy/chance.ts why`,
      ),
    }
  },
}

/** Tests of rules have to contain what the rules search for. */
const isOfRules = (path: string) => path.startsWith('scripts/tidy/')

/** An instant of this moment, in the text of a statement. */
const dueThisMoment = /\b(?:due|expires)_at = (?:statement_timestamp|clock_timestamp|now)\(\)(?!\s*[-+])/g

export const dueBefore: Rule = {
  name: 'chance: what a test makes due was due before',
  check: (tree): Report => {
    const files = tree.texts.filter(({ path }) => path.endsWith('.ts') && isTest(path) && !isOfRules(path))
    return {
      checked: files.length,
      what: 'files of tests',
      findings: files.flatMap(({ path, text }) =>
        [...text.matchAll(dueThisMoment)].map(
          ({ index }) =>
            `${path}:${lineAt(text, index)} is due in whole milliseconds, so perhaps not yet: subtract interval '1 second'`,
        ),
      ),
    }
  },
}
