// The words of texts for people: those that the glossary replaces are refused, and so is a number with a noun of one fixed number.
import { peopleTexts, textLanguages, type PeopleText, type TextLanguage } from './people-texts.ts'
import type { Report, Rule } from './rule.ts'

const glossary = 'GLOSSARY.md'

/** A table of words for every text, and one of words for the pages on which somebody pays alone. */
const headings = { all: '## Words for people', ofPayers: '## Words for payers' } as const

/** A value and a plural behind it: `${count} pagos`, `${done} de ${all} casos`, `{count} eventos`. Amounts of money are no counts. */
const value = String.raw`(?:\$\{(?:count|n|all|ended|calls|blocks|moved|created|batches|transfers|times)\}|(?<!\$)\{(?:count|number)\})`
const fixedPlural = new RegExp(String.raw`${value} (?!más(?!\p{L})|menos(?!\p{L}))\p{Ll}{2,}s(?!\p{L})`, 'u')
const bracketed = /\p{L}\((?:s|es|ões)\)/u

type Banned = {
  readonly says: Readonly<Record<TextLanguage, string>>
  readonly words: Readonly<Record<TextLanguage, RegExp | undefined>>
}

export const peopleWords: Rule = {
  name: 'words: texts for people use the words of the glossary, and the form of a noun that its number takes',
  check: (tree): Report => {
    const markdown = tree.read(glossary) ?? ''
    const all = bannedIn(markdown, headings.all)
    const ofPayers = bannedIn(markdown, headings.ofPayers)
    const texts = peopleTexts(tree)
    const findings = texts.flatMap((text) =>
      faultsOf(text, [...all, ...(text.isOfPayers ? ofPayers : [])]).map((why) => `${text.at} ${why}`),
    )
    return { checked: texts.length, what: 'texts for people', findings: [...new Set(findings)] }
  },
}

function faultsOf({ language, said, isCounted }: PeopleText, banned: readonly Banned[]): readonly string[] {
  // Values are names of code.
  const plain = said.replaceAll(/\$\{[^}]*\}/g, '…')
  return [
    ...banned.flatMap(({ words, says }) => {
      const found = words[language]?.exec(plain)?.[0]
      return found === undefined ? [] : [`says "${found}" in ${language}: say "${says[language]}"`]
    }),
    ...(!isCounted && fixedPlural.test(said) ? ['has a number with a plural: use counted()'] : []),
    ...(bracketed.test(said) ? ['has a plural in brackets: use counted()'] : []),
  ]
}

/** The rows of a table of the glossary. A cell of words not to use has them apart by commas; a dash has none. */
function bannedIn(markdown: string, heading: string): readonly Banned[] {
  const section = markdown.split(`\n${heading}\n`)[1]?.split(/^## /m)[0] ?? ''
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
    .map((cells) => ({
      says: inLanguages(cells.slice(1, 4)),
      words: inLanguages(cells.slice(4).map(patternOf)),
    }))
}

function inLanguages<Value>(values: readonly Value[]) {
  return Object.fromEntries(textLanguages.map((language, place) => [language, values[place]])) as Readonly<
    Record<TextLanguage, Value>
  >
}

/** Any of the words. One in lower case is found at the beginning of a sentence too; `*` stands for any end of a word. */
function patternOf(cell: string): RegExp | undefined {
  const words = cell.split(',').map((word) => word.trim())
  if (words.every((word) => word === '' || word === '–')) return undefined
  return new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${words.map(wordPattern).join('|')})(?![\p{L}_])`, 'u')
}

function wordPattern(word: string): string {
  const [first = '', ...rest] = word
  const begin = first === first.toUpperCase() ? first : `[${first}${first.toUpperCase()}]`
  return `${begin}${rest.join('')}`.replace(/\*$/, String.raw`\p{L}*`)
}
