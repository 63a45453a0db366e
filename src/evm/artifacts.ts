// Our compiled contracts: contracts/artifacts.json, written by scripts/contracts.ts and committed.
import type { Abi, Hex } from 'viem'
import { must } from '#/kernel/check.ts'
import compiled from '../../contracts/artifacts.json' with { type: 'json' }

/** One contract. `immutables`: the offsets in `runtimeCode` of the 32 bytes of each immutable. */
export type Artifact = {
  readonly abi: Abi
  readonly creationCode: Hex
  readonly runtimeCode: Hex
  readonly immutables: Readonly<Record<string, readonly number[]>>
}

export type ContractName = keyof typeof compiled.contracts

/** The contracts by name. Nothing is compiled at run time; these bytes decide every deposit address. */
export const artifacts: Readonly<Record<ContractName, Artifact>> = {
  DepositForwarder: typed('DepositForwarder'),
  ForwarderFactory: typed('ForwarderFactory'),
  SandboxTether: typed('SandboxTether'),
  SandboxToken: typed('SandboxToken'),
}

/** The code of a deployed contract: `runtimeCode` with its immutables filled in, each a 32-byte word. */
export function deployedCode(name: ContractName, words: Readonly<Record<string, Hex>>): Hex {
  const { runtimeCode, immutables } = artifacts[name]
  const code = Buffer.from(runtimeCode.slice(2), 'hex')
  for (const [immutable, offsets] of Object.entries(immutables)) {
    const word = must(words[immutable], `${name} needs a value for ${immutable}`)
    for (const offset of offsets) code.write(word.slice(2), offset, 'hex')
  }
  return `0x${code.toString('hex')}`
}

function typed(name: ContractName): Artifact {
  const { abi, creationCode, runtimeCode, immutables } = compiled.contracts[name]
  return { abi: abi as Abi, creationCode: creationCode as Hex, runtimeCode: runtimeCode as Hex, immutables }
}
