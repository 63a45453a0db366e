// The applications that may call the bank. An application acts for one Pix key; several may share it.
import { randomBytes, randomUUID, X509Certificate } from 'node:crypto'
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { asText, type Fields } from '../kit/fields.ts'
import { controlProblem } from '../kit/refusal.ts'
import { hashOf, scopes } from './access.ts'
import type { Bank } from './bank.ts'

const usualName = 'Loja Simulada'
const city = 'SAO PAULO'

/** The application's credentials. Its secret and its private key are in this answer only. */
export function createApplication(bank: Bank, body: Fields) {
  const name = optional(body, 'name', 100) ?? usualName
  const pixKey = optional(body, 'pixKey', 77) ?? randomUUID()
  const { magic = true } = body
  if (typeof magic !== 'boolean') throw controlProblem(400, 'invalid_request', 'magic is true or false')
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
    scopes: scopesOf(body),
    pixKey,
    name,
    city,
    magic,
  })
  const account = present(bank.eventStore.state.accounts.get(pixKey))
  const receiver = { name: account.name, city: account.city }
  return { clientId, clientSecret, certificate, privateKey, ca: bank.authority.ca, pixKey, receiver }
}

/** A certificate for a server that the bank is to call. */
export function createServerCertificate(bank: Bank, body: Fields) {
  const { hosts } = body
  const isHosts =
    Array.isArray(hosts) && hosts.length > 0 && hosts.every((host) => asText(host, 253) !== undefined)
  if (!isHosts) throw controlProblem(400, 'invalid_request', 'hosts is a list of names or addresses')
  return { ...bank.authority.server(hosts as readonly string[]), ca: bank.authority.ca }
}

function optional(body: Fields, name: string, max: number): string | undefined {
  if (body[name] === undefined) return undefined
  const text = asText(body[name], max)
  if (text === undefined)
    throw controlProblem(400, 'invalid_request', `${name} is a text of at most ${max} characters`)
  return text
}

function scopesOf(body: Fields): readonly string[] {
  const requested = body['scopes']
  if (requested === undefined) return scopes
  const allScopes: readonly unknown[] = scopes
  if (
    !Array.isArray(requested) ||
    requested.length === 0 ||
    !requested.every((scope) => allScopes.includes(scope))
  )
    throw controlProblem(400, 'invalid_request', `scopes are some of ${scopes.join(', ')}`)
  return requested as readonly string[]
}
