// The second half of `start`: all parts of the program in one process, on the database and beside the sandbox that the first half began.
import { openCore, type Core } from '#/app/core.ts'
import { openDashboard } from '#/app/dashboard.ts'
import { openPages, openReference } from '#/app/pages.ts'
import { openServer } from '#/app/server.ts'
import { workerParts, type Part, type SandboxSide } from '#/app/work.ts'
import type { Config } from '#/config.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { confirmKeys } from '#/rekey/fit.ts'
import { simulatorsOf } from '#/sandbox/clock/simulators.ts'
import { sepaBank } from '#/sandbox/methods/sepa-bank.ts'
import { writeSandboxFile } from '#/sandbox/provision.ts'
import { openCallbacks } from './callbacks.ts'
import { claimConnections, claimWallets } from './cell-claims.ts'
import { coinParts, walletParts, watcherParts } from './chain-parts.ts'
import { guardHead } from './kept-head.ts'
import type { Keys } from './keys.ts'
import { connectLiveChain, type LiveChain } from './live-chain.ts'
import { openInBrowser } from './open-in-browser.ts'
import { chainPatienceMs, checksOf, waitForChain } from './readiness.ts'
import { printReady } from './ready.ts'
import { runParts, untilEnd, usualDrainSeconds, type Closer, type untilTerminated } from './run.ts'
import type { Outside } from './sandbox-outside.ts'
import { connectProviders, openSandbox, type Sandbox } from './sandbox.ts'
import { publishAtStart } from './worker-key.ts'

/** What is there before the program serves. */
export type Ground = {
  readonly config: Config
  readonly terminal: Terminal
  readonly log: Log
  readonly closer: Closer
  readonly termination: ReturnType<typeof untilTerminated>
  readonly startedAt: number
  /** The application's URL of the migrated database. */
  readonly database: string
  readonly keys: Required<Keys>
  /** Absent: real money alone. */
  readonly outside: Outside | undefined
}

/** Serves until it is asked to stop. What it opens is given to the closer. */
export async function serveAll(ground: Ground): Promise<void> {
  const { config, terminal, log, closer, termination, startedAt, database, keys, outside } = ground
  let isOpen = false
  const core = await openCore({ config, databaseUrl: database, ...keys, log })
  closer.add('core', core.close)
  await confirmKeys(core.sql, config.VINTEM_CELL, core)
  await guardHead(core, config, closer)
  await claimWallets(config, log)
  await claimConnections(core)
  await publishAtStart(core.sql, config, keys)
  const sandbox = outside && (await openSandbox(core, outside, terminal, closer))
  let chainStanding = sandbox?.chainStanding
  const reference = await openReference(core, sandbox?.file)
  const http = await openServer(core, {
    ...(sandbox === undefined ? {} : { sandbox: sandbox.payer }),
    decorate: (server) => {
      sandbox?.decorate(server)
      reference.decorate(server)
    },
    ready: () => checksOf(isOpen, chainStanding),
  })
  closer.add('http', http.close)
  closer.add('dashboard', (await openDashboard(core, http.deps)).close)
  closer.add('pages', (await openPages(core, sandbox?.simulator)).close)
  const wallets = core.chains.flatMap((chain) => walletParts(core, chain))
  const side = sandbox && sideOf(core, sandbox)
  const parts = [...workerParts(core, side), ...coinParts(core), ...watcherParts(core), ...wallets]
  // First, because the providers of a sandbox may be at other addresses than the last time.
  if (sandbox === undefined) await openCallbacks(core, closer)
  else await connectProviders(core, closer, sandbox.providers, keys)
  closer.add('parts', runParts(parts, log).stop)
  chainStanding ??= connectBsc(core, closer)?.standing
  const fault = chainStanding && (await waitForChain(chainStanding, chainPatienceMs, termination.signal))
  // The file first: every process that reads "ready" finds it.
  if (sandbox !== undefined) await writeSandboxFile(config.dataDir, sandbox.file)
  isOpen = true
  reference.begin()
  printReady(terminal, config, sandbox?.file, { startedInMs: monotonicMs() - startedAt, fault })
  if (sandbox !== undefined) await openInBrowser(terminal, sandbox.file.dashboard.signInUrl)
  await untilEnd(core, termination, sandbox === undefined ? usualDrainSeconds : 0)
}

/** What the worker calls of the sandbox. */
function sideOf({ connections }: Core, { providers }: Sandbox): SandboxSide {
  const bank = providers.get(sepaBank)?.control
  const simulators = simulatorsOf(connections, providers)
  return { simulators, ...given({ sepaBank: bank }) }
}

/** For live merchants on this machine: their chain is watched as soon as it is proven. */
function connectBsc(core: Core, closer: Closer): LiveChain | undefined {
  const connecting = new AbortController()
  closer.add('BSC', async () => connecting.abort())
  const isLive = ({ name }: Part) => name === 'watcher of bsc'
  return connectLiveChain(core, connecting.signal, (connected) => {
    const parts = [...watcherParts(core).filter(isLive), ...walletParts(core, connected)]
    closer.add('BSC', runParts(parts, core.log).stop)
  })
}
