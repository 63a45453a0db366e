// The output of a command for a person: one accent colour, symbols with an ASCII fallback, progress on one line. A log or a pipe gets
// plain text only.
import { stripVTControlCharacters } from 'node:util'

/** The output of a command. The program creates it once; tests create their own. */
export type Terminal = {
  /** One line on standard output. */
  readonly out: (line?: string) => void
  /** One line on standard error. */
  readonly err: (line: string) => void
  /** Replaces the progress line. Writes nothing when it is not a terminal. */
  readonly progress: (line: string) => void
  /** Columns; undefined when it is not a terminal, so that lines may have any length. */
  readonly width: number | undefined
  readonly paint: Paint
  readonly symbols: Symbols
}

export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>
export type Symbols = { readonly [Name in keyof typeof unicode]: string }

/** The part of a stream that is used here: of a tty.WriteStream, a pipe, or a test's stream. */
export type Output = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly getColorDepth?: (env?: object) => number
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A terminal over the two outputs. `env` decides what they can show: NO_COLOR and TERM=dumb disable colours, and a locale that is
 * not UTF-8 disables symbols.
 */
export function createTerminal(
  outputs: { readonly stdout: Output; readonly stderr: Output },
  env: Environment,
): Terminal {
  const { stdout, stderr } = outputs
  const isTerminal = stdout.isTTY === true
  const depth = isTerminal && !env['NO_COLOR'] ? (stdout.getColorDepth?.(env) ?? 1) : 1
  // A terminal without a known width has 0 columns.
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

/** Copper, as on the pages, in 256 colours; yellow is the nearest of 16. */
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

/** Text from outside as one harmless line: without control characters, so it cannot move the cursor or disguise itself. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}
