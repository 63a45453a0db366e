// PostgreSQL that cannot write: its disk is full, a replication slot that nobody reads fills it, or it is read-only. Every call gets its
// answer or a 503 that says so, and afterwards everything that was acknowledged is there.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '#/db/client.ts'
import { databaseFindings } from '../../src/cli/doctor-database.ts'
import { eventually } from '../eventually.ts'
import { call, type Json } from '../journeys/merchant.ts'
import { openPlace, root } from '../journeys/place.ts'
import { serverUser, startSingleServer, type SingleServer } from './single-server.ts'

const limitMs = 300_000
const small = { min_wal_size: '32MB', max_wal_size: '64MB', shared_buffers: '16MB' }

test('a full disk is a 503, and when there is space again everything acknowledged is there', async (t) => {
  await using world = await openSmallWorld({})
  await world.goOn()
  world.fill()
  const first = await eventually('a write is refused', async () => (await world.write()) === 503, limitMs)
  assert.ok(first)
  const refused = await world.statuses(10)
  assert.ok(
    refused.every((status) => status === 503 || status === 201),
    refused.join(' '),
  )
  world.empty()
  await world.revive()
  await world.goOn()
  t.diagnostic(await world.holds())
})

test('a replication slot that nobody reads: the doctor names it, a limit keeps the disk free, and without one a full disk is a 503', async (t) => {
  await using world = await openSmallWorld({ max_slot_wal_keep_size: '64MB' })
  await world.goOn()
  await world.asAdmin("select pg_create_physical_replication_slot('gone', true)")
  const extent = { processes: 1, workers: 1, cells: 1, pool: 10 }
  const slots = (await databaseFindings(world.databaseUrl, extent)).find(({ id }) => id === 'database.slots')
  assert.deepEqual([slots?.status, slots?.what], ['failed', 'Nobody reads gone: the log is kept for it.'])
  // More than the disk holds goes through the log.
  for (let round = 0; round < 12; round += 1) await world.writeLog()
  await world.goOn()
  await world.asAdmin("select pg_drop_replication_slot('gone')")
  await world.asAdmin("select pg_create_physical_replication_slot('gone', true)")
  await world.asAdmin('alter system set max_slot_wal_keep_size = -1')
  await world.asAdmin('select pg_reload_conf()')
  for (let round = 0; round < 30 && (await world.writeLog()); round += 1);
  await eventually('a write is refused', async () => (await world.write()) === 503, limitMs)
  world.more()
  await world.revive()
  await world.asAdmin("select pg_drop_replication_slot('gone')")
  await world.goOn()
  t.diagnostic(await world.holds())
})

test('a read-only database is a 503 for writes, reads are answered, and it is over when the database says so', async (t) => {
  await using world = await openSmallWorld({})
  await world.goOn()
  await world.asAdmin('alter system set default_transaction_read_only = on')
  await world.asAdmin('select pg_reload_conf()')
  await eventually('a write is refused', async () => (await world.write()) === 503, limitMs)
  assert.equal(await world.read(), 200)
  assert.deepEqual(new Set(await world.statuses(5)), new Set([503]))
  const findings = await databaseFindings(world.databaseUrl, { processes: 1, workers: 1, cells: 1, pool: 10 })
  assert.equal(findings.find(({ id }) => id === 'database.primary')?.status, 'failed')
  await world.asAdmin(
    'set default_transaction_read_only = off',
    'alter system reset default_transaction_read_only',
  )
  await world.asAdmin('select pg_reload_conf()')
  await world.goOn()
  t.diagnostic(await world.holds())
})

/** PostgreSQL on a disk of its own, an API, and a merchant who opens wallets. */
async function openSmallWorld(settings: Readonly<Record<string, string>>) {
  const stack = new AsyncDisposableStack()
  try {
    return await openOn(stack, settings)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function openOn(stack: AsyncDisposableStack, settings: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-space-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const disk = mountDisk(folder, stack)
  const user = serverUser()
  const data = join(disk.path, 'data')
  mkdirSync(data, { mode: 0o700 })
  chmodSync(folder, 0o755)
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  const server = stack.use(await startSingleServer(data, user, { ...small, ...settings }))
  const env = { VINTEM_SANDBOX: 'off', VINTEM_DRAIN_SECONDS: '0' }
  const place = await openPlace({ folder, adminUrl: server.adminUrl, env }, stack)
  const migrated = await place.run(root, 'migrate')
  assert.equal(migrated.code, 0, migrated.output)
  const made = await place.run(root, 'merchant', 'create', 'Loja', '--mode', 'live', '--json')
  const [merchant = assert.fail(made.output)] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(made.output) ?? []
  const key = await place.run(root, 'key', 'create', merchant, '--json')
  const [apiKey = assert.fail(key.output)] = /vtm_live_\w+/.exec(key.output) ?? []
  const api = await place.launch(root, 'api')
  await eventually(() => `the API is ready: ${api.output()}`, api.isReady, limitMs)
  const merchantApi = { apiUrl: api.url, apiKey }
  const made201: string[] = []
  let turn = 0
  let name = ''
  const adminOf = (url: string) => {
    const at = new URL(url)
    at.pathname = '/place'
    return at.href
  }

  /** Opens the next wallet; the same one again until it is acknowledged. */
  async function write(): Promise<number> {
    if (name === '') name = `wallet ${turn++}`
    const answer = await fetch(`${api.url}/v1/wallets`, {
      method: 'POST',
      headers: { apikey: apiKey, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify({ walletType: 'RESERVE', currency: 'BRL', label: name }),
    })
    const body = (await answer.json()) as Json
    if (answer.status === 201) {
      made201.push(String(body['id']))
      name = ''
      return 201
    }
    assert.equal(answer.status, 503, JSON.stringify(body))
    assert.equal(body['code'], 'unavailable')
    return 503
  }

  return {
    databaseUrl: place.databases.DATABASE_URL,
    ...disk,
    write,
    read: async () => (await call(merchantApi, 'GET', '/v1/wallets?limit=1')).status,
    async statuses(count: number): Promise<readonly number[]> {
      const statuses: number[] = []
      while (statuses.length < count) statuses.push(await write())
      return statuses
    },
    async goOn(): Promise<void> {
      const goal = made201.length + 10
      await eventually(
        () => `writes go on; ${server.output().slice(-2_000)}`,
        async () => (await write()) === 201 && made201.length >= goal,
        limitMs,
      )
    },
    /** Statements of the superuser, on one connection. */
    async asAdmin(...statements: readonly string[]): Promise<void> {
      const sql = connect(adminOf(server.adminUrl), { max: 1 })
      try {
        for (const statement of statements) await sql.unsafe(statement)
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
    /** About forty megabytes of log. False when the server could not write them. */
    async writeLog(): Promise<boolean> {
      const sql = connect(adminOf(server.adminUrl), { max: 1 })
      try {
        await sql.unsafe(
          'create table ballast as select repeat(md5(n::text), 20) as text from generate_series(1, 60000) as n',
        )
        await sql.unsafe('drop table ballast')
        await sql.unsafe('checkpoint')
        return true
      } catch {
        return false
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
    /** Starts the server again if it ended when its log could not be written. */
    revive: () => revive(server),
    /** All that was acknowledged is there, and the books are right. */
    async holds(): Promise<string> {
      for (const id of made201) {
        const { status, body } = await call(merchantApi, 'GET', `/v1/wallets/${id}`)
        assert.equal(status, 200, `${id} was acknowledged: ${JSON.stringify(body)}`)
      }
      const { code, output } = await place.run(root, 'verify')
      assert.equal(code, 0, output)
      return `${made201.length} wallets`
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function revive(server: SingleServer): Promise<void> {
  const sql = connect(server.adminUrl, { max: 1, connectTimeoutSeconds: 2 })
  const isThere = await sql`select 1`.then(
    () => true,
    () => false,
  )
  await sql.end({ timeout: 1 })
  if (isThere) return
  await server.kill()
  await server.start()
}

/** A disk of 400 MB in memory. Only root can mount one: for anybody else this test fails and says why. */
function mountDisk(folder: string, stack: AsyncDisposableStack) {
  const path = join(folder, 'disk')
  mkdirSync(path)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', path], {
    encoding: 'utf8',
  })
  if (mounted.status !== 0)
    assert.fail(
      `This test needs a small disk, which only root can mount here: ${mounted.stderr || String(mounted.error)}`,
    )
  stack.defer(() => void execFileSync('umount', [path]))
  const ballast = join(path, 'ballast')
  return {
    path,
    /** Leaves nothing free. */
    fill: () => {
      const free = Number(
        execFileSync('df', ['--output=avail', '-B1', path], { encoding: 'utf8' }).split('\n')[1],
      )
      execFileSync('fallocate', ['-l', String(free), ballast])
    },
    empty: () => writeFileSync(ballast, ''),
    /** A larger disk. */
    more: () => void execFileSync('mount', ['-o', 'remount,size=1200m', path]),
  }
}
