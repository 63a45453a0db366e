// How often a page may be requested: a bucket of tokens for each page and address, in this process.
import { networkOf } from '#/kernel/network.ts'
import { createRecent } from '#/kernel/recent.ts'
import { monotonicMs } from '#/kernel/time.ts'

export type PageLimit = {
  /** How many requests a minute one address may make to one page over any length of time. */
  readonly perMinute: number
  /** How many requests it may make at once. */
  readonly burst: number
}

export const usualLimit: PageLimit = { perMinute: 60, burst: 30 }

/** For links that do not exist, for each address: no person mistypes more often. */
const unknownLimit: PageLimit = { perMinute: 30, burst: 30 }

/** The most pairs of page and address in memory. */
const bucketsMax = 50_000

export type PageLimits = {
  /** Milliseconds to wait; 0: the request may go on. */
  spend(token: string, address: string): number
  /** The same for a link that does not exist. It is counted after the look-up failed, so these never delay a valid link. */
  spendUnknown(address: string): number
}

export function createPageLimits(limit: PageLimit): PageLimits {
  const valid = createBuckets(limit)
  const unknown = createBuckets(unknownLimit)
  return {
    spend: (token, address) => valid.spend(`${token} ${address}`),
    spendUnknown: (address) => unknown.spend(networkOf(address)),
  }
}

/** Buckets by any key, such as an address. */
export function createBuckets({ perMinute, burst }: PageLimit) {
  const buckets = createRecent<string, { readonly tokens: number; readonly atMs: number }>(bucketsMax)
  const perMs = perMinute / 60_000
  return {
    spend(key: string): number {
      const nowMs = monotonicMs()
      const { tokens, atMs } = buckets.get(key) ?? { tokens: burst, atMs: nowMs }
      const filled = Math.min(burst, tokens + (nowMs - atMs) * perMs)
      const remaining = filled >= 1 ? filled - 1 : filled
      buckets.set(key, { tokens: remaining, atMs: nowMs })
      return filled >= 1 ? 0 : Math.ceil((1 - filled) / perMs)
    },
  }
}
