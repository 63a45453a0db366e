// The sandbox's chain lives in the memory of a node and can be lost. Then it is built anew: the contracts at the same
// addresses, and every coin that the books have recorded where they have recorded it. Balances do not change.
import { encodeFunctionData } from 'viem'
import { must } from '#/kernel/check.ts'
import type { Log } from '#/kernel/log.ts'
import type { Address } from './address.ts'
import { artifacts } from './artifacts.ts'
import type { Rpc } from './client.ts'
import { adoptChain, type CursorDeps } from './cursor.ts'
import { selectChainPlaces, selectKnownFinal } from './queries.ts'
import { toData, toList } from './wire.ts'

/** The roles of the node's unlocked accounts. */
export type SandboxAccounts = {
  /** Owns the token. */
  readonly deployer: Address
  /** Plays every payer. */
  readonly faucet: Address
  readonly treasury: Address
}

/** The accounts that a new node always has, in its own order. */
export async function sandboxAccounts(rpc: Rpc): Promise<SandboxAccounts> {
  const [deployer, faucet, treasury] = toList(await rpc.call('eth_accounts', []), 'accounts').map((account) =>
    toData(account, 'account', 20),
  )
  const need = 'the sandbox node has three accounts'
  return { deployer: must(deployer, need), faucet: must(faucet, need), treasury: must(treasury, need) }
}

/** What the faucet starts with, in base units: a thousand million USDT. */
const faucetUnits = 10n ** 27n

/** Recipients in one transaction; each costs about 30,000 gas. */
const mintsMax = 300

/** Whether the node's chain is another than the one that the cursor knows. */
export async function isLost(deps: CursorDeps, rpc: Rpc): Promise<boolean> {
  const final = await selectKnownFinal(deps.sql, deps.chain.key)
  return final !== undefined && (await rpc.getBlockByHash(final)) === undefined
}

/** Gives the faucet its tokens if it has none: on every new node. */
export async function fillFaucet(rpc: Rpc, token: Address, { deployer, faucet }: SandboxAccounts): Promise<void> {
  const held = await rpc.ethCall(token, encodeFunctionData({ abi: artifacts.SandboxToken.abi, functionName: 'balanceOf', args: [faucet] }))
  if (BigInt(held) === 0n) await mint(rpc, { token, owner: deployer }, [{ address: faucet, units: faucetUnits }])
}

/** Puts every recorded coin back and starts the cursor on the new chain; transfers that were not final are gone. */
export async function rebuild(
  deps: CursorDeps & { readonly log: Log },
  rpc: Rpc,
  owner: Address,
): Promise<{ readonly places: number }> {
  const places = await selectChainPlaces(deps.sql, deps.chain.key)
  for (let from = 0; from < places.length; from += mintsMax) {
    await mint(rpc, { token: deps.chain.token, owner }, places.slice(from, from + mintsMax))
  }
  // Final by the node's own rule, so that the watcher starts where nothing changes any more.
  await rpc.call('anvil_mine', ['0x3'])
  const start = must(await rpc.getBlockByNumber('finalized'), 'a node knows its final block')
  await adoptChain(deps, start)
  return { places: places.length }
}

async function mint(
  rpc: Rpc,
  { token, owner }: { readonly token: Address; readonly owner: Address },
  coins: readonly { readonly address: Address; readonly units: bigint }[],
): Promise<void> {
  const data = encodeFunctionData({
    abi: artifacts.SandboxToken.abi,
    functionName: 'mintBatch',
    args: [coins.map((each) => each.address), coins.map((each) => each.units)],
  })
  const hash = await rpc.sendTransaction({ from: owner, to: token, data, gas: 15_000_000n })
  await rpc.call('anvil_mine', ['0x1'])
  const receipt = await rpc.getTransactionReceipt(hash)
  must(receipt?.succeeded || undefined, 'the sandbox token mints for its owner')
}
