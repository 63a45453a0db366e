// A bank's corrected statement with another closing balance, by commands alone: one person requests it, another one approves, and the
// account goes on from there.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openCore, type Core } from '#/app/core.ts'
import { readConfig } from '#/config.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { drainOnce } from '#/settlement/inbox.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { statementFile, type Transfer } from '../../test/rails/sepa-files.ts'
import { account, callbackKey, iban } from '../../test/sepa-world.ts'
import { findCommand } from './commands.ts'

const keys = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
}
const [masterKey, workerKey, auditKey] = Object.values(keys).map((each) => Buffer.from(each, 'hex')) as [
  Buffer,
  Buffer,
  Buffer,
]
const folder = mkdtempSync(join(tmpdir(), 'vintem-correct-'))

let database: TestDatabase
/** The server, running beside the commands. */
let core: Core
let connection: ConnectionId
before(async () => {
  database = await testDatabase()
  const databaseUrl = database.appUrl
  core = await openCore({ config: config(), databaseUrl, masterKey, auditKey, workerKey, log: silentLog })
  const bank = {
    mode: 'SANDBOX',
    method: 'SEPA_TRANSFER',
    provider: 'camt',
    settings: account,
    secrets: { callbackKey },
  } as const
  const sealing = connectionKeys(masterKey, workerKey)
  connection = await addConnection({ sql: core.sql, cell: 'a1', keys: sealing }, bank)
  await core.connections.refresh()
})
after(async () => {
  await core.close()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function config() {
  const env = { ...keys, DATABASE_URL: database.appUrl, VINTEM_DATA_DIR: folder, VINTEM_LOG_LEVEL: 'silent' }
  return readConfig(env)
}

async function run(name: string, ...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const code = await findCommand(name)(args, { terminal, config })
  await drainOnce({ ...core, kind: core.settleKind })
  return { code, ...printed }
}

async function done(name: string, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(name, ...args)
  assert.equal(code, 0, `${name} ${args.join(' ')}: ${out}${err}`)
  return out
}

function fileOf(id: string, day: string, opening: number, ...transfers: readonly Transfer[]) {
  const path = join(folder, `${id}.xml`)
  const bytes = statementFile({
    iban,
    id,
    opening,
    day,
    transfers: transfers.map((each) => ({ day, ...each })),
  })
  writeFileSync(path, bytes)
  return { path, digest: createHash('sha256').update(bytes).digest('hex') }
}

async function clean(): Promise<void> {
  await done('verify')
  assert.match(await done('balances'), /agrees/)
}

test('a corrected statement is requested, approved by another person, and the next statement follows on it', async () => {
  const [first, second] = ['2026-01-05', '2026-01-06']
  const rent = { ref: 'R1', minor: 700, text: 'rent' }
  await done('statement', 'import', fileOf('C1', first, 0, rent).path)
  await clean()
  const wrong = fileOf('C1', first, 0, { ...rent, minor: 650 }, { ref: 'R2', minor: 90, text: 'rent' })
  const refused = await run('statement', 'import', wrong.path)
  assert.notEqual(refused.code, 0)
  assert.match(refused.err, /in this file it closes with 7\.40 EUR instead of 7\.00 EUR/)
  const order = ['correct', connection, wrong.digest, '--reason', 'the bank wrote so'] as const
  const asked = await done('statement', ...order)
  assert.match(asked, /Taken back: R1 of 7\.00 EUR/)
  assert.match(asked, /New: R1~[\d-]+ of 6\.50 EUR.*\nNew: R2 of 0\.90 EUR/)
  assert.match(asked, /Balance: C1 closes with 7\.40 EUR instead of 7\.00 EUR/)
  const id = /suspense approve ([0-9a-f-]{36})/.exec(asked)?.[1] ?? assert.fail(asked)
  assert.notEqual((await run('suspense', 'approve', id)).code, 0, 'nobody approves their own')
  await core.sql`update operator_proposal set by_id = 'bea@office', by_name = 'bea@office' where id = ${id}`
  // The next statement came in the meantime, and follows on the earlier one.
  await done('statement', 'import', fileOf('C2', second, 700, { ref: 'R3', minor: 5, text: 'rent' }).path)
  const late = await run('suspense', 'approve', id)
  assert.notEqual(late.code, 0)
  assert.match(late.err, /C2 was imported after it and opens with 7\.00 EUR: ask the bank for one file/)
  await clean()
  await done('suspense', 'refuse', id, '--reason', 'the next one came')
})

test('without a later statement the correction is carried out, and the account goes on from its closing balance', async () => {
  const [third, fourth] = ['2026-01-07', '2026-01-08']
  const rent = { ref: 'S1', minor: 700, text: 'rent' }
  await done('statement', 'import', fileOf('C3', third, 705, rent).path)
  const corrected = fileOf('C3', third, 705, { ...rent, minor: 650 })
  await run('statement', 'import', corrected.path)
  const asked = await done(
    'statement',
    'correct',
    connection,
    corrected.digest,
    '--reason',
    'the bank wrote so',
  )
  const id = /suspense approve ([0-9a-f-]{36})/.exec(asked)?.[1] ?? assert.fail(asked)
  await core.sql`update operator_proposal set by_id = 'bea@office', by_name = 'bea@office' where id = ${id}`
  await done('suspense', 'approve', id)
  await clean()
  const before = fileOf('C4', fourth, 1405, { ref: 'S2', minor: 5, text: 'rent' })
  assert.notEqual((await run('statement', 'import', before.path)).code, 0)
  await done('statement', 'import', fileOf('C4', fourth, 1355, { ref: 'S2', minor: 5, text: 'rent' }).path)
  await clean()
  const wrong = statementFile({ iban, id: 'C4', opening: 1355, closing: 1400, day: fourth, transfers: [] })
  writeFileSync(join(folder, 'wrong.xml'), wrong)
  assert.match((await run('statement', 'import', join(folder, 'wrong.xml'))).err, /does not add up/)
  const digest = createHash('sha256').update(wrong).digest('hex')
  const none = await run('statement', 'correct', connection, digest, '--reason', 'x')
  assert.match(none.err, /no such refused file/)
})
