// The words of texts for people: those that the glossary replaces are refused, and so is a number with a noun of one fixed number.
import { lineAt } from './lex.ts'
import type { Report, Rule } from './rule.ts'
import { isTest, type Tree } from './tree.ts'

const glossary = 'GLOSSARY.md'
const heading = '## Words for people'

/** In the order of the languages in a text. */
const languages = ['pt-BR', 'en', 'es'] as const

const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`)'
const text = new RegExp(String.raw`\[\s*(${literal}),\s*(${literal}),\s*(${literal}),?\s*\]`, 'g')

/** A value and a plural behind it: `${count} pagos`, `${done} de ${all} casos`. */
const fixedPlural = /\$\{(?:count|n|all|ended|calls)\} (?!más\b)\p{Ll}{2,}s(?!\p{L})/u
const bracketed = /\p{L}\((?:s|es|ões)\)/u

type Banned = { readonly words: readonly (RegExp | undefined)[]; readonly says: readonly string[] }

export const peopleWords: Rule = {
  name: 'words: texts for people use the words of the glossary, and the form of a noun that its number takes',
  check: (tree): Report => {
    const banned = bannedIn(tree.read(glossary) ?? '')
    const places = textsIn(tree)
    return {
      checked: places.length,
      what: 'texts for people',
      findings: places.flatMap(({ at, said, isCounted }) => [
        ...said.flatMap((each, language) => replaced(each, language, banned).map((why) => `${at} ${why}`)),
        ...(!isCounted && said.some((each) => fixedPlural.test(each))
          ? [`${at} has a number with a plural: use counted()`]
          : []),
        ...(said.some((each) => bracketed.test(each))
          ? [`${at} has a plural in brackets: use counted()`]
          : []),
      ]),
    }
  },
}

/** The rows of the glossary's table. A cell of words not to use has them apart by commas; a dash has none. */
function bannedIn(markdown: string): readonly Banned[] {
  const section = markdown.split(heading)[1]?.split(/^## /m)[0] ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells.length === 7)
    .map((cells) => ({ says: cells.slice(1, 4), words: cells.slice(4).map(patternOf) }))
}

function patternOf(cell: string): RegExp | undefined {
  const words = cell.split(',').map((word) => word.trim())
  if (words.every((word) => word === '' || word === '–')) return undefined
  return new RegExp(String.raw`(?<![\p{L}-])(?:${words.join('|')})(?![\p{L}_])`, 'u')
}

function replaced(said: string, language: number, banned: readonly Banned[]): readonly string[] {
  // Values are names of code.
  const plain = said.replaceAll(/\$\{[^}]*\}/g, '…')
  return banned.flatMap(({ words, says }) => {
    const found = words[language]?.exec(plain)?.[0]
    return found === undefined ? [] : [`says "${found}" in ${languages[language]}: say "${says[language]}"`]
  })
}

function textsIn(tree: Tree) {
  return tree.texts
    .filter(
      ({ path, text: code }) =>
        /^(?:src|web)\/.*\.tsx?$/.test(path) &&
        !isTest(path) &&
        /(?:dictionary|descriptor|sentence-types|common-words)\.ts'\n/.test(code),
    )
    .flatMap(({ path, text: code }) =>
      [...code.matchAll(text)].map((match) => ({
        at: `${path}:${lineAt(code, match.index)}`,
        said: match.slice(1, 4),
        isCounted: isInsideCounted(code.slice(Math.max(0, match.index - 900), match.index)),
      })),
    )
}

/** Whether a call of `counted` has begun in what stands before, and not ended. */
function isInsideCounted(before: string): boolean {
  const open = before.lastIndexOf('counted(')
  if (open === -1) return false
  let depth = 0
  for (const sign of before.slice(open)) depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
  return depth > 0
}
