// One JSON line per event, on standard error, so that standard output stays for people and pipes.
import { hostname } from 'node:os'
import { pino, stdSerializers, type Logger } from 'pino'
import { given } from '#/kernel/given.ts'
import { currentContext } from './context.ts'
import { maskPrivate } from './private.ts'

export type Log = Logger

/** The process, on every line. Host and number of the process are added. The role of a command is `command`. */
export type LogOrigin = { readonly role: string; readonly cell: string }

/** Fields that are removed from all log lines, in any object. */
const secretFields = [
  'apikey',
  'apiKey',
  'authorization',
  'body',
  'cookie',
  'customer',
  'customerAddress',
  'customerEmail',
  'customerName',
  'customerPhone',
  'customerTaxId',
  'destination',
  'email',
  'headers',
  'iban',
  'metadata',
  'password',
  'payer',
  'phone',
  'pixKey',
  'secret',
  'taxId',
  'token',
  'webhookSecret',
]

/**
 * A log that writes from `level` upwards and hides secrets and personal data at any depth up to two. Lines that are written in a request
 * name it. `origin` is a function where the settings are not read yet: it is called for each line.
 */
export function createLog(level: string, origin: LogOrigin | (() => LogOrigin)): Log {
  const originNow = typeof origin === 'function' ? origin : undefined
  return pino(
    {
      level,
      base: { ...(typeof origin === 'function' ? {} : origin), host: hostname(), pid: process.pid },
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      mixin: () => {
        const { requestId } = currentContext()
        return { ...originNow?.(), ...given({ requestId }) }
      },
      // Metadata and keys may contain anything, and any field of a line may repeat them.
      hooks: { streamWrite: withoutPrivate },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: withoutRow },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[hidden]',
      },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}

/** What PostgreSQL adds to an error may hold a whole row: the values, the statement and its parameters. */
const ofRows = ['detail', 'where', 'query', 'internal_query', 'parameters', 'args', 'hint']

function withoutRow(error: Error): object {
  const shown = { ...stdSerializers.err(error) } as Record<string, unknown>
  for (const name of [...ofRows, 'raw', 'cause']) delete shown[name]
  return shown
}

/** Masks what is private. The line is still JSON: a masked number becomes a text. */
function withoutPrivate(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    // Short texts and numbers hold nothing that would be masked: the shortest is an e-mail address.
    if (token.length < 7) return token
    const text = token.startsWith('"') ? String(JSON.parse(token)) : token
    const masked = maskPrivate(text)
    return masked === text ? token : JSON.stringify(masked)
  })
}

/** For tests, and for code without a log. */
export const silentLog: Log = pino({ level: 'silent' })
