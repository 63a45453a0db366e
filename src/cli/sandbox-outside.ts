// What a sandbox has outside of this process: the chain's node and the simulated providers, each a process of its own. They
// need no database, so they start beside it.
import type { Config } from '#/config.ts'
import type { Log } from '#/kernel/log.ts'
import { startSandboxChain, type SandboxChain } from '#/sandbox/chain-process.ts'
import { sandboxProviders, type RunningProviders } from '#/sandbox/methods/all.ts'
import { allOf, type Closer } from './run.ts'

export type Outside = { readonly node: SandboxChain; readonly providers: RunningProviders }

type OutsideDeps = {
  readonly config: Config
  readonly log: Log
  readonly closer: Closer
  /** Aborted when something else that the start needs has failed: no more processes are needed. */
  readonly failing: AbortSignal
}

/** A block every 0.45 s, as on BSC. */
const blockTimeSeconds = 0.45

/** Starts all of them. Each one that started is registered with the closer, even when another one fails. */
export async function openOutside({ config, log, closer, failing }: OutsideDeps): Promise<Outside> {
  const { dataDir, PORT } = config
  const kept = async <Process extends { readonly stop: () => Promise<void> }>(
    name: string,
    starting: Promise<Process>,
  ) => {
    const started = await starting
    closer.add(name, started.stop)
    return started
  }
  const [node, running] = await allOf((signal) => [
    kept('chain', startSandboxChain({ dataDir, port: PORT + 21, blockTimeSeconds, log })),
    allOf((oneFails) =>
      sandboxProviders.map(async (provider) => {
        const { name, portOffset } = provider
        const place = { dataDir, port: PORT + portOffset, log }
        const until = AbortSignal.any([failing, signal, oneFails])
        return [provider, await kept(name, provider.start({ ...place, signal: until }))] as const
      }),
    ),
  ])
  return { node, providers: new Map(running) }
}
