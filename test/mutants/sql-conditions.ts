// Finds the conditions of SQL in the source of a tagged template: what stands between `where`, `on`, `and` and the next word that ends it.

export type DroppedCondition = {
  /** Offsets in the source of the template. */
  readonly start: number
  readonly end: number
  readonly put: string
}

type Word = { readonly text: string; readonly start: number; readonly end: number; readonly depth: number }

const starts = new Set(['where', 'on', 'and'])
const ends = new Set(
  'and or where order group limit offset returning for union except having window join left right full inner cross do when then else end'.split(
    ' ',
  ),
)

/**
 * The ways to drop one condition that others stand beside with `and`. A condition alone is not dropped: without it the statement would touch a
 * whole table, which every test notices.
 */
export function droppedConditions(source: string): readonly DroppedCondition[] {
  const words = wordsOf(source)
  return words.flatMap((word, index) => {
    if (!starts.has(word.text) || isBetween(words, index)) return []
    const next = words.slice(index + 1).find((each) => ending(each, word))
    const end = next?.start ?? endOf(source)
    if (word.text === 'and') return [{ start: word.start, end, put: '' }]
    // The first of several: the word before the conditions stays.
    return next?.text === 'and' && next.depth === word.depth
      ? [{ start: word.end, end: next.end, put: '' }]
      : []
  })
}

/** Whether a word ends the condition that began at `begin`: a closing bracket of the level below does, too. */
function ending({ text, depth }: Word, begin: Word): boolean {
  return depth < begin.depth || (depth === begin.depth && ends.has(text))
}

/** `between a and b`: this `and` joins no conditions. */
function isBetween(words: readonly Word[], index: number): boolean {
  const word = words[index]
  if (word?.text !== 'and') return false
  const before = words.slice(0, index).findLast((each) => each.depth === word.depth && isJoint(each.text))
  return before?.text === 'between'
}

const isJoint = (text: string) => text === 'between' || starts.has(text) || text === 'or'

/** The last offset before the template's closing quote. */
function endOf(source: string): number {
  return source.trimEnd().length - 1
}

/** The words of the SQL with their level of brackets; placeholders and quoted texts have none. A closing bracket is a word of the level below. */
function wordsOf(source: string): readonly Word[] {
  const words: Word[] = []
  let depth = 0
  const opening = source.indexOf('`') + 1
  for (let at = opening; at < endOf(source);) {
    const rest = source.slice(at)
    const [whole = ''] = /^(?:'[^']*'|--[^\n]*|[a-z_]\w*|[^a-z_])/i.exec(rest) ?? []
    if (rest.startsWith('${')) {
      at = afterPlaceholder(source, at)
      continue
    }
    if (whole === '(') depth += 1
    if (whole === ')') {
      depth -= 1
      words.push({ text: ')', start: at, end: at + 1, depth })
    }
    if (/^[a-z_]/i.test(whole))
      words.push({ text: whole.toLowerCase(), start: at, end: at + whole.length, depth })
    at += whole.length
  }
  return words
}

/** The offset behind `${…}`, whatever braces and templates stand in it. */
function afterPlaceholder(source: string, from: number): number {
  let level = 0
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === '{') level += 1
    if (source[at] === '}' && --level === 0) return at + 1
  }
  return source.length
}
