// Which destinations are ours: money that is sent there comes back as somebody's payment, or not at all. What payers of any merchant pay to
// counts, and what our own payouts leave from. One set-based read, for every way in which money leaves.
import type { Sql, Tx } from '#/db/client.ts'
import { readAddress } from '#/kernel/evm-address.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { beyondRail, type LimitRefusal } from './limits.ts'
import * as queries from './queries.ts'

export type PlaceOut = {
  readonly type: PayoutType
  /** An address, an IBAN or a PIX key. */
  readonly destination: string
}

/** Those of the destinations at hand that are ours. */
export type OwnDestinations = { has(place: PlaceOut): boolean }

export const noOwnDestinations: OwnDestinations = { has: () => false }

/**
 * Why no rule of an operator lets this money leave: it would come back to us, or the rail cannot write the amount. Undefined: it may leave.
 * Asked at every way out.
 */
export function outsideOf(
  own: OwnDestinations,
  { amountMinor, ...place }: PlaceOut & { readonly amountMinor: bigint },
): LimitRefusal | undefined {
  return own.has(place) ? { ok: false, reason: 'own' } : beyondRail(place.type, amountMinor)
}

/**
 * Loads which of these are ours:
 * - CRYPTO: deposit addresses of payments, also of lost ones, the treasuries, factories and tokens, and the wallets that send, of every chain;
 * - SEPA: the accounts of all connections, also of archived ones;
 * - PIX: the keys of all connections that receive or send.
 */
export async function loadOwnDestinations(
  sql: Sql | Tx,
  places: readonly PlaceOut[],
): Promise<OwnDestinations> {
  const of = (type: PayoutType) => [
    ...new Set(places.flatMap((place) => (place.type === type ? [normal(place)] : []))),
  ]
  const [addresses, ibans, pixKeys] = [
    of('CRYPTO').filter((text) => readAddress(text).ok),
    of('SEPA'),
    of('PIX'),
  ]
  if (addresses.length + ibans.length + pixKeys.length === 0) return noOwnDestinations
  const own = await Promise.all([
    addresses.length === 0 ? [] : queries.selectOwnAddresses(sql, addresses),
    ibans.length === 0 ? [] : queries.selectOwnIbans(sql, ibans),
    pixKeys.length === 0 ? [] : queries.selectOwnPixKeys(sql, pixKeys),
  ])
  const found = new Map((['CRYPTO', 'SEPA', 'PIX'] as const).map((type, at) => [type, new Set(own[at])]))
  return { has: (place) => found.get(place.type)?.has(normal(place)) === true }
}

/** As the queries compare it. A PIX key has no two meanings that differ by capitals alone. */
function normal({ type, destination }: PlaceOut): string {
  return type === 'SEPA' ? destination.replaceAll(/\s/g, '').toUpperCase() : destination.trim().toLowerCase()
}
