// The command `connection` for a wallet provider: its file, its probes, and where its callbacks go.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { startTestWallet, type TestWallet } from '../../test/rails/partner-pay/wallet.ts'
import { connectionCommand } from './connection.ts'

const folder = mkdtempSync(join(tmpdir(), 'vintem-connection-partner-'))
let database: TestDatabase
let wallet: TestWallet
before(async () => {
  ;[database, wallet] = await Promise.all([testDatabase(), startTestWallet()])
  assert.equal((await run('publish-key')).code, 0)
})
after(async () => {
  await Promise.all([database[Symbol.asyncDispose](), wallet.stop()])
  rmSync(folder, { recursive: true, force: true })
})

const env = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
  VINTEM_API_URL: 'https://pay.example.com',
  VINTEM_LOG_LEVEL: 'silent',
  VINTEM_DATA_DIR: folder,
}

async function run(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const sql = connect(database.appUrl, { max: 1 })
  const open = async () => ({
    sql,
    clock: systemClock,
    sealKey: Buffer.alloc(32, 1),
    pepper: Buffer.alloc(32, 2),
    cell: 'a1',
    openWallets: openStartingWallets,
    close: () => sql.end(),
  })
  const code = await connectionCommand(args, terminal, { config: () => readConfig(env), open })
  await sql.end()
  return { code, ...printed }
}

let written = 0
async function add(content: unknown) {
  const file = join(folder, `connection-${(written += 1)}.json`)
  writeFileSync(file, JSON.stringify(content))
  return run('add', 'partner-pay', '--shared', '--mode', 'SANDBOX', '--file', file, '--json')
}

test('a wallet provider is added, works, and shows where its callbacks are to be entered', async () => {
  const added = await add({ provider: 'binance', ...(await wallet.merchant()) })
  assert.deepEqual([added.code, added.err], [0, ''])
  const shown = JSON.parse(added.out) as {
    readonly id: string
    readonly method: string
    readonly canRefund: boolean
  }
  assert.deepEqual([shown.method, shown.canRefund], ['PARTNER_PAY', true])
  const tested = await run('test', shown.id)
  assert.deepEqual([tested.code, tested.err], [0, ''], tested.out)
  assert.match(tested.out, /look for an order: works/)
  assert.match(tested.out, /keys that sign them: works, 2 keys/)
  assert.match(tested.out, /look for a refund: works/)
  const registered = await run('register', shown.id)
  assert.ok(
    registered.out.includes(`https://pay.example.com/callbacks/partner-pay/${shown.id}`),
    registered.out,
  )
  assert.match((await run('list')).out, /PARTNER_PAY +binance +SANDBOX +active +yes/)
})

test('keys that the provider refuses are reported, without repeating them', async () => {
  const { settings } = await wallet.merchant()
  const secrets = { apiKey: 'nobodyskey0123', apiSecret: 'nobodyssecret0123' }
  const { id } = JSON.parse((await add({ provider: 'binance', settings, secrets })).out) as {
    readonly id: string
  }
  const tested = await run('test', id)
  assert.equal(tested.code, 1)
  assert.match(tested.out, /400004/)
  assert.match(tested.out, /no refundSecrets: nothing can be given back/)
  assert.match(tested.err, /docs\/rails\/partner-pay\.md/)
  assert.ok(!(tested.out + tested.err).includes('nobodys'))
})

test('all faults of the file are reported with their place', async () => {
  const { code, err } = await add({
    provider: 'binance',
    settings: { apiUrl: 'http://pay.example.com', pixKey: 'k' },
    secrets: { apiKey: 'key0123456789', apiSecret: 'secret0123456789' },
  })
  assert.equal(code, 2)
  assert.match(err, /\/settings\/pixKey: There is no such field/)
  const other = await add({
    provider: 'binance',
    settings: { apiUrl: 'http://pay.example.com' },
    secrets: { apiKey: 'key0123456789' },
    refundSecrets: { apiKey: 'key0123456789' },
  })
  for (const place of ['/settings/apiUrl', '/secrets/apiSecret', '/refundSecrets/apiSecret'])
    assert.ok(other.err.includes(`${place}:`), other.err)
  assert.match((await add({ provider: 'bacen', settings: {}, secrets: {} })).err, /This is one of binance/)
})
