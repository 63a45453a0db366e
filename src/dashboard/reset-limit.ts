// How often one network may ask for links to a new password: each is a row and a mail.
import { AppError } from '#/kernel/error.ts'
import { networkOf } from '#/kernel/network.ts'
import { createRecent } from '#/kernel/recent.ts'
import { hourMs, monotonicMs } from '#/kernel/time.ts'

export type ResetLimit = {
  /** Counts a request from this address. 429 when there were too many within an hour. */
  spend(address: string): void
}

const requestsMax = 20
const rememberedMax = 20_000

/** Of this process. What one email gets is limited besides, in the database. `clockMs`: another clock, in tests. */
export function createResetLimit(clockMs = monotonicMs): ResetLimit {
  const byNetwork = createRecent<string, { sinceMs: number; count: number }>(rememberedMax)
  return {
    spend(address) {
      const network = networkOf(address)
      const nowMs = clockMs()
      const known = byNetwork.get(network)
      const counting =
        known !== undefined && nowMs - known.sinceMs < hourMs ? known : { sinceMs: nowMs, count: 0 }
      counting.count += 1
      byNetwork.set(network, counting)
      if (counting.count <= requestsMax) return
      const retryAfterMs = counting.sinceMs + hourMs - nowMs
      throw new AppError('rate_limited', 'Too many requests for a new password came from this network.', {
        retryAfterMs,
      })
    },
  }
}
