// Access tokens of a PSP: OAuth 2.0 client credentials (RFC 6749 §4.4), which the PSP binds to our certificate (RFC 8705),
// so the token is asked for over the same connections as everything else.
import { ProviderError, messageOf } from '#/kernel/error.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import type { HttpClient, HttpRequest } from '#/rails/http.ts'
import type { PspProfile, Purpose } from './profile.ts'
import { parseGrant, readFault } from './wire.ts'

export type TokenSource = {
  /**
   * A token for that purpose, kept until four fifths of its life are over; who asks meanwhile waits for the same
   * request. Throws ProviderError `unavailable`: the call that needed it was not sent.
   */
  get(purpose: Purpose): Promise<string>
  /**
   * Another in place of one that the PSP denied without saying why, as the standard's 403 does: that it has ended, or that we
   * may not. Undefined when one that was just got in that way is denied too: then another would not help. Throws as `get`.
   */
  renew(purpose: Purpose, token: string): Promise<string | undefined>
  /** The PSP did not accept this token: it is not given out again. */
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

/** So often at most a new token is got because of a denial: who may not is denied with every call. */
const renewEveryMs = 10 * secondMs
/** What a token without `expires_in` is trusted for. */
const defaultLifetimeMs = 60 * secondMs

/** Tokens of one application at one PSP, one for each set of scopes. */
export function createTokenSource(options: TokenOptions): TokenSource {
  const { clock, profile } = options
  const kept = new Map<string, { readonly token: string; readonly untilMs: number }>()
  const asked = new Map<string, Promise<string>>()
  const renewedAtMs = new Map<string, number>()
  const keyOf = (purpose: Purpose) => profile.scopes?.[purpose] ?? ''
  const ask = async (scope: string) => {
    const at = clock.now().getTime()
    const { token, lifetimeMs = defaultLifetimeMs } = await askToken(options, scope)
    kept.set(scope, { token, untilMs: at + 0.8 * lifetimeMs })
    return token
  }
  const get = (scope: string): Promise<string> => {
    const known = kept.get(scope)
    if (known !== undefined && clock.now().getTime() < known.untilMs) return Promise.resolve(known.token)
    const running = asked.get(scope)
    if (running !== undefined) return running
    const asking = ask(scope).finally(() => asked.delete(scope))
    asked.set(scope, asking)
    return asking
  }
  const drop = (scope: string, token: string) => {
    if (kept.get(scope)?.token === token) kept.delete(scope)
  }
  return {
    get: (purpose) => get(keyOf(purpose)),
    async renew(purpose, token) {
      const scope = keyOf(purpose)
      const now = clock.now().getTime()
      const isOwn = kept.get(scope)?.token === token
      // Others that were denied with the same token wait for the same new one.
      if (isOwn && now - (renewedAtMs.get(scope) ?? -Infinity) < renewEveryMs) return undefined
      if (isOwn) renewedAtMs.set(scope, now)
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

/** RFC 6749 §2.3.1 wants both parts form-encoded first; PSPs give out ids and secrets that this leaves as they are. */
function basicOf(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`
}
