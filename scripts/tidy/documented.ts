// The names that a merchant or an operator meets: every such name is explained in docs/, and a page explains no name that
// does not exist.
import type { Report, Rule } from './rule.ts'
import type { Tree } from './tree.ts'

type Subject = {
  readonly what: string
  /** Where the names are made. */
  readonly source: RegExp
  readonly names: (text: string) => readonly string[]
  /** The pages that define such names, and the pattern of a definition. */
  readonly pages: RegExp
  readonly term: RegExp
}

const setting = /^(?:PORT|(?:VINTEM|DATABASE)_[A-Z0-9_]+)$/

const subjects: readonly Subject[] = [
  {
    what: 'problem codes',
    source: /^src\/kernel\/error\.ts$/,
    names: (text) => keysOf(/export const problems = \{\n([^]*?)\n\}/.exec(text)?.[1] ?? ''),
    pages: /^docs\/(?:.*\/)?[^/]*(?:problem|error)[^/]*\.md$/,
    term: /^[a-z]+(?:_[a-z]+)*$/,
  },
  {
    what: 'event types',
    source: /^src\/contract\/events\.ts$/,
    names: (text) =>
      literalsOf(text).filter((each) => /^(?:payment|refund|dispute|withdrawal|wallet)\.[a-z_]+$/.test(each)),
    pages: /^docs\/(?:.*\/)?[^/]*(?:event|webhook)[^/]*\.md$/,
    term: /^(?:payment|refund|dispute|withdrawal|wallet)\.[a-z_]+$/,
  },
  {
    what: 'settings',
    source: /^src\/config\.ts$/,
    names: (text) => keysOf(text).filter((each) => setting.test(each)),
    pages: /^docs\/(?:.*\/)?[^/]*(?:setting|operat|config)[^/]*\.md$/,
    term: setting,
  },
]

/** One rule for each kind of name. */
export const documented: readonly Rule[] = subjects.map((subject) => ({
  name: `documented: all ${subject.what} are explained in docs, and none that does not exist`,
  check: (tree) => compare(tree, subject),
}))

function compare(tree: Tree, subject: Subject): Report {
  const sources = tree.texts.filter(({ path }) => subject.source.test(path))
  const names = new Set(sources.flatMap(({ text }) => subject.names(text)))
  const pages = tree.texts.filter(({ path }) => /^docs\/.*\.md$/.test(path))
  const explained = new Set(
    pages.flatMap(({ text }) => [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1])),
  )
  const defining = pages.filter(({ path }) => subject.pages.test(path))
  return {
    checked: names.size,
    what: subject.what,
    findings: [
      ...(defining.length === 0
        ? [`no page in docs defines ${subject.what}: ${subject.pages.source} is looked for`]
        : []),
      ...[...names]
        .filter((name) => !explained.has(name))
        .map((name) => `\`${name}\` is not explained in docs`),
      ...defining.flatMap(({ path, text }) =>
        definitionsIn(text)
          .filter((term) => subject.term.test(term) && !names.has(term))
          .map((term) => `${path} explains \`${term}\`, which does not exist`),
      ),
    ],
  }
}

/** The names a page defines: `code` that opens a heading, a list item or a row of a table. */
function definitionsIn(text: string): readonly string[] {
  return [...text.matchAll(/^(?:#{2,6} |\| ?|[-*] )`([^`\n]+)`/gm)].map((match) => match[1] ?? '')
}

function keysOf(block: string): readonly string[] {
  return [...block.matchAll(/^\s+(?:'([^']+)'|([A-Za-z_]\w*)):/gm)].map((match) => match[1] ?? match[2] ?? '')
}

function literalsOf(text: string): readonly string[] {
  return [...text.matchAll(/'([^'\n]+)'/g)].map((match) => match[1] ?? '')
}
