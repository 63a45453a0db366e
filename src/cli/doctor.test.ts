// The going-live checklist, checked: what a good installation shows, and the one line that each fault changes.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { bytesOf } from '#/evm/address.ts'
import { newId } from '#/kernel/id.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { connectionSeal, addConnection } from '#/merchants/connections.ts'
import { foreignIdentity } from '../../simulators/pix-bank/certificates.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { testDatabase } from '../../test/postgres.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { certificatesFinding, connectionFindings } from './doctor-connections.ts'
import { connectionsFinding, databaseFindings, serverFindings } from './doctor-database.ts'
import type { Finding } from './doctor-finding.ts'
import { selectServer, type ServerRow } from './doctor-queries.ts'
import { settingsFindings } from './doctor-settings.ts'
import { doctorCommand } from './doctor.ts'
import { publishAtStart } from './worker-key.ts'

const database = openForTests(testDatabase)

const treasury = `0x${'1'.repeat(40)}`

/** Everything set as live money needs it. */
const good = {
  VINTEM_DATA_DIR: tmpdir(),
  VINTEM_SANDBOX: 'off',
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'cd'.repeat(32),
  VINTEM_AUDIT_KEY: 'ef'.repeat(32),
  VINTEM_API_URL: 'https://api.example.com',
  VINTEM_CHECKOUT_URL: 'https://pay.example.com',
  VINTEM_PARTNER_CHECKOUT_URL: 'https://wallet.example.com',
  VINTEM_CALLBACK_URL: 'https://callbacks.example.com',
  VINTEM_DASHBOARD_URL: 'https://dashboard.example.com',
  VINTEM_TRUSTED_PROXIES: '10.1.0.0/24',
  VINTEM_SMTP_URL: 'smtp://user:password@mail.example.com:587',
  VINTEM_MAIL_FROM: 'Shop <no-reply@example.com>',
}

/** The ids of the lines that are not ok, with their status. */
const faulty = (findings: readonly Finding[]) =>
  findings.filter(({ status }) => status !== 'ok').map(({ id, status }) => `${id} ${status}`)

test('good settings are all ok, and each fault changes its own line', () => {
  assert.deepEqual(faulty(settingsFindings(readConfig(good))), [])
  const cases: readonly (readonly [env: Readonly<Record<string, string>>, lines: readonly string[]])[] = [
    [{ VINTEM_SANDBOX: 'on' }, ['sandbox failed']],
    [{ VINTEM_MASTER_KEY: '' }, ['key.master failed']],
    [{ VINTEM_AUDIT_KEY: '' }, ['key.audit failed']],
    [{ VINTEM_WORKER_KEY: '' }, ['key.worker warning']],
    [{ VINTEM_WORKER_KEY: 'AB'.repeat(32) }, ['key.apart failed']],
    [{ VINTEM_API_URL: 'http://api.example.com' }, ['url.api failed']],
    [{ VINTEM_CHECKOUT_URL: 'https://127.0.0.1:4001' }, ['url.checkout failed']],
    [{ VINTEM_CALLBACK_URL: 'https://[::1]:4003' }, ['url.callback failed']],
    [{ VINTEM_PARTNER_CHECKOUT_URL: 'https://localhost' }, ['url.partner failed']],
    [{ VINTEM_DASHBOARD_URL: 'https://203.0.113.7' }, ['dashboard.name warning']],
    [{ VINTEM_TRUSTED_PROXIES: '' }, ['proxies warning']],
    [{ VINTEM_TRUSTED_PROXIES: '10.0.0.1,::/0' }, ['proxies failed']],
    [{ VINTEM_DRAIN_SECONDS: '1' }, ['drain warning']],
    [{ VINTEM_SMTP_URL: '' }, ['mail warning']],
    [{ VINTEM_MAIL_FROM: 'Vintem <no-reply@localhost>' }, ['mail failed']],
    [{ VINTEM_LOG_LEVEL: 'silent' }, ['log warning']],
    [{ VINTEM_BSC_RPC_URL: 'https://node.example.com' }, ['bsc failed']],
    [{ VINTEM_BSC_RPC_URL: 'https://node.example.com', VINTEM_BSC_TREASURY: treasury }, ['bsc warning']],
  ]
  for (const [env, lines] of cases)
    assert.deepEqual(faulty(settingsFindings(readConfig({ ...good, ...env }))), lines, JSON.stringify(env))
})

test('the server is judged by what it says: each bad setting changes its own line', async () => {
  const sql = connect(database.appUrl, { max: 1 })
  const read = await selectServer(sql)
  await sql.end({ timeout: 1 })
  assert.ok(read !== undefined)
  const fine: ServerRow = {
    ...read,
    version: 180_001,
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    standbys: 'ANY 1 (*)',
    autovacuum: 'on',
    archiveMode: 'on',
    slotKeepMegabytes: 10_000,
  }
  assert.deepEqual(faulty(serverFindings(fine)), [])
  const cases: readonly (readonly [row: Partial<ServerRow>, lines: readonly string[]])[] = [
    [{ version: 140_009 }, ['database.version failed']],
    [{ version: 150_019 }, ['database.version warning']],
    [{ isStandby: true }, ['database.primary failed']],
    [{ isReadOnly: true }, ['database.primary failed']],
    [{ fsync: 'off' }, ['database.fsync failed']],
    [{ fullPageWrites: 'off' }, ['database.full_page_writes failed']],
    [{ synchronousCommit: 'off' }, ['database.synchronous_commit failed']],
    [{ synchronousCommit: 'local' }, ['database.synchronous_commit failed']],
    [{ standbys: '' }, ['database.standby warning']],
    [{ isSuperuser: true }, ['database.role failed']],
    [{ ownsTables: true }, ['database.role failed']],
    [{ isLocal: false, isEncrypted: false }, ['database.tls warning']],
    [{ autovacuum: 'off' }, ['database.autovacuum failed']],
    [{ archiveMode: 'off' }, ['backup.archive warning']],
    [{ archiveFailedAt: new Date() }, ['backup.archive failed']],
    [{ slotKeepMegabytes: -1 }, ['database.slots warning']],
    [{ idleSlots: ['standby_2'] }, ['database.slots failed']],
  ]
  for (const [row, lines] of cases)
    assert.deepEqual(faulty(serverFindings({ ...fine, ...row })), lines, JSON.stringify(row))
  const room = { ...fine, connectionsMax: 100, connectionsReserved: 3 }
  assert.equal(connectionsFinding(room, { processes: 5, workers: 2, cells: 1, pool: 10 }).status, 'ok')
  const over = connectionsFinding(room, { processes: 4, workers: 1, cells: 2, pool: 10 })
  assert.equal(over.status, 'failed')
  assert.match(
    over.what,
    /2 cells × \(4 processes × \(VINTEM_DB_POOL 10 \+ 4\) \+ 1 workers × 6\) = 124 of 87/,
  )
})

test('a database that says nothing is one failed line', async () => {
  await using proxy = await startTcpProxy(database.appUrl)
  proxy.greet('by closing')
  const findings = await databaseFindings(proxy.url, { processes: 4, workers: 1, cells: 1, pool: 10 })
  assert.deepEqual(faulty(findings), ['database failed'])
})

test('a wallet of the settings that is the deposit address of a payment is a failed line, and others are ok', async () => {
  const extent = { processes: 1, workers: 1, cells: 1, pool: 10 }
  const deposit = `0x${'d1'.repeat(20)}`
  const owner = connect(database.ownerUrl, { max: 1 })
  try {
    await owner`
      insert into chain (key, chain_id, factory, token, treasury)
      values ('doctor', 56, ${bytesOf(`0x${'f'.repeat(40)}`)}, ${bytesOf(`0x${'e'.repeat(40)}`)},
              ${bytesOf(`0x${'1'.repeat(40)}`)})`
    await owner`
      insert into deposit_address (chain, address, merchant_id, payment_id, attempt_id, asked, created_at)
      values ('doctor', ${bytesOf(`0x${'d1'.repeat(20)}`)}, ${newId()}, ${newId()}, ${newId()}, 1, now())`
  } finally {
    await owner.end()
  }
  const bsc = {
    VINTEM_BSC_RPC_URL: 'https://node.example.com',
    VINTEM_BSC_TREASURY: treasury,
    VINTEM_BSC_HOT_WALLET: `0x${'2'.repeat(40)}`,
    VINTEM_BSC_GAS_WALLET: `0x${'3'.repeat(40)}`,
  }
  const lines = async (env: Readonly<Record<string, string>>) =>
    (await databaseFindings(database.appUrl, extent, readConfig({ ...good, ...bsc, ...env }))).flatMap(
      ({ id, status, what }) => (id === 'bsc.wallets' ? [[status, what]] : []),
    )
  assert.equal((await lines({}))[0]?.[0], 'ok')
  for (const name of ['VINTEM_BSC_TREASURY', 'VINTEM_BSC_HOT_WALLET', 'VINTEM_BSC_GAS_WALLET']) {
    const [found] = await lines({ [name]: deposit })
    assert.equal(found?.[0], 'failed', name)
    assert.match(found?.[1] ?? '', new RegExp(`^${name} is the deposit address of a payment`))
  }
  // What is no address at all has its own line.
  assert.deepEqual(await lines({ VINTEM_BSC_TREASURY: '0x12' }), [])
})

test('a certificate is judged by the day on which it ends, and so is the one of a chain that ends first', () => {
  const pem = foreignIdentity().certificate
  const end = new X509Certificate(pem).validToDate.getTime()
  const dayMs = 86_400_000
  const at = (days: number) => certificatesFinding('c', 'pix', [pem], new Date(end - days * dayMs)).status
  assert.deepEqual([at(40), at(10), at(-1)], ['ok', 'warning', 'failed'])
  assert.equal(certificatesFinding('c', 'pix', [pem], new Date(0)).status, 'failed')
})

async function run(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const stdout = { write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const config = () => readConfig({ ...good, DATABASE_URL: database.appUrl, ...env })
  const deps = { config, open: () => assert.fail('it opens what it needs itself') }
  const code = await doctorCommand(args, createTerminal({ stdout, stderr }, {}), deps)
  return { code, ...printed }
}

test('each LIVE connection has lines of its own: whether it opens, is complete, can refund, and where its provider calls', async () => {
  await using own = await testDatabase()
  const sql = connect(own.appUrl, { max: 2 })
  const config = readConfig({ ...good, DATABASE_URL: own.appUrl })
  const masterKey = Buffer.from(good.VINTEM_MASTER_KEY, 'hex')
  await publishAtStart(sql, config, { masterKey, workerKey: Buffer.from(good.VINTEM_WORKER_KEY, 'hex') })
  const keys = await connectionSeal(sql, masterKey, 'LIVE')
  const pem = foreignIdentity().certificate
  const parts = { settings: { ca: pem }, secrets: { certificate: pem } }
  const id = await addConnection(
    { sql, cell: 'a1', keys },
    { mode: 'LIVE', method: 'PIX', provider: 'bank', ...parts },
  )
  await sql.end({ timeout: 1 })
  const findings = await connectionFindings(config, own.appUrl, false)
  assert.deepEqual(faulty(findings), [
    'callbacks failed',
    `connection.${id}.opens failed`,
    `connection.${id}.refunds warning`,
  ])
  const found = (name: string) => findings.find((each) => each.id === `connection.${id}.${name}`)
  assert.equal(found('certificates')?.status, 'ok')
  assert.ok(found('callback')?.what.includes(`https://callbacks.example.com/callbacks/pix/${id}`))
  assert.match(found('opens')?.remedy ?? '', /docs\/rails\/pix\.md/)

  const otherKeys = { VINTEM_MASTER_KEY: '77'.repeat(32), VINTEM_WORKER_KEY: '88'.repeat(32) }
  const other = readConfig({ ...good, ...otherKeys, DATABASE_URL: own.appUrl })
  const unopened = await connectionFindings(other, own.appUrl, false)
  assert.deepEqual(faulty(unopened), [
    'key.worker.published failed',
    'callbacks failed',
    `connection.${id}.opens failed`,
  ])
})

test('the command prints each line with its id and what to do, or JSON, and its exit code says whether one failed', async () => {
  const { code, out } = await run({ VINTEM_API_URL: 'http://api.example.com' }, '--json')
  assert.equal(code, 1)
  const findings = JSON.parse(out) as readonly Finding[]
  const ids = findings.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, 'an id is there once')
  for (const id of [
    'sandbox',
    'clock',
    'database.fsync',
    'database.migrations',
    'database.pooler',
    'connections',
  ])
    assert.ok(ids.includes(id), id)
  for (const { status, remedy } of findings) assert.equal(remedy === undefined, status === 'ok')
  // The tests' own server does not wait for the disk.
  assert.ok(faulty(findings).includes('database.fsync failed'))
  assert.ok(faulty(findings).includes('url.api failed'))
  assert.ok(faulty(findings).includes('connections warning'))
  assert.ok(!faulty(findings).some((line) => line.startsWith('database.role')), 'the application is no owner')
  const people = await run({})
  assert.match(people.out, /database\.fsync {2}fsync is off: [^\n]*\n {4}Set fsync = on\./)
  assert.match(people.err, /checks failed\. Correct what failed/)
  assert.equal((await run({}, '--cells', 'many')).code, 2)
})
