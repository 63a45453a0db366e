// `cell`, and what other commands ask the directory: who is where, and what one cell alone may use.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { readConfig } from '#/config.ts'
import { connect, type Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { ensureHead } from '#/ledger/head.ts'
import type { OpenConnection } from '#/merchants/connections.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { claimConnections, claimWallets } from './cell-claims.ts'
import { findCommand } from './commands.ts'

type CellCode = 'a1' | 'a2'

let folder: string
const cells = new Map<CellCode, TestDatabase>()

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vintem-cell-'))
  for (const code of ['a1', 'a2'] as const) {
    const database = await testDatabase()
    cells.set(code, database)
    const sql = connect(database.appUrl, { max: 1 })
    await ensureHead(sql, code, systemClock)
    await sql.end()
  }
  const owner = connect(urlsOf('a1').ownerUrl, { max: 1 })
  await owner`create schema directory`
  await owner.end()
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const database of cells.values()) await database[Symbol.asyncDispose]()
})

function urlsOf(code: CellCode): TestDatabase {
  return cells.get(code) ?? assert.fail(code)
}

function settingsOf(code: CellCode, more: Readonly<Record<string, string>> = {}) {
  const directory = new URL(urlsOf('a1').ownerUrl)
  directory.searchParams.set('search_path', 'directory,public,pg_catalog')
  return {
    DATABASE_URL: urlsOf(code).appUrl,
    VINTEM_CELL: code,
    VINTEM_DIRECTORY_URL: directory.href,
    VINTEM_DATA_DIR: join(folder, code),
    VINTEM_MASTER_KEY: '01'.repeat(32),
    VINTEM_AUDIT_KEY: '02'.repeat(32),
    VINTEM_WORKER_KEY: '03'.repeat(32),
    ...more,
  }
}

async function run(env: Readonly<Record<string, string>>, name: string, ...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const code = await findCommand(name)(args, { terminal, config: () => readConfig(env) })
  return { code, ...printed }
}

const cell = (...args: readonly string[]) => run(settingsOf('a1'), 'cell', ...args)

test('cells are added, changed and listed; what is wrong is refused, and changes nothing', async () => {
  const added = await cell(
    'add',
    'a1',
    '--server',
    '10.0.0.1:4000,10.0.0.2:4000',
    '--callback-host',
    'pix-a1.example.com',
  )
  assert.equal(added.code, 0, added.err)
  assert.match(added.out, /a1 \(default\) +ACTIVE/)
  assert.equal((await cell('add', 'a2', '--server', '10.0.0.3:4000')).code, 0)
  for (const [args, said] of [
    [['add', 'A3', '--server', '10.0.0.4:4000'], /two lower-case letters or digits/],
    [['add', 'a3'], /--server is missing/],
    [['add', 'a3', '--server', '10.0.0.4'], /"10.0.0.4" is no server/],
    [
      ['add', 'a3', '--server', '10.0.0.4:4000', '--books', 'postgres://me:secret@db/v'],
      /without a password/,
    ],
    [['change', 'a2'], /nothing to change/],
  ] as const) {
    const { code, err } = await cell(...args)
    assert.equal(code, 2, err)
    assert.match(err, said)
  }
  for (const [args, said] of [
    [['add', 'a2', '--server', '10.0.0.4:4000'], /cell a2 already/],
    [['change', 'a2', '--server', '10.0.0.1:4000'], /server of another cell/],
    [['drain', 'zz'], /no cell zz/],
  ] as const) {
    const { code, err } = await cell(...args)
    assert.equal(code, 1, err)
    assert.match(err, said)
  }
  const listed = JSON.parse((await cell('list', '--json')).out) as {
    code: string
    servers: string[]
    isDefault: boolean
  }[]
  assert.deepEqual(
    listed.map(({ code, servers, isDefault }) => [code, servers, isDefault]),
    [
      ['a1', ['10.0.0.1:4000', '10.0.0.2:4000'], true],
      ['a2', ['10.0.0.3:4000'], false],
    ],
  )
})

test('the files of an HAProxy that does not run are whole, and follow each change', async () => {
  const proxy = join(folder, 'proxy')
  mkdirSync(proxy)
  const env = settingsOf('a1', { VINTEM_PROXY_DIR: proxy })
  const written = await run(env, 'cell', 'proxy', '--once')
  assert.equal(written.code, 0, written.err)
  assert.match(written.out, /No HAProxy runs here/)
  const text = () => readFileSync(join(proxy, 'haproxy.cfg'), 'utf8')
  const mapsOf = () => /maps-[0-9a-f]{16}/.exec(text())?.[0] ?? assert.fail(text())
  const map = (name: string) => readFileSync(join(proxy, mapsOf(), `${name}.map`), 'utf8')
  assert.equal(map('keys'), 'vtm_live_a1 a1\nvtm_test_a1 a1\nvtm_live_a2 a2\nvtm_test_a2 a2\n')
  assert.equal(map('pages'), '/c/a1 a1\n/l/a1 a1\n/c/a2 a2\n/l/a2 a2\n')
  assert.equal(map('connections'), 'a1- a1\na2- a2\n')
  assert.equal(map('callbacks'), 'pix-a1.example.com a1\n')
  const before = mapsOf()
  const changed = await run(env, 'cell', 'change', 'a2', '--server', '10.0.0.9:4000', '--default')
  assert.equal(changed.code, 0, changed.err)
  assert.notEqual(mapsOf(), before)
  assert.match(text(), /server s1 10\.0\.0\.9:4001 track api_a2\/s1/)
  assert.deepEqual(
    readdirSync(proxy).filter((name) => name.endsWith('.draft')),
    [],
  )
  // No port of a simulator: these begin ten after the API's.
  assert.deepEqual(
    [...text().matchAll(/10\.0\.0\.9:(\d+)/g)]
      .map(([, port]) => Number(port))
      .toSorted((one, other) => one - other),
    [4000, 4001, 4002, 4003, 4003, 4004],
  )
  const secure = await run({ ...env, VINTEM_API_URL: 'https://api.example.com' }, 'cell', 'proxy', '--once')
  assert.deepEqual([secure.code, /VINTEM_PROXY_CERT is not set/.test(secure.err)], [1, true])
})

test('without a directory nothing asks for one, and cells cannot be listed', async () => {
  const env = settingsOf('a1', { VINTEM_DIRECTORY_URL: '' })
  assert.equal((await run(env, 'merchant', 'create', 'Ana', '--json')).code, 0)
  const { code, err } = await run(env, 'cell', 'list')
  assert.deepEqual([code, /VINTEM_DIRECTORY_URL is not set/.test(err)], [1, true])
  const named = await run(env, 'merchant', 'create', 'Ana', '--cell', 'a1')
  assert.deepEqual([named.code, /--cell needs VINTEM_DIRECTORY_URL/.test(named.err)], [2, true])
})

test('a merchant whose creation was cut off in the cell is gone on with, and its secret is shown', async () => {
  const sql = connect(settingsOf('a1').VINTEM_DIRECTORY_URL, { max: 1 })
  const make = async () => {
    const { code, out, err } = await run(
      settingsOf('a2'),
      'merchant',
      'create',
      'Caio',
      '--cell',
      'a2',
      '--json',
    )
    assert.equal(code, 0, err)
    return JSON.parse(out) as { id: string; webhookSecret: string }
  }
  try {
    const first = await make()
    // As if the command had been killed before its last step.
    await sql`update placed_merchant set state = 'PENDING', active_at = null where id = ${first.id}`
    const again = await make()
    assert.deepEqual(again, { ...first })
    const [row] = await sql<
      { state: string; cell: string }[]
    >`select state, cell from placed_merchant where id = ${first.id}`
    assert.deepEqual(row, { state: 'ACTIVE', cell: 'a2' })
    const { id } = await make()
    assert.notEqual(id, first.id, 'one that is complete is not gone on with')
  } finally {
    await sql.end()
  }
  const elsewhere = await run(settingsOf('a1'), 'merchant', 'create', 'Caio', '--cell', 'a2')
  assert.deepEqual([elsewhere.code, /these are the settings of cell a1/.test(elsewhere.err)], [2, true])
})

test('a live account at a provider is of one cell; another key of another account is not', async () => {
  const file = (apiKey: string) => {
    const path = join(folder, 'connection.json')
    writeFileSync(
      path,
      JSON.stringify({ provider: 'binance', settings: {}, secrets: { apiKey, apiSecret: 'b'.repeat(64) } }),
    )
    return path
  }
  // The worker's key is published in each cell by its first worker.
  for (const code of ['a1', 'a2'] as const)
    assert.equal((await run(settingsOf(code), 'connection', 'publish-key')).code, 0)
  const add = (code: CellCode, apiKey: string, mode = 'live') =>
    run(
      settingsOf(code),
      'connection',
      'add',
      'partner-pay',
      '--shared',
      '--mode',
      mode,
      '--file',
      file(apiKey),
    )
  const first = await add('a1', 'a'.repeat(64))
  assert.equal(first.code, 0, first.err)
  const refused = await add('a2', 'a'.repeat(64))
  assert.equal(refused.code, 1)
  assert.match(refused.err, /The account at binance \(binance-key\) belongs to cell a1/)
  assert.ok(!refused.err.includes('a'.repeat(64)))
  const listed = await run(settingsOf('a2'), 'connection', 'list', '--json')
  assert.deepEqual(JSON.parse(listed.out), [])
  assert.equal((await add('a2', 'c'.repeat(64))).code, 0)
  // Sandboxes have accounts at simulators of their own.
  assert.equal((await add('a2', 'a'.repeat(64), 'sandbox')).code, 0)
  const [{ id } = { id: '' }] = JSON.parse(
    (await run(settingsOf('a2'), 'connection', 'list', '--json')).out,
  ) as { id: string; mode: string }[]
  assert.ok(id.startsWith('a2-'))
})

function closing(server: Server): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('another key of an account that another cell has is refused, where the key may ask whose it is', async () => {
  const accounts = new Map([
    ['sk_live_one', 'acct_padaria'],
    ['rk_live_other', 'acct_padaria'],
    ['sk_live_own', 'acct_livraria'],
  ])
  // The simulator gives test keys alone, and the connections of a live account need live ones.
  const provider = createServer(({ headers }, response) => {
    const id = accounts.get(headers.authorization?.replace('Bearer ', '') ?? '')
    response.writeHead(id === undefined ? 403 : 200, { 'content-type': 'application/json' })
    const error = { type: 'invalid_request_error', message: 'The provided key may not read its account.' }
    response.end(JSON.stringify(id === undefined ? { error } : { id, object: 'account', capabilities: {} }))
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  await using _ = closing(provider)
  const { port } = provider.address() as AddressInfo
  const add = (code: CellCode, secretKey: string, refundKey: string) => {
    const path = join(folder, 'card.json')
    const settings = {
      apiUrl: `http://127.0.0.1:${port}`,
      publishableKey: `pk_live_${code}`,
      currencies: ['EUR'],
    }
    const keys = { secrets: { secretKey }, refundSecrets: { secretKey: refundKey } }
    writeFileSync(path, JSON.stringify({ provider: 'stripe', settings, ...keys }))
    return run(
      settingsOf(code),
      'connection',
      'add',
      'credit-card',
      '--shared',
      '--mode',
      'live',
      '--file',
      path,
    )
  }
  const first = await add('a1', 'sk_live_one', 'rk_live_one')
  assert.equal(first.code, 0, first.err)
  for (const [secretKey, refundKey] of [
    ['rk_live_other', 'rk_live_more'],
    ['sk_live_own', 'rk_live_other'],
  ] as const) {
    const refused = await add('a2', secretKey, refundKey)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /The account at stripe \(stripe\) belongs to cell a1/)
  }
  const own = await add('a2', 'sk_live_own', 'rk_live_own')
  assert.equal(own.code, 0, own.err)
})

/** What a worker of the cell does at its start, with these connections. */
async function startOf(
  code: CellCode,
  {
    held = [],
    log = pino({ level: 'silent' }),
    settings = {},
  }: {
    readonly held?: readonly OpenConnection[]
    readonly log?: Log
    readonly settings?: Readonly<Record<string, string>>
  },
): Promise<void> {
  const all = (method: string) => held.filter((each) => each.method === method)
  const connections = { of: () => [], find: () => undefined, all, refresh: async () => {}, close: () => {} }
  await using sql = closingSql(connect(urlsOf(code).appUrl, { max: 1 }))
  await claimConnections({ ...sql, config: readConfig(settingsOf(code, settings)), connections, log })
}

function closingSql(sql: Sql) {
  return { sql, [Symbol.asyncDispose]: () => sql.end() }
}

test('a cell of a directory makes nothing live without it; with it, or without a directory, it does', async () => {
  const withoutUrl = { VINTEM_DIRECTORY_URL: '' }
  const path = join(folder, 'without.json')
  const secrets = { apiKey: '9'.repeat(64), apiSecret: 'b'.repeat(64) }
  writeFileSync(path, JSON.stringify({ provider: 'binance', settings: {}, secrets }))
  const create = (mode: string) =>
    run(settingsOf('a2', withoutUrl), 'merchant', 'create', 'Rui', '--mode', mode)
  const add = () =>
    run(
      settingsOf('a2', withoutUrl),
      ...(['connection', 'add', 'partner-pay', '--shared', '--mode', 'live', '--file', path] as const),
    )
  await startOf('a2', {})
  const before = await run(settingsOf('a2'), 'connection', 'list', '--json')
  for (const refused of [await create('live'), await add()]) {
    assert.equal(refused.code, 1)
    assert.match(refused.err, /one of several.*VINTEM_DIRECTORY_URL/)
  }
  assert.equal((await run(settingsOf('a2'), 'connection', 'list', '--json')).out, before.out)
  assert.equal((await create('sandbox')).code, 0)
  // A worker that has no directory any more ends this.
  await startOf('a2', { settings: withoutUrl })
  const added = await add()
  assert.equal(added.code, 0, added.err)
  await startOf('a2', {})
})

test('accounts that came without the directory are claimed by the next start; what another cell has is logged', async () => {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) })
  const own = { id: 'a2-1', method: 'PARTNER_PAY', mode: 'LIVE', provider: 'binance', settings: {} } as const
  const of = (apiKey: string) => ({ ...own, id: own.id as ConnectionId, secrets: { apiKey } })
  const start = (code: CellCode, ...held: readonly ReturnType<typeof of>[]) => startOf(code, { held, log })
  await start('a2', of('e'.repeat(64)))
  assert.deepEqual(logged, [])
  // The start goes on although a2 has the first account, and a1 claims the second one.
  await start('a1', of('e'.repeat(64)), of('f'.repeat(64)))
  assert.equal(logged.length, 1)
  assert.match(logged.join(), /belongs to cell a2.*is not this cell’s alone/)
  await start('a2', of('f'.repeat(64)))
  assert.match(logged.at(-1) ?? '', /belongs to cell a1/)
})

test('a treasury or wallet of two cells ends the start of the second; a directory that is away ends none', async () => {
  const address = `0x${'A1'.repeat(20)}`
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) })
  const claim = (code: CellCode, more: Readonly<Record<string, string>>) =>
    claimWallets(readConfig(settingsOf(code, more)), log)
  await claim('a1', { VINTEM_BSC_TREASURY: address })
  await claim('a1', { VINTEM_BSC_TREASURY: address })
  await assert.rejects(
    claim('a2', { VINTEM_BSC_HOT_WALLET: address.toLowerCase() }),
    /VINTEM_BSC_HOT_WALLET 0x(?:a1)+ belongs to cell a1/,
  )
  await claim('a2', { VINTEM_BSC_TREASURY: `0x${'A2'.repeat(20)}` })
  assert.deepEqual(logged, [])
  await claim('a2', {
    VINTEM_BSC_TREASURY: address,
    VINTEM_DIRECTORY_URL: 'postgres://nobody@127.0.0.1:1/none',
  })
  assert.match(logged.join(), /the directory of cells is away/)
})
