// A real EVM node for tests: anvil as a child process on a port that the system chooses.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:process'
import { invariant } from '#/kernel/check.ts'

export type AnvilOptions = {
  /** Seconds between blocks, fractions allowed; without it every transaction gets a block of its own at once. */
  readonly blockTimeSeconds?: number
  readonly chainId?: number
  /** Further flags, such as `--enable-tx-gas-limit` or `--no-mining`. */
  readonly flags?: readonly string[]
}

export type Anvil = AsyncDisposable & {
  readonly url: string
  readonly pid: number
  /** Ends it in order and waits until it is gone. Ending it twice is no error. */
  readonly stop: () => Promise<void>
  /** Ends it as a power cut would (SIGKILL) and waits until it is gone. */
  readonly kill: () => Promise<void>
}

/** The first of the accounts that every anvil has unlocked and rich. */
export const richAccount = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/**
 * Starts a node with free gas and BSC's normal finality (`finalized` = latest − 2), and waits until it listens. With
 * `await using` the node ends with the block.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const { blockTimeSeconds, chainId = 31337, flags = [] } = options
  const network = ['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId)]
  // The only one of anvil's fee flags with which transactions with and without a price are accepted.
  const blocks = ['--slots-in-an-epoch', '1', '--block-base-fee-per-gas', '0']
  const pace = blockTimeSeconds === undefined ? [] : ['--block-time', String(blockTimeSeconds)]
  const child = spawn(binary(), [...network, ...blocks, ...pace, ...flags])
  const gone = once(child, 'exit')
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await gone
    process.off('exit', endWithUs)
  }

  try {
    const url = await listening(child.stdout, child.stderr)
    invariant(child.pid !== undefined, 'a process that speaks has an id')
    const stop = () => end('SIGTERM')
    return { url, pid: child.pid, stop, kill: () => end('SIGKILL'), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
}

/** The binary of this platform: an optional dependency of @foundry-rs/anvil, so looked up from there. */
function binary(): string {
  const require = createRequire(import.meta.url)
  const cpu = arch === 'x64' ? 'amd64' : arch
  const file = platform === 'win32' ? 'anvil.exe' : 'anvil'
  const fromAnvil = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
  return fromAnvil.resolve(`@foundry-rs/anvil-${platform}-${cpu}/bin/${file}`)
}

/** The URL, once the node prints it. Both streams are read to their end, because a full pipe would stop the node. */
function listening(output: NodeJS.ReadableStream, errors: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (part: Buffer) => {
      if (printed.length < 20_000) printed += part.toString('utf8')
      const address = /Listening on (\S+:\d+)/.exec(printed)?.[1]
      if (address !== undefined) resolve(`http://${address}`)
    }
    output.on('data', read)
    errors.on('data', read)
    output.on('end', () => reject(new Error(`anvil ended before it listened: ${printed}`)))
  })
}
