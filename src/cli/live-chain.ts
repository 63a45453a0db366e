// BSC for live merchants, as the settings describe it. It is offered only when the node and the contracts prove to be those for which every
// deposit address was computed.
import type { ConnectedChain, Core } from '#/app/core.ts'
import type { Chain } from '#/coins/chain.ts'
import { ConfigError, type Config } from '#/config.ts'
import { createRpc } from '#/evm/client.ts'
import { selfCheck } from '#/evm/deploy.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { minuteMs, secondMs, sleep } from '#/kernel/time.ts'
import { ensureChain } from '#/rails/crypto/queries.ts'
import type { ChainStanding } from '#/sandbox/chain-standing.ts'
import { ensureTreasury, type ChainWallets } from '#/treasury/wallets.ts'
import { bsc, bscAddress, depositFaults, factoryOf } from './bsc-settings.ts'

export type LiveChain = {
  /** A sentence that says why CRYPTO is not offered; undefined once the chain is proven. */
  readonly standing: ChainStanding
}

/**
 * Connects BSC if the settings name a node. Checks at once, and until the check passes CRYPTO is not offered to live merchants: after a
 * second where the node did not answer, and later each time, up to a minute; after a minute where it is not as it should be. `onReady` is
 * called once.
 */
export function connectLiveChain(
  core: Core,
  signal: AbortSignal,
  onReady: (connected: ConnectedChain) => void,
): LiveChain | undefined {
  const { config, log } = core
  if (config.VINTEM_BSC_RPC_URL === '') return undefined
  const places = factoryOf(config)
  const wallets = walletsOf(config)
  const rpc = createRpc(config.VINTEM_BSC_RPC_URL, { timeoutMs: 10_000 })
  let fault: string | undefined = 'BSC is being checked: CRYPTO is not offered yet.'
  core.awaitedChains.add('LIVE')
  let pauseMs = secondMs
  void (async () => {
    while (!signal.aborted) {
      try {
        const broken = await selfCheck(rpc, { chainId: bsc.chainId, token: bsc.tokens[0], ...places })
        const faults = broken.length > 0 ? broken : await depositFaults(core.sql, config)
        if (faults.length === 0) {
          const chain = await liveChain(core, places)
          await ensureTreasury(core.sql, chain, wallets)
          const connected = { chain, rpc, pollMs: 300, ...given({ wallets }) }
          core.chains.push(connected)
          core.awaitedChains.delete('LIVE')
          fault = undefined
          onReady(connected)
          return
        }
        fault = 'BSC is not as it should be: CRYPTO is not offered. The log has the reasons.'
        core.awaitedChains.delete('LIVE')
        pauseMs = minuteMs
        log.error({ faults }, 'CRYPTO is not offered: BSC is not as it should be')
      } catch (error) {
        fault = 'The BSC node cannot be asked: CRYPTO is not offered.'
        core.awaitedChains.add('LIVE')
        log.warn({ error: messageOf(error) }, 'CRYPTO is not offered: the BSC node cannot be asked')
      }
      await sleep(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, minuteMs)
    }
  })()
  return { standing: async () => fault }
}

type Places = Pick<Chain, 'treasury' | 'factory' | 'implementation'>

/** Both or none: without gas nothing is collected, and a hot wallet that is never refilled cannot pay out. */
function walletsOf(config: Config): ChainWallets | undefined {
  const hot = bscAddress(config, 'VINTEM_BSC_HOT_WALLET')
  const gas = bscAddress(config, 'VINTEM_BSC_GAS_WALLET')
  if (hot === undefined && gas === undefined) return undefined
  if (hot !== undefined && gas !== undefined && hot !== gas) return { hot, gas, holdsTreasury: false }
  throw new ConfigError(
    'VINTEM_BSC_HOT_WALLET and VINTEM_BSC_GAS_WALLET are not two different addresses.',
    'Set both to addresses of keys that the signer holds: ./vintem signer key list',
  )
}

function liveChain(core: Core, places: Places): Promise<Chain> {
  return ensureChain(core.sql, {
    key: 'bsc',
    mode: 'LIVE',
    connection: `${core.config.VINTEM_CELL}-${newId<'connection'>()}` as ConnectionId,
    chainId: bsc.chainId,
    network: bsc.name,
    tokens: bsc.tokens,
    ...places,
    confirmationsMin: core.config.VINTEM_BSC_CONFIRMATIONS,
  })
}
