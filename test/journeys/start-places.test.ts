// Where a start listens and what it makes: any address, any umask, a port that is taken, and two first starts at once.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { freePorts } from '../ports.ts'
import { createInstallation, main, type Installation } from './installation.ts'
import { processesOf } from './processes.ts'

/** Callbacks alone tell us of a payment by PIX. */
const unreconciled = { VINTEM_RECONCILE_SECONDS: '3600' }

async function call(installation: Installation, method: string, route: string, body?: unknown) {
  const { apiUrl, apiKey } = installation.sandbox()
  const answer = await fetch(apiUrl + route, {
    method,
    headers: { apikey: apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
}

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url, { redirect: 'manual' })
  await answer.body?.cancel()
  return answer.status
}

for (const [host, shown, dashboard, umask] of [
  ['::1', '[::1]', '[::1]', '000'],
  ['127.0.0.2', '127.0.0.2', '127.0.0.2', '077'],
  ['0.0.0.0', '127.0.0.1', 'localhost', undefined],
] as const)
  test(`bound to ${host} everything that is printed works: the API, the page of a payment, the dashboard, and callbacks of the bank${umask === undefined ? '' : `; under umask ${umask} nobody else can write in the data folder, or read the folders with secrets`}`, async () => {
    await using installation = await createInstallation(
      { VINTEM_HOST: host, ...unreconciled },
      umask === undefined ? {} : { umask, first: true, folder: 'made/by-us' },
    )
    await installation.start()
    if (umask !== undefined) await isKeptFromOthers(installation.dataDir)
    const { apiUrl, dashboard: people } = installation.sandbox()
    const { port } = installation
    assert.equal(apiUrl, `http://${shown}:${port}`)
    assert.equal(people.url, `http://${dashboard}:${port + 4}`)
    assert.ok(installation.output().includes(`http://${shown}:${port}`), installation.output())
    // Its pages may still be built: until then it answers 503.
    await eventually('the dashboard is built', async () => (await statusOf(people.signInUrl)) === 200)
    const created = await call(installation, 'POST', '/v1/payments', {
      amount: 4990,
      currency: 'BRL',
      paymentMethods: ['PIX'],
      idempotencyKey: 'first',
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const linked = await call(installation, 'POST', '/v1/payments', {
      amount: 4990,
      currency: 'BRL',
      checkout: 'default',
      idempotencyKey: 'second',
    })
    const page = String(linked.body['checkoutUrl'])
    assert.ok(page.startsWith(`http://${shown}:${port + 1}/`), JSON.stringify(linked.body))
    assert.equal(await statusOf(page), 200)
    assert.equal(await statusOf(apiUrl), 200)
    const id = String(created.body['id'])
    const paid = await call(installation, 'POST', `/v1/sandbox/payments/${id}/pay`, { scenario: 'exact' })
    assert.equal(paid.status, 202, JSON.stringify(paid.body))
    await eventually('a callback of the bank says that it is paid', async () => {
      const { body } = await call(installation, 'GET', `/v1/payments/${id}`)
      return body['status'] === 'PAID'
    })
    const { code, output } = await installation.run('trigger', 'pix-paid')
    assert.equal(code, 0, output)
  })

/** All folders in and below `folder`, with the bits of their modes. Links are not followed. */
async function foldersIn(folder: string): Promise<readonly { readonly at: string; readonly mode: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const at = [
    folder,
    ...entries.filter((each) => each.isDirectory()).map((each) => path.join(each.parentPath, each.name)),
  ]
  return Promise.all(at.map(async (each) => ({ at: each, mode: (await lstat(each)).mode & 0o7777 })))
}

async function isKeptFromOthers(dataDir: string): Promise<void> {
  const folders = await foldersIn(dataDir)
  for (const { at, mode } of folders) assert.equal(mode & 0o022, 0, `${at} has ${mode.toString(8)}`)
  const secret = folders.filter(({ at }) => /\/(?:keys|heads|signer|simulators\/[^/]+)$/.test(at))
  assert.ok(secret.length >= 4, folders.map(({ at }) => at).join(', '))
  for (const { at, mode } of secret) assert.equal(mode & 0o077, 0, `${at} has ${mode.toString(8)}`)
}

/** Runs `start` until it ends by itself, or until it prints that it is ready; then it is ended. */
function runStart(dataDir: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [main, 'start'], {
    env: { ...process.env, VINTEM_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString('utf8')))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { child, output: () => output, ended }
}

const offsets = [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21]

test('a port that is taken is one line that names port and setting, before anything is started or made', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vintem-busy-'))
  const port = await freePorts(offsets)
  try {
    for (const [offset, use] of [
      [0, 'the API'],
      [2, 'the partner checkout'],
      [3, 'callbacks'],
      [4, 'the dashboard'],
      [13, 'wallet app'],
      [20, 'PostgreSQL'],
      [21, 'the sandbox chain'],
    ] as const) {
      const holder = createServer().listen(port + offset, '127.0.0.1')
      await once(holder, 'listening')
      const { ended } = runStart(dataDir, { PORT: String(port) })
      const { code, output } = await ended
      holder.close()
      assert.equal(code, 1, output)
      const setting = offset === 0 ? 'PORT' : `PORT \\+ ${offset}`
      const line = `^Port ${port + offset} \\(${setting}\\), for ${use}[^\\n]*, is taken\\. Stop what uses it[^\\n]*\\n$`
      assert.match(output, new RegExp(line))
      assert.deepEqual(await readdir(dataDir), [], use)
      assert.equal(processesOf(dataDir).length, 0)
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('an address that this machine does not have is one line', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vintem-busy-'))
  const port = await freePorts(offsets)
  try {
    // RFC 5737: nobody has it.
    const { ended } = runStart(dataDir, { PORT: String(port), VINTEM_HOST: '192.0.2.7' })
    const { code, output } = await ended
    assert.equal(code, 1)
    assert.match(output, /^VINTEM_HOST is 192\.0\.2\.7, and no server can bind to it: [^\n]+\n$/)
    assert.deepEqual(await readdir(dataDir), [])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('of two first starts in one folder at once one serves, and the other ends with one line that names it', async () => {
  for (const sandbox of ['on', 'off']) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'vintem-two-'))
    const key = 'ab'.repeat(32)
    const keys = { VINTEM_MASTER_KEY: key, VINTEM_AUDIT_KEY: key, VINTEM_WORKER_KEY: key }
    const ports = await Promise.all([freePorts(offsets), freePorts(offsets)])
    const starts = ports.map((port) =>
      runStart(dataDir, { PORT: String(port), VINTEM_SANDBOX: sandbox, ...(sandbox === 'on' ? {} : keys) }),
    )
    try {
      const lost = await Promise.race(starts.map(({ ended }, nth) => ended.then((end) => ({ ...end, nth }))))
      const winner = starts[1 - lost.nth]
      assert.equal(lost.code, 1, lost.output)
      const pid = String(winner?.child.pid)
      const line = new RegExp(`^Vintem is already running with [^\\n]*\\(process ${pid}\\)[^\\n]*\\n$`)
      assert.match(lost.output, line)
      const port = ports[1 - lost.nth] ?? 0
      await eventually('the other is ready', async () => {
        assert.ok(winner?.child.exitCode === null, winner?.output() ?? '')
        return (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.status === 200
      })
    } finally {
      for (const { child } of starts) child.kill('SIGINT')
      await Promise.all(starts.map(({ ended }) => ended))
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    }
  }
})
