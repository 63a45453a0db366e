// A text of a dictionary is an array of three literals. One that several places need stands in common-words.ts, and they refer to it. The
// names and sentences of payment methods belong to the methods, whatever texts they resemble.
import { methods } from '#/rails/methods.ts'
import { lineAt } from './lex.ts'
import type { Report, Rule } from './rule.ts'
import { isTest, type Tree } from './tree.ts'

const commonPath = 'src/kernel/common-words.ts'
const ofMethods = /^src\/checkout\/methods\//

/** Only there an array of three is a text. */
const uses = /\/dictionary\.ts'\n/

const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`
const entry = new RegExp(
  String.raw`(?<key>[\w'.-]+): \[\s*(?<pt>${literal}),\s*(?<en>${literal}),\s*(?<es>${literal}),?\s*\]`,
  'g',
)

type Place = {
  readonly path: string
  readonly at: string
  readonly key: string
  /** In the order of the languages. */
  readonly texts: readonly string[]
}

export const dictionaries: Rule = {
  name: 'words: a text that three places need is a common word, and the names in braces are the same in every language',
  check: (tree): Report => {
    const places = placesIn(tree)
    const byTexts = Map.groupBy(places.filter(isWord), ({ texts }) => texts.join('\n'))
    return {
      checked: places.length,
      what: 'texts in three languages',
      findings: [
        ...[...byTexts.values()].flatMap(repeated),
        ...places.flatMap(({ at, texts }) =>
          new Set(texts.map(namesOf)).size === 1
            ? []
            : [`${at} has other names in braces in another language: ${texts.join(', ')}`],
        ),
      ],
    }
  },
}

function placesIn(tree: Tree): readonly Place[] {
  return tree.texts
    .filter(({ path, text }) => /^(?:src|web)\/.*\.tsx?$/.test(path) && !isTest(path) && uses.test(text))
    .flatMap(({ path, text }) =>
      [...text.matchAll(entry)].map(({ index, groups: { key = '', pt = '', en = '', es = '' } = {} }) => ({
        path,
        at: `${path}:${lineAt(text, index)}`,
        key,
        texts: [pt, en, es],
      })),
    )
}

/** Not the name of a method, nor a name that is the same in every language. */
function isWord({ path, key, texts }: Place): boolean {
  const isOfMethod = ofMethods.test(path) || methods.some((method) => method === key)
  return !isOfMethod && new Set(texts).size > 1
}

function repeated(places: readonly Place[]): readonly string[] {
  const own = places.filter(({ path }) => path !== commonPath)
  if (own.length === places.length)
    return own.length < 3
      ? []
      : own.map(({ at, texts }) => `${at} ${texts[1]} stands in three places: put it into ${commonPath}`)
  const [{ key } = { key: '' }] = places.filter(({ path }) => path === commonPath)
  return own.map(({ at, texts }) => `${at} ${texts[1]} is commonWords.${key}`)
}

function namesOf(text: string): string {
  return [...text.matchAll(/\{\w+\}/g)]
    .map(([name]) => name)
    .toSorted()
    .join()
}
