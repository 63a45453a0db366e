// Access tokens of a PSP: OAuth 2.0 client credentials (RFC 6749 §4.4). The PSP binds a token to our certificate (RFC 8705), so
// it is requested over the same connections as everything else.
import { ProviderError, messageOf } from '#/kernel/error.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import type { HttpClient, HttpRequest } from '#/rails/http.ts'
import type { PspProfile, Purpose } from './profile.ts'
import { parseGrant, readFault } from './wire.ts'

export type TokenSource = {
  /**
   * Returns a token for that purpose, kept until four fifths of its lifetime are over. Concurrent callers share one request.
   * Throws ProviderError `unavailable`: the call that needed it was not sent.
   */
  get(purpose: Purpose): Promise<string>
  /**
   * Replaces a token that the PSP denied without a reason, as with the standard's 403: the token may have ended, or we may lack the
   * permission. Undefined when the last replacement was less than 10 s ago and its token is denied too: another one would not help.
   * Throws as `get` does.
   */
  renew(purpose: Purpose, token: string): Promise<string | undefined>
  /** The PSP did not accept this token: it is not used again. */
  drop(purpose: Purpose, token: string): void
}

export type TokenOptions = {
  readonly http: HttpClient
  readonly profile: PspProfile
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly clock: Clock
}

/** The shortest time between two new tokens after denials: an application without the permission is denied with every call. */
const renewEveryMs = 10 * secondMs
/** The lifetime of a token without `expires_in`. */
const defaultLifetimeMs = 60 * secondMs

/** Tokens of one application at one PSP, one for each set of scopes. */
export function createTokenSource(options: TokenOptions): TokenSource {
  const { clock, profile } = options
  const kept = new Map<string, { readonly token: string; readonly untilMs: number }>()
  const requests = new Map<string, Promise<string>>()
  const renewedAtMs = new Map<string, number>()
  const keyOf = (purpose: Purpose) => profile.scopes?.[purpose] ?? ''
  const request = async (scope: string) => {
    const at = clock.now().getTime()
    const { token, lifetimeMs = defaultLifetimeMs } = await askToken(options, scope)
    kept.set(scope, { token, untilMs: at + 0.8 * lifetimeMs })
    return token
  }
  const get = (scope: string): Promise<string> => {
    const current = kept.get(scope)
    if (current !== undefined && clock.now().getTime() < current.untilMs)
      return Promise.resolve(current.token)
    const running = requests.get(scope)
    if (running !== undefined) return running
    const requesting = request(scope).finally(() => requests.delete(scope))
    requests.set(scope, requesting)
    return requesting
  }
  const drop = (scope: string, token: string) => {
    if (kept.get(scope)?.token === token) kept.delete(scope)
  }
  return {
    get: (purpose) => get(keyOf(purpose)),
    async renew(purpose, token) {
      const scope = keyOf(purpose)
      const now = clock.now().getTime()
      const isCurrent = kept.get(scope)?.token === token
      // Other callers that were denied with the same token wait for the same new one.
      if (isCurrent && now - (renewedAtMs.get(scope) ?? -Infinity) < renewEveryMs) return undefined
      if (isCurrent) renewedAtMs.set(scope, now)
      drop(scope, token)
      return get(scope)
    },
    drop: (purpose, token) => drop(keyOf(purpose), token),
  }
}

async function askToken(options: TokenOptions, scope: string) {
  const request = tokenRequest(options, scope)
  try {
    const { status, body } = await options.http.request(request)
    if (status !== 200) throw new ProviderError('refused', `HTTP ${status} ${readFault(body) ?? ''}`.trim())
    return parseGrant(body)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw new ProviderError('unavailable', `no access token: ${messageOf(error)}`, error)
  }
}

function tokenRequest(
  { profile, tokenUrl, clientId, clientSecret = '' }: TokenOptions,
  scope: string,
): HttpRequest {
  const fields = {
    grant_type: 'client_credentials',
    ...(scope === '' ? {} : { scope }),
    ...(profile.auth === 'basic' ? {} : { client_id: clientId }),
    ...(profile.auth === 'body' ? { client_secret: clientSecret } : {}),
  }
  const json = profile.tokenBody === 'json'
  const headers = {
    accept: 'application/json',
    'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
    ...(profile.auth === 'basic' ? { authorization: basicOf(clientId, clientSecret) } : {}),
  }
  const body = json ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
  return { method: 'POST', url: tokenUrl, headers, body }
}

/** RFC 6749 §2.3.1 requires both parts form-encoded first; the ids and secrets that PSPs issue are the same in that form. */
function basicOf(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`
}
