// Splits a file of SQL into its statements, because poolers need one statement per message. These parts may contain
// semicolons that end no statement (PostgreSQL, "Lexical Structure"): strings, quoted names, dollar quotes, comments,
// parentheses, and bodies between `begin atomic` and `end`.
import { invariant } from '#/kernel/check.ts'

export type SqlStatement = {
  /** Without the comments before it, and without its semicolon. */
  readonly text: string
  /** The comments between the statement before and this one, line by line, without their leading spaces. */
  readonly comments: readonly string[]
  /** The line of the file on which it starts, from 1. */
  readonly line: number
}

/**
 * Returns the statements of `text`, in order. Throws when a string, name or comment does not end.
 */
export function splitStatements(text: string): readonly SqlStatement[] {
  const statements: SqlStatement[] = []
  let comments: string[] = []
  let from: number | undefined
  let parentheses = 0
  let words: string[] = []
  let bodies = 0

  const finish = (to: number) => {
    if (from !== undefined) {
      const line = text.slice(0, from).split('\n').length
      statements.push({ text: text.slice(from, to).trimEnd(), comments, line })
      comments = []
    }
    from = undefined
    words = []
  }

  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at)
    const end = at + token.text.length
    if (token.kind === 'comment' && from === undefined) {
      comments.push(...token.text.split('\n').map((line) => line.trim()))
    }
    if (token.kind !== 'space' && token.kind !== 'comment') {
      const isEnd = token.text === ';' && parentheses === 0 && bodies === 0
      if (isEnd) finish(at)
      else from ??= at
      if (token.text === '(') parentheses += 1
      if (token.text === ')') parentheses = Math.max(0, parentheses - 1)
      if (token.kind === 'word') {
        const word = token.text.toLowerCase()
        words.push(word)
        bodies = depthAfter(bodies, words)
      }
    }
    at = end
  }
  finish(text.length)
  return statements
}

/** The nesting depth of bodies of SQL functions after the last of these words of a statement. */
function depthAfter(bodies: number, words: readonly string[]): number {
  const word = words.at(-1)
  if (word === 'atomic' && words.at(-2) === 'begin' && words[0] === 'create') return bodies + 1
  if (bodies === 0) return 0
  if (word === 'case') return bodies + 1
  return word === 'end' ? bodies - 1 : bodies
}

type Token = { readonly kind: 'space' | 'comment' | 'word' | 'quoted' | 'sign'; readonly text: string }

const plain: readonly { readonly kind: Token['kind']; readonly pattern: RegExp }[] = [
  { kind: 'space', pattern: /\s+/y },
  { kind: 'comment', pattern: /--[^\n]*/y },
  // In a string with an E before it, a backslash escapes the next character.
  { kind: 'quoted', pattern: /[eE]'(?:[^'\\]|\\[^]|'')*'/y },
  { kind: 'quoted', pattern: /'(?:[^']|'')*'/y },
  { kind: 'quoted', pattern: /"(?:[^"]|"")*"/y },
  { kind: 'quoted', pattern: /(\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[^]*?\1/y },
  // A dollar sign inside a name is part of the name, and starts no quote.
  { kind: 'word', pattern: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y },
  { kind: 'word', pattern: /\d[\w.$]*/y },
]
const opening = /--|\/\*|['"]|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y

function tokenAt(text: string, at: number): Token {
  if (text.startsWith('/*', at)) return { kind: 'comment', text: blockComment(text, at) }
  for (const { kind, pattern } of plain) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) return { kind, text: found }
  }
  opening.lastIndex = at
  invariant(!opening.test(text), `what begins on line ${text.slice(0, at).split('\n').length} does not end`)
  return { kind: 'sign', text: text.charAt(at) }
}

/** Block comments can be nested. */
function blockComment(text: string, from: number): string {
  const edge = /\/\*|\*\//g
  edge.lastIndex = from
  let depth = 0
  for (let found = edge.exec(text); found !== null; found = edge.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return text.slice(from, edge.lastIndex)
  }
  invariant(false, `the comment on line ${text.slice(0, from).split('\n').length} does not end`)
}
