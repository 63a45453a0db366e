// All rails. To add one, add a line to what app/core.ts passes here.
import { invariant } from '#/kernel/check.ts'
import type { PayoutRail, PayoutRails } from './payout-rail.ts'
import type { Rail, Rails } from './rail.ts'

/** Returns the rails of this process by method. Fails when two rails serve one method: that is a mistake in the wiring. */
export function listRails(rails: readonly Rail[]): Rails {
  const byMethod = new Map(rails.map((rail) => [rail.method, rail]))
  invariant(byMethod.size === rails.length, 'one rail for each method')
  return byMethod
}

/** Returns the payout rails of this process by type. Fails when two serve one type. */
export function listPayoutRails(rails: readonly PayoutRail[]): PayoutRails {
  const byType = new Map(rails.map((rail) => [rail.type, rail]))
  invariant(byType.size === rails.length, 'one payout rail for each type')
  return byType
}
