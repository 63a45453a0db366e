// The sandbox's chain as a process: anvil from npm. Starts it or finds it again, keeps it alive, and makes its blocks.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { adoptChild, keepAlive, startChild, type Child } from '#/db/embedded-keep.ts'
import {
  commandLineOf,
  isPortFree,
  isRunning,
  readIdentity,
  sendSignal,
  acquireLock,
  waitUntilGone,
  type ProcessIdentity,
} from '#/db/embedded-process.ts'
import { StartError } from '#/db/failure.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { Turns } from '#/rails/crypto/sandbox.ts'
import { keepMining } from './chain-miner.ts'
import { sandboxChainId } from './chain.ts'

export type SandboxChain = {
  readonly rpcUrl: string
  /** The node's process number; another one after it was replaced. */
  pid(): number
  /** Calls back when the node died and an empty one replaced it: contracts and coins have to be made again. */
  onReplaced(callback: () => void): void
  /** Runs work during which no block is made. */
  readonly whileStill: Turns
  /** Resolves when the node has ended. */
  stop(): Promise<void>
}

type Options = {
  readonly dataDir: string
  readonly port: number
  /** Seconds between blocks while there is activity; otherwise far fewer blocks are made. */
  readonly blockTimeSeconds: number
  readonly log: Log
}

/**
 * Starts the sandbox's chain on `port` of the loopback address, or takes over the node that a killed process left running, with its
 * whole chain. Resolves when the node answers. Throws a StartError when the platform, the port or the data directory does not allow
 * it.
 */
export async function startSandboxChain(options: Options): Promise<SandboxChain> {
  const { dataDir, port, blockTimeSeconds, log } = options
  mkdirSync(dataDir, { recursive: true })
  const files = filesIn(dataDir)
  const unlock = lock(files)
  const rpcUrl = `http://127.0.0.1:${port}`
  const rpc = createRpc(rpcUrl, { timeoutMs: answerTimeoutMs })
  const release = () => {
    rpc.close()
    unlock()
  }
  try {
    const { pid, onRestarted, stop } = await keepAlive({
      name: 'the sandbox chain',
      start: (signal) => findOrStart({ files, port, rpc, log }, signal),
      stop: (identity) => stopNode(identity).then(() => rmSync(files.identity, { force: true })),
      released: release,
      log,
    })
    const miner = keepMining(rpc, blockTimeSeconds * secondMs)
    return {
      rpcUrl,
      pid,
      onReplaced: onRestarted,
      whileStill: miner.whileStill,
      stop: () => miner.stop().then(stop),
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Deletes the chain of `dataDir`, and ends a node that a killed process left running. Throws a StartError while another process uses
 * it.
 */
export async function forgetSandboxChain(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  const files = filesIn(dataDir)
  const unlock = lock(files)
  try {
    const found = readIdentity(files.identity)
    if (found !== undefined) await stopNode(found)
    // A node that ended normally has removed its identity file and left its output.
    for (const file of [files.identity, files.output]) rmSync(file, { force: true })
  } finally {
    unlock()
  }
}

type Files = { readonly identity: string; readonly lock: string; readonly output: string }
type NodeOptions = { readonly files: Files; readonly port: number; readonly rpc: Rpc; readonly log: Log }

const answerTimeoutMs = 2 * secondMs
const readyTimeoutMs = 15 * secondMs

function filesIn(dataDir: string): Files {
  return {
    identity: join(dataDir, 'chain.json'),
    lock: join(dataDir, 'chain.lock'),
    output: join(dataDir, 'chain.log'),
  }
}

function lock(files: Files): () => void {
  const holder = acquireLock(files.lock)
  if (holder === undefined) return () => rmSync(files.lock, { force: true })
  const remedy = 'Stop it first, or set VINTEM_DATA_DIR and PORT to run a second one beside it.'
  throw new StartError(`Vintem is already running with this data (process ${holder.pid}).`, remedy)
}

async function findOrStart(options: NodeOptions, signal: AbortSignal): Promise<Child> {
  const { files, port, rpc, log } = options
  const command = [findProgram(), ...argumentsFor(port)]
  const found = readIdentity(files.identity)
  if (found !== undefined && isRunning(found)) {
    const isOurs = commandLineOf(found.pid) === command.join(' ')
    if (isOurs && (await answersInTime({ isOver: () => !isRunning(found) }, rpc, signal))) {
      log.info({ child: found.pid }, 'the sandbox chain was still running and is used again')
      return adoptChild(found, 'SIGTERM')
    }
    log.warn(
      { child: found.pid, isOurs },
      'the sandbox chain that was still running cannot be used; it is replaced',
    )
    await stopNode(found)
  }
  if (!(await isPortFree(port))) throw portTaken(port)
  const node = await startChild(command[0] ?? '', command.slice(1), {
    output: files.output,
    farewell: 'SIGTERM',
  })
  writeFileSync(files.identity, JSON.stringify(node.mark), { mode: 0o600 })
  try {
    await waitUntilReady(node, rpc, signal)
    return node
  } catch (error) {
    await stopNode(node.mark)
    signal.throwIfAborted()
    if (!(await isPortFree(port))) throw portTaken(port, error)
    throw new StartError('The sandbox chain did not start.', `See ${files.output}.`, error)
  }
}

/**
 * - Without mining of its own: see chain-miner.ts.
 * - `finalized` is two blocks behind the latest, as on a healthy BSC. Gas is free.
 * - The last 16 states are kept, for reorganisations and for reading balances at the final block. With a block time of
 *   its own anvil 1.7.1 would keep 1,500 (memory) or 3,600 (disk), each as large as the chain is long.
 * - No CORS: by default anvil lets the page of any site send from its accounts.
 * - Cancun: from Prague on each block stores its parent's hash (EIP-2935), and anvil then needs eighty times longer for
 *   an empty block.
 */
function argumentsFor(port: number): readonly string[] {
  const network = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(sandboxChainId)]
  const blocks = [
    '--no-mining',
    '--slots-in-an-epoch',
    '1',
    '--block-base-fee-per-gas',
    '0',
    '--hardfork',
    'cancun',
  ]
  return [...network, ...blocks, '--prune-history', '16', '--no-cors', '--silent']
}

/** The program of this platform, in a package that @foundry-rs/anvil depends on, so looked up from there. */
function findProgram(): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${cpu}`
  try {
    const fromAnvil = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
    return fromAnvil.resolve(`${name}/bin/${process.platform === 'win32' ? 'anvil.exe' : 'anvil'}`)
  } catch (error) {
    const remedy =
      'An install without packages for developers has none: npm install --no-save --include=dev brings it. Or set VINTEM_SANDBOX=off to start without the sandbox.'
    throw new StartError(
      `There is no sandbox chain for ${process.platform}-${process.arch} here (npm package ${name}).`,
      remedy,
      error,
    )
  }
}

async function waitUntilReady(node: Child, rpc: Rpc, signal: AbortSignal): Promise<void> {
  let hasEnded = false
  void node.gone.then(() => {
    hasEnded = true
  })
  if (await answersInTime({ isOver: () => hasEnded }, rpc, signal)) return
  throw new Error(
    hasEnded ? 'it ended before it was ready' : `it was not ready after ${readyTimeoutMs / secondMs} s`,
  )
}

/** Asks until the node answers; false when it has ended or its time is over. One answer may take long on a busy machine. */
async function answersInTime(node: { isOver(): boolean }, rpc: Rpc, signal: AbortSignal): Promise<boolean> {
  const deadline = monotonicMs() + readyTimeoutMs
  while (!(await answers(rpc))) {
    signal.throwIfAborted()
    if (node.isOver() || monotonicMs() > deadline) return false
    await sleep(20, signal)
  }
  return true
}

async function answers(rpc: Rpc): Promise<boolean> {
  try {
    return (await rpc.chainId()) === sandboxChainId
  } catch {
    return false
  }
}

async function stopNode(identity: ProcessIdentity): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    sendSignal(identity, signal)
    if (await waitUntilGone(identity, 5 * secondMs)) return
  }
}

function portTaken(port: number, cause?: unknown): StartError {
  return new StartError(
    `Port ${port}, for the sandbox chain, is taken.`,
    'Stop what uses it, or set PORT to move all ports.',
    cause,
  )
}
