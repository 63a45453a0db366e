// One JSON line per event, on standard error, so that standard output stays for people and pipes.
import { pino, type Logger } from 'pino'
import { maskCardNumbers } from './card-number.ts'

export type Log = Logger

/** Fields that are removed from all log lines, in any object. */
const secretFields = [
  'apikey',
  'apiKey',
  'authorization',
  'secret',
  'webhookSecret',
  'pixKey',
  'customerEmail',
  'customerName',
  'metadata',
]

/** A log that writes from `level` upwards and hides secrets and personal data at any depth up to two. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      // Metadata and keys may contain any digits, and any field of a line may repeat them.
      hooks: { streamWrite: withoutCardNumbers },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[hidden]',
      },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}

/** A quick check: fewer digits cannot be a card number, and most lines have fewer in a row. */
const mayHoldCard = /[0-9\uff10-\uff19](?:[^"A-Za-z0-9\uff10-\uff19]{0,9}[0-9\uff10-\uff19]){12}|\\/u

/** Masks texts that look like card numbers. The line is still JSON: a masked number becomes a text. */
function withoutCardNumbers(line: string): string {
  if (!mayHoldCard.test(line)) return line
  return line.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    const said = token.startsWith('"') ? String(JSON.parse(token)) : token
    const masked = maskCardNumbers(said)
    return masked === said ? token : JSON.stringify(masked)
  })
}

/** For tests, and for code without a log. */
export const silentLog: Log = pino({ level: 'silent' })
