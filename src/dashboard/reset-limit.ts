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
const networksMax = 20_000

/** Of this process. What one email gets is limited besides, in the database. */
export function createResetLimit(): ResetLimit {
  const byNetwork = createRecent<string, { sinceMs: number; count: number }>(networksMax)
  return {
    spend(address) {
      const network = networkOf(address)
      const known = byNetwork.get(network)
      const counting =
        known !== undefined && monotonicMs() - known.sinceMs < hourMs
          ? known
          : { sinceMs: monotonicMs(), count: 0 }
      counting.count += 1
      byNetwork.set(network, counting)
      if (counting.count <= requestsMax) return
      const retryAfterMs = counting.sinceMs + hourMs - monotonicMs()
      throw new AppError('rate_limited', 'Too many requests for a new password came from this network.', {
        retryAfterMs,
      })
    },
  }
}
