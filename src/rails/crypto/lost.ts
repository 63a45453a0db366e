// Watches again the addresses of payments that a restore lost. Money that comes there is found like any deposit, and goes to
// suspense.
import { baseUnitsPerCent } from '#/coins/units.ts'
import type { Tx } from '#/db/client.ts'
import {
  createDepositAddresses,
  bytesOf,
  factoryAddress,
  hexOf,
  implementationAddress,
} from '#/evm/address.ts'
import type { Attempt } from '#/rails/attempt.ts'
import * as queries from './queries.ts'

/**
 * Adds the addresses of the lost attempts that are of CRYPTO and on a chain of this installation. An address that exists already
 * stays as it is.
 */
export async function watchLost(tx: Tx, attempts: readonly Attempt[]): Promise<void> {
  const ofChains = attempts.filter(({ method }) => method === 'CRYPTO')
  if (ofChains.length === 0) return
  const chains = await queries.selectPlaces(
    tx,
    ofChains.map(({ connection }) => connection),
  )
  const rows = chains.flatMap(({ connection, key, chainId, treasury }) => {
    const owner = hexOf(treasury)
    const place = { chainId, factory: factoryAddress(owner), implementation: implementationAddress(owner) }
    const addressOf = createDepositAddresses(place)
    return ofChains
      .filter((attempt) => attempt.connection === connection)
      .map(({ id: attemptId, merchantId, paymentId, amount }) => ({
        chain: key,
        address: bytesOf(addressOf(paymentId)),
        merchantId,
        paymentId,
        attemptId,
        requestedUnits: amount.minor * baseUnitsPerCent,
      }))
  })
  await queries.insertLostAddresses(tx, rows)
}
