// Authenticates callers: the client certificate of the connection, and the token that was issued to it (RFC 8705). Each
// operation requires one scope.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { now } from '../kit/clock.ts'
import { fieldsOf } from '../kit/fields.ts'
import type { Call, Reply } from '../kit/http.ts'
import { Refusal } from '../kit/refusal.ts'
import type { Bank } from './bank.ts'
import { problem } from './problem.ts'
import type { Application } from './state.ts'

export const scopes = [
  'cob.write',
  'cob.read',
  'pix.write',
  'pix.read',
  'webhook.write',
  'webhook.read',
  'pix.send',
  'gn.balance.read',
] as const
export type Scope = (typeof scopes)[number]

const tokensMax = 10_000
const thumbprints = new WeakMap<object, string>()

/**
 * Keeps the SHA-256 of the connection's client certificate, if this bank issued it. It is read when the connection is made: once
 * the caller has hung up it cannot be read any more, and its call may not be processed yet.
 */
export function meet(socket: TLSSocket): void {
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  if (certificate !== undefined)
    thumbprints.set(socket, certificate.fingerprint256.replaceAll(':', '').toLowerCase())
}

function mustHaveCertificate(call: Call): string {
  const thumbprint = thumbprints.get(call.socket)
  if (thumbprint === undefined)
    throw problem('AcessoNegado', 'A chamada precisa de um certificado de cliente emitido por este PSP.')
  return thumbprint
}

/** POST /oauth/token: client credentials, by Basic authentication. */
export function issueToken(bank: Bank, call: Call): Reply {
  const thumbprint = mustHaveCertificate(call)
  const requested = tokenRequest(call)
  if (requested.grantType !== 'client_credentials') return refused(400, 'unsupported_grant_type')
  const application = authenticate(bank, call)
  if (application === undefined) return refused(401, 'invalid_client', { 'www-authenticate': 'Basic' })
  if (application.thumbprint !== thumbprint)
    throw problem('AcessoNegado', 'O certificado não é o desta aplicação.')
  const granted = application.scopes.filter((scope) => requested.scopes?.includes(scope) ?? true)
  if (granted.length === 0) return refused(400, 'invalid_scope')
  const { tokens, tokenSeconds } = bank.passing
  const token = randomBytes(32).toString('base64url')
  const { clientId } = application
  tokens.set(token, {
    clientId,
    thumbprint,
    scopes: new Set(granted),
    expiresAt: now() + tokenSeconds * 1000,
  })
  for (const oldest of tokens.keys()) {
    if (tokens.size <= tokensMax) break
    tokens.delete(oldest)
  }
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds, scope: granted.join(' ') },
  }
}

function tokenRequest(call: Call): { readonly grantType?: string; readonly scopes?: readonly string[] } {
  const isForm = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const fields = isForm
    ? Object.fromEntries(new URLSearchParams(call.body.toString()))
    : (fieldsOf(call) ?? {})
  const { grant_type: grantType, scope } = fields
  return {
    ...(typeof grantType === 'string' ? { grantType } : {}),
    ...(typeof scope === 'string' && scope !== '' ? { scopes: scope.split(' ') } : {}),
  }
}

function authenticate(bank: Bank, call: Call): Application | undefined {
  const basic = /^Basic (.+)$/i.exec(call.headers.authorization ?? '')?.[1]
  const text = Buffer.from(basic ?? '', 'base64').toString()
  const colon = text.indexOf(':')
  const application = bank.eventStore.state.applications.get(text.slice(0, Math.max(0, colon)))
  if (application === undefined) return undefined
  const hashed = Buffer.from(hashOf(text.slice(colon + 1)), 'hex')
  return timingSafeEqual(hashed, Buffer.from(application.secretHash, 'hex')) ? application : undefined
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** An error of RFC 6749 §5.2. */
function refused(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: { error } }
}

/** An error of the payout API, which is not part of the standard. */
const payoutScopes: readonly Scope[] = ['pix.send', 'gn.balance.read']

/**
 * Returns the calling application, if it may make the call. The standard has only 403, for an ended token as well as for a missing
 * right. The payout API answers 401 when a new token helps (RFC 6750 §3.1).
 */
export function authorise(bank: Bank, call: Call, scope: Scope): Application {
  const thumbprint = mustHaveCertificate(call)
  const bearer = /^Bearer (.+)$/i.exec(call.headers.authorization ?? '')?.[1]
  const token = bank.passing.tokens.get(bearer ?? '')
  const application = bank.eventStore.state.applications.get(token?.clientId ?? '')
  if (token === undefined || application === undefined || token.expiresAt <= now()) {
    const detail = 'Token ausente, desconhecido ou expirado.'
    if (!payoutScopes.includes(scope)) throw problem('AcessoNegado', detail)
    const { reply, message } = problem('AcessoNegado', detail, { status: 401 })
    throw new Refusal(message, { ...reply, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
  }
  if (token.thumbprint !== thumbprint)
    throw problem('AcessoNegado', 'O token foi emitido para outro certificado.')
  if (!token.scopes.has(scope)) throw problem('AcessoNegado', `O escopo ${scope} não foi concedido.`)
  return application
}
