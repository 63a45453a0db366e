// `api`, `worker`, `watcher`: one role of a production installation in this process, against a database that is there.
import { openCore, type Core, type Role } from '#/app/core.ts'
import { openDashboard } from '#/app/dashboard.ts'
import { openPages, openReference } from '#/app/pages.ts'
import { openServer } from '#/app/server.ts'
import { workerParts, type Part } from '#/app/work.ts'
import { ConfigError, type Config } from '#/config.ts'
import { missingMigrations } from '#/db/migrate.ts'
import { given } from '#/kernel/given.ts'
import { createLog, type Log } from '#/kernel/log.ts'
import { confirmKeys } from '#/rekey/fit.ts'
import type { ChainStanding } from '#/sandbox/chain-standing.ts'
import { openCallbacks } from './callbacks.ts'
import { claimConnections, claimWallets } from './cell-claims.ts'
import { coinParts, walletParts, watcherParts } from './chain-parts.ts'
import { guardHead } from './kept-head.ts'
import { sharedKeys, sharedWorkerKey } from './keys.ts'
import { connectLiveChain } from './live-chain.ts'
import { confirmMetricsPort, confirmPorts } from './ports.ts'
import { chainPatienceMs, checksOf, waitForChain } from './readiness.ts'
import { createCloser, runParts, untilEnd, untilTerminated, usualDrainSeconds, type Closer } from './run.ts'
import { publishAtStart } from './worker-key.ts'

/** Runs the role until it is asked to stop. */
export async function runRole(config: Config, role: Role): Promise<void> {
  if (config.DATABASE_URL === '') {
    throw new ConfigError(
      'DATABASE_URL is not set.',
      `Set it: ${role} runs against a database that is there. For a sandbox: npm start`,
    )
  }
  const keys = sharedKeys(config)
  const workerKey = role === 'worker' ? sharedWorkerKey(config) : undefined
  if (role === 'api') await confirmPorts(config, { isStart: false })
  else await confirmMetricsPort(config)
  const log = createLog(config.VINTEM_LOG_LEVEL, { role, cell: config.VINTEM_CELL })
  const closer = createCloser(log)
  const termination = untilTerminated()
  try {
    const core = await openCore({
      config,
      databaseUrl: config.DATABASE_URL,
      ...keys,
      ...given({ workerKey }),
      log,
      role,
    })
    closer.add('core', core.close)
    const missing = await missingMigrations(core.sql)
    if (missing.length > 0) {
      throw new ConfigError(`The database lacks ${missing.join(', ')}.`, 'Run ./vintem migrate first.')
    }
    await confirmKeys(core.sql, config.VINTEM_CELL, core)
    await guardHead(core, config, closer)
    if (role !== 'api') await claimWallets(config, log)
    if (role === 'worker') await claimConnections(core)
    if (workerKey !== undefined) await publishAtStart(core.sql, config, { ...keys, workerKey })
    await openRole(core, role, closer, termination.signal)
    log.info('running')
    await untilEnd(core, termination, role === 'api' ? usualDrainSeconds : 0)
  } finally {
    await closer.closeAll()
  }
}

async function openRole(core: Core, role: Role, closer: Closer, ending: AbortSignal): Promise<void> {
  const connecting = new AbortController()
  closer.add('chains', async () => connecting.abort())
  const run = (parts: readonly Part[]) => closer.add('parts', runParts(parts, core.log).stop)
  // Watchers and workers start with a chain as soon as it is proven; an API needs only its settings.
  const connected = connectLiveChain(core, connecting.signal, (chain) => {
    if (role === 'watcher') run(watcherParts(core))
    if (role === 'worker') run(walletParts(core, chain))
  })
  if (role === 'watcher' && connected === undefined) {
    throw new ConfigError('VINTEM_BSC_RPC_URL is not set.', 'Set it: there is no chain to watch.')
  }
  if (role === 'worker') run([...workerParts(core), ...coinParts(core)])
  if (role !== 'api') return
  const reference = await openReference(core)
  let isOpen = false
  const http = await openServer(core, {
    decorate: reference.decorate,
    ready: () => checksOf(isOpen, connected?.standing),
  })
  closer.add('http', http.close)
  closer.add('dashboard', (await openDashboard(core, http.deps)).close)
  closer.add('pages', (await openPages(core)).close)
  await openCallbacks(core, closer)
  reference.begin()
  if (connected !== undefined) await waitLogged(core.log, connected.standing, ending)
  isOpen = true
}

/** Waits for the chain, and says when the process becomes ready without it. */
async function waitLogged(log: Log, standing: ChainStanding, ending: AbortSignal): Promise<void> {
  log.info('waiting for the chain')
  const reason = await waitForChain(standing, chainPatienceMs, ending)
  if (reason !== undefined && !ending.aborted)
    log.warn({ reason }, 'ready, and degraded: the chain does not answer')
}
