// The sandbox's chain is in the memory of a node and can be lost. Then it is rebuilt: the contracts at the same addresses, and all
// coins where the books have recorded them. Balances do not change.
import type { Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { mainToken } from '#/coins/chain.ts'
import type { Token } from '#/coins/networks.ts'
import { toBookUnits, toTokenUnits } from '#/coins/units.ts'
import type { Address } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import type { Rpc } from '#/evm/client.ts'
import { balanceCall } from '#/evm/erc20.ts'
import { makeFinal, mineNow } from '#/evm/mine.ts'
import { readHeader } from '#/evm/read.ts'
import { toBigint, toData, toList, toQuantity } from '#/evm/wire.ts'
import { invariant, must } from '#/kernel/check.ts'
import type { Log } from '#/kernel/log.ts'
import { adoptChain, renewLease, seizeLease, type CursorDeps, type TreasuryOnNewChain } from './cursor.ts'
import { selectChainPlaces, selectFollowedChain } from './queries.ts'

/** The roles of the node's unlocked accounts. */
export type SandboxAccounts = {
  /** Owns the token. */
  readonly deployer: Address
  /** Anyone may use its coins, because its address is published. */
  readonly faucet: Address
  readonly treasury: Address
  /** Plays every payer. It is a separate account, because two senders at one account would compete for its nonces. */
  readonly payer: Address
}

/** Returns the accounts that a new node always has, in the node's order. */
export async function sandboxAccounts(rpc: Rpc): Promise<SandboxAccounts> {
  const [deployer, faucet, treasury, payer] = await unlockedAccounts(rpc)
  const need = 'the sandbox node has four accounts'
  return {
    deployer: must(deployer, need),
    faucet: must(faucet, need),
    treasury: must(treasury, need),
    payer: must(payer, need),
  }
}

/** The initial balance of faucet and payer, in base units: a thousand million USDT. */
const fundUnits = 10n ** 27n

/** The number of recipients in one transaction. Each costs about 27,000 gas, and a block has 30 million. */
const mintsMax = 300

/** The number of concurrent calls to the node. */
const callsMax = 16

const latestNeeded = 'a node has a latest block'

/** By how much the nonces of a new chain start above those of the lost one. */
const noncesOfOneChain = 2 ** 32

/** Whether the node's chain is not the one that the cursor follows, or lacks the block after the cursor. */
export async function isLost(deps: Pick<CursorDeps, 'sql'>, chain: string, rpc: Rpc): Promise<boolean> {
  const followed = await selectFollowedChain(deps.sql, chain)
  if (followed === undefined) return false
  const { tip, final } = followed
  if ((await readHeader(rpc, final.number))?.hash !== final.hash) return true
  // Checked before and after: a block that was just made, or made again, is not missing.
  if ((await readHeader(rpc, tip + 1n)) !== undefined) return false
  const head = await readHeader(rpc, 'latest')
  if (head === undefined || head.number <= tip) return false
  return (await readHeader(rpc, tip + 1n)) === undefined
}

/** Gives faucet and payer their tokens where they have none: on every new node. */
export async function fundAccounts(
  rpc: Rpc,
  token: Pick<Token, 'address' | 'decimals'>,
  { deployer, faucet, payer }: SandboxAccounts,
): Promise<void> {
  const funded = [faucet, payer]
  const held = await balancesOf(rpc, token, funded)
  const empty = funded.filter((_, index) => held[index] === 0n)
  await mint(
    rpc,
    { ...token, owner: deployer },
    empty.map((address) => ({ address, units: fundUnits })),
  )
}

/**
 * Gives every address the recorded amount, and starts the cursor on the new chain; transfers that were not final are gone. After a
 * failure, a second call completes the work of the first. Two concurrent rebuilds at one node would both add the missing coins, so
 * the caller must run them one after the other. Rejects with FencedOff when another rebuild has started.
 */
export async function rebuild(
  deps: CursorDeps & { readonly treasury: TreasuryOnNewChain; readonly log: Log },
  rpc: Rpc,
  owner: Address,
): Promise<{ readonly places: number }> {
  const { key } = deps.chain
  const token = mainToken(deps.chain)
  // The lease comes first: a watcher that still follows the old chain could make a transfer final meanwhile.
  const fence = await seizeLease(deps)
  const { generation } = must(await selectFollowedChain(deps.sql, key), 'a lost chain has a row')
  // A wallet that sends keeps its own nonces: transactions that it signed and the chain has lost are sent again.
  const wallets = await deps.treasury.sendingWallets(deps.sql, key)
  await skipNonces(rpc, generation, new Set(wallets.map(({ address }) => address)))
  // Mines what an earlier attempt has sent, so that nothing waits.
  await rpc.call('anvil_mine', ['0x1'])
  const first = must(await readHeader(rpc, 'latest'), latestNeeded)
  const ownPlaces = await deps.treasury.restoreWallets(deps.sql, rpc, { chain: key, log: deps.log })
  const places = [...(await selectChainPlaces(deps.sql, key)), ...ownPlaces]
  for (let from = 0; from < places.length; from += mintsMax) {
    await renewLease(deps, fence)
    await settlePlaces(rpc, { ...token, owner }, places.slice(from, from + mintsMax))
  }
  await makeFinal(rpc)
  // The cursor begins after the coins above, so no watcher reads them as deposits.
  const start = must(await readHeader(rpc, 'latest'), latestNeeded)
  // The node may have been replaced by an empty one meanwhile. Then `start` would be a block without the coins.
  const isSame = (await readHeader(rpc, first.number))?.hash === first.hash
  invariant(isSame, 'the sandbox chain is still the one that was rebuilt')
  await adoptChain(deps, fence, start)
  return { places: places.filter(({ units }) => units > 0n).length }
}

async function unlockedAccounts(rpc: Rpc): Promise<readonly Address[]> {
  const accounts = toList(await rpc.call('eth_accounts', []), 'accounts')
  return accounts.map((account) => toData(account, 'account', 20))
}

/**
 * The same transaction of the same account has the same hash on the new chain, and a transaction counts as money only once. So the
 * accounts continue with nonces that the lost chain never used.
 */
async function skipNonces(rpc: Rpc, generation: number, senders: ReadonlySet<Address>): Promise<void> {
  const first = BigInt(generation * noncesOfOneChain)
  for (const account of await unlockedAccounts(rpc)) {
    if (senders.has(account)) continue
    const next = toBigint(await rpc.call('eth_getTransactionCount', [account, 'latest']), 'nonce')
    if (next < first) await rpc.call('anvil_setNonce', [account, toQuantity(first)])
  }
}

type OwnedToken = Pick<Token, 'address' | 'decimals'> & { readonly owner: Address }
type Coins = { readonly address: Address; readonly units: bigint }

/** Adds missing coins and burns excess ones, which came in blocks that are not in our history. */
async function settlePlaces(rpc: Rpc, token: OwnedToken, places: readonly Coins[]): Promise<void> {
  const held = await balancesOf(
    rpc,
    token,
    places.map(({ address }) => address),
  )
  const changes = places.map(({ address, units }, index) => ({ address, units: units - (held[index] ?? 0n) }))
  await mint(
    rpc,
    token,
    changes.filter(({ units }) => units > 0n),
  )
  for (const { address, units } of changes) if (units < 0n) await burn(rpc, token, { address, units: -units })
}

async function balancesOf(
  rpc: Rpc,
  token: Pick<Token, 'address' | 'decimals'>,
  holders: readonly Address[],
): Promise<readonly bigint[]> {
  const held: bigint[] = []
  for (let from = 0; from < holders.length; from += callsMax) {
    const some = holders.slice(from, from + callsMax)
    held.push(
      ...(await Promise.all(
        some.map(async (holder) => {
          const raw = BigInt(await rpc.ethCall(token.address, balanceCall(holder)))
          return toBookUnits(token, { raw })
        }),
      )),
    )
  }
  return held
}

async function mint(rpc: Rpc, token: OwnedToken, coins: readonly Coins[]): Promise<void> {
  if (coins.length === 0) return
  const to = coins.map(({ address }) => address)
  const input = data(
    'mintBatch',
    to,
    coins.map(({ units }) => toTokenUnits(token, units).raw),
  )
  await mineSucceeding(
    rpc,
    await rpc.sendTransaction({ from: token.owner, to: token.address, data: input, gas: 15_000_000n }),
  )
}

async function burn(rpc: Rpc, token: OwnedToken, { address, units }: Coins): Promise<void> {
  await rpc.call('anvil_impersonateAccount', [address])
  const hash = await rpc.sendTransaction({
    from: address,
    to: token.address,
    data: data('burn', toTokenUnits(token, units).raw),
    gas: 100_000n,
    gasPrice: 0n,
  })
  await mineSucceeding(rpc, hash)
  await rpc.call('anvil_stopImpersonatingAccount', [address])
}

async function mineSucceeding(rpc: Rpc, hash: Hex): Promise<void> {
  const { succeeded } = await mineNow(rpc, hash)
  invariant(succeeded, 'the sandbox token accepts the call of its owner')
}

function data(functionName: string, ...args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: artifacts.SandboxToken.abi, functionName, args })
}
