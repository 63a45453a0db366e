// After a restore: what a bank says left is compared with the books, what they do not have is recorded once, two people decide about it,
// and only then does money leave again.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { startHangingServer } from '../../test/hanging-server.ts'
import { openPixWorld, worldKeys, type PixWorld } from '../../test/pix-world.ts'
import { startPixBank, type PixBank } from '../../test/rails/pix/bank.ts'
import { openPayingAccount, type PayingAccount } from '../../test/rails/pix/payout.ts'
import { sumsOfAccounts } from '../../test/sums-of-accounts.ts'

import type { CommandDeps } from '#/cli/command.ts'
import { restoredCommand } from '#/cli/restored.ts'
import { suspenseCommand } from '#/cli/suspense.ts'
import { readConfig } from '#/config.ts'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId, type PaymentId, type RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { createTerminal } from '#/kernel/terminal.ts'
import { connectionKeys } from '#/merchants/connection-keys.ts'
import { addConnection } from '#/merchants/connections.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { beginRepair } from './begin.ts'
import { compareMoneyOut } from './money-out.ts'

const folder = mkdtempSync(join(os.tmpdir(), 'vintem-money-out-'))
let bank: PixBank
let paying: PayingAccount
let world: PixWorld
let payouts: ConnectionId
let paid: { readonly id: PaymentId; readonly endToEndId: string }

before(async () => {
  bank = await startPixBank({ magic: true })
  paying = await openPayingAccount(bank)
  world = await openPixWorld(await bank.customer())
  payouts = await addPayouts({ account: world.connection })
  paid = await pay()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await paying.stop()
  await bank[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const hex = (id: string) => id.replaceAll('-', '')

async function addPayouts(more: Readonly<Record<string, unknown>>): Promise<ConnectionId> {
  const { settings, refundSecrets } = paying.connection
  const [master, worker] = [worldKeys.VINTEM_MASTER_KEY, worldKeys.VINTEM_WORKER_KEY].map((key) =>
    Buffer.from(key, 'hex'),
  )
  const id = await addConnection(
    {
      sql: world.core.sql,
      cell: 'a1',
      keys: connectionKeys(must(master, 'a key'), must(worker, 'a key')),
    },
    {
      mode: 'SANDBOX',
      method: 'PIX_PAYOUT',
      provider: 'efi',
      settings: { ...settings, ...more },
      secrets: {},
      refundSecrets: must(refundSecrets, 'it sends'),
    },
  )
  await world.core.connections.refresh()
  return id
}

async function pay() {
  const { payment } = await world.create()
  const txid = await world.txidOf(payment)
  const pix = await bank.pay(txid, { webhook: 'lose' })
  await world.callback({ pix })
  return { id: payment.id, endToEndId: must(pix[0], 'it was paid').endToEndId }
}

/** A refund that the bank carries out, and that no record has: as one of the lost span. */
async function lostRefund(attempt: string, paidRef: string, minor: bigint): Promise<RefundId> {
  const id = newId<'refund'>()
  const refunds = must(world.core.rails.get('PIX')?.refunds, 'PIX refunds')
  const { merchant, connection } = world
  const order = {
    id,
    attempt: { id: attempt as never, merchantId: merchant.id, paymentId: newId<'payment'>() },
    connection,
    paidRef,
    amount: { minor, currency: 'BRL' as const },
  }
  await refunds.send(order, false)
  await eventually('the bank has refunded', async () => (await refunds.send(order, true)).length > 0)
  return id
}

/** A payout that the bank was sent, in this state there. Returns its reference. */
async function lostPayout(
  pixKey: string,
  minor: bigint,
  { reference = hex(newId()), state = 'done' }: { readonly reference?: string; readonly state?: string } = {},
): Promise<string> {
  const rail = must(world.core.payoutRails.get('PIX'), 'PIX pays out')
  const order = {
    id: newId<'withdrawal'>(),
    merchantId: world.merchant.id,
    reference,
    connection: payouts,
    amount: { minor, currency: 'BRL' as const },
    destination: { pixKey, pixKeyType: 'EMAIL' },
  }
  await rail.send(order, false)
  await eventually(`it is ${state}`, async () => (await rail.check?.(order))?.state === state)
  return reference
}

/** A withdrawal of the books that was never sent, as far as they know. Returns its reference. */
async function withdrawal(minor: number): Promise<string> {
  const id = newId<'withdrawal'>()
  const fields = { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' }
  const { id: merchantId, mode } = world.merchant
  await world.core.lane.submit(withdrawalKind(), {
    merchantId,
    mode,
    id,
    request: { type: 'PIX', amount: minor, currency: 'BRL', ...fields },
    requestedBy: newId<'api-key'>(),
    routing: {
      ok: true,
      connection: payouts,
      currency: 'BRL',
      destination: { text: 'ana@example.com', fields },
    },
  })
  const [row] = await world.core.sql<{ reference: string }[]>`select reference from withdrawal where id = ${id}`
  return must(row, 'it was accepted').reference
}

type Person = 'ana' | 'bia'

/** Runs a command as this user of the system. */
async function run(
  person: Person,
  group: 'restored' | 'suspense',
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const printed = { out: '', err: '' }
  const stdout = { write: (text: string) => (printed.out += text) }
  const stderr = { write: (text: string) => (printed.err += text) }
  const config = () =>
    readConfig({
      ...worldKeys,
      DATABASE_URL: world.appUrl,
      VINTEM_DATA_DIR: folder,
      VINTEM_LOG_LEVEL: 'silent',
      VINTEM_SANDBOX: 'off',
    })
  const deps: CommandDeps = { config, open: () => assert.fail('no office is needed') }
  const user = mock.method(os, 'userInfo', () => ({ username: person }))
  try {
    const command = group === 'restored' ? restoredCommand : suspenseCommand
    const terminal = createTerminal({ stdout, stderr }, { LANG: 'C' })
    return { code: await command(args, terminal, deps, silentLog), ...printed }
  } finally {
    user.mock.restore()
  }
}

async function done(person: Person, group: 'restored' | 'suspense', ...args: readonly string[]) {
  const { code, out, err } = await run(person, group, ...args)
  assert.equal(code, 0, err)
  return out
}

async function refusedWith(expected: RegExp, ...call: Parameters<typeof run>): Promise<void> {
  const { code, err } = await run(...call)
  assert.notEqual(code, 0, `${call.join(' ')} was done`)
  assert.match(err, expected)
}

type Found = {
  readonly id: string
  readonly kind: string
  readonly reference: string
  readonly amount: number
  readonly merchantId?: string
}

const listed = async (...args: readonly string[]) =>
  JSON.parse(await done('ana', 'suspense', 'sent', '--json', ...args)) as readonly Found[]

async function sums() {
  const sum = await sumsOfAccounts(world.core.sql)
  return {
    unrecorded: sum(/^unrecorded:/),
    provider: sum(/^provider:/),
    available: sum(/:available$/),
    loss: sum(/^cost:loss:/),
    receivable: sum(/^receivable:/),
  }
}

const faults = async () => (await world.verify()).faults.map(({ row, what }) => `${row} ${what}`)

async function begin(): Promise<void> {
  const name = `ana@${os.hostname()}`
  const by = { actor: { kind: 'OPERATOR', id: name } } as const
  await beginRepair(world.core, { by, name, reason: 'disk lost', eventJump: 1_000n })
  for (const subject of ['keys', 'roles', 'limits', 'destinations']) {
    const rows = JSON.parse(await done('ana', 'restored', 'list', subject, '--json')) as unknown[]
    await done('ana', 'restored', 'confirm', subject, '--seen', String(rows.length), '--note', 'the log')
  }
}

const lost: { refund: string; payout: string; second: string } = { refund: '', payout: '', second: '' }

test('what the books do not have is recorded once; what they have is not, whatever its state', async () => {
  const { sql } = world.core
  const [attempt] = await selectAttempts(sql, [{ merchantId: world.merchant.id, paymentId: paid.id }])
  const known = await world.refund({ id: paid.id }, { amount: 100 })
  assert.equal(known.kind, 'created')
  const early = await withdrawal(150)
  await begin()

  await lostPayout('ana@example.com', 150n, { reference: early })
  lost.payout = await lostPayout('ana@example.com', 200n)
  lost.second = await lostPayout('bia@example.com', 70n)
  await lostPayout('ac03@sim.pix', 90n, { state: 'refused' })
  await lostPayout('returned@sim.pix', 60n, { state: 'returned' })
  lost.refund = await lostRefund(must(attempt, 'an attempt').id, paid.endToEndId, 300n)
  const before = await sums()

  const out = await done('ana', 'restored', 'money-out')
  assert.match(out, /Recorded now, for two people to decide about/)
  const found = await listed()
  assert.deepEqual(
    found.map(({ kind, reference, amount, merchantId }) => [kind, reference, amount, merchantId]).toSorted(),
    [
      ['REFUND', lost.refund, 300, world.merchant.id],
      ['WITHDRAWAL', lost.payout, 200, undefined],
      ['WITHDRAWAL', lost.second, 70, undefined],
    ].toSorted(),
  )
  const now = await sums()
  assert.equal(now.unrecorded, 570n)
  assert.equal(now.provider, before.provider - 570n)
  assert.equal(now.available, before.available)
  assert.deepEqual(await faults(), [])

  const again = JSON.parse(await done('bia', 'restored', 'money-out', '--json')) as {
    readonly recorded: readonly unknown[]
    readonly sources: readonly { readonly kind: string; readonly counts: Readonly<Record<string, number>> }[]
  }
  assert.deepEqual(again.recorded, [])
  const countsOf = (kind: string) => again.sources.find((each) => each.kind === kind)?.counts
  const none = { agreeing: 0, behind: 0, underWay: 0, ofUnknown: 0, recorded: 0, repeated: 0 }
  assert.deepEqual(countsOf('WITHDRAWAL'), { ...none, behind: 1, repeated: 2 })
  assert.deepEqual(countsOf('REFUND'), { ...none, repeated: 1 })
  assert.deepEqual(await sums(), now)
})

/** The connections that the last comparison missed. */
let missed = ''

test('a bank that hangs or fails is named, and holds up no other', async () => {
  await using hanging = await startHangingServer()
  const url = hanging.url.replace('http:', 'https:')
  const silent = await addPayouts({ baseUrl: url, tokenUrl: url })
  const absent = await addPayouts({ baseUrl: 'https://127.0.0.1:9', tokenUrl: 'https://127.0.0.1:9' })
  const third = await lostPayout('carla@example.com', 40n)
  const { core } = world
  const { sources, recorded } = await compareMoneyOut(
    {
      sql: core.sql,
      rails: core.rails,
      payoutRails: core.payoutRails,
      connections: core.connections,
      log: silentLog,
      record: (item) => core.lane.submit(sentKind, item),
      pageWaitMs: 1_500,
    },
    { by: { actor: { kind: 'OPERATOR', id: 'bia' } }, name: 'bia' },
  )
  assert.deepEqual(
    recorded.map(({ reference }) => reference),
    [third],
  )
  const whys = new Map(sources.map(({ connection, kind, why }) => [`${kind} ${connection}`, why]))
  assert.match(whys.get(`WITHDRAWAL ${silent}`) ?? '', /no page for 1.5 seconds/)
  assert.match(whys.get(`WITHDRAWAL ${absent}`) ?? '', /./)
  assert.equal(whys.get(`WITHDRAWAL ${payouts}`), undefined)
  assert.equal(whys.get(`REFUND ${world.connection}`), undefined)

  // The person who began does not confirm it, and nobody does for lists that were missed.
  const confirm = ['confirm', 'money-out', '--note', 'compared'] as const
  await refusedWith(/You began this repair: another person/, 'ana', 'restored', ...confirm)
  await refusedWith(new RegExp(`missed ${silent}`), 'bia', 'restored', ...confirm)
  await refusedWith(new RegExp(`missed ${absent}`), 'bia', 'restored', ...confirm, '--without', silent)
  const needless = [silent, absent, payouts].join(',')
  await refusedWith(/missed nothing of/, 'bia', 'restored', ...confirm, '--without', needless)
  await refusedWith(/step before is not done: money_out/, 'bia', 'restored', 'open', '--reason', 'hurry')
  const both = ['--without', `${silent},${absent}`] as const
  await refusedWith(/4 that left unrecorded wait for two people/, 'bia', 'restored', ...confirm, ...both)
  missed = both[1]
  assert.deepEqual(await faults(), [])
})

test('two people decide whose it was: a merchant is debited, it is written off, or it came back', async () => {
  const found = new Map((await listed()).map(({ reference, id }) => [reference, id]))
  const idOf = (reference: string) => must(found.get(reference), 'it is listed')
  const refund = idOf(lost.refund)
  const other = (await world.newMerchant()).id
  const owner = world.merchant.id
  const requested = async (person: Person, ...args: readonly string[]) => {
    const said = await done(person, 'suspense', ...args, '--reason', 'as the bank lists it', '--json')
    return String((JSON.parse(said) as { readonly request: string }).request)
  }
  const before = await sums()

  // Without a reason, a second request about it, and one's own: nothing moves.
  await refusedWith(/--reason is missing/, 'ana', 'suspense', 'charge', refund, '--merchant', owner)
  const wrong = await requested('ana', 'charge', refund, '--merchant', other)
  await refusedWith(/requested already/, 'bia', 'suspense', 'write-off', refund, '--reason', 'ours')
  await refusedWith(/Nobody approves what they requested/, 'ana', 'suspense', 'approve', wrong)
  await refusedWith(/nobody else is charged for it/, 'bia', 'suspense', 'approve', wrong)
  await done('bia', 'suspense', 'refuse', wrong, '--reason', 'another merchant')
  assert.deepEqual(await sums(), before)

  const charge = await requested('ana', 'charge', refund, '--merchant', owner)
  assert.match(await done('bia', 'suspense', 'approve', charge), /3\.00 BRL is CHARGED/)
  await refusedWith(/decided before/, 'bia', 'suspense', 'approve', charge)
  await refusedWith(/decided before: CHARGED/, 'bia', 'suspense', 'came-back', refund, '--reason', 'again')
  assert.deepEqual(await sums(), {
    ...before,
    unrecorded: before.unrecorded - 300n,
    available: before.available - 300n,
  })

  // More than the wallet has becomes a debt.
  const [wallet] = await world.wallets()
  const all = must(wallet, 'a wallet').available
  const big = await world.core.lane.submit(sentKind, {
    kind: 'WITHDRAWAL',
    connection: payouts,
    account: world.connection,
    reference: hex(newId()),
    amount: { minor: all + 25n, currency: 'BRL' },
    evidence: Buffer.from('big'),
  })
  assert.equal(big.kind, 'recorded')
  const indebting = await requested('bia', 'charge', big.unrecorded.id, '--merchant', owner)
  await done('ana', 'suspense', 'approve', indebting)
  const indebted = await sums()
  assert.deepEqual([indebted.available, indebted.receivable], [0n, 25n])

  const off = await requested('bia', 'write-off', idOf(lost.payout))
  await done('ana', 'suspense', 'approve', off)
  const back = await requested('bia', 'came-back', idOf(lost.second))
  await done('ana', 'suspense', 'approve', back)
  const now = await sums()
  assert.equal(now.loss, 200n)
  assert.equal(now.provider, indebted.provider + 70n)
  assert.equal(now.unrecorded, 40n)
  assert.equal((await listed()).length, 1)
  assert.equal((await listed('--all')).length, 5)
  assert.deepEqual(await faults(), [])
})

test('money leaves again when another person confirms the comparison and opens', async () => {
  const confirm = ['confirm', 'money-out', '--note', 'compared', '--without', missed] as const
  await refusedWith(/1 that left unrecorded wait/, 'bia', 'restored', ...confirm)
  const [last] = await listed()
  const said = await done('ana', 'suspense', 'write-off', last?.id ?? '', '--reason', 'ours', '--json')
  await done('bia', 'suspense', 'approve', String((JSON.parse(said) as { readonly request: string }).request))

  const out = await done('bia', 'restored', ...confirm)
  assert.match(out, /money out .*\(compared\)/)
  await done('ana', 'restored', 'confirm', 'money-in', '--note', 'suspense is empty')
  await refusedWith(/You began this repair: another person/, 'ana', 'restored', 'open', '--reason', 'compared')
  await done('bia', 'restored', 'open', '--reason', 'compared')
  await refusedWith(/No repair is under way/, 'bia', 'restored', 'money-out')
  assert.deepEqual(await faults(), [])
})

test('verify names what was changed afterwards', async () => {
  const changes = [
    [`delete from unrecorded where resolved_at is null`, /belongs to .*, which is nothing that moves money/],
    [`update unrecorded set amount_minor = 41 where resolved_at is null`, /made transfer \d+ of 40 instead of 41/],
    [`update unrecorded set amount_minor = 41 where resolved_at is null`, /is 40, but 41 is undecided/],
    [`update unrecorded set known_minor = 1 where resolved_at is null`, /counts 1 as known, but the books have 0/],
    [`update unrecorded set note = 'mine' where resolution = 'CHARGED'`, /has other evidence than transfer/],
    [`update unrecorded set resolution = 'RETURNED' where resolution = 'WRITTEN_OFF'`, /without a reason/],
    [`delete from operator_proposal`, /without an approved request of another person/],
    [`update unrecorded set report_hash = sha256('x')`, /has other evidence than transfer/],
    [`update unrecorded set payment_id = id where payment_id is not null`, /which its merchant does not have/],
  ] as const
  await world.core.lane.submit(sentKind, {
    kind: 'WITHDRAWAL',
    connection: payouts,
    account: world.connection,
    reference: hex(newId()),
    amount: { minor: 40n, currency: 'BRL' },
    evidence: Buffer.from('one more'),
  })
  const owner = connect(world.ownerUrl, { max: 1 })
  try {
    for (const [statement, expected] of changes) {
      await owner.begin(async (tx) => {
        await tx.unsafe('create table kept as select * from unrecorded')
        await tx.unsafe('create table kept_proposal as select * from operator_proposal')
        await tx.unsafe(statement)
      })
      assert.match((await faults()).join('\n'), expected, statement)
      await owner.begin(async (tx) => {
        await tx.unsafe('delete from unrecorded; insert into unrecorded select * from kept; drop table kept')
        await tx.unsafe(
          'delete from operator_proposal; insert into operator_proposal select * from kept_proposal; drop table kept_proposal',
        )
      })
    }
    assert.deepEqual(await faults(), [])
  } finally {
    await owner.end({ timeout: 1 })
  }
})
