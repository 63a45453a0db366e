// A database that lost its newest changes: what the fence outside of it refuses, and the repair step by step.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openCore, type Core } from '#/app/core.ts'
import { verify } from '#/audit/verify.ts'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { countRound } from '#/insights/count.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { issueApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { isFrozenNow } from '#/merchants/queries.ts'
import { beginRepair } from '#/restored/begin.ts'
import { createWalletKind } from '#/wallets/create.ts'
import { firstSequenceSince } from '#/webhooks/queries.ts'
import { asUser } from '../../test/as-user.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { startWorkerProcess, type WorkerProcess } from '../../test/worker-process.ts'
import { unfreezeCommand } from './freeze.ts'
import { confirmHead, keepHead } from './kept-head.ts'
import { restoredCommand } from './restored.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'vintem-restored-'))
const keys = { master: 'a1'.repeat(32), worker: 'b1'.repeat(32), audit: 'c1'.repeat(32) }
const auditKey = Buffer.from(keys.audit, 'hex')
const cores: Core[] = []
const databases: TestDatabase[] = []
const workers: WorkerProcess[] = []
const keepers: (() => Promise<void>)[] = []
let whole: TestDatabase
let past: TestDatabase
let busy: MerchantId
let quiet: MerchantId
let anchor: { readonly number: bigint; readonly hash: Buffer }

after(async () => {
  for (const each of workers) each.kill()
  await Promise.all(keepers.map((end) => end()))
  await Promise.all(cores.map((core) => core.close()))
  for (const each of databases) await each[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

const settingsOf = ({ appUrl }: TestDatabase) => ({
  DATABASE_URL: appUrl,
  VINTEM_SANDBOX: 'off',
  VINTEM_DATA_DIR: dataDir,
  VINTEM_LOG_LEVEL: 'silent',
  VINTEM_MASTER_KEY: keys.master,
  VINTEM_WORKER_KEY: keys.worker,
  VINTEM_AUDIT_KEY: keys.audit,
})

async function coreAt(database: TestDatabase): Promise<Core> {
  const core = await openCore({
    config: readConfig(settingsOf(database)),
    databaseUrl: database.appUrl,
    masterKey: Buffer.from(keys.master, 'hex'),
    auditKey,
    log: silentLog,
  })
  cores.push(core)
  return core
}

async function closed(core: Core): Promise<void> {
  cores.splice(cores.indexOf(core), 1)
  await core.close()
}

/** Each makes an event. */
async function makeWallets({ lane }: Core, merchantId: MerchantId, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1)
    await lane.submit(createWalletKind(), {
      merchantId,
      mode: 'SANDBOX',
      id: newId<'wallet'>(),
      request: { currency: 'BRL', walletType: 'SPENDABLE', label: `drawer ${nth}` },
    })
}

async function kept(core: Core, folder = dataDir): Promise<void> {
  const stopped: string[] = []
  const end = keepHead(core, { ...core.config, dataDir: folder }, (why) => stopped.push(why))
  await end()
  assert.deepEqual(stopped, [])
}

function worker(settings: Readonly<Record<string, string>>): WorkerProcess {
  const started = startWorkerProcess(settings)
  workers.push(started)
  return started
}

const booksOf = ({ sql, lane }: Core) => ({ sql, fence: lane.fence })

/** One person begins, and another one does the rest. */
async function run(database: TestDatabase, ...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const stdout = { write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const deps = {
    config: () => readConfig(settingsOf(database)),
    open: () => assert.fail('no office is needed'),
  }
  const terminal = createTerminal({ stdout, stderr }, { LANG: 'C' })
  const person = args[0] === 'begin' ? 'ana' : 'bia'
  const code = await asUser(person, () => restoredCommand(args, terminal, deps, silentLog))
  return { code, ...printed }
}

async function done(database: TestDatabase, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(database, ...args)
  assert.equal(code, 0, err)
  return out
}

async function faults({ appUrl }: TestDatabase): Promise<readonly string[]> {
  const sql = connect(appUrl, { max: 2 })
  try {
    return (await verify(sql, { cell: 'a1', auditKey })).faults.map(({ row, what }) => `${row} ${what}`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

before(async () => {
  whole = await testDatabase()
  databases.push(whole)
  const first = await coreAt(whole)
  const sealKey = deriveKey(Buffer.from(keys.master, 'hex'), 'webhook secrets')
  const deps = { sql: first.sql, clock: first.clock, sealKey, openWallets: async () => {} }
  busy = (await createMerchant(deps, { mode: 'SANDBOX', name: 'busy' })).merchant.id
  quiet = (await createMerchant(deps, { mode: 'SANDBOX', name: 'quiet' })).merchant.id
  const pepper = deriveKey(Buffer.from(keys.master, 'hex'), 'api keys')
  await first.sql.begin((tx) =>
    issueApiKey({ sql: tx, clock: first.clock, pepper, cell: 'a1' }, { merchantId: busy, name: 'shop' }),
  )
  await makeWallets(first, busy, 2)
  await closed(first)

  // The backup; then two more events, which it lacks.
  past = await testDatabase(whole)
  databases.push(past)
  const second = await coreAt(whole)
  await makeWallets(second, busy, 1)
  await makeWallets(second, quiet, 1)
  await kept(second)
  const [head] = await second.sql<{ batch: bigint; hash: Buffer }[]>`select batch, hash from head`
  assert.ok(head !== undefined)
  anchor = { number: head.batch, hash: head.hash }
  await closed(second)
})

test('the same books pass; a database that lost what is known outside of it is refused, in one line', async () => {
  const same = await coreAt(whole)
  await confirmHead(booksOf(same), same.config)
  await closed(same)
  const { code, err } = await run(whole, 'begin', '--reason', 'by mistake')
  assert.deepEqual([code, /does not know that the database lost anything/.test(err)], [2, true])

  const { code: ended, printed } = await worker(settingsOf(past)).ended
  assert.equal(ended, 1)
  assert.match(
    printed,
    /^The database ends with batch \d+, and batch \d+ is known here: [^\n]*\.\/vintem restored[^\n]*\n$/,
  )
})

test('what is kept is whole: a changed file is refused, and no older end replaces a newer one', async () => {
  await using copy = await testDatabase(past)
  const core = await coreAt(copy)
  const folder = path.join(dataDir, 'own')
  const config = { ...core.config, dataDir: folder }
  await kept(core, folder)
  const [name = '', ...more] = readdirSync(path.join(folder, 'heads'))
  assert.deepEqual(more, [])
  const file = path.join(folder, 'heads', name)
  const text = readFileSync(file, 'utf8')
  await confirmHead({ sql: core.sql }, config)
  const newer = text.replace(/"batch":"\d+"/, '"batch":"9000"')
  writeFileSync(file, newer)
  await kept(core, folder)
  assert.equal(readFileSync(file, 'utf8'), newer)
  await assert.rejects(confirmHead({ sql: core.sql }, config), /and batch 9000 is known here/)
  writeFileSync(file, text.slice(0, -9))
  await assert.rejects(confirmHead({ sql: core.sql }, config), /is not as it was written/)
  await closed(core)
})

test('a process whose database falls back stops, and its lane writes nothing meanwhile', async () => {
  await using copy = await testDatabase(past)
  const core = await coreAt(copy)
  const stop = Promise.withResolvers<string>()
  core.lane.fence.note({ epoch: 0, batch: anchor.number, hash: anchor.hash })
  const end = keepHead(core, { ...core.config, dataDir: path.join(dataDir, 'other') }, stop.resolve)
  keepers.push(end)
  await assert.rejects(makeWallets(core, busy, 1), /behind what this process knows/)
  assert.match(await stop.promise, /ends with batch \d+, and batch \d+ is known/)
  const [row] = await core.sql<{ count: bigint }[]>`select count(*) from event where merchant_id = ${busy}`
  assert.equal(row?.count, 2n)
  await end()
  await closed(core)
})

test('a process that works when the repair begins ends at once, and says why', async () => {
  await using copy = await testDatabase(past)
  const { isSaid, ended } = worker({
    ...settingsOf(copy),
    VINTEM_DATA_DIR: path.join(dataDir, 'elsewhere'),
    VINTEM_LOG_LEVEL: 'info',
  })
  await isSaid('"running"')
  await done(copy, 'begin', '--reason', 'disk lost')
  const { code, printed } = await ended
  assert.equal(code, 1)
  assert.match(printed, /"level":"fatal"[^\n]*The database was restored, [^\n]*\.\/vintem restored/)
})

test('a copy that continued separately is another branch', async () => {
  await using copy = await testDatabase(past)
  const core = await coreAt(copy)
  await makeWallets(core, busy, 5)
  await assert.rejects(confirmHead(booksOf(core), core.config), /has another batch \d+ than the one/)
  await closed(core)
})

test('a repair that is cut off in the middle of many merchants is continued: each jumps once and is told once', async () => {
  await using copy = await testDatabase(past)
  const core = await coreAt(copy)
  const sealKey = deriveKey(Buffer.from(keys.master, 'hex'), 'webhook secrets')
  const deps = { sql: core.sql, clock: core.clock, sealKey, openWallets: async () => {} }
  for (let nth = 0; nth < 230; nth += 1) await createMerchant(deps, { mode: 'SANDBOX', name: `shop ${nth}` })
  const by = { actor: { kind: 'OPERATOR', id: 'test' } } as const
  const opening = { by, name: 'test', reason: 'disk lost', eventJump: 1_000n }
  let pages = 0
  for (const endsAfter of [1, 2, 3]) {
    const cut = (): void => {
      pages += 1
      if (pages === endsAfter) throw new Error('cut off')
    }
    await assert.rejects(beginRepair(core, opening, cut), /cut off/)
  }
  assert.equal((await beginRepair(core, opening)).kind, 'running')
  const [row] = await core.sql<Record<string, bigint>[]>`
    select (select count(*) from merchant) as merchants, (select count(*) from event_gap) as gaps,
           (select count(distinct merchant_id) from event where type = 'service.restored') as notified,
           (select count(*) from event where type = 'service.restored') as events,
           (select count(*) from event_counter where sequence between 1001 and 1004) as counters`
  assert.deepEqual(row, { merchants: 232n, gaps: 232n, notified: 232n, events: 232n, counters: 232n })
  await closed(core)
  assert.deepEqual(await faults(copy), [])
})

test('the repair: an epoch, jumped numbers, a message to each merchant, and what a person must look through', async () => {
  const out = await done(past, 'begin', '--reason', 'disk lost', '--jump', '1000')
  assert.match(out, /^Epoch 1: restored up to batch \d+ of .* What came later is lost\.\n/)
  assert.match(out, /Next: \.\/vintem restored list keys\n$/)

  const core = await coreAt(past)
  const { sql } = core
  const events = await sql<{ merchantId: string; sequence: bigint; type: string; body: string }[]>`
    select merchant_id as "merchantId", sequence, type, body from event order by sequence`
  assert.deepEqual(
    events.filter(({ merchantId }) => merchantId === busy).map(({ sequence, type }) => [sequence, type]),
    [
      [1n, 'wallet.created'],
      [2n, 'wallet.created'],
      [1_003n, 'service.restored'],
    ],
  )
  const [notice] = events.filter(({ merchantId }) => merchantId === quiet)
  const { data, sequence } = JSON.parse(notice?.body ?? '{}') as Record<
    string,
    Readonly<Record<string, unknown>>
  >
  assert.deepEqual([sequence, data?.['lastSequence'], data?.['firstSequence']], [1_001, 0, 1_001])
  assert.ok(String(data?.['lostFrom']) < String(data?.['lostTo']))
  assert.deepEqual(await faults(past), [])
  assert.equal(await isFrozenNow(sql, { merchantId: quiet, rail: 'PIX' }), true)
  await assert.rejects(confirmHead(booksOf(core), core.config), /first steps of its repair are not done/)

  // Again: nothing more happens.
  await done(past, 'begin', '--reason', 'disk lost', '--jump', '1000')
  const [count] = await sql<{ events: bigint; epochs: bigint }[]>`
    select (select count(*) from event) as events, (select count(*) from epoch) as epochs`
  assert.deepEqual([count?.events, count?.epochs], [4n, 1n])

  // An anchor of the lost span is explained; a fault it stays, because later batches did exist.
  const cut = await verify(sql, { cell: 'a1', auditKey, anchor, only: ['anchor'] })
  assert.match(cut.faults.map(({ what }) => what).join(), /may have been lost by the restore of epoch 1/)
  await closed(core)
})

test('no process starts before what came back to life was looked through, and no money leaves before all was', async () => {
  const core = await coreAt(past)
  assert.match(await done(past, 'list', 'keys'), new RegExp(`${busy} .*shop`))
  const keys = JSON.parse(await done(past, 'list', 'keys', '--json')) as unknown[]
  assert.deepEqual([keys.length, await done(past, 'list', 'roles', '--json')], [1, '[]\n'])
  assert.match(await done(past, 'show', '--json'), /^\{"epoch":"?1/)
  const early = await run(past, 'open', '--reason', 'all is well')
  assert.deepEqual([early.code, /The step before is not done: keys/.test(early.err)], [1, true])
  const wrong = await run(past, 'confirm', 'keys', '--seen', '7', '--note', 'log')
  assert.deepEqual([wrong.code, /There are 1 of these, not 7/.test(wrong.err)], [1, true])
  await done(past, 'confirm', 'keys', '--seen', '1', '--note', 'decision log of the day')
  for (const subject of ['roles', 'limits', 'destinations']) {
    await assert.rejects(confirmHead(booksOf(core), core.config), /first steps/)
    await done(past, 'confirm', subject, '--seen', '0', '--note', 'none')
  }
  await confirmHead(booksOf(core), core.config)
  await makeWallets(core, busy, 1)

  // What reads events by their numbers passes over those that no event has.
  const events = await core.sql<{ sequence: bigint; at: Date }[]>`
    select sequence, at from event where merchant_id = ${busy} order by sequence`
  for (const { at } of events) {
    const first = await firstSequenceSince(core.sql, busy, at)
    const next = events.filter(({ sequence }) => sequence >= first)
    assert.deepEqual(
      next,
      events.filter((event) => event.at >= at),
    )
  }
  // Each round counts two events at most: number by number it would take hundreds.
  let rounds = 1
  while (await countRound({ sql: core.sql, limits: { events: 2, notes: 10 } })) rounds += 1
  assert.ok(rounds < 10, `${rounds} rounds`)
  const [mark] = await core.sql<{ sequence: bigint }[]>`
    select sequence from insight_watermark where merchant_id = ${busy}`
  assert.equal(mark?.sequence, 1_004n)

  // A freeze is lifted by its own command; this one is not.
  const deps = { config: () => readConfig(settingsOf(past)), open: () => assert.fail('no office is needed') }
  const silent = createTerminal({ stdout: { write: () => true }, stderr: { write: () => true } }, {})
  assert.equal(await unfreezeCommand(['all', '--reason', 'hurry'], silent, deps, silentLog), 2)
  assert.equal(await isFrozenNow(core.sql, { merchantId: busy, rail: 'PIX' }), true)
  const unread = await run(past, 'confirm', 'money-out', '--note', 'compared by hand')
  assert.deepEqual([unread.code, /Nothing was compared with the providers/.test(unread.err)], [1, true])
  assert.match(await done(past, 'money-out'), /No connection sends money/)
  await done(past, 'confirm', 'money-out', '--note', 'compared with the list of the bank')
  await done(past, 'confirm', 'money-in', '--note', 'suspense is empty')
  const out = await done(past, 'open', '--reason', 'all is compared')
  assert.doesNotMatch(out, /Next:/)
  assert.equal(await isFrozenNow(core.sql, { merchantId: busy, rail: 'PIX' }), false)
  assert.deepEqual(await faults(past), [])
  const actions = await core.sql<{ action: string }[]>`select action from audit_log order by id`
  assert.deepEqual(
    actions.map(({ action }) => action).filter((action) => /^(?:books|restore)\./.test(action)),
    [
      'books.restore',
      ...Array.from({ length: 4 }, () => 'restore.confirm'),
      'restore.compare',
      ...Array.from({ length: 2 }, () => 'restore.confirm'),
      'restore.open',
    ],
  )
  await kept(core)
  await closed(core)
})

test('the old primary is refused by every process that has seen the restored one', async () => {
  const core = await coreAt(whole)
  await assert.rejects(
    confirmHead(booksOf(core), core.config),
    /is of epoch 0, before the last restore: epoch 1 is known here/,
  )
  await closed(core)
})

test('verify names an epoch, a gap or a head that was changed afterwards', async () => {
  const changes = [
    ['update epoch set event_jump = 999', 'epoch', /not as its entry of the audit log says/],
    [`update epoch set last_hash = sha256('x')`, 'epoch', /names another hash than that of batch/],
    [
      `update epoch set at = at + interval '1 second'`,
      'epoch',
      /another instant than batch \d+, which began it/,
    ],
    ['update event_gap set first_number = first_number + 1', 'event_gap', /not as long as its epoch says/],
    ['delete from event_gap', 'event_gap', /event 1003 of merchant .* follows number 2/],
    ['update head set epoch = 0', 'head', /says epoch 0, and there are 1/],
  ] as const
  for (const [statement, table, expected] of changes) {
    await using copy = await testDatabase(past)
    const tampering = connect(copy.ownerUrl, { max: 1 })
    await tampering.unsafe(
      `alter table ${table} disable trigger user; ${statement}; alter table ${table} enable trigger user`,
    )
    await tampering.end({ timeout: 1 })
    assert.match((await faults(copy)).join('\n'), expected, statement)
  }
})
