// Two cells in two schemas of one PostgreSQL, each a whole sandbox, behind one HAProxy whose configuration is written from the directory.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDirectory } from '#/cells/directory.ts'
import { connect } from '#/db/client.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { eventually } from '../eventually.ts'
import { offsets, openPlace, root, type Running } from '../journeys/place.ts'
import { freePorts } from '../ports.ts'
import { startTestCluster } from '../postgres.ts'
import { runHaproxy } from './haproxy.ts'

/** A machine that does other things too is slow to start a process. */
const startMs = 300_000
/** Requests in one second of one key, at the proxy. The cells' own limit is far above. */
export const keyLimit = 60

export type CellCode = 'a1' | 'a2'

/** `a1` is the default cell. `nowhere`: a port at which nothing listens. */
export async function openCellsWorld(stack: AsyncDisposableStack) {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-cells-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const cluster = await startTestCluster()
  stack.defer(cluster.stop)
  const taken = new Set<number>()
  const ownPorts = async (): Promise<number> => {
    const base = await freePorts(offsets)
    if (taken.has(base)) return ownPorts()
    taken.add(base)
    return base
  }
  const [front, nowhere] = [await ownPorts(), await ownPorts()]
  const at = (offset: number, scheme = 'http', host = '127.0.0.1') => `${scheme}://${host}:${front + offset}`
  const proxyDir = join(folder, 'proxy')
  mkdirSync(proxyDir)
  const directoryUrl = schemaOf(asRole(cluster.url, 'place_owner'), 'directory')
  const env = {
    VINTEM_DIRECTORY_URL: directoryUrl,
    VINTEM_PROXY_DIR: proxyDir,
    VINTEM_API_URL: at(0),
    VINTEM_CHECKOUT_URL: at(1),
    VINTEM_PARTNER_CHECKOUT_URL: at(2),
    VINTEM_CALLBACK_URL: at(3, 'https'),
    VINTEM_DASHBOARD_URL: at(4, 'http', 'localhost'),
    VINTEM_TRUSTED_PROXIES: '127.0.0.1',
    VINTEM_RATE_BURST: String(keyLimit),
  }
  const place = await openPlace({ folder, adminUrl: cluster.url, env }, stack)
  const owner = connect(place.databases.DATABASE_OWNER_URL, { max: 1 })
  for (const schema of ['directory', 'cell_a1', 'cell_a2']) await owner`create schema ${owner(schema)}`
  await owner.end()
  const directory = await openDirectory(directoryUrl)
  stack.defer(directory.close)

  /** The settings of the processes and commands of a cell. */
  const settingsOf = (code: CellCode) => ({
    VINTEM_CELL: code,
    VINTEM_DATA_DIR: join(folder, code),
    DATABASE_URL: schemaOf(place.databases.DATABASE_URL, `cell_${code}`),
    DATABASE_OWNER_URL: schemaOf(place.databases.DATABASE_OWNER_URL, `cell_${code}`),
    VINTEM_RATE_BURST: '100000',
    // Each request is a line of the log.
    VINTEM_LOG_LEVEL: 'info',
    VINTEM_DASHBOARD_URL: at(4, 'http', `${code}.localhost`),
    // Money is found by callbacks alone.
    VINTEM_RECONCILE_SECONDS: '3600',
    ...(code === 'a2' ? { VINTEM_CALLBACK_URL: at(3, 'https', 'localhost') } : {}),
  })
  const cell = async (...args: readonly string[]) => {
    const { code, output } = await place.run(root, 'cell', ...args)
    assert.equal(code, 0, output)
    return output
  }
  const ports = { a1: await ownPorts(), a2: await ownPorts() }
  const start = async (
    code: CellCode,
  ): Promise<{ readonly running: Running; readonly sandbox: SandboxFile }> => {
    const running = await place.launch(root, 'start', settingsOf(code), ports[code])
    await eventually(() => `${code} is ready: ${running.output()}`, running.isReady, startMs)
    const file = join(settingsOf(code).VINTEM_DATA_DIR, 'sandbox.json')
    return { running, sandbox: JSON.parse(readFileSync(file, 'utf8')) as SandboxFile }
  }
  const first = await cell(
    'add',
    'a1',
    '--server',
    `127.0.0.1:${ports.a1}`,
    '--dashboard-host',
    'a1.localhost',
  )
  assert.match(first, /No HAProxy runs here/)
  const proxy = stack.use(await runHaproxy(join(proxyDir, 'haproxy.cfg'), join(proxyDir, 'master.sock')))
  const second = await cell(
    'add',
    'a2',
    '--server',
    `127.0.0.1:${ports.a2}`,
    '--callback-host',
    'localhost',
    '--dashboard-host',
    'a2.localhost',
  )
  assert.match(second, /HAProxy has it/)
  return { folder, nowhere, place, directory, proxy, proxyDir, ports, start, cell, settingsOf, at, env }
}

function schemaOf(url: string, schema: string): string {
  const own = new URL(url)
  own.searchParams.set('search_path', schema)
  return own.href
}

function asRole(url: string, role: string): string {
  const own = new URL(url)
  own.username = role
  own.pathname = '/place'
  return own.href
}
