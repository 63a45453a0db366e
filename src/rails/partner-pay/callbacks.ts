// Authenticates callbacks: the provider signs the raw bytes with a key that it publishes by serial number and changes from time
// to time. Also names the event, so that a repeated callback counts once.
import { createPublicKey, type KeyObject } from 'node:crypto'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { sha256 } from '#/kernel/secret.ts'
import { hourMs, minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { CallbackVerdict, SignedCallback, SignedCallbacks } from '#/rails/rail.ts'
import type { OpenConnections } from './connections.ts'
import { isSignedBy } from './sign.ts'
import { parseHint } from './wire.ts'

/** The allowed age of a callback, in both directions because clocks differ. */
const ageMaxMs = 300 * secondMs
/** Keys are fetched again after this time: a key that the provider withdrew is not accepted for longer. */
const keysMaxMs = hourMs
/** The shortest time between two fetches for unknown serial numbers, which anyone can make up. */
const refetchMs = minuteMs

export function createPartnerCallbacks(deps: {
  readonly open: OpenConnections
  readonly clock: Clock
  readonly log: Log
}): SignedCallbacks {
  const keys = createKeyRing(deps)
  return {
    by: 'SIGNATURE',
    answer: JSON.stringify({ returnCode: 'SUCCESS', returnMessage: null }),
    async verify(callback) {
      const { headers, body, receivedAt } = callback
      const header = (name: string) => {
        const value = headers[`binancepay-${name}`]
        return typeof value === 'string' && value !== '' ? value : undefined
      }
      const [serial, timestamp] = [header('certificate-sn'), header('timestamp')]
      const [nonce, signature] = [header('nonce'), header('signature')]
      if (!serial || !timestamp || !nonce || !signature) return refused('it is not signed')
      const isInTime =
        /^\d{13}$/.test(timestamp) && Math.abs(receivedAt.getTime() - Number(timestamp)) <= ageMaxMs
      if (!isInTime) return refused('its timestamp is not of now')
      const key = await keys.find(callback.connection, serial)
      if (key === undefined) return refused('no certificate has its serial number')
      if (!isSignedBy(key, { timestamp, nonce, signature }, body)) return refused('its signature is wrong')
      return { ok: true, eventId: eventIdOf(callback) }
    },
  }
}

function refused(reason: string): CallbackVerdict {
  return { ok: false, reason }
}

/**
 * Returns the order and its new state. All refunds of an order have the order's name, so the refund's own is added; if it is
 * missing, the hash of the bytes distinguishes two refunds.
 */
function eventIdOf({ body }: SignedCallback): string {
  const hint = parseHint(body)
  const digest = () => sha256(body).toString('hex')
  if (hint === undefined) return digest()
  const { bizType, bizId, bizStatus, refundRequestId } = hint
  const event = `${bizType}:${bizId}:${bizStatus}`
  return bizType === 'PAY' ? event : `${event}:${refundRequestId ?? digest()}`
}

type KeyRing = {
  /** Undefined when the provider has no such key. Throws ProviderError when the provider has to be asked and does not answer. */
  find(connection: ConnectionId, serial: string): Promise<KeyObject | undefined>
}

type Kept = { readonly keys: ReadonlyMap<string, KeyObject>; readonly fetchedAt: Date }

function createKeyRing({ open, clock, log }: Parameters<typeof createPartnerCallbacks>[0]): KeyRing {
  const kept = new Map<ConnectionId, Kept>()
  const underWay = new Map<ConnectionId, Promise<Kept>>()

  async function fetchKeys(connection: ConnectionId): Promise<Kept> {
    const certificates = await open.collecting(connection).client.certificates()
    const keys = certificates.flatMap(({ serial, publicKey }) => {
      const key = keyOf(publicKey)
      if (key === undefined) log.warn({ connection, serial }, 'a certificate for callbacks cannot be read')
      return key === undefined ? [] : [[serial, key] as const]
    })
    const fetched = { keys: new Map(keys), fetchedAt: clock.now() }
    kept.set(connection, fetched)
    return fetched
  }
  function fetchOnce(connection: ConnectionId): Promise<Kept> {
    const running =
      underWay.get(connection) ?? fetchKeys(connection).finally(() => underWay.delete(connection))
    underWay.set(connection, running)
    return running
  }
  return {
    async find(connection, serial) {
      const cached = kept.get(connection)
      if (cached === undefined) return (await fetchOnce(connection)).keys.get(serial)
      const key = cached.keys.get(serial)
      const ageMs = clock.now().getTime() - cached.fetchedAt.getTime()
      if (ageMs <= (key === undefined ? refetchMs : keysMaxMs)) return key
      return (await fetchOnce(connection)).keys.get(serial)
    },
  }
}

/** Accepts PEM, or the base64 between its lines; RSA keys only. */
function keyOf(text: string): KeyObject | undefined {
  const pem = text.includes('-----') ? text : `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}
