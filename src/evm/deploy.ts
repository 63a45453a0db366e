// Our contracts on a chain. In a sandbox it deploys them; everywhere it checks, before CRYPTO is offered, that the chain has the
// contracts for which deposit addresses are computed.
import { randomBytes } from 'node:crypto'
import type { Abi, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { invariant } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import {
  bytesOf,
  cloneCodeHash,
  depositAddress,
  deploymentData,
  deterministicDeployer,
  factoryAddress,
  factoryCreation,
  hexOf,
  implementationAddress,
  keccak,
  sandboxTokenAddress,
  sandboxTokenCreation,
  type Address,
} from './address.ts'
import { artifacts, deployedCode } from './artifacts.ts'
import { RpcError, type Rpc } from './client.ts'
import { mineNow } from './mine.ts'
import { toTopic } from './wire.ts'

/** The addresses of our contracts. */
export type Contracts = {
  readonly factory: Address
  readonly implementation: Address
  readonly token: Address
}

/**
 * Deploys the forwarder factory of `treasury` and the sandbox's token if they are missing, and mines them at once. For sandbox nodes
 * only: `deployer` is an account for which the node signs; it becomes the owner of the token. A second call
 * changes nothing. Rejects with ProviderError when the node fails or does not mine within 10 seconds.
 */
export async function ensureContracts(
  rpc: Rpc,
  { deployer, treasury }: { readonly deployer: Address; readonly treasury: Address },
): Promise<Contracts> {
  const contracts = {
    factory: factoryAddress(treasury),
    implementation: implementationAddress(treasury),
    token: sandboxTokenAddress(deployer),
  }
  await ensureCode(rpc, deployer, contracts.factory, factoryCreation(treasury))
  await ensureCode(rpc, deployer, contracts.token, sandboxTokenCreation(deployer))
  return contracts
}

/** The expected contracts of a chain. Addresses in any case. */
export type Expected = {
  readonly chainId: bigint
  readonly treasury: Address
  readonly factory: Address
  readonly implementation: Address
  readonly token: { readonly address: Address; readonly decimals: number }
  /** Keccak-256 of the token's code, where it is pinned. */
  readonly tokenCodeHash?: Hex
}

/**
 * Returns all deviations as sentences for the operator. Without one, CRYPTO may be offered. It compares the whole code, immutables
 * included, and the contracts' answers with the values that this process computes. Rejects with ProviderError when the node cannot
 * be reached.
 */
export async function selfCheck(rpc: Rpc, expected: Expected): Promise<readonly string[]> {
  const { factory, implementation } = expected
  const faults = await Promise.all([
    chainFault(rpc, expected.chainId),
    codeFault(rpc, 'the forwarder factory', factory, keccak(bytesOf(factoryCode(implementation)))),
    codeFault(rpc, 'the forwarder', implementation, keccak(bytesOf(forwarderCode(expected.treasury)))),
    codeFault(rpc, 'the token', expected.token.address, expected.tokenCodeHash),
    answerFault(rpc, forwarderCalls.treasury(expected)),
    answerFault(rpc, factoryCalls.implementation(expected)),
    answerFault(rpc, factoryCalls.addressOf(expected, hexOf(randomBytes(32)))),
    answerFault(rpc, tokenDecimals(expected)),
  ])
  return faults.filter((fault) => fault !== undefined)
}

/** The code of the factory whose forwarder is `implementation`. */
function factoryCode(implementation: Address): Hex {
  return deployedCode('ForwarderFactory', {
    implementation: toWord(implementation),
    cloneHash: cloneCodeHash(implementation),
  })
}

/** The code of the forwarder of `treasury`. */
function forwarderCode(treasury: Address): Hex {
  return deployedCode('DepositForwarder', { treasury: toWord(treasury) })
}

async function ensureCode(rpc: Rpc, deployer: Address, address: Address, creation: Hex): Promise<void> {
  if ((await rpc.getCode(address)) !== '0x') return
  if ((await rpc.getCode(deterministicDeployer)) === '0x') {
    throw new ProviderError('refused', `the chain has no deterministic deployer at ${deterministicDeployer}`)
  }
  const hash = await rpc.sendTransaction({
    from: deployer,
    to: deterministicDeployer,
    data: deploymentData(creation),
  })
  await mineNow(rpc, hash)
  invariant((await rpc.getCode(address)) !== '0x', `deployment ${hash} left nothing at ${address}`)
}

async function chainFault(rpc: Rpc, expected: bigint): Promise<string | undefined> {
  const chainId = await rpc.chainId()
  return chainId === expected ? undefined : `the node is on chain ${chainId}, not on ${expected}`
}

async function codeFault(
  rpc: Rpc,
  what: string,
  address: Address,
  hash: Hex | undefined,
): Promise<string | undefined> {
  const code = await rpc.getCode(address)
  if (code === '0x') return `${what} is not deployed at ${address}`
  if (hash === undefined || keccak(bytesOf(code)) === hash.toLowerCase()) return undefined
  return `${what} at ${address} has other code than this release`
}

/** A call of a contract, and the expected word of its result. */
type ContractCall = { readonly to: Address; readonly name: string; readonly data: Hex; readonly answer: Hex }

async function answerFault(rpc: Rpc, { to, name, data, answer }: ContractCall): Promise<string | undefined> {
  try {
    const given = await rpc.ethCall(to, data)
    return given === answer ? undefined : `${name} at ${to} answers ${given.slice(0, 66)}, not ${answer}`
  } catch (error) {
    if (error instanceof RpcError && error.outcome === 'refused')
      return `${name} at ${to} fails: ${error.message}`
    throw error
  }
}

const forwarderCalls = {
  treasury: ({ implementation, treasury }: Expected): ContractCall =>
    contractCall(artifacts.DepositForwarder.abi, implementation, 'treasury', [], toWord(treasury)),
}

const factoryCalls = {
  implementation: ({ factory, implementation }: Expected): ContractCall =>
    contractCall(artifacts.ForwarderFactory.abi, factory, 'implementation', [], toWord(implementation)),
  addressOf: ({ factory, implementation }: Expected, salt: Hex): ContractCall => {
    const computed = depositAddress({ factory, implementation, salt })
    return contractCall(artifacts.ForwarderFactory.abi, factory, 'addressOf', [salt], toWord(computed))
  },
}

/** Amounts are converted by these decimals, so a token with others would be credited wrongly. */
function tokenDecimals({ token: { address, decimals } }: Expected): ContractCall {
  const answer: Hex = `0x${decimals.toString(16).padStart(64, '0')}`
  return contractCall(artifacts.SandboxToken.abi, address, 'decimals', [], answer)
}

function contractCall(
  abi: Abi,
  to: Address,
  name: string,
  args: readonly unknown[],
  answer: Hex,
): ContractCall {
  return { to, name: `${name}()`, data: encodeFunctionData({ abi, functionName: name, args }), answer }
}

function toWord(address: Address): Hex {
  return toTopic(address)
}
