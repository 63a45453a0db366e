// Authenticates calls of the merchant API: a signature of the exact bytes, made now, used once.
import { now } from '../kit/clock.ts'
import { asFields, type Fields } from '../kit/fields.ts'
import type { Call } from '../kit/http.ts'
import { abnormal, barred, fail } from './errors.ts'
import type { Permission } from './events.ts'
import { isSignedBy, payloadOf } from './signing.ts'
import type { Merchant } from './state.ts'
import type { Wallet } from './wallet.ts'

const bodyMax = 128 * 1024

export type Signed = { readonly merchant: Merchant; readonly body: Fields }

/** The merchant and the fields of a call. Throws a Refusal if no key with this permission signed it. */
export function admit(wallet: Wallet, call: Call, permission?: Permission): Signed {
  const { body, headers } = call
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) throw abnormal(415)
  if (body.length === 0) throw abnormal(400)
  if (body.length > bodyMax) throw barred('400104')
  const header = (name: string) => {
    const value = headers[`binancepay-${name}`]
    if (typeof value !== 'string' || value === '') throw barred('400001')
    return value
  }
  const [timestamp, nonce] = [header('timestamp'), header('nonce')]
  const [apiKey, signature] = [header('certificate-sn'), header('signature')]
  if (!/^[a-zA-Z0-9]{1,128}$/.test(apiKey)) throw barred('400005')
  const key = wallet.eventStore.state.keys.get(apiKey)
  if (key === undefined) throw barred('400004')
  mustBeInTime(wallet, timestamp)
  if (!/^[a-zA-Z]{32}$/.test(nonce)) throw barred('400001')
  if (!isSignedBy(key.apiSecret, payloadOf(timestamp, nonce, body), signature)) throw barred('400002')
  mustBeFirst(wallet, `${apiKey}\n${nonce}`)
  if (key.merchant.suspended) throw fail('400203')
  if (permission !== undefined && !key.permissions.includes(permission)) throw barred('400606')
  const fields = read(body)
  if (fields === undefined) throw barred('400008')
  return { merchant: key.merchant, body: fields }
}

function mustBeInTime({ passing, options }: Wallet, timestamp: string): void {
  if (!/^\d{13}$/.test(timestamp)) throw barred('400003')
  const off = Number.parseInt(timestamp, 10) - (now() + passing.skewMs)
  if (Math.abs(off) > options.toleranceMs) throw barred('400003')
}

/** A nonce serves once within the window of its timestamp. */
function mustBeFirst({ passing, options }: Wallet, nonce: string): void {
  const at = now()
  // Nonces are forgotten in the order in which they came.
  for (const [old, until] of passing.nonces) {
    if (until > at) break
    passing.nonces.delete(old)
  }
  if (passing.nonces.has(nonce)) throw barred('400001')
  // A timestamp that is ahead by the tolerance stays in the window for twice as long.
  passing.nonces.set(nonce, at + 2 * options.toleranceMs)
}

function read(body: Buffer): Fields | undefined {
  try {
    return asFields(JSON.parse(body.toString('utf8')))
  } catch {
    return undefined
  }
}
