// Processes whose clock is a day off, each started as an operator starts it, beside a database whose clock is right. Then a
// database whose clock goes back at a failover.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { hourMs, minuteMs, systemClock } from '#/kernel/time.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { shiftDatabaseClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { freePorts } from '../ports.ts'
import { testDatabase, type TestDatabase } from '../postgres.ts'
import { startPixBank, type PixBank } from '../rails/pix/bank.ts'

type Json = Readonly<Record<string, unknown>>
type Answer = { readonly status: number; readonly retryAfter: string | null; readonly body: Json }

const main = new URL('../../src/main.ts', import.meta.url).pathname
const shifted = new URL('../shifted-clock.ts', import.meta.url).href
const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-clocks-'))
const dayMs = 25 * hourMs
const masterKey = Buffer.from('ab'.repeat(32), 'hex')
const keys = {
  VINTEM_MASTER_KEY: masterKey.toString('hex'),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
}
const children: ChildProcess[] = []

let bank: PixBank
let database: TestDatabase
let sql: Sql
let apikey: string

before(async () => {
  bank = await startPixBank()
  database = await testDatabase()
  sql = connect(database.ownerUrl, { max: 2 })
  const deps = { sql, clock: systemClock, sealKey: deriveKey(masterKey, 'webhook secrets') }
  const { merchant } = await createMerchant(
    { ...deps, openWallets: openStartingWallets },
    { mode: 'SANDBOX', name: 'Ana' },
  )
  const pepper = deriveKey(masterKey, 'api keys')
  const issued = await issueApiKey({ ...deps, pepper, cell: 'a1' }, { merchantId: merchant.id, name: 'shop' })
  apikey = issued.key
  await addConnection(
    { sql, cell: 'a1', keys: connectionKeys(masterKey, Buffer.from(keys.VINTEM_WORKER_KEY, 'hex')) },
    {
      mode: 'SANDBOX',
      method: 'PIX',
      provider: 'bacen',
      ...(await bank.customer()),
    },
  )
})
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

async function start(role: 'api' | 'worker', shiftMs: number) {
  // The API uses the neighbouring ports for pages and callbacks.
  const port = await freePorts([0, 1, 2, 3, 4])
  const child = spawn(process.execPath, ['--import', shifted, main, role], {
    env: {
      ...keys,
      VINTEM_DATA_DIR: dataDir,
      VINTEM_CELL: 'a1',
      VINTEM_SANDBOX: 'off',
      VINTEM_DRAIN_SECONDS: '0',
      VINTEM_LOG_LEVEL: 'info',
      DATABASE_URL: database.appUrl,
      PORT: String(port),
      CLOCK_SHIFT_MS: String(shiftMs),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
  await eventually(
    () => `${role} runs: ${printed}`,
    () => printed.includes('"msg":"running"'),
  )
  const url = `http://127.0.0.1:${port}`
  async function ask(method: string, route: string, body?: Json): Promise<Answer> {
    const answer = await fetch(url + route, {
      method,
      headers: { apikey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const retryAfter = answer.headers.get('retry-after')
    return { status: answer.status, retryAfter, body: (await answer.json()) as Json }
  }
  return {
    printed: () => printed,
    ask,
    pay: (idempotencyKey: string) =>
      ask('POST', '/v1/payments', {
        amount: 1_000,
        currency: 'BRL',
        paymentMethods: ['PIX'],
        customerName: 'Ana Souza',
        idempotencyKey,
      }),
    [Symbol.asyncDispose]: async () => void child.kill('SIGKILL'),
  }
}

const statusOf = async (id: unknown) => {
  const [row] = await sql<{ status: string }[]>`select status from payment where id = ${String(id)}`
  return row?.status
}

test('a process whose clock is ahead creates payments with the right lifetime, and ends none too early', async () => {
  await using api = await start('api', dayMs)
  const [one, other] = [await api.pay('ahead 1'), await api.pay('ahead 2')]
  assert.deepEqual([one.status, other.status], [201, 201], api.printed())
  const { body } = await api.ask('GET', '/v1/payments')
  for (const payment of body['data'] as readonly Json[]) {
    const [createdAt, expiresAt] = ['createdAt', 'expiresAt'].map((name) => Date.parse(String(payment[name])))
    assert.ok(Math.abs((createdAt ?? 0) - systemClock.now().getTime()) < 10 * minuteMs)
    assert.equal((expiresAt ?? 0) - (createdAt ?? 0), hourMs)
  }
  assert.equal(
    (await api.ask('POST', '/v1/wallets', { currency: 'BRL', walletType: 'RESERVE', label: 'Aside' })).status,
    201,
  )

  await sql`
    update payment set expires_at = clock_timestamp() - interval '11 minutes' where id = ${String(other.body['id'])}`
  await using _worker = await start('worker', dayMs)
  await eventually(
    'the payment past its time ends',
    async () => (await statusOf(other.body['id'])) === 'EXPIRED',
  )
  assert.equal(await statusOf(one.body['id']), 'WAITING_PAYMENT')
})

test('a process whose clock is behind refuses payments with 503, and another process accepts the same call', async () => {
  await using api = await start('api', -dayMs)
  for (const answer of [
    await api.pay('behind'),
    await api.ask('POST', '/v1/wallets', { currency: 'EUR', walletType: 'RESERVE', label: 'Aside' }),
  ]) {
    assert.deepEqual([answer.status, answer.body['code']], [503, 'unavailable'])
    assert.ok(Number(answer.retryAfter) >= 1)
  }
  assert.equal((await api.ask('GET', '/v1/payments')).status, 200)
  assert.match(api.printed(), /"databaseClock":"[^"]+","ownClock":"[^"]+"/)
  await using healthy = await start('api', 0)
  assert.equal((await healthy.pay('behind')).status, 201)
})

test('after a failover to a clock that is behind, payments continue, and waiting work becomes due', async () => {
  await using api = await start('api', 0)
  await using worker = await start('worker', 0)
  const { body } = await api.pay('before the failover')
  assert.equal(
    (await api.ask('POST', '/v1/wallets', { currency: 'EUR', walletType: 'RESERVE', label: 'Aside' })).status,
    201,
  )
  await sql`
    insert into reconciliation (connection, look, through, due_at)
    values ('a1-gone', 'recent', clock_timestamp(), clock_timestamp() + interval '1 hour')`
  await shiftDatabaseClock(database, -3 * dayMs)
  assert.equal(
    (await api.ask('POST', '/v1/wallets', { currency: 'EUR', walletType: 'RESERVE', label: 'Aside' })).status,
    201,
  )
  await eventually(
    () => `the waiting work is due: ${worker.printed()}`,
    async () => {
      const rows = await sql`
        select from reconciliation where connection = 'a1-gone' and due_at <= clock_timestamp()`
      return rows.length === 1
    },
  )
  assert.equal(await statusOf(body['id']), 'WAITING_PAYMENT')
  assert.match(api.printed(), /the books are ahead of the clock/)
})
