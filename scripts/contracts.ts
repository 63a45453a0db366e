// Compiles contracts/*.sol and writes contracts/artifacts.json. The settings are pinned and no path or time enters the
// output, so the same sources give the same bytes on every machine; contracts/artifacts.test.ts checks that.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'
import { invariant, must } from '#/kernel/check.ts'

/** The stored parts of one contract. Codes are lower-case hex with 0x; `immutables` are byte offsets into `runtimeCode`. */
export type CompiledContract = {
  readonly abi: readonly unknown[]
  readonly creationCode: string
  readonly runtimeCode: string
  readonly immutables: Readonly<Record<string, readonly number[]>>
}

export type Compiled = {
  readonly compiler: string
  readonly settings: typeof settings
  readonly contracts: Readonly<Record<string, CompiledContract>>
}

/** cancun: BSC and its Prague and Osaka successors run it; no later opcode is needed. */
const settings = {
  optimizer: { enabled: true, runs: 10_000 },
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none' },
} as const

/** The two functions of solc that are used, which its own types call `any`. */
const compiler: { readonly version: () => string; readonly compile: (input: string) => string } = solc

const contractsFolder = join(import.meta.dirname, '../contracts')
const artifactsFile = join(contractsFolder, 'artifacts.json')

/** Compiles the Solidity files in a folder (itself, not what lies below it). Stops at the first error or warning. */
export function compileFolder(folder: string): Compiled {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sol'))
    .toSorted()
  invariant(files.length > 0, `no Solidity file in ${folder}`)
  const output = runCompiler(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const faults = (output.errors ?? []).map((fault) => fault.formattedMessage)
  invariant(faults.length === 0, `solc: ${faults.join('\n')}`)
  const names = immutableNames(output)
  const contracts = files.flatMap((file) =>
    Object.entries(must(output.contracts[file], `${file} gave nothing`)),
  )
  return {
    compiler: compiler.version(),
    settings,
    contracts: Object.fromEntries(
      contracts
        .filter(([, { evm }]) => evm.bytecode.object !== '')
        .map(([name, one]) => [name, keep(one, names)]),
    ),
  }
}

/** The text of contracts/artifacts.json for the result of `compileFolder`. */
export function toArtifactsText(compiled: Compiled): string {
  return `${JSON.stringify(compiled, null, 2)}\n`
}

/** Compiles our own contracts, without the test ones. */
export function compileContracts(): Compiled {
  return compileFolder(contractsFolder)
}

type SolcContract = {
  readonly abi: readonly unknown[]
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: {
      readonly object: string
      readonly immutableReferences: Readonly<
        Record<string, readonly { readonly start: number; readonly length: number }[]>
      >
    }
  }
}

type SolcNode = { readonly id: number; readonly name?: string; readonly nodes?: readonly SolcNode[] }

type SolcOutput = {
  readonly errors?: readonly { readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>
  readonly sources: Readonly<Record<string, { readonly ast: SolcNode }>>
}

function runCompiler(sources: readonly (readonly [string, string])[]): SolcOutput {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map(([name, content]) => [name, { content }])),
    settings: {
      ...settings,
      outputSelection: {
        '*': {
          '': ['ast'],
          '*': [
            'abi',
            'evm.bytecode.object',
            'evm.deployedBytecode.object',
            'evm.deployedBytecode.immutableReferences',
          ],
        },
      },
    },
  }
  return JSON.parse(compiler.compile(JSON.stringify(input))) as SolcOutput
}

/** The compiler names an immutable by the id of its declaration; people and tests want its name. */
function immutableNames(output: SolcOutput): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const walk = (node: SolcNode): void => {
    if (node.name !== undefined) names.set(String(node.id), node.name)
    for (const child of node.nodes ?? []) walk(child)
  }
  for (const { ast } of Object.values(output.sources)) walk(ast)
  return names
}

function keep({ abi, evm }: SolcContract, names: ReadonlyMap<string, string>): CompiledContract {
  const references = Object.entries(evm.deployedBytecode.immutableReferences)
  return {
    abi,
    creationCode: `0x${evm.bytecode.object}`,
    runtimeCode: `0x${evm.deployedBytecode.object}`,
    immutables: Object.fromEntries(
      references.map(([id, places]) => {
        invariant(
          places.every(({ length }) => length === 32),
          'every immutable takes one word of the code',
        )
        return [must(names.get(id), `immutable ${id} has no name`), places.map(({ start }) => start)]
      }),
    ),
  }
}

if (import.meta.main) {
  const compiled = compileContracts()
  writeFileSync(artifactsFile, toArtifactsText(compiled))
  for (const [name, { runtimeCode }] of Object.entries(compiled.contracts)) {
    console.log(`${name.padEnd(18)} ${(runtimeCode.length - 2) / 2} bytes`)
  }
}
