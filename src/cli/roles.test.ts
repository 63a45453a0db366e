// The roles of an installation of several processes, each started as an operator starts it.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { connect } from '#/db/client.ts'
import { selectPublicKey } from '#/merchants/connection-queries.ts'
import { isSoak } from '../../test/counts.ts'
import { eventually } from '../../test/eventually.ts'
import { freePort, freePorts } from '../../test/ports.ts'
import { testDatabase } from '../../test/postgres.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-roles-'))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** Shares the compile cache, so that these processes start faster. */
const { NODE_COMPILE_CACHE } = process.env
const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

const keys = { VINTEM_MASTER_KEY: 'ab'.repeat(32), VINTEM_AUDIT_KEY: 'cd'.repeat(32) }

function launch(role: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [main, role], {
    env: { ...compiled, VINTEM_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, printed }))
  return { child, ended }
}

test('a role without the keys of its installation refuses to start, in one line, and makes none for itself', async () => {
  // No server listens there: the keys are required before any connection.
  const DATABASE_URL = `postgres://vintem@127.0.0.1:${await freePort()}/vintem`
  const [name, other] = ['VINTEM_MASTER_KEY', 'VINTEM_AUDIT_KEY'] as const
  const cases = [
    { role: 'worker', env: { VINTEM_SANDBOX: 'on', [other]: keys[other] }, named: name },
    { role: 'api', env: { VINTEM_SANDBOX: 'off', [name]: keys[name] }, named: other },
    { role: 'api', env: {}, named: name },
    { role: 'watcher', env: { [name]: keys[name] }, named: other },
    { role: 'worker', env: keys, named: 'VINTEM_WORKER_KEY' },
  ]
  await Promise.all(
    // The quick run starts one process of each role.
    (isSoak ? cases : cases.slice(-3)).map(async ({ role, env, named }) => {
      const { code, printed } = await launch(role, { ...env, DATABASE_URL }).ended
      assert.equal(code, 1, role)
      assert.match(
        printed,
        new RegExp(`^${named} is not set\\. Set it, [^\\n]*openssl rand -hex 32\\n$`),
        role,
      )
    }),
  )
  assert.deepEqual(readdirSync(dataDir), [])
})

/** Sends wrong keys from `callers`, through the same proxy. Returns the statuses, of which 429 means too many. */
async function guess(url: string, callers: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const caller of callers) {
    const headers = { apikey: 'vtm_live_wrong', 'x-forwarded-for': caller }
    const answer = await fetch(`${url}/v1/wallets`, { headers })
    await answer.body?.cancel()
    statuses.push(answer.status)
  }
  return statuses
}

const guesser = Array.from({ length: 21 }, () => '203.0.113.1')
const stranger = '203.0.113.2'

for (const { proxies, title, others } of [
  { proxies: '127.0.0.0/8', title: 'distinguished: one that guesses locks out no other', others: 401 },
  // The quick run has no proxy in contract/rolled-keys.
  ...(isSoak ? [{ proxies: '', title: 'not believed, with any header', others: 429 }] : []),
]) {
  test(`with${proxies === '' ? 'out a' : ' a'} trusted proxy callers are ${title}`, async () => {
    await using database = await testDatabase()
    const port = await freePort()
    const { child, ended } = launch('api', {
      ...keys,
      DATABASE_URL: database.appUrl,
      VINTEM_SANDBOX: 'off',
      VINTEM_TRUSTED_PROXIES: proxies,
      VINTEM_DRAIN_SECONDS: '2',
      PORT: String(port),
    })
    const url = `http://127.0.0.1:${port}`
    while (child.exitCode === null && !(await fetch(`${url}/health/ready`).then(drain, () => false)))
      await new Promise((resolve) => setTimeout(resolve, 50))
    if (child.exitCode !== null) assert.fail((await ended).printed)
    const statuses = await guess(url, [...guesser, stranger])
    assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([401]))
    assert.deepEqual(statuses.slice(20), [429, others])
    child.kill('SIGTERM')
    // The process ends: load balancers get 503, and all other requests are still served.
    const ready = await eventually('it is not ready', async () => {
      const answer = await fetch(`${url}/health/ready`)
      return answer.status === 503 && answer.json()
    })
    assert.deepEqual(ready, {
      status: 'not_ready',
      checks: { end: false },
      reasons: { end: 'It is ending: send requests elsewhere.' },
    })
    assert.deepEqual(await guess(url, ['203.0.113.3']), [others])
    assert.equal((await ended).code, 0)
  })
}

async function drain(answer: Response): Promise<boolean> {
  await answer.body?.cancel()
  return answer.ok
}

test('a worker publishes its public key, and one with another worker key refuses to start', async () => {
  await using database = await testDatabase()
  const env = { ...keys, VINTEM_SANDBOX: 'off', DATABASE_URL: database.appUrl }
  const first = launch('worker', { ...env, VINTEM_WORKER_KEY: 'ef'.repeat(32) })
  const sql = connect(database.appUrl, { max: 1 })
  await eventually('it is published', async () => (await selectPublicKey(sql)) !== undefined)
  await sql.end({ timeout: 1 })
  const { code, printed } = await launch('worker', { ...env, VINTEM_WORKER_KEY: '77'.repeat(32) }).ended
  assert.equal(code, 1)
  assert.match(printed, /VINTEM_WORKER_KEY is not the key whose public half is in the database/)
  first.child.kill('SIGTERM')
  assert.equal((await first.ended).code, 0)
})

test('the log of a run has one line for each request, and nothing that a caller said', async () => {
  await using database = await testDatabase()
  const port = await freePorts([0, 1, 2, 3, 4])
  const { child, ended } = launch('api', {
    ...keys,
    DATABASE_URL: database.appUrl,
    VINTEM_SANDBOX: 'off',
    VINTEM_LOG_LEVEL: 'debug',
    VINTEM_DRAIN_SECONDS: '1',
    PORT: String(port),
  })
  const url = `http://127.0.0.1:${port}`
  while (child.exitCode === null && !(await fetch(`${url}/health/live`).then(drain, () => false)))
    await new Promise((resolve) => setTimeout(resolve, 50))
  // The hosts of the pages open after the API.
  while (
    child.exitCode === null &&
    !(await fetch(`http://127.0.0.1:${port + 2}/robots.txt`).then(drain, () => false))
  )
    await new Promise((resolve) => setTimeout(resolve, 50))
  const said = [
    'Conceicao',
    'maria.souza@example.com',
    '52998224725',
    '4242424242424242',
    'PT50000201231234567890154',
    `vtm_live_a1${'A'.repeat(36)}`,
    `whsec_${'C'.repeat(40)}`,
  ]
  const body = JSON.stringify({ amount: 100, customer: { name: said.join(' ') }, [said[0] ?? '']: said })
  for (const value of said) {
    const headers = {
      apikey: value,
      authorization: `Bearer ${value}`,
      'idempotency-key': value,
      cookie: value,
    }
    for (const [path, init] of [
      ['/v1/payments', { method: 'POST', body }],
      [`/v1/payments/${value}?customerName=${value}`, {}],
      [`/${value}`, { method: 'POST', body: `{"${value}` }],
    ] as const) {
      const contentType = { 'content-type': 'application/json' }
      await fetch(url + path, { ...init, headers: { ...headers, ...contentType } }).then(drain)
      await fetch(`http://127.0.0.1:${port + 1}/c/${value}?q=${value}`, { headers }).then(drain)
    }
  }
  child.kill('SIGTERM')
  const { printed } = await ended
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  const requests = lines.filter(({ msg }) => msg === 'request')
  assert.ok(requests.length >= 6 * said.length, `${requests.length} lines of requests`)
  assert.ok(
    requests.every(({ requestId, role, cell }) => requestId !== undefined && role === 'api' && cell === 'a1'),
  )
  for (const value of said) assert.ok(!printed.includes(value), `${value} is in the log`)
})
