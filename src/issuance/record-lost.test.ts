// A restore that lost charges and addresses: they are recorded from the logs, their money is named in suspense, and providers end them.
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCore, settleOf, type Core } from '#/app/core.ts'
import { verify } from '#/audit/verify.ts'
import { restoredCommand } from '#/cli/restored.ts'
import { readConfig } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import { connect } from '#/db/client.ts'
import { createDepositAddresses } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { listRails } from '#/rails/all.ts'
import type { Attempt } from '#/rails/attempt.ts'
import { watchLost } from '#/rails/crypto/lost.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { beginRepair, usualJump } from '#/restored/begin.ts'
import { createSealer } from '#/sealing/seal.ts'
import { selectSuspended } from '#/settlement/queries.ts'
import { openChooseWorld } from '../../test/choose-world.ts'
import { cent, openLine } from '../../test/line.ts'
import { partly } from '../../test/partly.ts'
import { auditKey, openPixWorld, type PixWorld } from '../../test/pix-world.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import { worldKeys } from '../../test/world-keys.ts'
import { createLostCloser } from './close.ts'
import { createIssuanceLog } from './log.ts'
import { selectBooks, type LostRow } from './queries.ts'
import { recordLost } from './record-lost.ts'

const place = mkdtempSync(path.join(tmpdir(), 'vintem-lost-'))
const folder = path.join(place, 'issued')
let bank: PixBank
let world: PixWorld
let past: TestDatabase
let core: Core
const payments: Record<string, PaymentId> = {}

const settings = () => ({
  ...worldKeys,
  DATABASE_URL: past.appUrl,
  VINTEM_DATA_DIR: path.join(place, 'data'),
  VINTEM_LOG_LEVEL: 'silent',
  VINTEM_SANDBOX: 'off',
})

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer(), { VINTEM_ISSUANCE_LOG: folder })
  payments['kept'] = (await world.create()).payment.id
  past = await copyOf(world.database)
  // The clock of the database's server goes on beyond that of the process meanwhile.
  await world.clock.advance(1_000)
  for (const name of ['unpaid', 'paid', 'hanging']) payments[name] = (await world.create()).payment.id
  await bank.pay(await txidOf('paid'), { webhook: 'lose' })
  core = await openCore({
    config: readConfig(settings()),
    databaseUrl: past.appUrl,
    masterKey: Buffer.from(worldKeys.VINTEM_MASTER_KEY, 'hex'),
    workerKey: Buffer.from(worldKeys.VINTEM_WORKER_KEY, 'hex'),
    auditKey,
    log: silentLog,
    ownClock: world.clock,
  })
})
after(async () => {
  await core.close()
  await world[Symbol.asyncDispose]()
  await past[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
  rmSync(place, { recursive: true, force: true })
})

/** Others may connect between the end of the connections and the copy. */
async function copyOf(database: TestDatabase): Promise<TestDatabase> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await testDatabase(database)
    } catch (error) {
      if (tries === 20) throw error
      await sleep(50)
    }
  }
}

const txidOf = async (name: string) =>
  world.txidOf({ merchantId: world.merchant.id, id: must(payments[name], name) })

async function run(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const stdout = { write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const deps = { config: () => readConfig(settings()), open: () => assert.fail('no office is needed') }
  const code = await restoredCommand(args, createTerminal({ stdout, stderr }, { LANG: 'C' }), deps, silentLog)
  return { code, ...printed }
}

async function done(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(...args)
  assert.equal(code, 0, err)
  return out
}

async function resultOf(...folders: readonly string[]): Promise<Record<string, number>> {
  return JSON.parse(await done('issued', ...folders, '--json')) as Record<string, number>
}

const lost = async () => JSON.parse(await done('lost', '--json')) as readonly LostRow[]

const closer = () => createLostCloser({ ...core, settle: settleOf(core) })

async function faults(): Promise<readonly string[]> {
  const sealer = createSealer(core)
  while ((await sealer.poll()) > 0);
  return (await verify(core.sql, { cell: core.config.VINTEM_CELL, auditKey })).faults.map(
    ({ row, what }) => `${row} ${what}`,
  )
}

test('before a restore was begun there is nothing to compare with', async () => {
  const { code, err } = await run('issued', folder)
  assert.equal(code, 1)
  assert.match(err, /No repair was begun/)
})

test('attempts of the lost span are known again, once; a cut line, the same log and other books change nothing', async () => {
  await done('begin', '--reason', 'a disk was lost', '--anyway')
  const [file = ''] = readdirSync(folder)
  appendFileSync(path.join(folder, file), '1 mgk3x0ab AZrC')
  writeFileSync(path.join(folder, 'notes.txt'), 'not a log')
  const { files, lines, known, added, torn, damaged, late } = await resultOf(folder)
  assert.equal(late, undefined)
  assert.deepEqual(
    { files, lines, known, added, torn, damaged },
    {
      files: 1,
      lines: 4,
      known: 1,
      added: 3,
      torn: 1,
      damaged: 0,
    },
  )
  assert.equal((await resultOf(folder, folder))['added'], 0)
  assert.deepEqual(
    new Set(
      (await lost()).map(({ paymentId, merchantId, connection }) =>
        [paymentId, merchantId, connection].join(),
      ),
    ),
    new Set(
      ['unpaid', 'paid', 'hanging'].map((name) =>
        [payments[name], world.merchant.id, world.connection].join(),
      ),
    ),
  )

  const other = path.join(place, 'other')
  const books = async () => ({ cell: 'a1', first: newId<'merchant'>() })
  const log = createIssuanceLog({ folder: other, books, clock: systemClock, log: silentLog })
  const [row] = await lost()
  await log.write({ ...attemptOf(must(row, 'a lost one')), id: newId() })
  await log.close()
  const refused = await run('issued', other)
  assert.deepEqual([refused.code, (await lost()).length], [1, 3])
  assert.match(refused.err, /is the log of other books/)
  const absent = await run('issued', path.join(place, 'nowhere'))
  assert.match(absent.err, /cannot be read/)
  assert.match(
    await done('show'),
    /Lost, and known again: 3. At providers: 3 to end, 0 ended, 0 paid, 0 given up/,
  )
})

function attemptOf({ merchantId, paymentId, attemptId: id, method, connection }: LostRow): Attempt {
  return { id, merchantId, paymentId, method, connection, amount: { minor: 1n, currency: 'BRL' } }
}

test('their banks are asked to end them: one that hangs is tried again, and money that had come is named in suspense', async () => {
  await core.connections.refresh()
  const hanging = await txidOf('hanging')
  const fault = {
    match: { method: 'PATCH', path: `/cob/${hanging}` },
    action: 'status',
    status: 503,
    times: 1,
  }
  await bank.control('POST', '/faults', fault)
  assert.equal(await closer().once(), 3)
  const standing = new Map((await lost()).map((row) => [row.paymentId as string, row]))
  const of = (name: string) => must(standing.get(must(payments[name], name)), name)
  assert.deepEqual(
    [of('unpaid').outcome, of('paid').outcome, of('hanging').outcome],
    ['CLOSED', 'PAID', null],
  )
  assert.match(String(of('hanging').said), /503/)
  const statusOf = async (name: string) => (await bank.charges(await txidOf(name)))[0]?.status
  assert.equal(await statusOf('unpaid'), 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
  assert.equal(await statusOf('hanging'), 'ATIVA')
  assert.equal(await statusOf('kept'), 'ATIVA')

  const suspended = await selectSuspended(core.sql, false)
  assert.deepEqual(
    suspended.map((each) => [each.lostMerchantId, each.lostPaymentId, each.amountMinor, each.reason]),
    [[world.merchant.id, payments['paid'], 1_000n, 'unknown_attempt']],
  )

  assert.equal(await closer().once(), 0)
  const owner = connect(past.ownerUrl, { max: 1 })
  await owner`update lost_closing set due_at = statement_timestamp() - interval '1 second' where ended_at is null`
  await owner.end()
  assert.equal(await closer().once(), 1)
  assert.equal(await statusOf('hanging'), 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
  assert.match(await done('show'), /3. At providers: 0 to end, 2 ended, 1 paid, 0 given up/)
  assert.equal(await closer().once(), 0)
  assert.deepEqual(await faults(), [])

  // After processes could have run, a log that is found late says so.
  for (const subject of ['keys', 'roles', 'limits', 'destinations']) {
    const { length } = JSON.parse(await done('list', subject, '--json')) as unknown[]
    await done('confirm', subject, '--seen', String(length), '--note', 'the decision log')
  }
  const [row] = await lost()
  const later = path.join(place, 'later')
  const at = new Date(must(row, 'a lost one').issuedAt)
  const clock = { now: () => at }
  const log = createIssuanceLog({ folder: later, books: () => selectBooks(core.sql), clock, log: silentLog })
  await log.write({ ...attemptOf(must(row, 'a lost one')), id: newId() })
  await log.close()
  assert.match(await done('issued', later), /Late +processes may have run since the restore/)
})

test('verify names what was changed of them', async () => {
  const owner = connect(past.ownerUrl, { max: 1 })
  const changes: readonly (readonly [string, RegExp])[] = [
    [
      'update lost_issuance set amount_minor = amount_minor + 1',
      /page \S+ of lost attempts is not as its entry/,
    ],
    ['delete from lost_issuance', /page \S+ of lost attempts is not as its entry/],
    [`update lost_issuance set page_id = '${newId()}'`, /is in no entry of the audit log/],
    [`update lost_closing set connection = 'other'`, /is of an attempt that is not lost/],
    [
      `insert into attempt (merchant_id, id, payment_id, method, connection, amount_minor, currency, created_at)
       select merchant_id, attempt_id, payment_id, method, connection, amount_minor, currency, now() from lost_issuance`,
      /is an attempt of the books/,
    ],
  ]
  for (const [change, found] of changes) {
    await owner
      .begin(async (tx) => {
        await tx.unsafe(change)
        const report = await verify(partly<Sql>(tx), { cell: 'a1', auditKey, only: ['lost issuances'] })
        assert.ok(
          report.faults.some(({ row, what }) => found.test(`${row} ${what}`)),
          `${change}: ${report.faults.map(({ row, what }) => `${row} ${what}`).join('; ')}`,
        )
        throw new Error('undone')
      })
      .catch((error: unknown) => assert.match(String(error), /undone/, String(error)))
  }
  await owner
    .begin(async (tx) => {
      await tx`update unmatched set attempt_id = ${newId()}`
      const report = await verify(partly<Sql>(tx), { cell: 'a1', auditKey, only: ['receipts of pix'] })
      assert.match(report.faults.map(({ what }) => what).join(), /names another attempt than its evidence/)
      throw new Error('undone')
    })
    .catch((error: unknown) => assert.match(String(error), /undone/))
  await owner.end()
})

test('USDT that comes to a lost address is found and lies in suspense, to the cent, with its merchant and payment', async () => {
  const issued = path.join(place, 'crypto')
  await using line = await openLine()
  const kept = await line.create()
  const rails = listRails([createCryptoRail(() => [line.chain])])
  const attempt: Attempt = {
    id: newId(),
    merchantId: line.merchant.id,
    paymentId: newId(),
    method: 'CRYPTO',
    connection: line.chain.connection,
    amount: { minor: 500n, currency: 'USDT' },
  }
  const clock = { now: line.clock.now }
  const log = createIssuanceLog({ folder: issued, books: () => selectBooks(line.sql), clock, log: silentLog })
  await log.write(attempt)
  // The same payment's address again, as when its payer chose the method twice.
  await log.write({ ...attempt, id: newId(), paymentId: kept.id })
  await log.close()
  const by = { actor: { kind: 'OPERATOR', id: 'ana@office' } } as const
  const opening = { by, name: 'ana', reason: 'a disk was lost', eventJump: usualJump }
  await beginRepair({ sql: line.sql, lane: line.lane }, opening)
  const deps = { sql: line.sql, rails, watch: watchLost }
  const { added, known } = await recordLost(deps, by, [issued])
  assert.deepEqual([added, known], [1, 1])

  const to = createDepositAddresses(line.chain)(attempt.paymentId)
  const txHash = `0x${'ab'.repeat(32)}` as const
  await line.mine([
    { to, units: 5n * cent + cent / 2n, txHash },
    { to, units: cent / 4n },
  ])
  await line.settleAll()
  assert.equal((await selectSuspended(line.sql, false)).length, 0)
  await line.unmine()
  await line.mine([
    { to, units: 5n * cent + cent / 2n, txHash },
    { to, units: cent / 4n },
    { to, units: cent / 4n },
  ])
  await line.finalize()
  const signals = line.drainSignals()
  await line.settle(signals)
  await line.settle(signals)
  const found = await selectSuspended(line.sql, false)
  assert.deepEqual(
    found.map((each) => [each.lostMerchantId, each.lostPaymentId]),
    [
      [line.merchant.id, attempt.paymentId],
      [line.merchant.id, attempt.paymentId],
    ],
  )
  assert.equal(
    found.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    6n,
  )
  const sealer = createSealer({ sql: line.sql, lane: line.lane })
  while ((await sealer.poll()) > 0);
  assert.deepEqual((await line.verify()).faults, [])
  await line.owner`update deposit_address set attempt_id = ${newId()} where payment_id = ${attempt.paymentId}`
  assert.match(
    JSON.stringify((await line.verify(['deposit addresses'])).faults.map(({ what }) => what)),
    /belongs to no attempt/,
  )
})

test('a payment that was restored without its address can be paid by CRYPTO again, at the address that its payer has', async () => {
  await using world = await openChooseWorld()
  const { line } = world
  const request = { amount: 1_000, currency: 'USDT', checkout: 'default' }
  const { payment } = await world.creator.create(line.merchant, newId(), request)
  const attempt: Attempt = {
    id: newId(),
    merchantId: line.merchant.id,
    paymentId: payment.id,
    method: 'CRYPTO',
    connection: line.chain.connection,
    amount: { minor: 1_000n, currency: 'USDT' },
  }
  const folderOf = path.join(place, 'again')
  const log = createIssuanceLog({
    folder: folderOf,
    books: () => selectBooks(line.sql),
    clock: { now: line.clock.now },
    log: silentLog,
  })
  await log.write(attempt)
  await log.close()
  const by = { actor: { kind: 'OPERATOR', id: 'ana@office' } } as const
  await beginRepair(
    { sql: line.sql, lane: line.lane },
    { by, name: 'ana', reason: 'lost', eventJump: usualJump },
  )
  const deps = { sql: line.sql, rails: world.rails, watch: watchLost }
  assert.equal((await recordLost(deps, by, [folderOf])).added, 1)
  const to = createDepositAddresses(line.chain)(payment.id)
  await line.mine([{ to, units: 300n * cent + cent / 2n }])
  await line.finalize()
  await line.settleAll()
  assert.deepEqual(
    (await selectSuspended(line.sql, false)).map((each) => [each.lostPaymentId, each.amountMinor]),
    [[payment.id, 300n]],
  )
  await line.mine([{ to, units: cent }])
  const opened = await world.opener.openChosen(await line.payment(payment.id), { method: 'CRYPTO' }, {})
  assert.equal(await line.addressOf(opened.payment), to)
  await line.mine([{ to, units: 999n * cent + cent / 2n }])
  await line.finalize()
  await line.settleAll()
  const paid = await line.payment(payment.id)
  assert.deepEqual([paid.status, paid.receivedMinor], ['PAID', 1_001n])
  const sealer = createSealer({ sql: line.sql, lane: line.lane })
  while ((await sealer.poll()) > 0);
  assert.deepEqual((await line.verify()).faults, [])
})
