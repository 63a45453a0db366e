// The wallets that send, on a sandbox chain that was lost and is rebuilt. Each continues with the first nonce whose transaction has
// not ended, so that transactions under way are sent to the new chain with the same signature.
import type { Sql } from '#/db/client.ts'
import type { Log } from '#/kernel/log.ts'
import { maxOf } from '#/kernel/money.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { selectGasWallets } from './gas-queries.ts'
import { selectPlaces } from './payout-queries.ts'
import { forgetEnded } from './sweep-queries.ts'
import { toBigint, toQuantity } from '#/evm/wire.ts'

/**
 * Sets the nonce of every wallet, and gives a wallet with less than `wei` for gas that much. Returns how much of the token each of
 * our own places should hold, in base units. Repeating it changes nothing. A place that has less than nothing by our records is an error
 * of the records: it gets no coins, and the error is logged. The comparison with the chain (`./vintem coins`) then reports it too.
 */
export async function restoreWallets(
  sql: Sql,
  rpc: Rpc,
  { chain, wei, log }: { readonly chain: string; readonly wei: bigint; readonly log: Log },
): Promise<readonly { readonly address: Address; readonly units: bigint }[]> {
  const places = await selectPlaces(sql, chain)
  for (const { address, nextNonce } of places) {
    if (nextNonce === undefined) continue
    const [nonce, balance] = await Promise.all([
      rpc.call('eth_getTransactionCount', [address, 'latest']),
      rpc.call('eth_getBalance', [address, 'latest']),
    ])
    if (toBigint(nonce, 'nonce') < nextNonce)
      await rpc.call('anvil_setNonce', [address, toQuantity(nextNonce)])
    if (toBigint(balance, 'balance') < wei) await rpc.call('anvil_setBalance', [address, toQuantity(wei)])
  }
  for (const { address, units } of places)
    if (units < 0n) log.error({ chain, address, units: units.toString() }, belowZero)
  return places.map(({ address, units }) => ({ address, units: maxOf(units, 0n) }))
}

const belowZero = 'by our records a place of ours holds less than nothing: it gets no coins on the new chain'

/** What the rebuild of a chain needs from the treasury. */
export const treasuryOnNewChain = { gasWallets: selectGasWallets, restoreWallets, forgetEnded }
