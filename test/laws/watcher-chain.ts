// A real chain that a test controls: it mines on request, pays in every way that money can come, and reorganises.
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { encodeFunctionData, getContractAddress, keccak256 } from 'viem/utils'
import type { Address } from '#/evm/address.ts'
import { artifacts } from '#/evm/artifacts.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { ensureContracts, type Contracts } from '#/evm/deploy.ts'
import { must } from '#/kernel/check.ts'
import { richAccount, startAnvil } from '../anvil.ts'

export const treasury: Address = '0x00000000000000000000000000000000007a5e11'
export const transferEvent: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** By how many blocks `finalized` is behind the latest, as on BSC when all is well. */
export const finalizedBehind = 2

export type Transfer = { readonly to: Address; readonly value: bigint }

/** One step of a contract that runs only in its constructor: a call, or a log. */
export type Action =
  | { readonly call: Address; readonly data: Hex }
  | { readonly topics: readonly Hex[]; readonly data: Hex }

export type SignedTx = { readonly hash: Hex; readonly raw: Hex }

export type TestChain = AsyncDisposable & {
  readonly url: string
  readonly rpc: Rpc
  readonly contracts: Contracts
  mine(blocks?: number): Promise<void>
  head(): Promise<bigint>
  /** Mints tokens to these holders, in a block of its own. `token`: default the sandbox's own. */
  fund(holders: readonly Address[], token?: Address): Promise<void>
  send(tx: SignedTx): Promise<Hex>
  /**
   * Replaces the last `depth` blocks. A marker makes the new blocks differ: without it anvil builds the very same blocks
   * again. Transactions that are not in `kept` are gone, from the mempool too.
   */
  reorg(depth: number, kept?: readonly { readonly raw: Hex; readonly offset: number }[]): Promise<void>
  kill(): Promise<void>
}

/** Starts a node with our contracts and a token. It mines only on request. */
export async function startTestChain(): Promise<TestChain> {
  const node = await startAnvil({ flags: ['--no-mining', '--hardfork', 'cancun'] })
  const rpc = createRpc(node.url, { timeoutMs: 20_000 })
  const contracts = await ensureContracts(rpc, { deployer: richAccount, treasury })
  const mine = async (blocks = 1) => {
    if (blocks > 0) await rpc.call('anvil_mine', [`0x${blocks.toString(16)}`, '0x0'])
  }
  return {
    url: node.url,
    rpc,
    contracts,
    mine,
    head: rpc.blockNumber,
    async fund(holders, token = contracts.token) {
      if (holders.length === 0) return
      const args = [holders, holders.map(() => 10n ** 27n)]
      const data = encodeFunctionData({ abi: artifacts.SandboxToken.abi, functionName: 'mintBatch', args })
      const hash = await rpc.sendTransaction({
        from: richAccount,
        to: token,
        data,
        gas: 15_000_000n,
      })
      await mine()
      must((await rpc.getTransactionReceipt(hash))?.succeeded || undefined, 'tokens were made')
    },
    send: ({ raw }) => rpc.sendRawTransaction(raw),
    async reorg(depth, kept = []) {
      const { raw: marker } = await newPayer().sign({ to: treasury, data: '0x' })
      await rpc.call('anvil_reorg', [depth, [[marker, 0], ...kept.map(({ raw, offset }) => [raw, offset])]])
    },
    kill: node.kill,
    async [Symbol.asyncDispose]() {
      rpc.close()
      await node.stop()
    },
  }
}

/** A sender with a fresh key and one transaction, which can be in any block: its nonce is 0 and gas is free. */
export type Payer = {
  readonly address: Address
  /** The address of the contract that this payer creates. */
  readonly contract: Address
  sign(tx: { readonly to?: Address; readonly data: Hex; readonly value?: bigint }): Promise<SignedTx>
  /** A plain transfer of the token. */
  transfer(token: Address, transfer: Transfer): Promise<SignedTx>
  /** A contract that does all of this in its constructor. */
  contractMade(actions: readonly Action[]): Promise<SignedTx>
}

export function newPayer(): Payer {
  const account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())
  const address = account.address.toLowerCase() as Address
  const sign: Payer['sign'] = async ({ to, data, value = 0n }) => {
    const target = to === undefined ? {} : { to }
    const raw = await account.signTransaction({
      type: 'legacy',
      ...target,
      data,
      value,
      nonce: 0,
      gas: 2_000_000n,
      gasPrice: 0n,
      chainId: 31_337,
    })
    return { raw, hash: keccak256(raw) }
  }
  return {
    address,
    contract: getContractAddress({ from: address, nonce: 0n }).toLowerCase() as Address,
    sign,
    transfer: (token, { to, value }) => sign({ to: token, data: transferCall(to, value) }),
    contractMade: (actions) => sign({ data: creationOf(actions) }),
  }
}

/** Call data of `transfer(address,uint256)`. */
export function transferCall(to: Address, value: bigint): Hex {
  return `0xa9059cbb${word(BigInt(to))}${word(value)}`
}

/** Call data of `transferFrom(address,address,uint256)`. */
export function transferFromCall(from: Address, to: Address, value: bigint): Hex {
  return `0x23b872dd${word(BigInt(from))}${word(BigInt(to))}${word(value)}`
}

/** A Transfer event as a token emits it. Any contract that emits it counts as the token. */
export function transferEventOf(from: Address, to: Address, value: bigint): Action {
  return {
    topics: [transferEvent, `0x${word(BigInt(from))}`, `0x${word(BigInt(to))}`],
    data: `0x${word(value)}`,
  }
}

/** A number as 32 bytes, without 0x. */
export function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

/** Creation code that performs the actions and leaves no code behind. */
function creationOf(actions: readonly Action[]): Hex {
  return `0x${actions.map((action) => ('call' in action ? callCode(action) : logCode(action))).join('')}00`
}

/** PUSH32 word, PUSH2 place, MSTORE for each word; then CALL without value. Its result is dropped: the events show it. */
function callCode({ call, data }: { readonly call: Address; readonly data: Hex }): string {
  const length = (data.length - 2) / 2
  const push = `5f5f61${hex2(length)}5f5f73${call.slice(2)}5af1`
  return `${store(data)}${push}50`
}

/** LOG of memory 0..length with the topics, the first of them on top of the stack. */
function logCode({ topics, data }: { readonly topics: readonly Hex[]; readonly data: Hex }): string {
  const length = (data.length - 2) / 2
  const pushes = topics.toReversed().map((topic) => `7f${topic.slice(2)}`)
  return `${store(data)}${pushes.join('')}61${hex2(length)}5f${(0xa0 + topics.length).toString(16)}`
}

function store(data: Hex): string {
  const words = data.slice(2).match(/.{1,64}/g) ?? []
  return words.map((each, index) => `7f${each.padEnd(64, '0')}61${hex2(index * 32)}52`).join('')
}

function hex2(value: number): string {
  return value.toString(16).padStart(4, '0')
}
