// Every command that lists or shows prints JSON with --json, and nothing else on standard output. The commands are those that --help names.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { ensureHead } from '#/ledger/head.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { commandNames, findCommand } from './commands.ts'

let database: TestDatabase
let folder: string
let merchantId: string

before(async () => {
  database = await testDatabase()
  folder = mkdtempSync(join(tmpdir(), 'vintem-json-'))
  const sql = connect(database.appUrl, { max: 1 })
  await ensureHead(sql, 'a1', systemClock)
  await sql.end()
  const owner = connect(database.ownerUrl, { max: 1 })
  await owner`create schema directory`
  await owner.end()
  const made = JSON.parse((await run('merchant', 'create', 'Padaria Ana', '--json')).out) as { id: string }
  merchantId = made.id
  await run('key', 'create', merchantId)
  await run('freeze', 'all', '--reason', 'a list with a row')
  await run('withdrawal', 'limit', merchantId, '--type', 'PIX', '--currency', 'BRL', '--each', '10.00')
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database[Symbol.asyncDispose]()
})

function directoryUrl(): string {
  const url = new URL(database.ownerUrl)
  url.searchParams.set('search_path', 'directory,public,pg_catalog')
  return url.href
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
  const config = () =>
    readConfig({
      DATABASE_URL: database.appUrl,
      // Everything but the cells themselves works without it.
      ...(name === 'cell' ? { VINTEM_DIRECTORY_URL: directoryUrl() } : {}),
      VINTEM_DATA_DIR: folder,
      VINTEM_MASTER_KEY: '01'.repeat(32),
      VINTEM_AUDIT_KEY: '02'.repeat(32),
      VINTEM_WORKER_KEY: '03'.repeat(32),
    })
  const code = await findCommand(name)(args, { terminal, config })
  return { code, ...printed }
}

/** Commands that list or show, with the rest of their arguments. A function: what is known only after `before`. */
const listing: Readonly<Record<string, () => readonly string[]>> = {
  config: () => [],
  balances: () => [],
  verify: () => [],
  'merchant list': () => [],
  'sandbox list': () => [],
  'cell list': () => [],
  'merchant show': () => [merchantId],
  'merchant fee': () => [merchantId],
  'key list': () => [merchantId],
  'wallet list': () => [merchantId],
  'user list': () => [],
  'connection list': () => [],
  'chain list': () => [],
  'backup list': () => [],
  'inbox list': () => [],
  'suspense list': () => [],
  'suspense waiting': () => [],
  'suspense sent': () => [],
  'statement list': () => [],
  'payment-file list': () => [],
  'statement proposals': () => [],
  'statement recalls': () => [],
  'statement foreign': () => [],
  'statement held': () => [],
  'template list': () => ['--merchant', merchantId],
  'template show': () => ['default', '--merchant', merchantId],
  'template revisions': () => ['default', '--merchant', merchantId],
  'refund list': () => [],
  'withdrawal list': () => [],
  'withdrawal review': () => [],
  'withdrawal limit': () => [merchantId],
  'withdrawal destination': () => ['list', merchantId],
  'freeze list': () => [],
  'payer places': () => [],
  'coins wallets': () => [],
  help: () => [],
}

/** What needs a refund, a withdrawal, a chain or a restore: these journeys and tests call it with --json. */
const elsewhere = new Set([
  'refund show',
  'withdrawal show',
  'rescue list',
  'restored show',
  'restored list',
  'restored lost',
])

for (const [name, args] of Object.entries(listing)) {
  test(`${name} --json prints one JSON value`, async () => {
    const { code, out, err } = await run(...(name.split(' ') as [string, ...string[]]), ...args(), '--json')
    assert.equal(code, 0, err)
    const value: unknown = JSON.parse(out)
    assert.ok(typeof value === 'object' && value !== null)
    if (name.endsWith(' list')) assert.ok(Array.isArray(value), 'a list is an array')
  })
}

test('no command that lists or shows is missing here', async () => {
  const known = new Set([...Object.keys(listing), ...elsewhere])
  const groups = commandNames.filter(
    (name) => !['start', 'api', 'worker', 'watcher', 'migrate', 'demo', 'reset', 'help'].includes(name),
  )
  let found = 0
  for (const name of groups) {
    const { out } = await run(name, '--help')
    const lines = [...out.matchAll(/^ {2}([a-z][a-z-]*)(?: <[^>]+>)* {2,}((?:Lists|Shows) .*)$/gm)]
    found += lines.length
    for (const [, word = ''] of lines) assert.ok(known.has(`${name} ${word}`), `${name} ${word} is not here`)
  }
  assert.ok(found > 12, `${found} found`)
})
