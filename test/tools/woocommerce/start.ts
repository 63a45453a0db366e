// A real WordPress with a real WooCommerce and the plug-in, on MariaDB and PHP's own server, in a folder of its own. PHP, MariaDB and, if no
// other is named, WordPress are Debian's packages.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { unpackInto } from '../../cluster/debian.ts'
import { eventually } from '../../eventually.ts'
import { freePort } from '../../ports.ts'
import { run } from '../clients/tool.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const scripts = join(root, 'test', 'tools', 'woocommerce')

const packages = [
  'libaio1',
  'libmariadb3',
  'mariadb-client-core',
  'mariadb-common',
  'mariadb-server-core',
  'php8.2-cli',
  'php8.2-common',
  'php8.2-curl',
  'php8.2-intl',
  'php8.2-mbstring',
  'php8.2-mysql',
  'php8.2-opcache',
  'php8.2-readline',
  'php8.2-xml',
  'wordpress',
  'wordpress-theme-twentytwentyone',
]
/** In the order in which they need one another. */
const extensions =
  'mysqlnd ctype curl dom exif fileinfo gettext iconv intl mbstring mysqli phar posix simplexml sockets tokenizer xml xmlreader xmlwriter'
const orderIds = { product: 0, classic: 0, block: 0 }

/** The programs, and which WordPress and WooCommerce. */
export type Tools = {
  readonly php: readonly string[]
  readonly mariadb: { readonly install: readonly string[]; readonly server: readonly string[] }
  readonly env: Readonly<Record<string, string>>
  readonly wordpress: string
  readonly woocommerce: string
}

/** Unpacks Debian's packages into `cache`. `folders`: where another WordPress, and WooCommerce, are unpacked. */
export async function prepareTools(
  cache: string,
  folders: { readonly wordpress: string | undefined; readonly woocommerce: string },
): Promise<Tools> {
  await unpackInto(cache, packages)
  const tree = join(cache, 'tree')
  const libraries = join(tree, 'usr/lib/x86_64-linux-gnu')
  const [modules] = (await readdir(join(tree, 'usr/lib/php'))).filter((name) => /^\d+$/.test(name))
  const ini = join(cache, 'php.ini')
  const settings = [
    `extension_dir=${join(tree, 'usr/lib/php', modules ?? '')}`,
    'zend_extension=opcache',
    ...extensions.split(' ').map((name) => `extension=${name}`),
    'opcache.enable_cli=1',
    'memory_limit=512M',
    'display_errors=0',
    'log_errors=1',
    'error_reporting=E_ALL',
    'zend.assertions=1',
  ]
  await writeFile(ini, `${settings.join('\n')}\n`)
  const base = [`--basedir=${join(tree, 'usr')}`, '--user=root']
  return {
    php: [join(tree, 'usr/bin/php8.2'), '-c', ini],
    mariadb: {
      install: [
        join(tree, 'usr/bin/mariadb-install-db'),
        '--no-defaults',
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        ...base,
      ],
      server: [join(tree, 'usr/sbin/mariadbd'), '--no-defaults', ...base],
    },
    env: { LD_LIBRARY_PATH: libraries, PHP_INI_SCAN_DIR: '' },
    wordpress: folders.wordpress ?? (await wordpressOf(tree)),
    woocommerce: folders.woocommerce,
  }
}

/** Debian's WordPress, with its links to files of other packages set to where those are unpacked. */
async function wordpressOf(tree: string): Promise<string> {
  const folder = join(tree, 'usr/share/wordpress')
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue
    const link = join(entry.parentPath, entry.name)
    const target = resolve(entry.parentPath, await readlink(link))
    const path = target.startsWith(tree) ? target.slice(tree.length) : target
    // What the machine has already was not downloaded.
    const found = [join(tree, path), path].find((each) => existsSync(each))
    await rm(link)
    if (found !== undefined) await symlink(found, link)
  }
  return folder
}

export type Running = AsyncDisposable & {
  readonly url: string
  /** For the calls of `acts.php`. */
  readonly token: string
  readonly ids: typeof orderIds
  readonly versions: string
  /** What PHP has printed: its faults and warnings. */
  readonly output: () => string
}

/** Sets a new shop up and starts it. It ends at the end of the block with `await using`. */
export async function startShop(
  tools: Tools,
  folder: string,
  sandbox: Pick<SandboxFile, 'apiUrl' | 'apiKey' | 'webhookSecret'>,
): Promise<Running> {
  const site = join(folder, 'site')
  await layOut(tools, site)
  const ended: (() => Promise<void>)[] = []
  const end = async () => {
    for (const each of ended.toReversed()) await each()
  }
  try {
    const socket = join(folder, 'mariadb.sock')
    ended.push(await startMariadb(tools, folder, socket))
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const token = randomBytes(16).toString('hex')
    await writeFile(join(site, 'wp-config.php'), configOf(socket, url, token))
    const step = (name: string, given: object) =>
      run([...tools.php, join(scripts, 'setup.php'), name, JSON.stringify({ url, ...given })], {
        cwd: site,
        env: tools.env,
      })
    await step('install', {})
    await step('activate', {})
    const { apiUrl, apiKey, webhookSecret } = sandbox
    const printed = await step('configure', { apiUrl, apiKey, webhookSecret })
    const ids = JSON.parse(printed.slice(printed.lastIndexOf('{'))) as typeof orderIds
    let output = ''
    const server = start(
      [...tools.php, '-S', `127.0.0.1:${port}`, '-t', site],
      { ...tools.env, PHP_CLI_SERVER_WORKERS: '6' },
      (text) => (output += text),
    )
    ended.push(() => endOf(server))
    await eventually(
      () => `the shop is open: ${output.slice(-4_000)}`,
      async () => {
        const answer = await fetch(`${url}/`).catch(() => undefined)
        await answer?.body?.cancel()
        return answer?.status === 200
      },
      180_000,
    )
    return {
      url,
      token,
      ids,
      versions: await versionsOf(tools),
      output: () => output,
      [Symbol.asyncDispose]: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** The plug-in is copied as it would be into a shop: no link leads to a file that only the repository has. */
async function layOut(tools: Tools, site: string): Promise<void> {
  await cp(tools.wordpress, site, { recursive: true, dereference: true })
  await rm(join(site, 'wp-config.php'), { force: true })
  const content = join(site, 'wp-content')
  const link = await lstat(content).catch(() => undefined)
  if (link === undefined) await mkdir(content)
  await cp(tools.woocommerce, join(content, 'plugins/woocommerce'), { recursive: true })
  await cp(join(root, 'integrations/woocommerce'), join(content, 'plugins/vintem-woocommerce'), {
    recursive: true,
  })
  await mkdir(join(content, 'mu-plugins'), { recursive: true })
  await cp(join(scripts, 'acts.php'), join(content, 'mu-plugins/acts.php'))
}

async function startMariadb(tools: Tools, folder: string, socket: string): Promise<() => Promise<void>> {
  const data = join(folder, 'data')
  await run([...tools.mariadb.install, `--datadir=${data}`], { cwd: folder, env: tools.env })
  await writeFile(join(folder, 'init.sql'), 'create database wordpress;\n')
  let printed = ''
  const server = start(
    [
      ...tools.mariadb.server,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--pid-file=${join(folder, 'mariadb.pid')}`,
      `--init-file=${join(folder, 'init.sql')}`,
      '--skip-networking',
      '--innodb-buffer-pool-size=64M',
      '--innodb-flush-log-at-trx-commit=0',
    ],
    tools.env,
    (text) => (printed += text),
  )
  await eventually(
    () => `MariaDB is ready: ${printed.slice(-4_000)}`,
    () => {
      if (server.exitCode !== null) throw new Error(`MariaDB ended: ${printed.slice(-4_000)}`)
      return printed.includes('ready for connections')
    },
  )
  return () => endOf(server)
}

function configOf(socket: string, url: string, token: string): string {
  const constants = {
    DB_NAME: 'wordpress',
    DB_USER: 'root',
    DB_PASSWORD: '',
    DB_HOST: `localhost:${socket}`,
    DB_CHARSET: 'utf8mb4',
    WP_HOME: url,
    WP_SITEURL: url,
    WP_DEBUG: true,
    WP_DEBUG_DISPLAY: false,
    DISABLE_WP_CRON: true,
    // The shop talks to nobody but the sandbox.
    WP_HTTP_BLOCK_EXTERNAL: true,
    AUTOMATIC_UPDATER_DISABLED: true,
    SHOP_TEST_TOKEN: token,
  }
  const lines = Object.entries(constants).map(
    ([name, value]) => `define('${name}', ${typeof value === 'string' ? `'${value}'` : String(value)});`,
  )
  return `<?php\n${lines.join('\n')}\n$table_prefix = 'shop_';\ndefined('ABSPATH') || define('ABSPATH', __DIR__ . '/');\nrequire_once ABSPATH . 'wp-settings.php';\n`
}

async function versionsOf({ wordpress, woocommerce, php, env }: Tools): Promise<string> {
  const find = async (file: string, pattern: RegExp) =>
    pattern.exec(await readFile(file, 'utf8'))?.[1] ?? 'unknown'
  const core = await find(join(wordpress, 'wp-includes/version.php'), /\$wp_version = '([^']+)'/)
  const plugin = await find(join(woocommerce, 'woocommerce.php'), /Version: (\S+)/)
  const language = await run([...php, '-r', 'echo PHP_VERSION;'], { cwd: root, env })
  return `WordPress ${core}, WooCommerce ${plugin}, PHP ${language.trim()}`
}

function start(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  print: (text: string) => void,
): ChildProcess {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => print(String(part)))
  return child
}

/** Ends the program with its workers, which are one process group. */
async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const { pid } = child
  const gone = once(child, 'exit')
  process.kill(-pid, 'SIGTERM')
  const late = setTimeout(() => process.kill(-pid, 'SIGKILL'), 15_000)
  await gone
  clearTimeout(late)
}
