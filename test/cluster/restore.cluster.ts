// A base backup, an archive of WAL, and two restores: to the last commit, and to a moment before money was sent.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { join } from 'node:path'
import { openCore, settleOf, type Core } from '#/app.ts'
import { anchorText, verify } from '#/audit/verify.ts'
import { confirmHead, keepHead } from '#/cli/kept-head.ts'
import { restoredCommand } from '#/cli/restored.ts'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { createLostCloser } from '#/issuance/close.ts'
import { selectLostPage } from '#/issuance/queries.ts'
import { must } from '#/kernel/check.ts'
import type { RefundId } from '#/kernel/id.ts'
import { approveProposal } from '#/operator/approve.ts'
import { proposeUnrecorded } from '#/operator/unrecorded.ts'
import { beginRepair, usualJump } from '#/restored/begin.ts'
import { compareMoneyOut } from '#/restored/money-out.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { minuteMs } from '#/kernel/time.ts'
import { isFrozenNow } from '#/merchants/freeze-queries.ts'
import { listRefunds } from '#/refunds/queries.ts'
import { selectSuspended } from '#/settlement/queries.ts'
import { reconcileDue } from '#/settlement/reconcile.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { sentKind, type SentItem } from '#/settlement/unrecorded.ts'
import { eventually } from '../eventually.ts'
import { auditKey, openPixWorld, worldKeys, type PixWorld } from '../pix-world.ts'
import { startPixBank, type PixBank } from '../rails/pix/bank.ts'
import { sumsOfAccounts } from '../sums-of-accounts.ts'
import {
  copyServer,
  initServer,
  ownFolder,
  pg,
  serverFolder,
  startServer,
  type Server,
} from './postgres15.ts'

const place = serverFolder()
/** Where the processes keep the end of the books. */
const kept = { dataDir: join(place.path, 'data'), VINTEM_CELL: 'a1' }
const running: Server[] = []
const cores: Core[] = []
let primary: Server
/** What the processes handed out, outside of the database. */
const issued = join(place.path, 'issued')
let bank: PixBank
let world: PixWorld

before(async () => {
  const folder = ownFolder(place.path, 'primary')
  ownFolder(place.path, 'archive')
  await initServer(folder)
  primary = await started(folder, {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_command: `test ! -f ${place.path}/archive/%f && cp %p ${place.path}/archive/%f`,
    max_connections: '60',
  })
  process.env['VINTEM_TEST_DATABASE'] = primary.url
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer(), { VINTEM_ISSUANCE_LOG: issued })
})
after(async () => {
  await Promise.all(cores.map((each) => each.close()))
  await closeWorld()
  await bank[Symbol.asyncDispose]()
  await Promise.all(running.map((each) => each.stop('immediate')))
  place[Symbol.dispose]()
})

async function started(folder: string, settings: Readonly<Record<string, string>>): Promise<Server> {
  const server = await startServer(folder, settings)
  running.push(server)
  return server
}

async function paid(): Promise<{ readonly id: never; readonly txid: string }> {
  const answer = await world.create()
  const payment = await world.payment(answer.payment.id)
  const txid = await world.txidOf(payment)
  await world.callback({ pix: await bank.pay(txid, { webhook: 'lose' }) })
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  return { id: payment.id as never, txid }
}

async function refunded(payment: { readonly id: never }, amount: number): Promise<RefundId> {
  const verdict = await world.refund(payment, { amount })
  assert.equal(verdict.kind, 'created')
  const { id } = verdict.refund
  await eventually('the bank has refunded', async () => {
    await world.clock.advance(minuteMs)
    await world.sendRefunds()
    return (await world.refundOf(id)).status === 'COMPLETED'
  })
  return id
}

/** The statuses of the refunds of the merchant that a restored database knows, by their ids. */
async function refundsIn({ sql }: Core): Promise<ReadonlyMap<RefundId, string>> {
  const found = await listRefunds(sql, world.merchant.id, { limit: 50 })
  return new Map(found.map(({ id, status }) => [id, status]))
}

async function headOf(core: Core) {
  const [head] = await core.sql<{ batch: bigint; hash: Buffer }[]>`select batch, hash from head`
  return must(head, 'there is a head')
}

let isClosed = false
async function closeWorld(): Promise<void> {
  if (isClosed) return
  isClosed = true
  await world.core.close()
}

function urlAt(server: Server): string {
  const url = new URL(world.appUrl)
  url.port = new URL(server.url).port
  return url.href
}

async function coreAt(server: Server): Promise<Core> {
  const keyOf = (name: keyof typeof worldKeys) => Buffer.from(worldKeys[name], 'hex')
  const core = await openCore({
    config: world.core.config,
    databaseUrl: urlAt(server),
    masterKey: keyOf('VINTEM_MASTER_KEY'),
    workerKey: keyOf('VINTEM_WORKER_KEY'),
    auditKey,
    log: silentLog,
    ownClock: world.clock,
  })
  cores.push(core)
  return core
}

/** What the commands get at a restored server. */
async function restored(server: Server, ...args: readonly string[]): Promise<string> {
  const printed = { out: '', err: '' }
  const stdout = { write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const config = () =>
    readConfig({
      ...worldKeys,
      DATABASE_URL: urlAt(server),
      VINTEM_AUDIT_KEY: auditKey.toString('hex'),
      VINTEM_CELL: kept.VINTEM_CELL,
      VINTEM_DATA_DIR: kept.dataDir,
      VINTEM_LOG_LEVEL: 'silent',
      VINTEM_SANDBOX: 'off',
    })
  const deps = { config, open: () => assert.fail('no office is needed') }
  const code = await restoredCommand(args, createTerminal({ stdout, stderr }, { LANG: 'C' }), deps, silentLog)
  assert.equal(code, 0, printed.err)
  return printed.out
}

/** Compares money out, and charges what was found of it to its merchant. */
async function chargedTo(core: Core, lost: RefundId): Promise<void> {
  const { sql, rails, payoutRails, connections, lane, log } = core
  const person = (name: string) => ({ by: { actor: { kind: 'OPERATOR', id: name } as const }, name })
  const record = (item: SentItem) => lane.submit(sentKind, item)
  const compare = () => compareMoneyOut({ sql, rails, payoutRails, connections, log, record }, person('ana'))
  const { recorded, sources } = await compare()
  assert.deepEqual(
    recorded.map((each) => [each.kind, each.reference, each.amountMinor, each.merchantId]),
    [['REFUND', lost, 300n, world.merchant.id]],
  )
  assert.deepEqual(
    sources.map(({ why }) => why),
    [undefined],
  )
  assert.deepEqual((await compare()).recorded, [])
  const deps = { ...core, hasOwnKeys: true, aloneMax: 0n, refundDecisionKind: refundDecisionKind(rails) }
  const request = {
    id: must(recorded[0], 'it was recorded').id,
    resolution: 'CHARGED',
    merchantId: world.merchant.id,
  } as const
  const { id } = await proposeUnrecorded(deps, person('ana'), request, 'as the bank lists it')
  await assert.rejects(approveProposal(deps, person('ana'), id), /Nobody approves what they requested/)
  assert.equal((await approveProposal(deps, person('bia'), id)).about, 'unrecorded')
}

/** No process uses what the server lost before the repair; and no money leaves before the last step of it. */
async function repair(server: Server, core: Core, lost: RefundId): Promise<void> {
  const books = { sql: core.sql, fence: core.lane.fence }
  // A process that starts is refused; this one goes on as the command.
  await assert.rejects(confirmHead({ sql: core.sql }, kept), /what came after is lost/)
  // Not by the command: its clock is the machine's, and the world's is ahead.
  const by = { actor: { kind: 'OPERATOR', id: 'test' } } as const
  await beginRepair(core, { by, name: 'test', reason: 'disk lost', eventJump: usualJump })
  await restored(server, 'show')
  await assert.rejects(confirmHead(books, kept), /first steps of its repair are not done/)
  // Two charges of the lost span; one was paid.
  assert.match(await restored(server, 'issued', issued, '--json'), /"added":2,"torn":0,"damaged":0/)
  for (const subject of ['keys', 'roles', 'limits', 'destinations']) {
    const rows = JSON.parse(await restored(server, 'list', subject, '--json')) as unknown[]
    await restored(server, 'confirm', subject, '--seen', String(rows.length), '--note', 'the decision log')
  }
  await confirmHead(books, kept)
  const [gap] = await core.sql<{ last: bigint; first: bigint; next: bigint }[]>`
    select last_number as last, first_number as first, min(sequence) as next
      from event_gap join event using (merchant_id)
     where merchant_id = ${world.merchant.id} and sequence > last_number and type = 'service.restored'
     group by last_number, first_number`
  assert.deepEqual([gap?.next, (gap?.first ?? 0n) - (gap?.last ?? 0n)], [gap?.first, 1_000_001n])
  const scope = { merchantId: world.merchant.id, rail: 'PIX' }
  assert.equal(await isFrozenNow(core.sql, scope), true)
  // The bank lists the refund that the books do not know, and two people decide that its merchant pays for it.
  assert.equal((await refundsIn(core)).has(lost), false)
  await chargedTo(core, lost)
  await restored(server, 'confirm', 'money-out', '--note', 'the refund is charged')
  await restored(server, 'confirm', 'money-in', '--note', 'what the bank lists is read again')
  await restored(server, 'open', '--reason', 'compared')
  assert.equal(await isFrozenNow(core.sql, scope), false)
}

test('a restore to the last commit loses nothing; one to a moment before shows what was sent since at the bank', async () => {
  const admin = connect(primary.url, { max: 1, transactionSeconds: 0 })
  const first = await paid()
  const early = await refunded(first, 100)

  // The base backup, copied while the service runs.
  const base = ownFolder(place.path, 'base')
  await pg('pg_basebackup', ['-D', base, '-d', primary.url, '-X', 'none', '--no-sync', '-c', 'fast'])
  const second = await paid()
  const knownRefund = await refunded(second, 200)
  await admin`select pg_create_restore_point('before')`
  const atPoint = await headOf(world.core)

  // Everything from here on is lost by the second restore: a payment, and a refund that the bank has sent.
  const gone = await paid()
  const open = await world.create()
  const openTxid = await world.txidOf(open.payment)
  const lost = await refunded(first, 300)
  const last = await headOf(world.core)
  const anchor = { number: last.batch, hash: last.hash }
  assert.match(anchorText(last), /^\d+:[0-9a-f]{64}$/)
  await admin`select pg_switch_wal()`
  await eventually('the archive has it', async () => {
    const [row] = await admin<{ done: boolean }[]>`
      select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) as done from pg_stat_archiver`
    return row?.done === true
  })
  await admin.end({ timeout: 1 })
  await keepHead(world.core, kept, (why) => assert.fail(why))()
  const balances = await world.balances()
  await closeWorld()
  await primary.stop('immediate')

  const cell = world.core.config.VINTEM_CELL
  const settings = { restore_command: `cp ${place.path}/archive/%f %p`, archive_mode: 'off' }
  const copy = async (name: string, target: Readonly<Record<string, string>>) => {
    const folder = copyServer(base, join(place.path, name))
    return started(folder, { ...settings, ...target, recovery_target_action: 'promote' })
  }

  // To the last commit: what the processes know of the books is there.
  const whole = await copy('whole', {})
  const all = await coreAt(whole)
  assert.deepEqual(await headOf(all), last)
  await confirmHead({ sql: all.sql, fence: all.lane.fence }, kept)
  assert.deepEqual(await refundsIn(all), new Map([early, knownRefund, lost].map((id) => [id, 'COMPLETED'])))
  assert.deepEqual((await verify(all.sql, { cell, auditKey, anchor })).faults, [])

  // To the moment.
  const past = await copy('past', { recovery_target_name: 'before' })
  const restored = await coreAt(past)
  assert.deepEqual(await headOf(restored), atPoint)
  assert.deepEqual(await refundsIn(restored), new Map([early, knownRefund].map((id) => [id, 'COMPLETED'])))
  assert.deepEqual((await verify(restored.sql, { cell, auditKey })).faults, [])
  // An anchor that was kept away from the database says that later batches existed.
  const cut = await verify(restored.sql, { cell, auditKey, anchor, only: ['anchor'] })
  assert.match(cut.faults.map(({ what }) => what).join(), /is gone: the chain was longer once/)

  await repair(past, restored, lost)

  // Money in comes back from the bank's list: that of the unknown payment to suspense.
  await restored.sql`update reconciliation set due_at = clock_timestamp()`
  const { sql, rails, connections } = restored
  const worker = { sql, rails, connections, log: silentLog, periodMs: 1_000, settle: settleOf(restored) }
  await reconcileDue(worker)
  const [suspended] = await selectSuspended(restored.sql, false)
  assert.deepEqual([suspended?.lostMerchantId, suspended?.lostPaymentId], [world.merchant.id, gone.id])
  // Both charges are ended at the bank: nobody can pay the other one any more.
  assert.equal(await createLostCloser({ ...worker }).once(), 2)
  assert.deepEqual(
    new Set((await selectLostPage(restored.sql, undefined, 10)).map(({ outcome }) => outcome)),
    new Set(['CLOSED', 'PAID']),
  )
  assert.match(String((await bank.charges(openTxid))[0]?.status), /^REMOVIDA/)
  const sum = await sumsOfAccounts(restored.sql)
  assert.equal(sum(/^suspense:/), 1_000n)
  // The lost payment waits in suspense; the lost refund of 3.00 is charged. So the books hold what the bank holds for us.
  assert.equal(sum(/:available$/), balances.available - 1_000n)
  assert.equal(sum(/^provider:/), balances.provider)
  assert.deepEqual((await verify(restored.sql, { cell, auditKey })).faults, [])
})
