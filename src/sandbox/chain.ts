// The sandbox's chain made ready: contracts, faucet and recorded coins, checked as a live chain is before CRYPTO is
// offered on it.
import { newId, type ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { Chain, KeepSignals } from '#/rails/crypto/chain.ts'
import type { Rpc } from '#/rails/crypto/client.ts'
import { ensureContracts, selfCheck } from '#/rails/crypto/deploy.ts'
import { ensureChain, selectChainConnection } from '#/rails/crypto/queries.ts'
import { fillFaucet, isLost, rebuild, sandboxAccounts, type SandboxAccounts } from '#/rails/crypto/rebuild.ts'

/** No other network has it, so nothing signed here is valid elsewhere. */
export const sandboxChainId = 31_337n

export type SandboxChainDeps = {
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly rpc: Rpc
  readonly cell: string
  readonly keep: KeepSignals<Tx>
  /** Tells a person that the chain was lost and is whole again. */
  readonly announce: (text: string) => void
}

export type ReadyChain = { readonly chain: Chain; readonly accounts: SandboxAccounts }

/** Prepares whatever node answers: a new one gets contracts, faucet and the recorded coins; a known one is left alone. */
export async function prepareSandboxChain(deps: SandboxChainDeps): Promise<ReadyChain> {
  const { sql, rpc } = deps
  const accounts = await sandboxAccounts(rpc)
  const contracts = await ensureContracts(rpc, accounts)
  await fillFaucet(rpc, contracts.token, accounts)
  const known = await selectChainConnection(sql, 'sandbox')
  const chain: Chain = {
    key: 'sandbox',
    mode: 'SANDBOX',
    connection: known ?? (`${deps.cell}-${newId<'connection'>()}` as ConnectionId),
    chainId: sandboxChainId,
    network: 'BSC',
    currency: 'USDT',
    ...contracts,
    treasury: accounts.treasury,
    confirmationsMin: 1,
  }
  await ensureChain(sql, chain)
  const cursorDeps = { ...deps, chain }
  if (await isLost(cursorDeps, rpc)) {
    const { places } = await rebuild(cursorDeps, rpc, accounts.deployer)
    const coins = places === 1 ? '1 deposit address has its coins' : `${places} deposit addresses have their coins`
    deps.announce(`The sandbox chain is a new one: contracts at the same addresses, ${coins} again. Balances are as before.`)
  }
  const faults = await selfCheck(rpc, chain)
  must(faults.length === 0 || undefined, `the sandbox chain is not as it should be: ${faults.join('; ')}`)
  return { chain, accounts }
}
