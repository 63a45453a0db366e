import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { openCore, type Core } from '#/app/core.ts'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId, type MerchantId, type WithdrawalId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { provider, walletAvailable } from '#/ledger/chart.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { payoutKind } from '#/settlement/payout.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { move, posting } from '../../test/books.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { withdrawalCommand } from './withdrawal.ts'

const keys = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
}
const key = (name: keyof typeof keys) => Buffer.from(keys[name], 'hex')
const folder = mkdtempSync(join(tmpdir(), 'vintem-withdrawal-'))

let database: TestDatabase
/** The server, running beside the commands. */
let core: Core
let connection: ConnectionId
let merchantId: MerchantId

before(async () => {
  database = await testDatabase()
  const [masterKey, workerKey] = [key('VINTEM_MASTER_KEY'), key('VINTEM_WORKER_KEY')]
  core = await openCore({
    config: config(),
    databaseUrl: database.appUrl,
    masterKey,
    auditKey: key('VINTEM_AUDIT_KEY'),
    workerKey,
    log: silentLog,
  })
  const { sql, clock } = core
  connection = await addConnection(
    { sql, cell: 'a1', keys: connectionKeys(masterKey, workerKey) },
    {
      mode: 'SANDBOX',
      method: 'PIX_PAYOUT',
      provider: 'efi',
      settings: {},
      secrets: {},
    },
  )
  await core.connections.refresh()
  const deps = {
    sql,
    clock,
    sealKey: deriveKey(Buffer.from('ab'.repeat(32), 'hex'), 'webhook secrets'),
    openWallets: openStartingWallets,
  }
  merchantId = (await createMerchant(deps, { mode: 'SANDBOX', name: 'Ana' })).merchant.id
  const [wallet] = await selectDefaultWallets(sql, [{ merchantId, currency: 'BRL' }])
  const available = walletAvailable('SANDBOX', must(wallet, 'a wallet').id, 'BRL')
  await core.lane.submit(move, { postings: [posting(provider('SANDBOX', 'a1-x', 'BRL'), available, 1_000n)] })
})
after(async () => {
  await core.close()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function config() {
  return readConfig({
    ...keys,
    DATABASE_URL: database.appUrl,
    VINTEM_DATA_DIR: folder,
    VINTEM_LOG_LEVEL: 'silent',
  })
}

async function run(...args: readonly string[]) {
  const printed = { out: '', err: '', logged: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const log = pino({}, { write: (line: string) => (printed.logged += line) })
  const open = async () => {
    const sql = connect(database.appUrl, { max: 1 })
    return {
      sql,
      clock: systemClock,
      sealKey: deriveKey(Buffer.from('ab'.repeat(32), 'hex'), 'webhook secrets'),
      pepper: Buffer.alloc(32),
      cell: 'a1',
      openWallets: openStartingWallets,
      close: () => sql.end(),
    }
  }
  const code = await withdrawalCommand(args, terminal, { config, open }, log)
  return { code, ...printed }
}

async function withdraw(): Promise<WithdrawalId> {
  const id = newId<'withdrawal'>()
  const request = {
    type: 'PIX',
    amount: 100,
    currency: 'BRL',
    pixKey: 'a@b.co',
    pixKeyType: 'EMAIL',
  } as const
  const destination = { text: 'a@b.co', fields: { pixKey: 'a@b.co' } }
  const routing = { ok: true, connection, currency: 'BRL', destination } as const
  const requestedBy = newId<'api-key'>()
  await core.lane.submit(withdrawalKind(), { merchantId, mode: 'SANDBOX', id, request, requestedBy, routing })
  return id
}

const begin = (id: WithdrawalId) => core.lane.submit(core.decisionKind, { id, event: 'sending' })
const shown = async (id: string) =>
  JSON.parse((await run('show', id, '--json')).out) as Readonly<Record<string, unknown>>

test('a person records how one ended, with a reason that is kept and logged; once, and only for one under way', async () => {
  for (const [end, status] of [
    ['sent', 'COMPLETED'],
    ['refused', 'FAILED'],
  ] as const) {
    const id = await withdraw()
    const early = await run('resolve', id, end, '--reason', 'x')
    assert.deepEqual([early.code, /The withdrawal is PENDING/.test(early.err)], [2, true])
    await begin(id)
    const silent = await run('resolve', id, end)
    assert.deepEqual([silent.code, /--reason is missing/.test(silent.err)], [2, true])
    const { code, out, logged } = await run('resolve', id, end, '--reason', 'The bank wrote so')
    assert.deepEqual([code, out.includes(status)], [0, true])
    assert.match(logged, /The bank wrote so/)
    const record = await shown(id)
    assert.equal(record['status'], status)
    assert.match(String(record['note']), /^The bank wrote so \(.+\)$/)
    const again = await run('resolve', id, end, '--reason', 'x')
    assert.deepEqual([again.code, again.err.includes(status)], [2, true])
    const [due] = await core.sql`select 1 from withdrawal_due where withdrawal_id = ${id}`
    assert.equal(due, undefined, 'it is not due any more')
  }
  assert.equal((await run('resolve', newId(), 'sent', '--reason', 'x')).code, 2)
  assert.equal((await run('resolve', newId(), 'perhaps', '--reason', 'x')).code, 2)
})

test('withdrawals that wait for a review are listed separately', async () => {
  const id = await withdraw()
  await begin(id)
  assert.match((await run('review')).out, /No withdrawal waits/)
  assert.match((await run('list')).out, new RegExp(id))
  await core.lane.submit(payoutKind(core.payoutRails), { id, news: { state: 'silent' } })
  const { out } = await run('review')
  assert.match(out, new RegExp(`${id}.*PROCESSING, review.*1\\.00 BRL`))
  assert.equal((await shown(id))['reviewRequired'], true)
  await run('resolve', id, 'sent', '--reason', 'Seen on the account')
  assert.equal((await shown(id))['reviewRequired'], undefined)
  assert.doesNotMatch((await run('list')).out, new RegExp(id))
  assert.match((await run('list', '--all')).out, new RegExp(id))
})

test('limits are set one by one and removed again', async () => {
  const limit = async (...args: readonly string[]) => {
    const { code, out, err } = await run('limit', merchantId, ...args, '--json')
    return code === 0 ? (JSON.parse(out) as unknown) : err
  }
  assert.deepEqual(await limit(), [])
  const first = { type: 'PIX', currency: 'BRL', each: 1000, listedOnly: false }
  assert.deepEqual(await limit('--type', 'pix', '--each', '10.00'), [first])
  assert.deepEqual(
    await limit('--type', 'PIX', '--day', '50', '--approval-above', '0', '--listed-only', 'on'),
    [{ ...first, day: 5000, approvalAbove: 0, listedOnly: true }],
  )
  assert.deepEqual(await limit('--type', 'PIX', '--each', 'none', '--listed-only', 'off'), [
    { type: 'PIX', currency: 'BRL', day: 5000, approvalAbove: 0, listedOnly: false },
  ])
  for (const [args, fault] of [
    [['--each', '10'], /--type is missing/],
    [['--type', 'PIX', '--each', '0'], /--each is no amount/],
    [['--type', 'PIX', '--day', '1.005'], /--day is no amount/],
    [['--type', 'PIX', '--listed-only', 'yes'], /--listed-only is "yes"/],
  ] as const)
    assert.match(String(await limit(...args)), fault)
  assert.match((await run('limit', merchantId)).out, /50\.00/)
})

test('the list of destinations holds normal forms', async () => {
  const change = async (verb: string, ...args: readonly string[]) => {
    const { code, out, err } = await run('destination', verb, merchantId, ...args, '--json')
    return code === 0 ? (JSON.parse(out) as readonly { readonly destination: string }[]) : err
  }
  const refusal = async (verb: string, ...args: readonly string[]) => {
    const answer = await change(verb, ...args)
    return typeof answer === 'string' ? answer : 'it was not refused'
  }
  const pix = ['--type', 'PIX', '--key-type'] as const
  await change('add', 'Ana@Example.com', ...pix, 'EMAIL', '--note', 'Ana')
  await change('add', '111.444.777-35', ...pix, 'CPF')
  await change('add', '0x8ba1f109551bd432803012645ac136ddd64dba72', '--type', 'CRYPTO')
  assert.deepEqual(
    (await run('destination', 'list', merchantId, '--json').then(({ out }) => JSON.parse(out) as Row[])).map(
      ({ destination, note }) => [destination, note],
    ),
    [
      ['0x8ba1f109551bD432803012645Ac136ddd64DBA72', null],
      ['11144477735', null],
      ['ana@example.com', 'Ana'],
    ],
  )
  assert.match(await refusal('add', '11144477734', ...pix, 'CPF'), /is no CPF/)
  assert.match(await refusal('add', 'x', '--type', 'PIX'), /needs the type of the PIX key/)
  const mistyped = '0x8ba1f109551bD432803012645Ac136ddd64DBa72'
  assert.match(await refusal('add', mistyped, '--type', 'CRYPTO'), /is mistyped/)
  assert.match(await refusal('add', `0x${'0'.repeat(40)}`, '--type', 'CRYPTO'), /has no owner/)
  assert.equal((await change('remove', ' ANA@example.com', ...pix, 'EMAIL')).length, 2)
  assert.match(await refusal('remove', 'ana@example.com', ...pix, 'EMAIL'), /is not on the list/)
})

type Row = Readonly<Record<string, unknown>>
