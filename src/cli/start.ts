// `start`: everything in one process, with the database and the sandbox as its children.
import { mkdir } from 'node:fs/promises'
import { openCore, openServer, type Core } from '#/app.ts'
import { openDashboard } from '#/app-dashboard.ts'
import { openPages, openReference } from '#/app-pages.ts'
import { workerParts, type Part, type SandboxSide } from '#/app-work.ts'
import type { Config } from '#/config.ts'
import { startEmbeddedPostgres } from '#/db/embedded.ts'
import { createLog, type Log } from '#/kernel/log.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { simulatorsOf } from '#/sandbox/clock/simulators.ts'
import { sepaBank } from '#/sandbox/methods/sepa-bank.ts'
import { removeSandboxFile, writeSandboxFile } from '#/sandbox/provision.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { openCallbacks } from './callbacks.ts'
import { claimWallets } from './cell-claims.ts'
import { coinParts, walletParts, watcherParts } from './chain-parts.ts'
import { connectLiveChain, type LiveChain } from './live-chain.ts'
import { guardHead } from './kept-head.ts'
import { startKeys } from './keys.ts'
import { migrateAs } from './migrate.ts'
import { openOutside } from './sandbox-outside.ts'
import { connectProviders, openSandbox, type Sandbox } from './sandbox.ts'
import { openInBrowser } from './open-in-browser.ts'
import { holdSandbox } from './start-lock.ts'
import {
  allOf,
  createCloser,
  runParts,
  untilEnd,
  untilTerminated,
  usualDrainSeconds,
  type Closer,
} from './run.ts'
import { chainPatienceMs, checksOf, waitForChain } from './readiness.ts'
import { printReady } from './ready.ts'
import { publishAtStart } from './worker-key.ts'

/** Runs until it is asked to stop. Closes everything that it opened, even when a later step fails. */
export async function start(config: Config, terminal: Terminal): Promise<void> {
  await mkdir(config.dataDir, { recursive: true })
  if (config.VINTEM_SANDBOX !== 'on') return run(config, terminal)
  // First of all: the files in the directory may belong to a start which is running.
  const release = holdSandbox(config.dataDir)
  try {
    await removeSandboxFile(config.dataDir)
    await run(config, terminal)
  } finally {
    release()
  }
}

async function run(config: Config, terminal: Terminal): Promise<void> {
  const startedAt = monotonicMs()
  const log = createLog(config.VINTEM_LOG_LEVEL, { role: 'all', cell: config.VINTEM_CELL })
  const closer = createCloser(log)
  const termination = untilTerminated()
  let isOpen = false
  let bsc: LiveChain | undefined
  try {
    const isSandbox = config.VINTEM_SANDBOX === 'on'
    const [database, keys, outside] = await allOf((failing) => [
      openDatabase(config, log, closer),
      startKeys(config),
      isSandbox ? openOutside({ config, log, closer, failing }) : Promise.resolve(undefined),
    ])
    const core = await openCore({ config, databaseUrl: database, ...keys, log })
    closer.add('core', core.close)
    await guardHead(core, config, closer)
    await claimWallets(config)
    await publishAtStart(core.sql, config, keys)
    const sandbox = outside && (await openSandbox(core, outside, terminal, closer))
    const reference = await openReference(core, sandbox?.file)
    const http = await openServer(core, {
      ...(sandbox === undefined ? {} : { sandbox: sandbox.payer }),
      decorate: (server) => {
        sandbox?.decorate(server)
        reference.decorate(server)
      },
      ready: () => checksOf(isOpen, sandbox?.chainStanding ?? bsc?.standing),
    })
    closer.add('http', http.close)
    closer.add('dashboard', (await openDashboard(core, http.deps)).close)
    closer.add('pages', (await openPages(core)).close)
    const wallets = core.chains.flatMap((chain) => walletParts(core, chain))
    const side = sandbox && sideOf(core, sandbox)
    const parts = [...workerParts(core, side), ...coinParts(core), ...watcherParts(core), ...wallets]
    closer.add('parts', runParts(parts, log).stop)
    bsc = connectBsc(core, closer)
    if (sandbox === undefined) await openCallbacks(core, closer)
    else await connectProviders(core, closer, sandbox.providers, keys)
    const standing = sandbox?.chainStanding ?? bsc?.standing
    const fault = standing && (await waitForChain(standing, chainPatienceMs, termination.signal))
    // The file first: every process that reads "ready" finds it.
    if (sandbox !== undefined) await writeSandboxFile(config.dataDir, sandbox.file)
    isOpen = true
    reference.begin()
    printReady(terminal, config, sandbox?.file, { startedInMs: monotonicMs() - startedAt, fault })
    if (sandbox !== undefined) await openInBrowser(terminal, sandbox.file.dashboard.signInUrl)
    await untilEnd(core, termination, isSandbox ? 0 : usualDrainSeconds)
  } finally {
    // From now on nothing is offered, however long it takes to end what is under way.
    if (config.VINTEM_SANDBOX === 'on') await removeSandboxFile(config.dataDir)
    await closer.closeAll()
  }
}

/** What the worker calls of the sandbox. */
function sideOf({ connections }: Core, { providers }: Sandbox): SandboxSide {
  const bank = providers.get(sepaBank)?.control
  const simulators = simulatorsOf(connections, providers)
  return { simulators, ...(bank === undefined ? {} : { sepaBank: bank }) }
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

/** The database of the settings, or our own; migrated to this release. Returns the application's URL. */
async function openDatabase(config: Config, log: Log, closer: Closer): Promise<string> {
  if (config.DATABASE_URL !== '') {
    if (config.DATABASE_OWNER_URL !== '') await migrateAs(config.DATABASE_OWNER_URL, config.DATABASE_URL)
    return config.DATABASE_URL
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, port: config.PORT + 20, log })
  closer.add('PostgreSQL', () => postgres.stop())
  await migrateAs(postgres.ownerUrl, postgres.appUrl)
  return postgres.appUrl
}
