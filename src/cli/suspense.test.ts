import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { openCore, type Core } from '#/app/core.ts'
import { verify } from '#/audit/verify.ts'
import { readConfig } from '#/config.ts'
import { newId, type ConnectionId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { deriveKey, sha256 } from '#/kernel/secret.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable } from '#/ledger/kind.ts'
import { disputeHeld } from '#/ledger/recipes.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { suspenseCommand } from './suspense.ts'

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
const folder = mkdtempSync(join(tmpdir(), 'vintem-suspense-'))

let database: TestDatabase
/** The server, running beside the commands. */
let core: Core
let connection: ConnectionId
before(async () => {
  database = await testDatabase()
  core = await openCore({
    config: config(),
    databaseUrl: database.appUrl,
    masterKey,
    auditKey,
    workerKey,
    log: silentLog,
  })
  const sandbox = { mode: 'SANDBOX', method: 'PIX', provider: 'bacen', settings: {}, secrets: {} } as const
  connection = await addConnection(
    { sql: core.sql, cell: 'a1', keys: connectionKeys(masterKey, workerKey) },
    sandbox,
  )
  await core.connections.refresh()
})
after(async () => {
  await core.close()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function config(more: Readonly<Record<string, string>> = {}) {
  const env = { ...keys, DATABASE_URL: database.appUrl, VINTEM_DATA_DIR: folder, VINTEM_LOG_LEVEL: 'silent' }
  return readConfig({ ...env, ...more })
}

async function run(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const printed = { out: '', err: '', logged: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const log = pino({}, { write: (line: string) => (printed.logged += line) })
  const deps = {
    config: () => config(more),
    open: () => Promise.reject(new Error('suspense opens its own database')),
  }
  const code = await suspenseCommand(args, terminal, deps, log)
  return { code, ...printed }
}

type Shown = { readonly id: string; readonly providerRef: string; readonly reportedSince: readonly string[] }

async function listed(...args: readonly string[]): Promise<readonly Shown[]> {
  const { code, out, err } = await run(['list', '--json', ...args])
  assert.equal(code, 0, err)
  return JSON.parse(out) as readonly Shown[]
}

let nth = 0
/** A Pix without a charge, or a report about one. Returns its row's id. */
async function stray(
  minor: bigint,
  outcome: Outcome = 'paid',
  ref?: string,
): Promise<{ id: string; ref: string }> {
  const providerRef = ref ?? `E${String((nth += 1)).padStart(31, '0')}`
  const receipt: Receipt = {
    method: 'PIX',
    connection,
    providerRef,
    outcome,
    occurrence: 1,
    amount: { minor, currency: 'BRL' },
    happenedAt: core.clock.now(),
    evidence: Buffer.from(`${providerRef} ${outcome}`),
    ...(outcome.startsWith('dispute') ? { dispute: { paidRef: providerRef, kind: 'MED' as const } } : {}),
  }
  await core.lane.submit(core.settleKind, { receipts: [receipt] })
  const [row] = await core.sql<{ id: string }[]>`select id from unmatched where provider_ref = ${providerRef}`
  return { id: row?.id ?? assert.fail('it fits nothing'), ref: providerRef }
}

async function merchant(mode: 'SANDBOX' | 'LIVE' = 'SANDBOX'): Promise<MerchantId> {
  const deps = {
    sql: core.sql,
    clock: core.clock,
    sealKey: deriveKey(Buffer.from('ab'.repeat(32), 'hex'), 'webhook secrets'),
    openWallets: openStartingWallets,
  }
  return (await createMerchant(deps, { mode, name: 'Ana' })).merchant.id
}

async function balanceOf(account: string): Promise<bigint> {
  const [row] = await core.sql<{ minor: bigint }[]>`
    select balance.minor from account join balance on balance.account_id = account.id where account.name = ${account}`
  return row?.minor ?? 0n
}

async function walletOf(merchantId: MerchantId): Promise<string> {
  const [row] = await core.sql<{ id: string }[]>`
    select id from wallet where merchant_id = ${merchantId} and currency = 'BRL' and is_default`
  return row?.id ?? assert.fail('there is a wallet')
}

const suspense = () => balanceOf(`suspense:${connection}:BRL`)
const atProvider = () => balanceOf(`provider:${connection}:BRL`)

test('money that fits no payment is listed, and credited once, to the default wallet, while the server runs', async () => {
  const { id, ref } = await stray(12_34n)
  assert.deepEqual(
    (await listed()).map((each) => [each.id, each.providerRef, each.reportedSince]),
    [[id, ref, []]],
  )
  assert.match((await run(['list'])).out, new RegExp(`^Id .*\\n${id}  SANDBOX  12\\.34 BRL .* ${ref}\\n$`))
  const before = await suspense()
  const ana = await merchant()
  const done = await run(['credit', id, '--merchant', ana, '--note', 'She sent the receipt of the bank'])
  assert.deepEqual([done.code, done.err], [0, ''])
  assert.match(done.out, /12\.34 BRL is credited to wallet/)
  const line = JSON.parse(done.logged) as Record<string, unknown>
  assert.deepEqual(
    [line['unmatched'], line['merchant'], line['resolution'], line['why']],
    [id, ana, 'CREDITED', 'She sent the receipt of the bank'],
  )
  const wallet = await walletOf(ana)
  assert.equal(await balanceOf(`wallet:${wallet}:available`), 12_34n)
  assert.equal(before - (await suspense()), 12_34n)
  const kinds = await core.sql`
    select transfer.kind from transfer join account on account.id = transfer.credit
     where account.name = ${`wallet:${wallet}:available`}`
  assert.deepEqual([...kinds], [{ kind: 'ADJUSTMENT' }])

  for (const again of [
    ['credit', id, '--merchant', ana],
    ['return', id],
  ]) {
    const { code, err } = await run(again)
    assert.equal(code, 2)
    assert.match(err, /It was CREDITED at /)
  }
  assert.equal(await balanceOf(`wallet:${wallet}:available`), 12_34n)
  assert.deepEqual(await listed(), [])
  const all = await listed('--all')
  assert.ok(all.some((each) => each.id === id))
})

test('of two simultaneous decisions one counts', async () => {
  const { id } = await stray(5_00n)
  const ana = await merchant()
  const results = await Promise.all([run(['credit', id, '--merchant', ana]), run(['return', id])])
  assert.deepEqual(
    results.map(({ code }) => code).toSorted((a, b) => a - b),
    [0, 2],
  )
})

test('money that went back at the provider leaves suspense with its return', async () => {
  const { id } = await stray(7_00n)
  const [before, held] = [await atProvider(), await suspense()]
  const { code, out } = await run(['return', id, '--json'])
  assert.equal(code, 0)
  assert.equal((JSON.parse(out) as { resolution: string }).resolution, 'RETURNED')
  assert.deepEqual([before - (await atProvider()), held - (await suspense())], [7_00n, 7_00n])
})

test('money that the provider took back cannot be credited, and can be recorded as returned', async () => {
  const { id, ref } = await stray(9_00n)
  const report = await stray(9_00n, 'dispute_lost', `${ref}:D1`)
  assert.deepEqual((await listed()).find((each) => each.id === id)?.reportedSince, ['dispute_lost'])
  const ana = await merchant()
  const refused = await run(['credit', id, '--merchant', ana])
  assert.equal(refused.code, 2)
  assert.match(refused.err, /dispute_lost.*suspense return/)
  assert.match((await run(['credit', report.id, '--merchant', ana])).err, /no money came/)
  assert.equal((await run(['return', id])).code, 0)
})

test('what a merchant owes is repaid first', async () => {
  const ana = await merchant()
  const wallet = await walletOf(ana)
  const held = chart.walletHeld('SANDBOX', wallet, 'BRL')
  const receivable = chart.receivable('SANDBOX', ana, 'BRL')
  await core.lane.submit(
    runnable<string, undefined, never, boolean, never>({
      name: 'owe',
      load: async ({ books }) => {
        await books.load([held, receivable])
        return undefined
      },
      decide: (_view, subject, { books }) => {
        const occasion = { subject, ordinal: 1, cause: sha256('a dispute') }
        return { verdict: books.post(disputeHeld(occasion, { sources: [], receivable, held }, 3_00n)).ok }
      },
      write: async () => {},
    }),
    newId(),
  )
  const { id } = await stray(10_00n)
  assert.equal((await run(['credit', id, '--merchant', ana])).code, 0)
  assert.deepEqual(
    [await balanceOf(`wallet:${wallet}:available`), await balanceOf(receivable.name)],
    [7_00n, 0n],
  )
})

test('an unknown merchant, a merchant of the other mode, and an invalid id are refused', async () => {
  const { id } = await stray(1_00n)
  const live = await merchant('LIVE')
  for (const [args, expected] of [
    [['credit', id, '--merchant', newId()], /There is no merchant/],
    [['credit', id, '--merchant', live], /The money is SANDBOX, the merchant LIVE/],
    [['credit', id], /--merchant is missing/],
    [['credit', newId(), '--merchant', live], /No money in suspense is/],
    [['return', 'E123'], /There is no money in suspense E123/],
  ] as const) {
    const { code, err } = await run(args)
    assert.equal(code, 2)
    assert.match(err, expected)
  }
  assert.equal((await listed()).length, 1)
})

test('without the audit key of the books nothing is written', async () => {
  const [open] = await listed()
  const { code, err } = await run(['return', open?.id ?? ''], { VINTEM_AUDIT_KEY: '' })
  assert.equal(code, 1)
  assert.match(err, /VINTEM_AUDIT_KEY is not set/)
})

test('the chain over the books holds after all of it', async () => {
  const { faults } = await verify(core.sql, { cell: 'a1', auditKey })
  const books = ['chain', 'end of the chain', 'transfers', 'entries', 'accounts']
  assert.deepEqual(
    faults.filter(({ inspection }) => books.includes(inspection)),
    [],
  )
})
