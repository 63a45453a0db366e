// The sandbox's signer: a child process that holds the keys of the wallets. Another child creates the keys and the policy, so that
// this process never has a key.
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { mainToken, type Chain } from '#/coins/chain.ts'
import { StartError } from '#/db/failure.ts'
import { parseAddress, type Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import { startSimulator } from './simulator.ts'

export type SandboxSigner = {
  readonly keys: { readonly hot: Address; readonly gas: Address; readonly treasury: Address }
  readonly stop: () => Promise<void>
}

type Options = {
  readonly dataDir: string
  readonly folder: string
  readonly chain: Chain
  /** The folder where Node caches compiled code, if it does. */
  readonly compileCache: string | undefined
  readonly log: Log
}

/** Systems allow a little over a hundred bytes, and the signer needs a few for itself. */
const socketPathMax = 90

const run = promisify(execFile)
const program = path.resolve(import.meta.dirname, '../main.ts')

/** Creates what the signer lacks, and starts it. It is started again whenever it ends. Throws a StartError. */
export async function startSandboxSigner(options: Options): Promise<SandboxSigner> {
  const { dataDir, folder, chain, compileCache, log } = options
  if (Buffer.byteLength(path.join(folder, 'signer.sock')) > socketPathMax)
    throw new StartError(
      `${folder} is too long for the signer's socket.`,
      'Set VINTEM_SIGNER_DIR to a folder with a shorter path, or VINTEM_SANDBOX=off.',
    )
  // The signer gets none of our settings: it needs no database and no other key.
  const env = {
    VINTEM_DATA_DIR: dataDir,
    VINTEM_SIGNER_DIR: folder,
    VINTEM_LOG_LEVEL: 'info',
    ...given({ NODE_COMPILE_CACHE: compileCache }),
  }
  const { chainId, factory, implementation } = chain
  const args = [
    program,
    'signer',
    'init-sandbox',
    String(chainId),
    mainToken(chain).address,
    factory,
    implementation,
  ]
  const existing = await readKeys(path.join(folder, 'policy.json'), chain)
  const keys =
    existing ??
    (await run(process.execPath, args, { env }).then(
      ({ stdout }) => keysOf(JSON.parse(stdout)),
      (error: unknown) => {
        const failed = error as { readonly stderr?: string }
        throw new StartError('The sandbox has no signer.', failed.stderr?.trim() || messageOf(error), error)
      },
    ))
  const output = path.join(dataDir, 'signer.log')
  rmSync(output, { force: true })
  const { stop } = await startSimulator({
    name: 'signer',
    args: ['signer'],
    program,
    env,
    folder: dataDir,
    ports: [],
    log,
  })
  return { keys, stop }
}

type Keys = SandboxSigner['keys']

/** The keys of a policy that an earlier start made for this same chain. A policy is not secret. */
async function readKeys(file: string, chain: Chain): Promise<Keys | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const facts = [
    `"${chain.chainId}"`,
    mainToken(chain).address,
    chain.factory,
    chain.implementation,
    chain.treasury,
  ]
  if (!facts.every((fact) => text.includes(fact))) return undefined
  const { keys } = JSON.parse(text) as {
    readonly keys: readonly { readonly purpose: string; readonly address: string }[]
  }
  return keysOf(Object.fromEntries(keys.map(({ purpose, address }) => [purpose, address])))
}

function keysOf(output: unknown): Keys {
  const { hot = '', gas = '', treasury = '' } = output as Partial<Record<keyof Keys, string>>
  const addressOf = (text: string) => must(parseAddress(text), 'a key has an address')
  return { hot: addressOf(hot), gas: addressOf(gas), treasury: addressOf(treasury) }
}
