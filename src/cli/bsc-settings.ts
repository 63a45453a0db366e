// The addresses that the settings name for BSC, for `start`, `doctor` and the commands alike.
import { connectable } from '#/coins/networks.ts'
import { ConfigError, type Config } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import {
  factoryAddress,
  implementationAddress,
  readRecipient,
  toChecksum,
  type Address,
} from '#/evm/address.ts'
import { depositsAmong } from '#/treasury/wallets.ts'

/** BSC, with the tokens that live merchants are paid in there. */
export const bsc = connectable('BSC')

type Name = 'VINTEM_BSC_TREASURY' | 'VINTEM_BSC_HOT_WALLET' | 'VINTEM_BSC_GAS_WALLET'

/** The address of a setting; undefined where it is empty. Throws ConfigError for a mistyped one, and for one that nobody owns. */
export function bscAddress(config: Pick<Config, Name>, name: Name): Address | undefined {
  const text = config[name]
  if (text === '') return undefined
  const reading = readRecipient(text, { tokens: bsc.tokens.map(({ address }) => address) })
  if (reading.ok) return reading.address
  throw new ConfigError(`${name} ${reading.message}: ${JSON.stringify(text)}.`, remedies[name])
}

/** The treasury and the contracts that are computed from it. Throws ConfigError where none is set. */
export function factoryOf(config: Pick<Config, Name>) {
  const treasury = bscAddress(config, 'VINTEM_BSC_TREASURY')
  if (treasury === undefined)
    throw new ConfigError(
      'VINTEM_BSC_TREASURY is not set.',
      'Set it to the address that deposits are swept to: 0x and 40 hexadecimal digits.',
    )
  return { treasury, factory: factoryAddress(treasury), implementation: implementationAddress(treasury) }
}

const names: readonly Name[] = ['VINTEM_BSC_TREASURY', 'VINTEM_BSC_HOT_WALLET', 'VINTEM_BSC_GAS_WALLET']

/**
 * A sentence for each of these settings that names the deposit address of a payment: nobody has a key for it, and coins of ours there would be
 * a payer's.
 */
export async function depositFaults(sql: Sql, config: Pick<Config, Name>): Promise<readonly string[]> {
  const named = names.flatMap((name) => {
    const address = bscAddress(config, name)
    return address === undefined ? [] : [{ name, address }]
  })
  if (named.length === 0) return []
  const deposits = await depositsAmong(
    sql,
    named.map(({ address }) => address),
  )
  return named
    .filter(({ address }) => deposits.includes(address))
    .map(({ name, address }) => `${name} is the deposit address of a payment: ${toChecksum(address)}.`)
}

const ofSigner = 'Set it to the address of a key that the signer holds: ./vintem signer key list'

const remedies: Readonly<Record<Name, string>> = {
  VINTEM_BSC_TREASURY: 'Set it to the address that deposits are swept to, and never change it.',
  VINTEM_BSC_HOT_WALLET: ofSigner,
  VINTEM_BSC_GAS_WALLET: ofSigner,
}
