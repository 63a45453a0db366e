// Wires the dashboard: its server, and the build of its pages in a process beside it.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Pages } from '#/dashboard/deps.ts'
import { createHtmlOf } from '#/dashboard/first-view.ts'
import type { OperatorDeps } from '#/dashboard/operator/deps.ts'
import { createDashboardServer } from '#/dashboard/server.ts'
import { readPackedFiles } from '#/edge/packed-file.ts'
import { messageOf } from '#/kernel/error.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { writeLetter } from '#/mail/letter.ts'
import { connectionSeal } from '#/merchants/connections.ts'
import { readBenchFigure } from '#/operator/bench-figure.ts'
import { callbackAddress, connectionNames, findType, nameOf, typeNamed } from '#/rails/connection-types.ts'
import { signalKeeper } from '#/settlement/inbox.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import type { DashboardManifest } from '../../web/build-dashboard.ts'
import { buildBeside } from './build.ts'
import { type Core, peopleDeps } from './core.ts'
import { openView } from './pages.ts'
import type { openServer } from './server.ts'

const root = path.resolve(import.meta.dirname, '..', '..')

/** The dashboard's server, listening on the fourth port after the API's. `http`: what the API's routes use. */
export async function openDashboard(
  core: Core,
  http: Awaited<ReturnType<typeof openServer>>['deps'],
): Promise<{ readonly close: () => Promise<void> }> {
  const { config, templates } = core
  const origin = new URL(config.VINTEM_DASHBOARD_URL).origin
  let pages: Pages = { state: 'building' }
  const building = new AbortController()
  const built = buildPages(building.signal).then(
    (result) => {
      pages = result
    },
    (error: unknown) => {
      pages = { state: 'failed', reason: messageOf(error) }
      if (!building.signal.aborted) core.log.error({ error: messageOf(error) }, 'the dashboard is not built')
    },
  )
  const server = createDashboardServer({
    http,
    people: peopleDeps(core),
    templates,
    operator: operatorDeps(core),
    view: await openView(),
    origin,
    isSandboxHere: config.VINTEM_SANDBOX === 'on',
    ...(config.VINTEM_SMTP_URL === ''
      ? {}
      : {
          post: async (letter) => {
            await writeLetter(core.sql, core.masterKey, letter)
            core.wakeUps.letters.forEach((wake) => wake())
          },
        }),
    pages: () => pages,
  })
  await server.listen({ host: config.VINTEM_HOST, port: config.PORT + 4 })
  return {
    close: async () => {
      building.abort()
      await server.close()
      await built
    },
  }
}

/** What the operator's console needs. Nothing of it opens credentials that send money out. */
function operatorDeps(core: Core): OperatorDeps {
  const { config, clock, log, connections, chains, masterKey, wakeUps } = core
  const urls = { certified: config.VINTEM_CALLBACK_URL, api: config.VINTEM_API_URL }
  return {
    cell: config.VINTEM_CELL,
    hasOwnKeys: config.VINTEM_MASTER_KEY !== '' && config.VINTEM_AUDIT_KEY !== '',
    webhookSealKey: deriveKey(masterKey, 'webhook secrets'),
    openWallets: openStartingWallets,
    sealFor: (sql, mode) => connectionSeal(sql, masterKey, mode),
    connectionTypes: {
      names: connectionNames,
      named: typeNamed,
      find: findType,
      nameOf,
      opened: connections.find,
      callbackOf: async (id) => {
        await connections.refresh()
        const connection = connections.find(id)
        return connection === undefined ? undefined : callbackAddress({ clock, log }, connection, urls)
      },
    },
    nodes: () => chains.map(({ chain, rpc }) => ({ chain, rpc })),
    benchFigure: () => readBenchFigure(config.dataDir),
    aloneMax: BigInt(config.VINTEM_SUSPENSE_ALONE_MAX),
    onJob: () => wakeUps.jobs.forEach((wake) => wake()),
    connections,
    stillLeaving: core.stillLeaving,
    keepSignals: signalKeeper(clock),
    onSignal: () => wakeUps.signals.forEach((wake) => wake()),
    onPayout: () => wakeUps.withdrawals.forEach((wake) => wake()),
  }
}

/** Builds the pages where a source has changed, in a child: the API does not wait for it. */
async function buildPages(signal: AbortSignal): Promise<Pages> {
  await buildBeside(
    'dashboard',
    () => import('../../web/build-dashboard.ts').then((each) => each.isDashboardStale(root)),
    signal,
  )
  return readPages(path.join(root, 'web', 'dist-dashboard'))
}

async function readPages(dist: string): Promise<Pages> {
  const manifest = JSON.parse(await readFile(path.join(dist, 'manifest.json'), 'utf8')) as DashboardManifest
  const plainNames = manifest.files.filter((name) => !/\.(?:br|gz)$/.test(name))
  return { state: 'built', htmlOf: createHtmlOf(manifest), files: await readPackedFiles(dist, plainNames) }
}
