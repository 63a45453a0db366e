// The dashboard, wired by hand like app.ts: its server, and the build of its pages in a process beside it.
import { readBenchFigure } from '#/operator/bench-figure.ts'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { openView } from './app-pages.ts'
import { createHtmlOf } from './dashboard/first-view.ts'
import { createDashboardServer } from './dashboard/server.ts'
import type { PageFile, Pages } from './dashboard/deps.ts'
import type { DashboardManifest } from '../web/build-dashboard.ts'
import type { OperatorDeps } from './dashboard/operator/deps.ts'
import { deriveKey } from './kernel/secret.ts'
import { connectionSeal } from './merchants/connection-keys.ts'
import { callbackAddress, connectionNames, findType, nameOf, typeNamed } from './rails/connection-types.ts'
import { signalKeeper } from './settlement/keep-signals.ts'
import { openStartingWallets } from './wallets/create.ts'
import { messageOf } from './kernel/error.ts'
import { writeLetter } from './mail/letter.ts'
import { peopleDeps } from './app-people.ts'
import type { Core, openServer } from './app.ts'

const root = path.resolve(import.meta.dirname, '..')

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
    keepSignals: signalKeeper(clock),
    onSignal: () => wakeUps.signals.forEach((wake) => wake()),
    onPayout: () => wakeUps.withdrawals.forEach((wake) => wake()),
  }
}

/** Builds the pages where a source has changed, in a child: the API does not wait for it. */
async function buildPages(signal: AbortSignal): Promise<Pages> {
  const { isDashboardStale } = await import('../web/build-dashboard.ts')
  if (await isDashboardStale(root)) await runBuild(signal)
  return readPages(path.join(root, 'web', 'dist-dashboard'))
}

function runBuild(signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'web.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  giveWay(child.pid)
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said = (said + part.toString('utf8')).slice(-2_000)))
  child.once('error', reject)
  child.once('exit', (code) => {
    if (code === 0) resolve()
    else reject(new Error(said.trim() === '' ? `its build ended with ${code}` : said.trim()))
  })
  return promise
}

/** Until the API is ready, a build beside it takes only what the API leaves: people wait for both, and programs for the API. */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Then they share: it has ended, or the system has no priorities.
  }
}

async function readPages(dist: string): Promise<Pages> {
  const manifest = JSON.parse(await readFile(path.join(dist, 'manifest.json'), 'utf8')) as DashboardManifest
  const plainNames = manifest.files.filter((name) => !/\.(?:br|gz)$/.test(name))
  const files = await Promise.all(
    plainNames.map(async (name): Promise<readonly [string, PageFile]> => {
      const read = (suffix: string) => readFile(path.join(dist, name + suffix))
      const [plain, br, gzip] = await Promise.all([read(''), read('.br'), read('.gz')])
      return [name, { type: typeOf(name), plain, br, gzip }]
    }),
  )
  return { state: 'built', htmlOf: createHtmlOf(manifest), files: new Map(files) }
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

function typeOf(name: string): string {
  return types[path.extname(name)] ?? 'application/octet-stream'
}
