// One JSON line per event, on standard error, so that standard output stays for people and pipes.
import { pino, type Logger } from 'pino'

export type Log = Logger

/** Fields that never reach a log line, whatever object they arrive in. */
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
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[hidden]',
      },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}

/** For tests and for code that has nobody to tell. */
export const silentLog: Log = pino({ level: 'silent' })
