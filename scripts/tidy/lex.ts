// Just enough of a TypeScript lexer to tell code from text: the rules must not match a word in a comment or a string, nor miss
// one because a string before it contained a quote.

/** Three views of one file, each as long as the file, so that an index in one is an index in all. */
export type Views = {
  readonly text: string
  /** Comments, and the insides of strings, templates and regular expressions, are blanks. Their delimiters stay. */
  readonly code: string
  /** Everything but comments is blank. */
  readonly comments: string
}

/** Separates code from text. JSX is not supported. */
export function lex(text: string): Views {
  const code = [...blanksOf(text)]
  const comments = [...blanksOf(text)]
  /** For each unfinished template substitution, how many braces inside it are open. */
  const substitutions: number[] = []
  let at = 0
  const copy = (into: string[], end: number) => {
    for (let i = at; i < end; i += 1) into[i] = text.charAt(i)
  }
  const literal = (end: number, closed: boolean) => {
    code[at] = text.charAt(at)
    if (closed) code[end - 1] = text.charAt(end - 1)
    at = end
  }
  const template = () => {
    const end = endOfTemplate(text, at + 1)
    const opens = text.startsWith('${', end - 2)
    if (opens) substitutions.push(0)
    literal(end, true)
  }
  while (at < text.length) {
    const char = text.charAt(at)
    const two = text.slice(at, at + 2)
    if (two === '//' || two === '/*') {
      const end = two === '//' ? endOfLine(text, at) : endOf(text, '*/', at + 2)
      copy(comments, end)
      at = end
    } else if (char === "'" || char === '"') {
      literal(endOfString(text, at), true)
    } else if (char === '`') {
      template()
    } else if (char === '/' && startsRegex(code, at)) {
      literal(endOfRegex(text, at), false)
    } else if (char === '}' && substitutions.at(-1) === 0) {
      substitutions.pop()
      template()
    } else {
      const open = substitutions.length - 1
      if (open >= 0 && (char === '{' || char === '}')) {
        substitutions[open] = (substitutions[open] ?? 0) + (char === '{' ? 1 : -1)
      }
      code[at] = char
      at += 1
    }
  }
  return { text, code: code.join(''), comments: comments.join('') }
}

/** The number, from 1, of the line that `index` lies in. */
export function lineAt(text: string, index: number): number {
  let line = 1
  for (let i = text.indexOf('\n'); i >= 0 && i < index; i = text.indexOf('\n', i + 1)) line += 1
  return line
}

/** The text of the string literal whose opening quote stands at `index`. */
export function stringAt(text: string, index: number): string {
  return text.slice(index + 1, endOfString(text, index) - 1)
}

/** UTF-16 units, not characters, so that the views stay aligned with the text. */
function* blanksOf(text: string): Generator<string> {
  for (let i = 0; i < text.length; i += 1) yield text.charAt(i) === '\n' ? '\n' : ' '
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found < 0 ? text.length : found
}

function endOfString(text: string, from: number): number {
  const quote = text.charAt(from)
  for (let i = from + 1; i < text.length; i += 1) {
    const char = text.charAt(i)
    if (char === '\\') i += 1
    else if (char === quote) return i + 1
    else if (char === '\n') return i
  }
  return text.length
}

/** Behind the closing backtick, or behind the `${` that opens a substitution. */
function endOfTemplate(text: string, from: number): number {
  for (let i = from; i < text.length; i += 1) {
    const char = text.charAt(i)
    if (char === '\\') i += 1
    else if (char === '`') return i + 1
    else if (char === '$' && text.charAt(i + 1) === '{') return i + 2
  }
  return text.length
}

function endOfRegex(text: string, from: number): number {
  let inClass = false
  for (let i = from + 1; i < text.length; i += 1) {
    const char = text.charAt(i)
    if (char === '\\') i += 1
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return i + 1
    else if (char === '\n') return i
  }
  return text.length
}

/** A slash divides after a value and starts a regular expression anywhere else. */
function startsRegex(code: readonly string[], at: number): boolean {
  let i = at - 1
  while (i >= 0 && /\s/.test(code[i] ?? '')) i -= 1
  if (i < 0) return true
  const before = code[i] ?? ''
  if (/[\w$]/.test(before)) {
    const word = /[\w$]+$/.exec(code.slice(Math.max(0, i - 15), i + 1).join(''))?.[0] ?? ''
    return /^(?:return|typeof|case|in|of|delete|void|throw|instanceof|await|yield|else|do)$/.test(word)
  }
  return !/[)\]'"`]/.test(before)
}
