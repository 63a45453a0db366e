// The payer of the sandbox: sends real tokens on the sandbox's real chain, in the ways that payers do.
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { mainToken, type Chain } from '#/coins/chain.ts'
import { baseUnitsPerCent, toTokenUnits } from '#/coins/units.ts'
import type { Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { transferCall, transferGas } from '#/evm/erc20.ts'
import { toData } from '#/evm/wire.ts'
import { ProviderError } from '#/kernel/error.ts'
import { maxOf } from '#/kernel/money.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import type { crypto } from './method.ts'

/** The scenarios of CRYPTO. */
export type CryptoScenario = (typeof crypto.sandbox.scenarios)[number]

export type SandboxPayment = {
  readonly address: Address
  /** The minor units that a payer would send now. */
  readonly minor: bigint
  readonly scenario: CryptoScenario
}

export type SandboxPayerDeps = {
  readonly rpc: Rpc
  readonly chain: Chain
  /** An account that the node signs for; no other process sends from it. */
  readonly payer: Address
  /** Runs every send from the account: two concurrent sends would get the same nonce. */
  readonly inTurn: Turns
  /** Runs every reorganisation: no block is mined meanwhile. */
  readonly whileStill: Turns
  /** Whether the watcher has recorded the transaction, as detected or as gone. */
  readonly isRecorded: (address: Address, txHash: Hex) => Promise<boolean>
}

const patienceMs = 5_000

/** The number of blocks that a reorganisation may replace, on a chain whose `finalized` block is two behind the latest. */
const reorgDepthMax = 2

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Runs works one after another, in order of arrival. A failed work does not stop the next. */
export function oneAtATime(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
}

/** Pays in the given way. Returns the hashes of the transactions that reached the address. */
export async function paySandbox(deps: SandboxPayerDeps, payment: SandboxPayment): Promise<readonly Hex[]> {
  const { address, minor, scenario } = payment
  const requested = minor * baseUnitsPerCent
  switch (scenario) {
    case 'exact':
    case 'late':
      return [await send(deps, address, requested)]
    case 'under':
      return [await send(deps, address, minor > 1n ? (minor / 2n) * baseUnitsPerCent : requested / 2n)]
    case 'over':
      return [await send(deps, address, requested + maxOf(minor / 10n, 1n) * baseUnitsPerCent)]
    case 'twice':
      return [await send(deps, address, requested), await send(deps, address, requested)]
    case 'reorged':
      return [await sendThroughReorg(deps, address, requested)]
  }
}

function send({ rpc, chain, payer, inTurn }: SandboxPayerDeps, to: Address, value: bigint): Promise<Hex> {
  const token = mainToken(chain)
  const data = transferCall(to, toTokenUnits(token, value))
  return inTurn(() => rpc.sendTransaction({ from: payer, to: token.address, data, gas: transferGas }))
}

/**
 * Sends a payment that is mined, disappears with its block, and is mined again in another block. It must be the same transaction,
 * so a new payer signs it. If the machine is too slow, the block is final before it can be dropped; then this is an ordinary
 * payment.
 */
async function sendThroughReorg(deps: SandboxPayerDeps, to: Address, value: bigint): Promise<Hex> {
  const { rpc, chain } = deps
  const token = mainToken(chain)
  const payer = await newAccount()
  await mined(rpc, await send(deps, payer.address.toLowerCase() as Address, value))
  const raw = await payer.signTransaction({
    to: token.address,
    data: transferCall(to, toTokenUnits(token, value)),
    nonce: 0,
    gas: 200_000n,
    gasPrice: 0n,
    chainId: Number(chain.chainId),
  })
  const hash = await rpc.sendRawTransaction(raw)
  const block = await mined(rpc, hash)
  // Waits for the next block: the one after it is farthest away then, and the watcher has detected the payment.
  await until(async () => (await rpc.blockNumber()) > block)
  const drop = () => deps.whileStill(() => dropTransaction(rpc, hash, block))
  if (!(await deps.inTurn(drop))) return hash
  await until(async () => !(await deps.isRecorded(to, hash)))
  return rpc.sendRawTransaction(raw)
}

/**
 * Replaces the transaction's block and later ones by blocks without the transaction. A marker transaction guarantees that their
 * hashes differ. Transactions of other senders stay in the chain. Returns false when the block could not be dropped any more.
 */
async function dropTransaction(rpc: Rpc, hash: Hex, blockNumber: bigint): Promise<boolean> {
  const head = await rpc.blockNumber()
  const depth = Number(head - blockNumber) + 1
  if (depth > reorgDepthMax) return false
  const numbers = Array.from({ length: depth }, (_, index) => blockNumber + BigInt(index))
  const blocks = await Promise.all(numbers.map((number) => rpc.getBlockByNumber(number)))
  const others = blocks.flatMap((block) => block?.txHashes ?? []).filter((each) => each !== hash)
  const kept = await Promise.all([markerTransaction(rpc), ...others.map((each) => rawTransaction(rpc, each))])
  await rpc.call('anvil_reorg', [depth, kept.map((raw) => [raw, 0])])
  return (await rpc.getTransactionReceipt(hash)) === undefined
}

async function rawTransaction(rpc: Rpc, hash: Hex): Promise<Hex> {
  return toData(await rpc.call('eth_getRawTransactionByHash', [hash]), 'raw transaction', 0)
}

async function markerTransaction(rpc: Rpc): Promise<Hex> {
  const marker = await newAccount()
  const chainId = Number(await rpc.chainId())
  return marker.signTransaction({ to: marker.address, nonce: 0, gas: 21_000n, gasPrice: 0n, chainId })
}

/** Loads the library only here: every process knows this file, and only a sandbox makes accounts. */
async function newAccount(): Promise<PrivateKeyAccount> {
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts')
  return privateKeyToAccount(generatePrivateKey())
}

async function mined(rpc: Rpc, hash: Hex): Promise<bigint> {
  let number: bigint | undefined
  await until(async () => {
    number = (await rpc.getTransactionReceipt(hash))?.blockNumber
    return number !== undefined
  })
  if (number === undefined) throw new ProviderError('unavailable', 'the sandbox chain mines no blocks')
  return number
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const end = monotonicMs() + patienceMs
  while (!(await isDone()) && monotonicMs() < end) await sleep(20)
}
