// A base backup, an archive of WAL, and two restores: to the last commit, and to a moment before money was sent: a refund and a
// withdrawal. The test prints how long the backup, the restore and the repair take (figures: docs/operating.md).
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { openCore, settleOf, type Core } from '#/app/core.ts'
import { payoutDeps } from '#/app/work.ts'
import { anchorText, verify } from '#/audit/verify.ts'
import { balancesCommand } from '#/cli/balances.ts'
import { confirmHead, keepHead } from '#/cli/kept-head.ts'
import { restoredCommand } from '#/cli/restored.ts'
import { suspenseCommand } from '#/cli/suspense.ts'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { createLostCloser } from '#/issuance/close.ts'
import { selectLostPage } from '#/issuance/queries.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, PaymentId, RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { addMs, hourMs, monotonicMs, systemClock } from '#/kernel/time.ts'
import { isFrozenNow } from '#/merchants/queries.ts'
import { listRefunds } from '#/refunds/queries.ts'
import { selectSuspended } from '#/settlement/queries.ts'
import { reconcileDue } from '#/settlement/reconcile.ts'
import { listWithdrawals } from '#/withdrawals/list-queries.ts'
import { sendDueWithdrawals } from '#/withdrawals/send.ts'
import { asUser } from '../as-user.ts'
import { eventually } from '../eventually.ts'
import type { Found, Person } from '../money-out-world.ts'
import { addPayoutConnection, requestPixWithdrawal } from '../pix-payouts.ts'
import { auditKey, openPixWorld, type PixWorld } from '../pix-world.ts'
import { startPixBank, type PixBank } from '../rails/pix/bank.ts'
import { openPayingAccount, type PayingAccount } from '../rails/pix/payout.ts'
import { sumsOfAccounts } from '../sums-of-accounts.ts'
import { worldKeys } from '../world-keys.ts'
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
let paying: PayingAccount
/** The connection that sends withdrawals, from the account in which the world's connection collects. */
let payouts: ConnectionId

/** What the bank's accounts begin with, in cents: the operator's own. */
const ownFunds = { BRL: 100_000_000 }

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
  const customer = await bank.customer()
  world = await openPixWorld(customer, { VINTEM_ISSUANCE_LOG: issued })
  paying = await openPayingAccount(bank, customer)
  payouts = await addPayoutConnection(world.core, paying, { account: world.connection, ownFunds })
})
after(async () => {
  await Promise.all(cores.map((each) => each.close()))
  await closeWorld()
  await paying.stop()
  await bank[Symbol.asyncDispose]()
  await Promise.all(running.map((each) => each.stop('immediate')))
  place[Symbol.dispose]()
})

async function started(folder: string, settings: Readonly<Record<string, string>>): Promise<Server> {
  const server = await startServer(folder, settings)
  running.push(server)
  return server
}

async function paid(): Promise<{ readonly id: PaymentId; readonly txid: string }> {
  const answer = await world.create()
  const payment = await world.payment(answer.payment.id)
  const txid = await world.txidOf(payment)
  await world.callback({ pix: await bank.pay(txid, { webhook: 'lose' }) })
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  return { id: payment.id, txid }
}

async function refunded(payment: { readonly id: PaymentId }, amount: number): Promise<RefundId> {
  const verdict = await world.refund(payment, { amount })
  assert.equal(verdict.kind, 'created')
  const { id } = verdict.refund
  await eventually('the bank has refunded', async () => {
    // Not by moving the clock: commands work by the machine's, and must find the books at the same time.
    await world.core.sql`update refund_due set due_at = clock_timestamp() - interval '1 second'`
    await world.sendRefunds()
    return (await world.refundOf(id)).status === 'COMPLETED'
  })
  return id
}

/** The merchant withdraws by PIX under this key, and the bank pays. Returns our reference at the bank. */
async function withdrawn(key: string, minor: number): Promise<string> {
  const { core, merchant } = world
  const verdict = await requestPixWithdrawal(core, merchant, { connection: payouts, minor, key })
  assert.equal(verdict.kind, 'created')
  const { id, reference } = verdict.withdrawal
  await eventually('the bank has paid', async () => {
    await core.sql`update withdrawal_due set due_at = clock_timestamp() - interval '1 second'`
    await sendDueWithdrawals(payoutDeps(core))
    const [found] = await listWithdrawals(core.sql, merchant.id, { id, limit: 1 })
    return found?.status === 'COMPLETED'
  })
  return reference
}

/** The statuses of the merchant's withdrawals that a restored database knows, by our references. */
async function withdrawalsIn({ sql }: Core): Promise<ReadonlyMap<string, string>> {
  const found = await listWithdrawals(sql, world.merchant.id, { limit: 50 })
  return new Map(found.map(({ reference, status }) => [reference, status]))
}

/** The references of all payouts that the bank has, with repetitions. */
async function payoutsAtBank({ payoutRails }: Core): Promise<readonly string[]> {
  const rail = must(payoutRails.get('PIX'), 'PIX pays out')
  const span = { from: addMs(systemClock.now(), -hourMs), to: addMs(systemClock.now(), hourMs) }
  const listed = await Array.fromAsync(must(rail.list, 'it lists')(payouts, span))
  return listed.flat().map(({ reference }) => reference)
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

const commands = { restored: restoredCommand, suspense: suspenseCommand, balances: balancesCommand }

/** Runs a command at a restored server, as this user of the system. Returns what it prints. */
async function vintem(
  server: Server,
  person: Person,
  name: keyof typeof commands,
  ...args: readonly string[]
): Promise<string> {
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
  const terminal = createTerminal({ stdout, stderr }, { LANG: 'C' })
  const code = await asUser(person, () => commands[name](args, terminal, deps, silentLog))
  assert.equal(code, 0, printed.out + printed.err)
  return printed.out
}

type Lost = { readonly refund: RefundId; readonly payout: string }

/** Compares money out, and charges what was found of it to its merchant: one person requests, another approves. */
async function charge(server: Server, lost: Lost): Promise<void> {
  const compare = async () =>
    JSON.parse(await vintem(server, 'ana', 'restored', 'money-out', '--json')) as {
      readonly recorded: readonly Found[]
      readonly sources: readonly { readonly kind: string; readonly why?: string }[]
    }
  const { recorded, sources } = await compare()
  const owner = world.merchant.id
  assert.deepEqual(
    new Set(
      recorded.map((each) => `${each.kind} ${each.reference} ${each.amount} ${each.merchantId ?? '-'}`),
    ),
    new Set([`REFUND ${lost.refund} 300 ${owner}`, `WITHDRAWAL ${lost.payout} 250 -`]),
  )
  assert.deepEqual(new Set(sources.map(({ kind, why }) => `${kind} ${why}`)), complete)
  assert.deepEqual((await compare()).recorded, [])
  for (const { id } of recorded) {
    const args = ['charge', id, '--merchant', owner, '--reason', 'as the bank lists it', '--json']
    const { request } = JSON.parse(await vintem(server, 'ana', 'suspense', ...args)) as { request: string }
    await assert.rejects(
      vintem(server, 'ana', 'suspense', 'approve', request),
      /Nobody approves what they requested/,
    )
    assert.match(await vintem(server, 'bia', 'suspense', 'approve', request), /CHARGED/)
  }
}

/** Both lists were read to their ends. */
const complete = new Set(['REFUND undefined', 'WITHDRAWAL undefined'])

/** No process uses what the server lost before the repair; and no money leaves before the last step of it. */
async function repair(server: Server, lost: Lost): Promise<Core> {
  const restored = (...args: readonly string[]) => vintem(server, 'ana', 'restored', ...args)
  await restored('begin', '--reason', 'disk lost')
  await restored('show')
  const core = await coreAt(server)
  const books = { sql: core.sql, fence: core.lane.fence }
  await assert.rejects(confirmHead(books, kept), /first steps of its repair are not done/)
  // Two charges of the lost span; one was paid.
  assert.match(await restored('issued', issued, '--json'), /"added":2,"torn":0,"damaged":0/)
  for (const subject of ['keys', 'roles', 'limits', 'destinations']) {
    const rows = JSON.parse(await restored('list', subject, '--json')) as unknown[]
    await restored('confirm', subject, '--seen', String(rows.length), '--note', 'the decision log')
  }
  await confirmHead(books, kept)
  const [gap] = await core.sql<{ last: bigint; first: bigint; next: bigint }[]>`
    select last_number as last, first_number as first, min(sequence) as next
      from event_gap join event using (merchant_id)
     where merchant_id = ${world.merchant.id} and sequence > last_number and type = 'service.restored'
     group by last_number, first_number`
  assert.deepEqual([gap?.next, (gap?.first ?? 0n) - (gap?.last ?? 0n)], [gap?.first, 1_000_001n])
  assert.equal(await isFrozenNow(core.sql, scope()), true)
  // The bank lists the refund and the payout that the books do not know, and two people decide that the merchant pays for them.
  assert.equal((await refundsIn(core)).has(lost.refund), false)
  assert.equal((await withdrawalsIn(core)).has(lost.payout), false)
  await charge(server, lost)
  // The merchant sends the lost withdrawal again, under its key, while no money leaves.
  assert.equal((await requestLost(core)).kind, 'frozen')
  await vintem(server, 'bia', 'restored', 'confirm', 'money-out', '--note', 'both are charged')
  await restored('confirm', 'money-in', '--note', 'what the bank lists is read again')
  await vintem(server, 'bia', 'restored', 'open', '--reason', 'compared')
  assert.equal(await isFrozenNow(core.sql, scope()), false)
  return core
}

const scope = () => ({ merchantId: world.merchant.id, rail: 'PIX' })

/** The merchant's request of the withdrawal that the second restore loses. */
function requestLost(core: Core) {
  return requestPixWithdrawal(core, world.merchant, { connection: payouts, minor: 250, key: 'lost' })
}

/** Runs the work, and prints how long it took. */
async function timed<Result>(t: TestContext, what: string, work: () => Promise<Result>): Promise<Result> {
  const sinceMs = monotonicMs()
  const result = await work()
  t.diagnostic(`${what}: ${((monotonicMs() - sinceMs) / 1_000).toFixed(1)} s`)
  return result
}

test('a restore to the last commit loses nothing; one to a moment before shows what was sent since at the bank', async (t) => {
  const admin = connect(primary.url, { max: 1, transactionSeconds: 0 })
  const first = await paid()
  const early = await refunded(first, 100)

  // The base backup, copied while the service runs.
  const base = ownFolder(place.path, 'base')
  const backup = ['-D', base, '-d', primary.url, '-X', 'none', '--no-sync', '-c', 'fast']
  await timed(t, 'the base backup', () => pg('pg_basebackup', backup))
  const second = await paid()
  const knownRefund = await refunded(second, 200)
  const knownPayout = await withdrawn('known', 150)
  await admin`select pg_create_restore_point('before')`
  const atPoint = await headOf(world.core)

  // Everything from here on is lost by the second restore: a payment, a refund and a withdrawal that the bank has sent.
  const gone = await paid()
  const open = await world.create()
  const openTxid = await world.txidOf(open.payment)
  const lost = { refund: await refunded(first, 300), payout: await withdrawn('lost', 250) }
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
  const completed = <Name extends string>(...names: readonly Name[]) =>
    new Map(names.map((name) => [name, 'COMPLETED']))
  assert.deepEqual(await refundsIn(all), completed(early, knownRefund, lost.refund))
  assert.deepEqual(await withdrawalsIn(all), completed(knownPayout, lost.payout))
  assert.deepEqual((await verify(all.sql, { cell, auditKey, anchor })).faults, [])

  // To the moment.
  const past = await timed(t, 'the restore', () => copy('past', { recovery_target_name: 'before' }))
  const found = await coreAt(past)
  assert.deepEqual(await headOf(found), atPoint)
  assert.deepEqual(await refundsIn(found), completed(early, knownRefund))
  assert.deepEqual(await withdrawalsIn(found), completed(knownPayout))
  // A process that starts is refused.
  await assert.rejects(confirmHead({ sql: found.sql }, kept), /what came after is lost/)
  assert.deepEqual((await verify(found.sql, { cell, auditKey })).faults, [])
  // An anchor that was kept away from the database says that later batches existed.
  const cut = await verify(found.sql, { cell, auditKey, anchor, only: ['anchor'] })
  assert.match(cut.faults.map(({ what }) => what).join(), /is gone: the chain was longer once/)

  const restored = await timed(t, 'the repair', () => repair(past, lost))

  // Money in comes back from the bank's list: that of the unknown payment to suspense.
  await restored.sql`update reconciliation set due_at = clock_timestamp() - interval '1 second'`
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
  // The lost payment waits in suspense; the lost refund of 3.00 and the lost withdrawal of 2.50 are charged. So the books hold what the
  // bank holds for us, and the merchant has two payments of 10.00 less all that left: 1.00, 2.00, 3.00, 1.50 and 2.50.
  assert.equal(sum(/:available$/), balances.available - 1_000n)
  assert.equal(sum(/^provider:/), balances.provider)
  assert.equal(sum(/:available$/), 1_000n)
  assert.deepEqual([sum(/:held$/), sum(/^receivable:/), sum(/^unrecorded:/)], [0n, 0n, 0n])
  await vintem(past, 'ana', 'balances')

  // The merchant sends the lost withdrawal again, under its key: it is neither sent nor charged a second time.
  assert.equal((await requestLost(restored)).kind, 'left_before')
  await restored.sql`update withdrawal_due set due_at = clock_timestamp() - interval '1 second'`
  await sendDueWithdrawals(payoutDeps(restored))
  assert.deepEqual((await payoutsAtBank(restored)).toSorted(), [knownPayout, lost.payout].toSorted())
  assert.equal((await sumsOfAccounts(restored.sql))(/:available$/), 1_000n)
  await vintem(past, 'ana', 'balances')
  assert.deepEqual((await verify(restored.sql, { cell, auditKey })).faults, [])
})
