// What this cell alone may use is claimed in the directory before it is used.
import type { Core } from '#/app/core.ts'
import { claimAll, type Claimed, type Directory } from '#/cells/directory.ts'
import { ConfigError, type Config } from '#/config.ts'
import { isConnectionError } from '#/db/failure.ts'
import { must } from '#/kernel/check.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import { storeIsInDirectory } from '#/operator/directory.ts'
import { connectionNames, typeNamed } from '#/rails/connection-types.ts'
import type { ConnectionParts, ConnectionType } from '#/rails/kit/connection-type.ts'
import { directoryOf } from './cell-directory.ts'

/**
 * Claims the accounts of a live connection, where there is a directory, and asks the provider for those that its keys open. Throws AppError
 * `invalid_state` when another cell has one; then nothing was changed in this cell. Each sandbox has accounts of its own, at simulators of its own.
 */
export async function claimAccounts(
  config: Config,
  mode: Mode,
  type: ConnectionType,
  parts: ConnectionParts,
): Promise<void> {
  if (mode === 'SANDBOX') return
  await withDirectory(config, async (directory) => {
    const named = [...type.accountsOf(parts), ...((await type.askAccounts?.(parts)) ?? [])]
    await claimAll(directory, config.VINTEM_CELL, claimedOf(named, parts))
  })
}

/**
 * Stores whether this cell is one of a directory, for the processes that cannot ask it. Claims the accounts of all live connections,
 * including those that existed before the directory. An account that another cell has is logged, for a person to decide: the money of the
 * other connections must not wait for it. No provider is asked: a start must not wait for one either.
 */
export async function claimConnections({
  sql,
  config,
  connections,
  log,
}: Pick<Core, 'sql' | 'config' | 'connections' | 'log'>): Promise<void> {
  await storeIsInDirectory(sql, config.VINTEM_DIRECTORY_URL !== '')
  const live = connectionNames.flatMap((name) => {
    const type = must(typeNamed(name), 'a listed name has a type')
    const all = connections.all(type.method).filter(({ mode }) => mode === 'LIVE')
    return all.map((connection) => ({
      id: connection.id,
      accounts: claimedOf(type.accountsOf(connection), connection),
    }))
  })
  if (live.length === 0) return
  await unlessAway(log, () =>
    withDirectory(config, async (directory) => {
      for (const { id, accounts } of live) {
        await claimAll(directory, config.VINTEM_CELL, accounts).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
          log.error(
            { connection: id, error: error.message },
            'an account at a provider is not this cell’s alone',
          )
        })
      }
    }),
  )
}

function claimedOf(accounts: readonly string[], { provider }: ConnectionParts): readonly Claimed[] {
  return accounts.map((account) => ({
    kind: 'PROVIDER_ACCOUNT',
    account,
    label: `The account at ${provider} (${account.split(':')[0]})`,
  }))
}

const wallets = {
  VINTEM_BSC_TREASURY: 'TREASURY',
  VINTEM_BSC_HOT_WALLET: 'HOT_WALLET',
  VINTEM_BSC_GAS_WALLET: 'GAS_WALLET',
} as const satisfies Partial<Record<keyof Config, Claimed['kind']>>

/** Claims the treasury and the wallets of the settings, where there is a directory. Throws ConfigError when another cell has one. */
export async function claimWallets(config: Config, log: Log): Promise<void> {
  const claims = (Object.keys(wallets) as (keyof typeof wallets)[]).flatMap((name) => {
    const address = config[name]
    const claimed = {
      kind: wallets[name],
      account: `bsc:${address.toLowerCase()}`,
      label: `${name} ${address}`,
    }
    return address === '' ? [] : [claimed]
  })
  if (claims.length === 0) return
  try {
    await unlessAway(log, () =>
      withDirectory(config, (directory) => claimAll(directory, config.VINTEM_CELL, claims)),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ConfigError(error.message, 'Each cell has a treasury and wallets of its own.')
  }
}

/** A start goes on when the directory does not answer: money must not wait for it, and the claims of an earlier start still hold. */
async function unlessAway(log: Log, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isConnectionError(error)) throw error
    log.error(
      { error: messageOf(error) },
      'whether another cell has our accounts is not known: the directory of cells is away',
    )
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
