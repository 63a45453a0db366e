// What every route with a key does first: identifies the key, checks from where it is used, limits its rate, and checks that it has the
// scope of the route.
import type { FastifyRequest } from 'fastify'
import { AppError, noSuch } from '#/kernel/error.ts'
import { isUuid, type MerchantId } from '#/kernel/id.ts'
import { networkOf } from '#/kernel/network.ts'
import { createRecent } from '#/kernel/recent.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { notValid, type Scope } from '#/merchants/api-key.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import { selectSubAccounts } from '#/merchants/sub-account-queries.ts'
import type { HttpDeps, RateLimit } from './deps.ts'

export type KeyAuth = {
  /** Returns whose request it is. Throws the caller's fault: 401 or 429; 503 when keys cannot be looked up. */
  identify(request: Caller): Identity | Promise<Identity>
  /** Throws the caller's fault when the key is used elsewhere or has not the scope (403), or calls too often (429). */
  admit(identity: Identity, request: Pick<Caller, 'ip'>, reply: Headers, scope: Scope | undefined): void
}

type Caller = Pick<FastifyRequest, 'ip' | 'headers'>
/** The reply's headers, which carry what is left of the caller's rate. */
type Headers = { header(name: string, value: string): unknown }

export function createKeyAuth({
  authenticator,
  rateLimit,
  log,
  sql,
}: Pick<HttpDeps, 'authenticator' | 'rateLimit' | 'log' | 'sql'>): KeyAuth {
  const guesses = createGuessCount()
  const strangers = createStrangerLog(log)
  const buckets = rateLimit === undefined ? undefined : createBuckets(rateLimit)

  async function lookUp(key: string, request: Caller): Promise<Identity> {
    // A valid key is looked up even when its address also sends wrong keys. This stays cheap: a wrong key fails its checksum or shares a
    // batch of look-ups, and a key that was looked up a moment ago is in memory.
    const identity = await authenticator.authenticate(key)
    if (identity !== undefined) return identity
    throw guesses.refusal(request.ip, key)
  }

  /**
   * The identity of the same key when it acts for a sub-account of its merchant. 403 without the scope `subaccounts:act`, 404 for a
   * sub-account of another merchant.
   */
  async function actFor(parent: Identity, header: string | readonly string[]): Promise<Identity> {
    if (!parent.scopes.has('subaccounts:act'))
      throw new AppError('forbidden', 'This key does not have the scope subaccounts:act.', {
        extra: { scope: 'subaccounts:act' },
      })
    const id = String(header).toLowerCase() as MerchantId
    const [account] = isUuid(id) ? await selectSubAccounts(sql, parent.merchant.id, [id]) : []
    if (account === undefined) throw noSuch('sub-account')
    const scopes = new Set([...parent.scopes].filter((scope) => !notForOthers.has(scope)))
    const merchant = { id, mode: parent.merchant.mode }
    return { ...parent, merchant, parentId: parent.merchant.id, accountState: account.state, scopes }
  }

  return {
    identify(request) {
      const key = sentKey(request.headers)
      // A key in use is in memory, so its request does not wait for a query.
      const found = authenticator.recall(key) ?? lookUp(key, request)
      const header = request.headers['sub-account']
      if (header === undefined) return found
      return Promise.resolve(found).then((identity) => actFor(identity, header))
    },
    admit(identity, { ip }, reply, scope) {
      // Checked before the rate: somebody who uses a stolen key from another network must not use up the rate of its owner.
      if (identity.isAllowedFrom?.(ip) === false) throw strangers.refusal(identity, ip)
      authenticator.noteUse(identity)
      buckets?.spend(identity.keyId, reply)
      if (scope === undefined || identity.scopes.has(scope)) return
      throw new AppError('forbidden', `This key does not have the scope ${scope}.`, { extra: { scope } })
    },
  }
}

/** The key that a request carries, in one of two headers. Any other scheme of `authorization` may be meant for a proxy in front. */
function sentKey({ apikey, authorization }: Caller['headers']): string {
  const bearer = /^bearer(?: +(.*))?$/is.exec(authorization ?? '')
  if (apikey !== undefined && bearer !== null)
    throw new AppError(
      'invalid_request',
      'The request carries a key twice. Send it in the header apikey or as Authorization: Bearer, not in both.',
    )
  const key = bearer === null ? apikey : bearer[1]
  if (typeof key === 'string' && key !== '') return key
  throw new AppError(
    'unauthenticated',
    'Send your API key in the header apikey, or in the header authorization after the word Bearer.',
  )
}

/**
 * Scopes that a key can use for its own merchant only. A key that acts for a sub-account with them could be the second person there, or
 * make keys that outlive it.
 */
const notForOthers: ReadonlySet<Scope> = new Set([
  'withdrawals:approve',
  'keys:write',
  'subaccounts:read',
  'subaccounts:write',
  'subaccounts:act',
])

/** Where a caller with a wrong key finds the right one. */
const wherefromKeys =
  'Keys are made in the dashboard or by ./vintem key create; a sandbox shows its own when it starts.'

/** Wrong keys of one prefix that one address may send in a span; above that, it has to wait. */
const guessesMax = 20
const guessSpanMs = 60_000

/** The most pairs of address and prefix in memory. */
const sourcesMax = 20_000

type Guesses = { readonly sinceMs: number; count: number }

function createGuessCount() {
  const bySource = createRecent<string, Guesses>(sourcesMax)

  function countOf(source: string): Guesses {
    const counting = bySource.get(source)
    if (counting !== undefined && monotonicMs() - counting.sinceMs < guessSpanMs) return counting
    const started = { sinceMs: monotonicMs(), count: 0 }
    bySource.set(source, started)
    return started
  }

  return {
    /** The answer to a wrong key. Counts the key. Only wrong keys get here, so callers with a valid key are never delayed. */
    refusal(address: string, key: string): AppError {
      const guesses = countOf(`${networkOf(address)} ${prefixOf(key)}`)
      guesses.count += 1
      if (guesses.count <= guessesMax) return new AppError('unauthenticated', `${notValid} ${wherefromKeys}`)
      const retryAfterMs = guesses.sinceMs + guessSpanMs - monotonicMs()
      return new AppError('rate_limited', 'Too many wrong keys came from this address.', { retryAfterMs })
    },
  }
}

/** How often a key that is used from one network outside its list is logged. */
const strangerSpanMs = 60_000

function createStrangerLog(log: Pick<HttpDeps['log'], 'warn'>) {
  const bySource = createRecent<string, { loggedAtMs: number; count: number }>(sourcesMax)

  return {
    /** The answer to a key at an address outside its list. Counts it, and logs the count once a minute for each key and network. */
    refusal({ keyId, merchant }: Identity, address: string): AppError {
      const source = `${keyId} ${networkOf(address)}`
      const counting = bySource.get(source) ?? { loggedAtMs: -Infinity, count: 0 }
      counting.count += 1
      if (monotonicMs() - counting.loggedAtMs >= strangerSpanMs) {
        log.warn(
          { keyId, merchantId: merchant.id, address, refused: counting.count },
          'an API key was used from outside its networks',
        )
        counting.loggedAtMs = monotonicMs()
        counting.count = 0
      }
      bySource.set(source, counting)
      return new AppError('address_not_allowed', `This key may not be used from ${address}.`, {
        extra: { address },
      })
    },
  }
}

/** The part of a key that is not secret: its mode and its cell. */
function prefixOf(key: string): string {
  return /^vtm_(?:live|test)_[a-z0-9]{2}/.exec(key)?.[0] ?? ''
}

/** The most keys with a bucket. A key whose bucket was dropped starts with a full one. */
const bucketsMax = 20_000

/** A bucket of tokens for each key: full at `burst`, filled by `perSecond`. Each process has its own. */
function createBuckets({ perSecond, burst }: RateLimit) {
  const byKey = createRecent<string, { tokens: number; atMs: number }>(bucketsMax)
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`

  function bucketOf(keyId: string) {
    const bucket = byKey.get(keyId)
    if (bucket !== undefined) return bucket
    const made = { tokens: burst, atMs: monotonicMs() }
    byKey.set(keyId, made)
    return made
  }

  return {
    /** Removes a token, and writes what is left into the headers (draft-ietf-httpapi-ratelimit-headers-10). */
    spend(keyId: string, reply: Headers): void {
      const bucket = bucketOf(keyId)
      const nowMs = monotonicMs()
      bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / 1_000)
      bucket.atMs = nowMs
      const allowed = bucket.tokens >= 1
      if (allowed) bucket.tokens -= 1
      const fullInSeconds = Math.ceil((burst - bucket.tokens) / perSecond)
      reply.header('ratelimit-policy', policy)
      reply.header('ratelimit', `"default";r=${Math.floor(bucket.tokens)};t=${fullInSeconds}`)
      if (allowed) return
      const retryAfterMs = ((1 - bucket.tokens) * 1_000) / perSecond
      throw new AppError('rate_limited', 'This key makes too many requests.', { retryAfterMs })
    },
  }
}
