// The machine of a new user: a new folder with the repository as after a clone, a sandbox started as README says, and a shell that runs
// the commands of a page one after another.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { forgetEmbeddedPostgres } from '#/db/embedded.ts'
import { silentLog } from '#/kernel/log.ts'
import { openAuthority } from '../../simulators/pix-bank/certificates.ts'
import { freePorts } from '../ports.ts'
import { isShell, placeOf, root, type Block } from './page.ts'

/** A call of curl: its status (0 without an answer) and its body. */
export type Call = { readonly status: number; readonly url: string; readonly body: string }

export type PageRun = {
  /** The calls of each block. */
  readonly calls: ReadonlyMap<Block, readonly Call[]>
  /** Absent when every command succeeded. */
  readonly failure?: string
}

export type Newcomer = AsyncDisposable & {
  /** Where the API answers. */
  readonly apiUrl: string
  /** Runs the blocks of a page in one shell, up to the first command that fails. */
  run(blocks: readonly Block[]): Promise<PageRun>
}

/** The sandbox's default port, and the port of the webhook receiver in the documents. */
const firstPort = 4_000
const receiverPort = 8_080

const pageMs = 150_000

/** A folder with the repository in it, and the files that the pages expect the reader to have. */
export async function openFolder(): Promise<AsyncDisposable & { readonly home: string }> {
  // A page may make folders beside the repository.
  const place = await mkdtemp(join(tmpdir(), 'vintem-docs-'))
  const home = join(place, 'repository')
  await mkdir(home)
  for (const name of ['vintem', 'package.json', 'node_modules', 'src'])
    await symlink(join(root, name), join(home, name))
  await mkdir(join(home, '.docs'))
  const bank = openAuthority(join(home, '.docs', 'bank'))
  await writeFile(join(home, 'bank-ca.pem'), bank.ca)
  await writeFile(join(home, 'logo.png'), onePixel)
  for (const name of ['collect', 'refund']) {
    const { certificate, privateKey } = bank.client(name)
    await writeFile(join(home, `${name}.pem`), certificate)
    await writeFile(join(home, `${name}.key`), privateKey)
  }
  return {
    home,
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true, maxRetries: 5 }),
  }
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Starts the sandbox with `npm start` and waits until it is ready. */
export async function openNewcomer(): Promise<Newcomer> {
  const folder = await openFolder()
  const { home } = folder
  const port = await freePorts([0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 30])
  // Commands in this folder come before the machine's own.
  const bin = join(home, '.bin')
  await mkdir(bin)
  await symlink(join(import.meta.dirname, 'curl.sh'), join(bin, 'curl'))
  const env = {
    ...process.env,
    PATH: [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    PORT: String(port),
    VINTEM_DATA_DIR: join(home, '.vintem'),
    VINTEM_RECONCILE_SECONDS: '2',
    DOCS_CURL: execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim(),
    DOCS_ANSWERS: join(home, '.docs'),
    DOCS_LOG: join(home, '.docs', 'log'),
  }
  const sandbox = await startSandbox(home, env, port)
  const asWritten = (text: string) =>
    text
      .replaceAll(
        /127\.0\.0\.1:(40\d\d)\b/g,
        (_, each: string) => `127.0.0.1:${port + Number(each) - firstPort}`,
      )
      .replaceAll(`127.0.0.1:${receiverPort}`, `127.0.0.1:${port + 30}`)
      .replaceAll(`listen(${receiverPort})`, `listen(${port + 30})`)
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    run: (blocks) => runPage({ home, env, asWritten }, blocks),
    [Symbol.asyncDispose]: async () => {
      await sandbox.stop()
      // The database may be outside the folder. This throws if it still runs.
      await forgetEmbeddedPostgres(env.VINTEM_DATA_DIR, silentLog)
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Runs the first command of README. */
async function startSandbox(home: string, env: NodeJS.ProcessEnv, port: number) {
  const output = openSync(join(home, '.docs', 'sandbox.log'), 'a')
  // A process group of its own, so that npm, its shell and the server end together.
  const child = spawn('npm', ['start'], { cwd: home, env, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  const ended = once(child, 'exit')
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.status === 200 &&
    (await readFile(join(home, '.vintem', 'sandbox.json')).then(
      () => true,
      () => false,
    ))
  while (!(await isReady())) {
    if (child.exitCode !== null) assert.fail(await readFile(join(home, '.docs', 'sandbox.log'), 'utf8'))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    async stop() {
      endGroup(child.pid, 'SIGINT')
      await ended
      // npm may end before the server, which still needs the folder while it stops its database and its chain.
      while (isGroupThere(child.pid)) await new Promise((resolve) => setTimeout(resolve, 50))
    },
  }
}

function isGroupThere(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 0)
  } catch {
    return false
  }
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}

type Machine = {
  readonly home: string
  readonly env: NodeJS.ProcessEnv & { readonly DOCS_LOG: string }
  readonly asWritten: (text: string) => string
}

/** Knows `npm --prefix <folder> install <package>`. */
const npmOfPages = `npm() {
  case "$1 \${3-}" in
    start*) ;;
    '--prefix install') mkdir -p "$2/node_modules"; ln -sfn "$PWD/node_modules/$4" "$2/node_modules/$4"; test -e "$2/node_modules/$4" ;;
    *) command npm "$@" ;;
  esac
}`

async function runPage({ home, env, asWritten }: Machine, blocks: readonly Block[]): Promise<PageRun> {
  await writeFile(env.DOCS_LOG, '')
  const script = join(home, '.docs', 'page.sh')
  // Files are written in the order of the page too: a page may write one before it shows the next.
  const parts = await Promise.all(
    blocks.map(async (block, index) => {
      const refused = block.notes.has('refused') ? 'yes' : ''
      const header = `echo 'block ${index}' >>"$DOCS_LOG"; export DOCS_REFUSED=${refused}\n`
      if (isShell(block)) return block.notes.has('not run') ? '' : `${header}${asWritten(block.text)}\n`
      const file = block.notes.get('file')
      if (file === undefined) return ''
      const kept = join(home, '.docs', `file-${index}`)
      await writeFile(kept, `${asWritten(block.text)}\n`)
      return `cp '${kept}' '${file}'\n`
    }),
  )
  // The sandbox of README's first block, `npm start`, is running already. A package that a page installs becomes a link to the repository's
  // copy, so that no network is needed. Processes that a page leaves running end with this shell.
  const before = `set -euo pipefail\nexport DOCS_SHELL=$$\n${npmOfPages}\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n`
  await writeFile(script, `${before}${parts.join('')}`)
  const output = join(home, '.docs', 'output')
  // The output goes through a pipe: a program that opens /dev/stderr would truncate a file, and cannot open a socket.
  const command = 'set -o pipefail; bash "$0" 2>&1 | cat >"$1"'
  const options = { cwd: home, env, detached: true, stdio: 'ignore' } as const
  const child = spawn('bash', ['-c', command, script, output], options)
  const timer = setTimeout(() => endGroup(child.pid, 'SIGKILL'), pageMs)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  clearTimeout(timer)
  endGroup(child.pid, 'SIGKILL')
  const { calls, last } = await readLog(env.DOCS_LOG, blocks)
  if (code === 0) return { calls }
  const printed = (await readFile(output, 'utf8')).slice(-2_000)
  const place = last === undefined ? 'the beginning' : placeOf(last)
  return { calls, failure: `${place}: ended with ${code ?? signal}\n${printed}` }
}

async function readLog(path: string, blocks: readonly Block[]) {
  const calls = new Map<Block, Call[]>()
  let last: Block | undefined
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const [kind, ...words] = line.split(' ')
    if (kind === 'block') last = blocks[Number(words[0])]
    if (kind !== 'call' || last === undefined) continue
    const [status, bodyPath = '', ...url] = words
    const body = await readFile(bodyPath, 'utf8')
    calls.set(last, [...(calls.get(last) ?? []), { status: Number(status), url: url.join(' '), body }])
  }
  return { calls, last }
}
