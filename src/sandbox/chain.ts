// Prepares the sandbox's chain: contracts, accounts with coins, and recorded coins. Before CRYPTO is offered, the chain is checked
// as a live one is.
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import { ensureContracts, selfCheck } from '#/evm/deploy.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs, sleep, type Clock } from '#/kernel/time.ts'
import { ensureChain } from '#/rails/crypto/queries.ts'
import {
  fundAccounts,
  isLost,
  rebuild,
  sandboxAccounts,
  type SandboxAccounts,
} from '#/rails/crypto/rebuild.ts'
import { oneAtATime, type Turns } from '#/rails/crypto/sandbox.ts'
import type { KeepSignals } from '#/rails/crypto/signal.ts'
import { treasuryOnNewChain } from '#/treasury/hot-wallet-sandbox.ts'

/** No other network uses this id, so nothing signed here is valid elsewhere. */
export const sandboxChainId = 31_337n

export type SandboxChainDeps = {
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly rpc: Rpc
  readonly cell: string
  readonly keep: KeepSignals<Tx>
  /** Prints for a person that the chain was lost and is rebuilt. */
  readonly announce: (text: string) => void
}

export type ReadyChain = { readonly chain: Chain; readonly accounts: SandboxAccounts }

/** How long to wait for a node that goes away meanwhile. The process that keeps it alive starts another one. */
const patienceMs = 30 * secondMs
const pauseMs = 250

/** Preparations of one node wait for each other. */
const turns = new WeakMap<Rpc, Turns>()

/**
 * Prepares the node that answers. A new node gets contracts, accounts with coins, and the recorded coins; a prepared one is not
 * changed. If the node is replaced meanwhile, the preparation starts again, for half a minute, before it rejects.
 */
export function prepareSandboxChain(deps: SandboxChainDeps): Promise<ReadyChain> {
  const inTurn = turns.get(deps.rpc) ?? oneAtATime()
  turns.set(deps.rpc, inTurn)
  return inTurn(() => prepareUntilReady(deps))
}

async function prepareUntilReady(deps: SandboxChainDeps): Promise<ReadyChain> {
  const giveUpAt = monotonicMs() + patienceMs
  for (;;) {
    try {
      return await prepare(deps)
    } catch (error) {
      if (monotonicMs() > giveUpAt) throw error
      deps.log.info({ error: messageOf(error) }, 'the preparation of the sandbox chain starts again')
      await sleep(pauseMs)
    }
  }
}

async function prepare(deps: SandboxChainDeps): Promise<ReadyChain> {
  const { sql, rpc } = deps
  const accounts = await sandboxAccounts(rpc)
  const { token, ...contracts } = await ensureContracts(rpc, accounts)
  const usdt = usdtAt(token)
  await fundAccounts(rpc, usdt, accounts)
  const chain = await ensureChain(sql, {
    key: 'sandbox',
    mode: 'SANDBOX',
    connection: `${deps.cell}-${newId<'connection'>()}` as ConnectionId,
    chainId: sandboxChainId,
    network: 'BSC',
    tokens: [usdt],
    ...contracts,
    treasury: accounts.treasury,
    confirmationsMin: 1,
  })
  if (await isLost(deps, chain.key, rpc)) {
    const { places } = await rebuild({ ...deps, chain, treasury: treasuryOnNewChain }, rpc, accounts.deployer)
    const coins =
      places === 1 ? '1 deposit address has its coins' : `${places} deposit addresses have their coins`
    deps.announce(
      `The sandbox chain is a new one: contracts at the same addresses, ${coins} again. Balances are as before.`,
    )
  }
  const faults = await selfCheck(rpc, { ...chain, token: usdt })
  must(faults.length === 0 || undefined, `the sandbox chain is not as it should be: ${faults.join('; ')}`)
  return { chain, accounts }
}
