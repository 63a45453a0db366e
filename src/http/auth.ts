// The door of every route with a scope: who is calling, how often, and whether the key may.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIPv6 } from 'node:net'
import { AppError } from '#/kernel/error.ts'
import { monotonicMs } from '#/kernel/time.ts'
import type { Scope } from '#/merchants/api-key.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import type { HttpDeps, RateLimit } from './deps.ts'

export type Door = {
  /** Whose request it is. Throws what the caller did wrong: 401, 403 or 429; 503 when keys cannot be looked up. */
  open(request: FastifyRequest, reply: FastifyReply, scope: Scope): Identity | Promise<Identity>
}

export function createDoor({
  authenticator,
  rateLimit,
}: Pick<HttpDeps, 'authenticator' | 'rateLimit'>): Door {
  const guesses = createGuessCount()
  const buckets = rateLimit === undefined ? undefined : createBuckets(rateLimit)

  function admit(identity: Identity, reply: FastifyReply, scope: Scope): Identity {
    buckets?.take(identity.keyId, reply)
    if (identity.scopes.has(scope)) return identity
    throw new AppError('forbidden', `This key does not have the scope ${scope}.`, { extra: { scope } })
  }

  async function ask(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    scope: Scope,
  ): Promise<Identity> {
    const identity = await authenticator.authenticate(key)
    if (identity !== undefined) return admit(identity, reply, scope)
    guesses.add(request.ip)
    throw new AppError('unauthenticated', 'The key in the header apikey is not a valid one.')
  }

  return {
    open(request, reply, scope) {
      const key = request.headers['apikey']
      if (typeof key !== 'string' || key === '') {
        throw new AppError('unauthenticated', 'Send your API key in the header apikey.')
      }
      // A key in use never waits, and is not refused for what others at the same address try.
      const known = authenticator.recall(key)
      if (known !== undefined) return admit(known, reply, scope)
      guesses.check(request.ip)
      return ask(key, request, reply, scope)
    },
  }
}

/** Wrong keys that one address may send in a span; beyond them no unknown key from there is even looked at. */
const guessesMax = 20
const guessSpanMs = 60_000

/** So many addresses are remembered; the one that began first is forgotten first. */
const addressesMax = 20_000

type Guesses = { readonly sinceMs: number; count: number }

function createGuessCount() {
  const byNetwork = new Map<string, Guesses>()

  function current(network: string): Guesses | undefined {
    const guesses = byNetwork.get(network)
    return guesses !== undefined && monotonicMs() - guesses.sinceMs < guessSpanMs ? guesses : undefined
  }

  return {
    add(address: string): void {
      const network = networkOf(address)
      const guesses = current(network)
      if (guesses !== undefined) {
        guesses.count += 1
        return
      }
      byNetwork.delete(network)
      byNetwork.set(network, { sinceMs: monotonicMs(), count: 1 })
      for (const oldest of byNetwork.keys()) {
        if (byNetwork.size <= addressesMax) break
        byNetwork.delete(oldest)
      }
    },
    check(address: string): void {
      const guesses = current(networkOf(address))
      if (guesses === undefined || guesses.count < guessesMax) return
      const retryAfterMs = guesses.sinceMs + guessSpanMs - monotonicMs()
      throw new AppError('rate_limited', 'Too many wrong keys came from this address.', { retryAfterMs })
    },
  }
}

/** One caller can have a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

const bucketsMax = 20_000

/** A bucket of tokens for each key: full at `burst`, filled by `perSecond`. Each process has its own. */
function createBuckets({ perSecond, burst }: RateLimit) {
  const byKey = new Map<string, { tokens: number; atMs: number }>()
  const policy = `"default";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`

  function bucketOf(keyId: string) {
    const known = byKey.get(keyId)
    if (known !== undefined) return known
    const made = { tokens: burst, atMs: monotonicMs() }
    byKey.set(keyId, made)
    for (const oldest of byKey.keys()) {
      if (byKey.size <= bucketsMax) break
      byKey.delete(oldest)
    }
    return made
  }

  return {
    /** Takes a token, and tells the caller what is left (draft-ietf-httpapi-ratelimit-headers-10). */
    take(keyId: string, reply: FastifyReply): void {
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
