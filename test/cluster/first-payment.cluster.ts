// Types the page about an empty server and its first live payment, as it is written: Debian's PostgreSQL and nginx, a node that says it is
// BSC, and the sandbox's bank as the PSP. Only names, ports and folders of the page become those of this machine. The test is the payer.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deterministicDeployer } from '#/evm/address.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { sleep } from '#/kernel/time.ts'
import { startTestBank, type TestBank } from '../../simulators/pix-bank/harness.ts'
import { richAccount, startAnvil } from '../anvil.ts'
import { blocksOf, isShell } from '../docs/page.ts'
import { eventually } from '../eventually.ts'
import { root } from '../journeys/place.ts'
import { processesOf } from '../journeys/processes.ts'
import { freePort, freePorts } from '../ports.ts'
import { programEnv } from './debian.ts'
import { layChain, payUsdt, treasury } from './live-world.ts'
import { ownedFolder, serverUser, startSingleServer } from './single-server.ts'

const page = 'docs/first-payment.md'
const pageMs = 15 * 60_000
const hosts = ['api.pay', 'pay', 'wallet.pay', 'callbacks.pay', 'dashboard.pay'].map(
  (name) => `${name}.example.com`,
)
const treasuryOfPage = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const firstPort = 4_000
/** As docs/rails/pix.md names them. */
const collecting = ['cob.write', 'cob.read', 'pix.read', 'webhook.write', 'webhook.read']
const refunding = ['pix.write', 'pix.read']

test('an empty server takes its first live payments, by the commands of the page', async () => {
  await using stack = new AsyncDisposableStack()
  const home = mkdtempSync(join(tmpdir(), 'vintem-first-'))
  stack.defer(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  for (const name of ['vintem', 'package.json', 'node_modules', 'src', 'web'])
    symlinkSync(join(root, name), join(home, name))
  const user = serverUser()
  const settings = { fsync: 'on', wal_level: 'replica', max_wal_senders: '2' }
  const server = stack.use(await startSingleServer(ownedFolder(home, 'database', user), user, settings))
  const bank = stack.use(await startTestBank())
  const node = stack.use(await startAnvil({ chainId: 56, blockTimeSeconds: 1 }))
  const rpc = createRpc(node.url, { timeoutMs: 60_000 })
  stack.defer(() => rpc.close())
  // The contracts of the page's treasury are not there: the page deploys them.
  await layChain(rpc, node.url, richAccount)
  const port = await freePort()
  await layFiles(home, bank, port)
  leadHere(stack)
  const here = await asHere({ home, port, database: server.port, bank, node: node.url })

  const shell = spawn('bash', ['-c', scriptOf(here)], {
    cwd: home,
    detached: true,
    env: { ...cleanEnv(), ...programEnv(), CURL_CA_BUNDLE: join(home, 'bank-ca.pem'), CURL_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stack.defer(() => endAll(home, shell.pid))
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  const stopping = new AbortController()
  stack.defer(() => stopping.abort())
  // What the page has left running may keep the pipes open.
  const ended = once(shell, 'exit', { signal: AbortSignal.timeout(pageMs) })
  const paying = payAsAsked(() => printed, { bank, rpc, signal: stopping.signal })
  const [code] = (await Promise.race([ended, paying.then(() => ended)])) as [number | null]
  assert.equal(code, 0, `the page ended with ${code}:\n${printed.slice(-6_000)}\n${logsOf(home)}`)
  assert.doesNotMatch(printed, /^ *failed /m)
  assert.deepEqual(notPrinted(printed), [])
})

/** The lines that the page shows as printed, and that do not follow one another in what was printed. `…` is any text of a line. */
function notPrinted(printed: string): readonly string[] {
  const shown = blocksOf(page).filter(({ language }) => language === 'text')
  let from = 0
  return shown
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => {
      const pattern = line
        .split('…')
        .map((part) => RegExp.escape(part))
        .join('[^\\n]*?')
      const found = new RegExp(pattern).exec(printed.slice(from))
      if (found !== null) from += found.index + found[0].length
      return found === null
    })
}

/** The files that the page expects: what the PSP gave, and the certificate of the five names, which lead curl to this machine. */
async function layFiles(home: string, bank: TestBank, port: number): Promise<void> {
  const { body } = await bank.control('POST', '/_sim/server-certificates', { hosts })
  const own = body as { readonly certificate: string; readonly privateKey: string; readonly ca: string }
  mkdirSync(join(home, 'tls'))
  writeFileSync(join(home, 'tls', 'pay.pem'), own.certificate)
  writeFileSync(join(home, 'tls', 'pay.key'), own.privateKey, { mode: 0o600 })
  for (const path of ['bank-ca.pem', 'tls/psp-authorities.pem']) writeFileSync(join(home, path), own.ca)
  const leads = hosts.map((host) => `resolve = "${host}:${port}:127.0.0.1"`)
  writeFileSync(join(home, '.curlrc'), leads.join('\n'))
}

/** The same names for the bank, which calls back from this process. */
function leadHere(stack: AsyncDisposableStack): void {
  const { lookup } = dns
  const here = ((
    name: string,
    ...rest: Parameters<LookupFunction> extends [unknown, ...infer Rest] ? Rest : never
  ) => (lookup as LookupFunction)(hosts.includes(name) ? 'localhost' : name, ...rest)) as typeof dns.lookup
  dns.lookup = here
  stack.defer(() => {
    dns.lookup = lookup
  })
}

type Here = (text: string) => string

/** What makes of the page's text that of this machine: its ports and folders, and the credentials of two applications at the bank. */
async function asHere(of: {
  readonly home: string
  readonly port: number
  readonly database: number
  readonly bank: TestBank
  readonly node: string
}): Promise<Here> {
  const { home, bank, port } = of
  const pixKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
  const credentials = {
    collect: await bank.application({ pixKey, scopes: collecting }),
    refund: await bank.application({ pixKey, scopes: refunding }),
  }
  for (const [name, { certificate, privateKey }] of Object.entries(credentials)) {
    writeFileSync(join(home, `${name}.pem`), certificate)
    writeFileSync(join(home, `${name}.key`), privateKey)
  }
  const base = await freePorts([0, 100, 200, 300].flatMap((at) => [0, 1, 2, 3, 4].map((each) => at + each)))
  const texts: readonly (readonly [ofPage: string, here: string])[] = [
    ...hosts.map((host) => [`https://${host}`, `https://${host}:${port}`] as const),
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['127.0.0.1:5432', `127.0.0.1:${of.database}`],
    ['http://127.0.0.1:8545', of.node],
    [treasuryOfPage, treasury],
    ['https://pix.bank.example', bank.apiUrl],
    [
      secretsOf('client-that-takes-in', 'its-secret'),
      secretsOf(credentials.collect.clientId, credentials.collect.clientSecret),
    ],
    [
      secretsOf('client-that-gives-back', 'its-secret'),
      secretsOf(credentials.refund.clientId, credentials.refund.clientSecret),
    ],
    ['/etc/vintem', join(home, 'etc')],
    ['/etc/nginx/tls', join(home, 'tls')],
    ['/var/lib/vintem', join(home, 'state')],
    ['/var/backups', join(home, 'backups')],
    // Where Debian's nginx would write as a service of the machine.
    ['http {', `pid ${home}/nginx.pid; error_log ${home}/nginx.log;\nhttp {\n${nginxFolders(home)}`],
  ]
  return (text) =>
    texts
      .reduce((whole, [ofPage, here]) => whole.replaceAll(ofPage, here), text)
      .replaceAll(/\b4[0-3]0[0-4]\b/g, (each) => String(base + Number(each) - firstPort))
}

function secretsOf(clientId: string, clientSecret: string): string {
  return `"clientId": "${clientId}",\n    "clientSecret": "${clientSecret}"`
}

function nginxFolders(home: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `access_log off; ${kinds.map((kind) => `${kind}_temp_path ${home}/nginx-${kind};`).join(' ')}`
}

/** The page's commands and files in their order, as one script. A command that fails ends it. */
function scriptOf(here: Here): string {
  const parts = blocksOf(page).flatMap(({ notes, text, ...block }) => {
    const file = notes.get('file')
    if (file !== undefined) return [`cat > ${file} <<'END-OF-FILE'\n${here(text)}\nEND-OF-FILE`]
    const isRun = notes.get('not run')?.includes('test:cluster') === true
    return isShell({ ...block, notes, text }) && isRun ? [here(text)] : []
  })
  assert.ok(parts.length >= 15, `${parts.length} blocks of ${page} are run`)
  return `set -euo pipefail\n${parts.join('\n')}\nnginx -c "$PWD/nginx.conf" -s stop\nkill $(jobs -p) && wait || true\n`
}

/** Does what the page asks a person to do: pays the code, sends the transaction that deploys, pays the address. */
async function payAsAsked(
  printed: () => string,
  { bank, rpc, signal }: { readonly bank: TestBank; readonly rpc: Rpc; readonly signal: AbortSignal },
): Promise<void> {
  const asked = async (pattern: RegExp) => {
    while (!signal.aborted) {
      const [found] = pattern.exec(printed()) ?? []
      if (found !== undefined) return found
      await sleep(200, signal)
    }
    return undefined
  }
  const copyPaste = await asked(/^000201.+$/m)
  if (copyPaste === undefined) return
  const { status, text } = await bank.control('POST', '/_sim/pay', { copyPaste })
  assert.equal(status, 201, text)
  const data = await asked(/^Data +0x[0-9a-f]+$/m)
  if (data === undefined) return
  const transaction = data.replace(/^Data +/, '') as `0x${string}`
  await rpc.sendTransaction({
    from: richAccount,
    to: deterministicDeployer,
    data: transaction,
    gas: 1_500_000n,
  })
  const address = await asked(/^0x[0-9a-fA-F]{40}$/m)
  if (address !== undefined) await payUsdt(rpc, address, 100)
}

function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VINTEM_|DATABASE_|PORT$|NODE_)/.test(name)),
  )
}

function logsOf(home: string): string {
  const logs = ['worker', 'api-a', 'api-b', 'signer', 'watcher', 'nginx'].map((name) =>
    join(home, `${name}.log`),
  )
  return logs
    .filter((path) => existsSync(path))
    .map((path) => `${path}\n${readFileSync(path, 'utf8').slice(-2_000)}`)
    .join('\n')
}

/** Ends what the shell has left, when a command failed. */
async function endAll(home: string, group: number | undefined): Promise<void> {
  const pidFile = join(home, 'nginx.pid')
  const nginx = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : undefined
  for (const pid of [group === undefined ? undefined : -group, nginx]) {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGTERM')
    } catch {
      // It has ended.
    }
  }
  await eventually(
    'what the page started is gone',
    () => processesOf(home).filter(({ command }) => !command.includes('postgres')).length === 0,
    120_000,
  )
}
