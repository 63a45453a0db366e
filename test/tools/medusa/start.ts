// A real Medusa from npm in a tree of its own, on a database of its own, with the packed provider.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '#/db/client.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { blocksOf } from '../../docs/page.ts'
import { eventually } from '../../eventually.ts'
import { freePort } from '../../ports.ts'
import { run } from '../clients/tool.ts'

const version = '2.21.2'
const manifest = {
  name: 'store',
  private: true,
  dependencies: {
    '@medusajs/cli': version,
    '@medusajs/framework': version,
    '@medusajs/medusa': version,
    '@vintem/medusa': 'file:./vintem-medusa-0.1.0.tgz',
  },
}

/** The configuration of docs/medusa.md, with more providers. The pause before a webhook is Medusa's own option, five seconds without it. */
const config = `const config = require('./shop-config.js')

const { options } = config.modules.payment
const [vintem] = options.providers
const also = (id, more) => ({ ...vintem, id, options: { ...vintem.options, ...more } })
const hook = vintem.options.webhookUrl.replace(/vintem$/, 'cards')
options.webhook_delay = 300
options.providers = [vintem, also('quiet', { webhookUrl: undefined }), also('cards', { webhookUrl: hook, capture: 'manual' })]
config.admin.disable = true
module.exports = config
`

export const login = { email: 'admin@example.com', password: 'a password of the shop' }

export type MedusaTree = { readonly folder: string }

/** Installs Medusa and the packed provider. The downloads are kept in `cache`; the tree is made anew, so it has what npm gives today. */
export async function installMedusa(folder: string, cache: string, root: string): Promise<MedusaTree> {
  await mkdir(cache, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await writeFile(join(folder, 'medusa-config.js'), config)
  const files = blocksOf('docs/medusa.md').filter(({ notes }) => notes.has('file'))
  for (const { notes, text } of files) await writeFile(join(folder, notes.get('file') ?? ''), `${text}\n`)
  const scripts = { npm_config_ignore_scripts: 'false' }
  await run(['npm', 'pack', '--pack-destination', folder], {
    cwd: join(root, 'integrations', 'medusa'),
    env: scripts,
  })
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', `--cache=${cache}`]
  await run(['npm', 'install', ...flags], { cwd: folder })
  return { folder }
}

export type Medusa = AsyncDisposable & {
  readonly url: string
  /** What it has printed. */
  readonly output: () => string
}

type Settings = {
  /** The superuser of an empty cluster. */
  readonly cluster: string
  readonly sandbox: SandboxFile
}

/** Migrates a new database, makes an administrator, and starts the server. It ends at the end of the block with `await using`. */
export async function startMedusa({ folder }: MedusaTree, { cluster, sandbox }: Settings): Promise<Medusa> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: await newDatabase(cluster),
    MEDUSA_URL: url,
    VINTEM_API_URL: sandbox.apiUrl,
    VINTEM_API_KEY: sandbox.apiKey,
    VINTEM_WEBHOOK_SECRET: sandbox.webhookSecret,
    STORE_CORS: url,
    ADMIN_CORS: url,
    AUTH_CORS: url,
    JWT_SECRET: 'a secret',
    COOKIE_SECRET: 'another',
  }
  const cli = join('node_modules', '@medusajs', 'cli', 'cli.js')
  const medusa = (...args: readonly string[]) => run([process.execPath, cli, ...args], { cwd: folder, env })
  await medusa('db:migrate', '--skip-scripts')
  await medusa('user', '-e', login.email, '-p', login.password)
  await medusa('exec', './add-usdt.js')
  const child = spawn(process.execPath, [cli, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  const end = () => endOf(child)
  try {
    await eventually(
      () => `Medusa is ready: ${printed.slice(-4_000)}`,
      async () => {
        if (child.exitCode !== null) throw new Error(`Medusa ended with ${child.exitCode}: ${printed}`)
        const answer = await fetch(`${url}/health`).catch(() => undefined)
        await answer?.body?.cancel()
        return answer?.status === 200
      },
      180_000,
    )
  } catch (error) {
    await end()
    throw error
  }
  return { url, output: () => printed, [Symbol.asyncDispose]: end }
}

async function newDatabase(cluster: string): Promise<string> {
  const sql = connect(cluster, { max: 1, applicationName: 'vintem-test' })
  await sql`create database medusa`
  await sql.end({ timeout: 1 })
  const url = new URL(cluster)
  // Over TCP: not every client knows a socket's folder.
  url.search = ''
  url.pathname = '/medusa'
  return url.href
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await gone
  clearTimeout(late)
}
