// How a command speaks to a person: one accent, symbols with an ASCII fallback, progress on one line; and nothing that a
// log or a pipe would choke on when it is not a terminal.
import { stripVTControlCharacters } from 'node:util'

/** What a command needs to say something. Made once, by the program; tests make their own. */
export type Terminal = {
  /** One line on standard output. */
  readonly out: (line?: string) => void
  /** One line on standard error. */
  readonly err: (line: string) => void
  /** Shows `line` in place of the progress shown before. Says nothing when it is not a terminal. */
  readonly progress: (line: string) => void
  /** Columns; undefined when it is not a terminal, and lines may be of any length. */
  readonly width: number | undefined
  readonly paint: Paint
  readonly symbols: Symbols
}

export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>
export type Symbols = { readonly [Name in keyof typeof unicode]: string }

/** The part of a stream that is used here: a tty.WriteStream, a pipe, or a test's own. */
export type Output = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly getColorDepth?: (env?: object) => number
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A terminal over the two outputs. `env` decides what they can show: NO_COLOR and TERM=dumb end colours, and a locale
 * that is not UTF-8 ends symbols.
 */
export function createTerminal(
  outputs: { readonly stdout: Output; readonly stderr: Output },
  env: Environment,
): Terminal {
  const { stdout, stderr } = outputs
  const isTerminal = stdout.isTTY === true
  const depth = isTerminal && !env['NO_COLOR'] ? (stdout.getColorDepth?.(env) ?? 1) : 1
  // A terminal that does not know its width says 0.
  const width = () => stdout.columns || 80
  let progressing = false
  const endProgress = () => {
    if (progressing) stdout.write(eraseLine)
    progressing = false
  }
  return {
    out: (line = '') => {
      endProgress()
      stdout.write(`${line}\n`)
    },
    err: (line) => {
      endProgress()
      stderr.write(`${line}\n`)
    },
    progress: (line) => {
      if (!isTerminal || env['TERM'] === 'dumb') return
      progressing = true
      stdout.write(eraseLine + line.slice(0, width() - 1))
    },
    width: isTerminal ? width() : undefined,
    paint: paintOf(depth),
    symbols: isTerminal && isUtf8(env) ? unicode : ascii,
  }
}

const eraseLine = '\r\u001B[2K'

/** Copper, as the pages have it, where there are 256 colours; yellow is the nearest of 16. */
const codes = {
  accent: { rich: '38;5;173', plain: '33' },
  good: { rich: '32', plain: '32' },
  bad: { rich: '31', plain: '31' },
  soft: { rich: '2', plain: '2' },
  strong: { rich: '1', plain: '1' },
} as const

const unicode = { mark: '●', done: '✓', fail: '✗', arrow: '→', minus: '−', dot: '·', more: '…' } as const
const ascii: Symbols = { mark: '*', done: '+', fail: 'x', arrow: '->', minus: '-', dot: '-', more: '...' }

function paintOf(depth: number): Paint {
  const brush = (name: keyof typeof codes) => (text: string) => {
    if (depth <= 1) return text
    const code = depth >= 8 ? codes[name].rich : codes[name].plain
    return `\u001B[${code}m${text}\u001B[0m`
  }
  return {
    accent: brush('accent'),
    good: brush('good'),
    bad: brush('bad'),
    soft: brush('soft'),
    strong: brush('strong'),
  }
}

/** The first of these that is set decides (POSIX, 8.2). Windows sets none, and its terminals show UTF-8. */
function isUtf8(env: Environment): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG']
  if (!locale) return env['OS'] === 'Windows_NT' || env['TERM_PROGRAM'] !== undefined
  return /utf-?8/i.test(locale)
}

/** Text from outside as one harmless line: no control characters, so it cannot move the cursor or hide what it is. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}
