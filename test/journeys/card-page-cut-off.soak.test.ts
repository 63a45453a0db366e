// The acquirer creates the session of a card payment, but its answer is lost. The payer comes back ten minutes later, by every clock. Our
// second call then asks for a session with another expiry, so the acquirer refuses the idempotency key, and we look the session up.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { minuteMs, secondMs, sleep, systemClock } from '#/kernel/time.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { closer, type Json } from '../../simulators/kit/harness.ts'
import { shiftDatabaseClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { freePorts } from '../ports.ts'
import { testDatabase, type TestDatabase } from '../postgres.ts'
import { startTestAcquirer, type TestAcquirer } from '../rails/acquirer/acquirer.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
const shifted = new URL('../shifted-clock.ts', import.meta.url).href
const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-cut-off-'))
const masterKey = Buffer.from('ab'.repeat(32), 'hex')
const workerKey = Buffer.from('ef'.repeat(32), 'hex')
const children: ChildProcess[] = []

let acquirer: TestAcquirer
let database: TestDatabase
let sql: Sql
let apikey: string
let accountId: string
let port: number

before(async () => {
  acquirer = await startTestAcquirer()
  database = await testDatabase()
  port = await freePorts([0, 1, 2, 3, 4])
  sql = connect(database.ownerUrl, { max: 2 })
  const deps = { sql, clock: systemClock, sealKey: deriveKey(masterKey, 'webhook secrets') }
  const { merchant } = await createMerchant(
    { ...deps, openWallets: openStartingWallets },
    { mode: 'SANDBOX', name: 'Ana' },
  )
  const pepper = deriveKey(masterKey, 'api keys')
  const issued = await issueApiKey({ ...deps, pepper, cell: 'a1' }, { merchantId: merchant.id, name: 'shop' })
  apikey = issued.key
  accountId = await connectAcquirer()
})
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
  await acquirer.stop()
})

/** Returns our account there. */
async function connectAcquirer(): Promise<string> {
  const { apiUrl } = acquirer
  const made = (await acquirer.control('accounts', { name: 'Loja' })) as Readonly<Record<string, string>>
  const { secretKey, refundKey, publishableKey, webhookSecret } = made
  const account = must(made['accountId'], 'it has an id')
  const settings = {
    apiUrl,
    scriptUrl: `${apiUrl}/endive/stripe.js`,
    origins: [apiUrl],
    publishableKey,
    currencies: ['EUR'],
  }
  const id = await addConnection(
    { sql, cell: 'a1', keys: connectionKeys(masterKey, workerKey) },
    {
      mode: 'SANDBOX',
      method: 'CREDIT_CARD',
      provider: 'stripe',
      settings,
      secrets: { secretKey, webhookSecrets: [webhookSecret] },
      refundSecrets: { secretKey: refundKey },
    },
  )
  await acquirer.control(`accounts/${account}/webhook`, {
    url: `http://127.0.0.1:${port}/callbacks/credit-card/${id}`,
  })
  return account
}

async function start(role: 'api' | 'worker', shiftMs: number) {
  const child = spawn(process.execPath, ['--import', shifted, main, role], {
    env: {
      VINTEM_MASTER_KEY: masterKey.toString('hex'),
      VINTEM_AUDIT_KEY: 'cd'.repeat(32),
      VINTEM_WORKER_KEY: workerKey.toString('hex'),
      VINTEM_DATA_DIR: dataDir,
      VINTEM_CELL: 'a1',
      VINTEM_SANDBOX: 'off',
      VINTEM_DRAIN_SECONDS: '0',
      VINTEM_LOG_LEVEL: 'info',
      DATABASE_URL: database.appUrl,
      PORT: String(role === 'api' ? port : await freePorts([0, 1, 2, 3, 4])),
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
  return {
    printed: () => printed,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function ask(method: string, route: string, body?: Json) {
  const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
    method,
    headers: { apikey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Json }
}

/** Waits until the payer's page has this state, and returns it. */
function pageOf(url: string, what: () => string, isSo: (state: Json) => boolean): Promise<Json> {
  return eventually(what, async () => {
    // The server limits how often a page may be requested.
    await sleep(secondMs)
    const answer = await fetch(`${url}/state`)
    assert.equal(answer.status, 200)
    const state = (await answer.json()) as Json
    return isSo(state) && state
  })
}

test('a payment whose page was cut off after the acquirer’s commit is paid by card when its payer comes back 10 minutes later', async () => {
  const first = await start('api', 0)
  // So short that the session outlives it: the session's end is counted from our request.
  const { status, body } = await ask('POST', '/v1/payments', {
    amount: 1990,
    currency: 'EUR',
    paymentMethods: ['CREDIT_CARD'],
    expiresIn: 1800,
    idempotencyKey: 'cut off',
  })
  assert.equal(status, 201, JSON.stringify(body))
  const page = String(body['cardRedirectUrl'])
  await acquirer.control('faults', { mode: 'reset_after_commit' })
  await pageOf(
    page,
    () => `the page says that the acquirer does not answer: ${first.printed()}`,
    ({ problem }) => problem !== undefined,
  )
  await first.stop()
  await acquirer.control('faults', { mode: 'none' })

  const laterMs = 10 * minuteMs
  await shiftDatabaseClock(database, laterMs)
  await acquirer.control('clock', closer(accountId, laterMs / 1_000))
  const later = await start('api', laterMs)
  await start('worker', laterMs)
  await pageOf(
    page,
    () => `the page has the form: ${later.printed()}`,
    ({ panel }) => (panel as Json | undefined)?.['method'] === 'CREDIT_CARD',
  )
  const sessions = (await acquirer.state())['sessions'] ?? []
  assert.deepEqual(
    sessions.map(({ metadata }) => (metadata as Json)['payment_id']),
    [body['id']],
  )
  await acquirer.control('pay', { session: sessions[0]?.['id'], card: 'success' })
  await eventually('it is paid', async () => {
    const { body: now } = await ask('GET', `/v1/payments/${String(body['id'])}`)
    return now['status'] === 'PAID' && now['amountReceived'] === 1990
  })
})
