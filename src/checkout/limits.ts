// How often a page may be asked for: a bucket of tokens for each page and address, in this process.
import { networkOf } from '#/kernel/network.ts'
import { createRecent } from '#/kernel/recent.ts'
import { monotonicMs } from '#/kernel/time.ts'

export type PageLimit = {
  /** Requests a minute that one address may make of one page for ever. */
  readonly perMinute: number
  /** Requests that it may make at once. */
  readonly burst: number
}

export const usualLimit: PageLimit = { perMinute: 60, burst: 30 }

/** Of links that lead nowhere, for each address: nobody mistypes more. */
const unknownLimit: PageLimit = { perMinute: 30, burst: 30 }

/** So many pairs of page and address are remembered at most. */
const bucketsMax = 50_000

export type PageLimits = {
  /** Milliseconds to wait, or 0: go on. */
  take(token: string, address: string): number
  /** The same for a link that leads nowhere: it was looked for, so a good one is never kept waiting for those. */
  takeUnknown(address: string): number
}

export function createPageLimits(limit: PageLimit): PageLimits {
  const known = createBuckets(limit)
  const unknown = createBuckets(unknownLimit)
  return {
    take: (token, address) => known.take(`${token} ${address}`),
    takeUnknown: (address) => unknown.take(networkOf(address)),
  }
}

function createBuckets({ perMinute, burst }: PageLimit) {
  const buckets = createRecent<string, { readonly tokens: number; readonly atMs: number }>(bucketsMax)
  const perMs = perMinute / 60_000
  return {
    take(key: string): number {
      const nowMs = monotonicMs()
      const { tokens, atMs } = buckets.get(key) ?? { tokens: burst, atMs: nowMs }
      const filled = Math.min(burst, tokens + (nowMs - atMs) * perMs)
      const left = filled >= 1 ? filled - 1 : filled
      buckets.set(key, { tokens: left, atMs: nowMs })
      return filled >= 1 ? 0 : Math.ceil((1 - filled) / perMs)
    },
  }
}
