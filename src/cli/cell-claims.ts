// What this cell alone may use is claimed in the directory before it is used.
import { claimAll, type Claimed } from '#/cells/claim.ts'
import type { Directory } from '#/cells/directory.ts'
import { ConfigError, type Config } from '#/config.ts'
import { isConnectionError } from '#/db/failure.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { ConnectionParts, ConnectionType } from '#/rails/kit/connection-type.ts'
import { directoryOf } from './cell-directory.ts'

/**
 * Claims the accounts of a live connection, where there is a directory. Throws AppError `invalid_state` when another cell has one; then
 * nothing was changed in this cell. Each sandbox has accounts of its own, at simulators of its own.
 */
export async function claimAccounts(
  config: Config,
  mode: Mode,
  type: ConnectionType,
  parts: ConnectionParts,
): Promise<void> {
  if (mode === 'SANDBOX') return
  await withDirectory(config, (directory) =>
    claimAll(
      directory,
      config.VINTEM_CELL,
      type.accountsOf(parts).map((account) => ({
        kind: 'PROVIDER_ACCOUNT',
        account,
        label: `The account at ${parts.provider} (${account.split(':')[0]})`,
      })),
    ),
  )
}

const wallets = {
  VINTEM_BSC_TREASURY: 'TREASURY',
  VINTEM_BSC_HOT_WALLET: 'HOT_WALLET',
  VINTEM_BSC_GAS_WALLET: 'GAS_WALLET',
} as const satisfies Partial<Record<keyof Config, Claimed['kind']>>

/**
 * Claims the treasury and the wallets of the settings, where there is a directory. Throws ConfigError when another cell has one. While the
 * directory is away it goes on, and logs that: money must not wait for it, and the claims of an earlier start are there.
 */
export async function claimWallets(config: Config, log: Log): Promise<void> {
  const wanted = (Object.keys(wallets) as (keyof typeof wallets)[]).flatMap((name) =>
    config[name] === ''
      ? []
      : [
          {
            kind: wallets[name],
            account: `bsc:${config[name].toLowerCase()}`,
            label: `${name} ${config[name]}`,
          },
        ],
  )
  if (wanted.length === 0) return
  try {
    await withDirectory(config, (directory) => claimAll(directory, config.VINTEM_CELL, wanted))
  } catch (error) {
    if (isConnectionError(error))
      return log.error(
        { error: messageOf(error) },
        'whether another cell has our wallets is not known: the directory of cells is away',
      )
    if (!(error instanceof AppError)) throw error
    throw new ConfigError(error.message, 'Each cell has a treasury and wallets of its own.')
  }
}

/** Does nothing in an installation without a directory. */
async function withDirectory(config: Config, work: (directory: Directory) => Promise<void>): Promise<void> {
  if (config.VINTEM_DIRECTORY_URL === '') return
  const directory = await directoryOf(config)
  try {
    await work(directory)
  } finally {
    await directory.close()
  }
}
