// Where the texts for people stand: lists of one text in each language, a block of texts for each language, the translations of the shop's
// plug-in, and the guide in Portuguese.
import { lineAt } from './lex.ts'
import { isTest, type SourceFile, type Tree } from './tree.ts'

export const textLanguages = ['pt-BR', 'en', 'es'] as const
export type TextLanguage = (typeof textLanguages)[number]

/** `isCounted`: its form is chosen by a number. `isOfPayers`: it is on a page on which somebody pays. */
export type PeopleText = {
  readonly at: string
  readonly language: TextLanguage
  readonly said: string
  readonly isCounted: boolean
  readonly isOfPayers: boolean
}

const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`)'
const inEach = new RegExp(String.raw`\[\s*(${literal}),\s*(${literal}),\s*(${literal}),?\s*\]`, 'g')
const single = new RegExp(String.raw`(?<!\bfrom |\bimport )${literal}`, 'g')

/** What a file with such lists imports. Lists of three in other files are no texts. */
const ofTexts = /(?:dictionary|descriptor|sentence-types|common-words)\.ts'\n/

/** A constant with all texts of one language, named after it. */
const block = /^const (ptBr|portuguese|en|english|es|spanish)\b[^=\n]*= \{\n([\s\S]*?)^\}/gm
const blockLanguages: Readonly<Record<string, TextLanguage>> = {
  ptBr: 'pt-BR',
  portuguese: 'pt-BR',
  en: 'en',
  english: 'en',
  es: 'es',
  spanish: 'es',
}

const translation = /^ +'((?:[^'\\]|\\.)*)' => '((?:[^'\\]|\\.)*)',$/gm
const translationLanguages: Readonly<Record<string, TextLanguage>> = { pt_BR: 'pt-BR', es_ES: 'es' }

/** The guide that is written in Portuguese. */
const guide = 'docs/guia.md'

/** Every text for people of the tree, in every language. */
export function peopleTexts(tree: Tree): readonly PeopleText[] {
  return tree.texts.flatMap((file) => {
    if (isTest(file.path)) return []
    if (/^(?:src|web|simulators)\/.*\.tsx?$/.test(file.path)) return [...listed(file), ...inBlocks(file)]
    if (/^integrations\/.*\/languages\/\w+\.php$/.test(file.path)) return translated(file)
    return file.path === guide ? guided(file) : []
  })
}

function listed(file: SourceFile): readonly PeopleText[] {
  const { path, text } = file
  if (!ofTexts.test(text)) return []
  return [...text.matchAll(inEach)].flatMap(({ index, ...match }) => {
    const isCounted = isInsideCounted(text.slice(Math.max(0, index - 900), index))
    return textLanguages.map((language, place) => ({
      ...placed(file, index),
      language,
      said: match[place + 1] ?? '',
      isCounted,
      isOfPayers: isOfPayers(path),
    }))
  })
}

function inBlocks(file: SourceFile): readonly PeopleText[] {
  return [...file.text.matchAll(block)].flatMap(({ index, 0: whole, 1: name = '', 2: texts = '' }) => {
    const begin = index + whole.indexOf(texts)
    return [...texts.matchAll(single)].map((match) => ({
      ...placed(file, begin + match.index),
      language: blockLanguages[name] ?? 'en',
      said: match[0],
      isCounted: false,
      isOfPayers: true,
    }))
  })
}

/** The plug-in's texts are for merchants, but for those of its payment form. English stands beside each translation. */
function translated(file: SourceFile): readonly PeopleText[] {
  const language = translationLanguages[file.path.split('/').at(-1)?.replace('.php', '') ?? '']
  if (language === undefined) return []
  return [...file.text.matchAll(translation)].flatMap(({ index, 1: english = '', 2: said = '' }) => {
    const place = { ...placed(file, index), isCounted: false, isOfPayers: false }
    return [
      { ...place, language: 'en' as const, said: english },
      { ...place, language, said },
    ]
  })
}

/** Its sentences, without samples and names of code. */
function guided(file: SourceFile): readonly PeopleText[] {
  const prose = file.text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>/g, (code) =>
    code.replaceAll(/[^\n]/g, ' '),
  )
  return prose.split('\n').flatMap((said, line) =>
    said.trim() === ''
      ? []
      : [
          {
            at: `${file.path}:${line + 1}`,
            language: 'pt-BR' as const,
            said,
            isCounted: false,
            isOfPayers: false,
          },
        ],
  )
}

function placed({ path, text }: SourceFile, index: number) {
  return { at: `${path}:${lineAt(text, index)}` }
}

function isOfPayers(path: string): boolean {
  return /^(?:src\/checkout|simulators|web\/checkout)\//.test(path)
}

/** Whether a call of `counted` has begun in what stands before, and not ended. */
function isInsideCounted(before: string): boolean {
  const open = before.lastIndexOf('counted(')
  if (open === -1) return false
  let depth = 0
  for (const sign of before.slice(open)) depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
  return depth > 0
}
