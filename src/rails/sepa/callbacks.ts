// A program of the operator hands in a bank's files by a signed call. The signature proves who sends a file; the file is then
// checked like any other. Only files of a bank are accepted: otherwise a caller could invent a movement in our own form.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { must } from '#/kernel/check.ts'
import { sha256 } from '#/kernel/secret.ts'
import { secondMs } from '#/kernel/time.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { CallbackVerdict, SignedCallback, SignedCallbacks } from '#/rails/rail.ts'
import { isUtf16 } from './encoding.ts'
import { checkSepaSettings } from './settings.ts'
import { isZip } from './zip.ts'

/** In both directions, because clocks differ. */
const ageMaxMs = 300 * secondMs

/** `vintem-timestamp`: seconds since 1970. `vintem-signature`: HMAC-SHA256 of `{timestamp}.{body}` under the key, in hex. */
export function sepaCallbacks(connections: ConnectionBook): SignedCallbacks {
  return { by: 'SIGNATURE', verify: async (callback) => verify(connections, callback) }
}

function verify(
  connections: ConnectionBook,
  { connection, headers, body, receivedAt }: SignedCallback,
): CallbackVerdict {
  const { settings, secrets } = must(connections.find(connection), `no connection ${connection}`)
  const checked = checkSepaSettings(settings, secrets)
  const key = checked.ok ? checked.callbackKey : undefined
  if (key === undefined) return refused('the connection has no callbackKey')
  const [timestamp, signature] = [headers['vintem-timestamp'], headers['vintem-signature']]
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return refused('it is not signed')
  const isInTime =
    /^\d{10}$/.test(timestamp) && Math.abs(receivedAt.getTime() - Number(timestamp) * secondMs) <= ageMaxMs
  if (!isInTime) return refused('its timestamp is not of now')
  const expected = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest()
  const given = Buffer.from(/^[0-9a-f]{64}$/.test(signature) ? signature : '', 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return refused('its signature is wrong')
  if (!isBankFile(body)) return refused('it is neither XML nor a ZIP')
  return { ok: true, eventId: sha256(body).toString('hex') }
}

function refused(reason: string): CallbackVerdict {
  return { ok: false, reason }
}

/** Whether the bytes are a file of a bank and not a movement in our own form, which is JSON. */
export function isBankFile(body: Buffer): boolean {
  if (isZip(body) || isUtf16(body)) return true
  return /^(?:\uFEFF)?\s*</.test(body.subarray(0, 64).toString('utf8'))
}
