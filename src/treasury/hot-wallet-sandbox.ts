// The wallets that send, on a sandbox chain that was lost and is rebuilt. Each continues with the first nonce whose transaction has
// not ended, so that transactions under way are sent to the new chain with the same signature.
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { toBigint, toQuantity } from '#/evm/wire.ts'
import type { Log } from '#/kernel/log.ts'
import { maxOf } from '#/kernel/money.ts'
import { selectGasWallets, type GasWallet } from './gas-queries.ts'
import { selectPlaces } from './payout-queries.ts'
import { forgetEnded } from './sweep-queries.ts'

const bnb = 10n ** 18n

/** The gas of a wallet on a sandbox chain: one with less than `enoughWei` gets `fillWei`. */
export const sandboxGas = { enoughWei: 5n * bnb, fillWei: 10n * bnb } as const

/**
 * Gives every wallet its gas and its nonce. Returns how much of the token each of our own places should hold, in base units. Repeating it
 * changes nothing. A place that has less than nothing by our records is an error of the records: it gets no coins, and the error is
 * logged. The comparison with the chain (`./vintem coins`) then reports it too.
 */
export async function restoreWallets(
  sql: Sql,
  rpc: Rpc,
  { chain, log }: { readonly chain: string; readonly log: Log },
): Promise<readonly { readonly address: Address; readonly units: bigint }[]> {
  const wallets = await selectGasWallets(sql, chain)
  // Balances before nonces: a process that reads in between gets an impossible wallet, and reads again.
  for (const wallet of wallets)
    await rpc.call('anvil_setBalance', [wallet.address, toQuantity(gasOnNewChain(wallet))])
  for (const { address, nextNonce } of wallets) {
    const nonce = await rpc.call('eth_getTransactionCount', [address, 'latest'])
    if (toBigint(nonce, 'nonce') < nextNonce)
      await rpc.call('anvil_setNonce', [address, toQuantity(nextNonce)])
  }
  const places = await selectPlaces(sql, chain)
  for (const { address, units } of places)
    if (units < 0n) log.error({ chain, address, units: units.toString() }, belowZero)
  return places.map(({ address, units }) => ({ address, units: maxOf(units, 0n) }))
}

/**
 * What the books have, or a new fill. Gas that arrived is recorded by a check, so a wallet may have spent what no check has seen: by the
 * books that is less than nothing, and no error. The next check records all that the wallet has beyond the books, so they agree.
 */
function gasOnNewChain({ boughtWei, spentWei }: GasWallet): bigint {
  const wei = boughtWei - spentWei
  return wei < sandboxGas.enoughWei ? sandboxGas.fillWei : wei
}

const belowZero = 'by our records a place of ours holds less than nothing: it gets no coins on the new chain'

/** What the rebuild of a chain needs from the treasury. */
export const treasuryOnNewChain = { sendingWallets: selectGasWallets, restoreWallets, forgetEnded }
