// The applications that may call the bank. An application acts for one Pix key; several may share it.
import { randomBytes, randomUUID, X509Certificate } from 'node:crypto'
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { hashOf } from './access.ts'
import type { Bank } from './bank.ts'

const city = 'SAO PAULO'

/** The application's credentials. Its secret and its private key are in this answer only. Default of the key: a new one. */
export function createApplication(
  bank: Bank,
  {
    name,
    pixKey = randomUUID(),
    magic,
    scopes,
  }: {
    readonly name: string
    readonly pixKey: string | undefined
    readonly magic: boolean
    readonly scopes: readonly string[]
  },
) {
  const clientId = `Client_Id_${randomBytes(16).toString('hex')}`
  const clientSecret = `Client_Secret_${randomBytes(24).toString('base64url')}`
  const { certificate, privateKey } = bank.authority.client(clientId)
  const thumbprint = new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase()
  bank.eventStore.record({
    type: 'application.created',
    at: now(),
    clientId,
    secretHash: hashOf(clientSecret),
    thumbprint,
    scopes,
    pixKey,
    name,
    city,
    magic,
  })
  const account = present(bank.eventStore.state.accounts.get(pixKey))
  const receiver = { name: account.name, city: account.city }
  return { clientId, clientSecret, certificate, privateKey, ca: bank.authority.ca, pixKey, receiver }
}
