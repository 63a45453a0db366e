// After a restore: what a bank says left is compared with the books, and what the books do not have is recorded once. Two
// people decide about it, and only then money leaves again.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { whoDecides } from '#/cli/decision.ts'
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { linkAccount } from '#/operator/accounts.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import { sentKind } from '#/settlement/unrecorded.ts'
import { asUser } from '../../test/as-user.ts'
import { startHangingServer } from '../../test/hanging-server.ts'
import { hex, openMoneyOutWorld } from '../../test/money-out-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { makeSignerHome } from '../../test/real-signer.ts'
import { compareMoneyOut } from './money-out.ts'

const world = openForTests(openMoneyOutWorld)

const lost: { refund: string; payout: string; second: string } = { refund: '', payout: '', second: '' }

test('what the books do not have is recorded once; what they have is not, whatever its state', async () => {
  const { sql } = world.base.core
  const paid = await world.pay()
  const [attempt] = await selectAttempts(sql, [{ merchantId: world.base.merchant.id, paymentId: paid.id }])
  const known = await world.base.refund({ id: paid.id }, { amount: 100 })
  assert.equal(known.kind, 'created')
  const early = await world.withdrawal(150)
  await world.begin()

  await world.lostPayout('ana@example.com', 150n, { reference: early })
  lost.payout = await world.lostPayout('ana@example.com', 200n)
  lost.second = await world.lostPayout('bia@example.com', 70n)
  await world.lostPayout('ac03@sim.pix', 90n, { state: 'refused' })
  await world.lostPayout('returned@sim.pix', 60n, { state: 'returned' })
  lost.refund = await world.lostRefund(must(attempt, 'an attempt').id, paid.endToEndId, 300n)
  const unknown = await world.lostPayment(500n)
  await world.lostRefund(unknown.attempt, unknown.endToEndId, 100n)
  const before = await world.sums()

  const out = await world.done('ana', 'restored', 'money-out')
  assert.match(out, /Recorded now, for two people to decide about/)
  const found = await world.listed()
  assert.deepEqual(
    new Map(found.map(({ kind, reference, amount, merchantId }) => [reference, [kind, amount, merchantId]])),
    new Map<string, unknown>([
      [lost.refund, ['REFUND', 300, world.base.merchant.id]],
      [lost.payout, ['WITHDRAWAL', 200, undefined]],
      [lost.second, ['WITHDRAWAL', 70, undefined]],
    ]),
  )
  const now = await world.sums()
  assert.equal(now.unrecorded, 570n)
  assert.equal(now.provider, before.provider - 570n)
  assert.equal(now.available, before.available)
  assert.deepEqual(await world.faults(), [])

  const again = JSON.parse(await world.done('bia', 'restored', 'money-out', '--json')) as {
    readonly recorded: readonly unknown[]
    readonly sources: readonly { readonly kind: string; readonly counts: Readonly<Record<string, number>> }[]
  }
  assert.deepEqual(again.recorded, [])
  const countsOf = (kind: string) => again.sources.find((each) => each.kind === kind)?.counts
  const none = { agreeing: 0, behind: 0, underWay: 0, ofUnknown: 0, recorded: 0, repeated: 0 }
  assert.deepEqual(countsOf('WITHDRAWAL'), { ...none, behind: 1, repeated: 2 })
  assert.deepEqual(countsOf('REFUND'), { ...none, repeated: 1, ofUnknown: 1 })
  assert.deepEqual(await world.sums(), now)
})

test('the command reads journals of signers, and refuses what is none', async () => {
  using home = makeSignerHome(() => ({ version: 1, keys: [] }))
  const signer = await home.start()
  await signer.kill()
  const path = join(home.folder, 'journal.jsonl')
  const reading = ['money-out', '--journal', path, '--journal', path] as const
  const said = JSON.parse(await world.done('bia', 'restored', ...reading, '--json')) as Record<
    string,
    unknown
  >
  const read = { path, lines: 0, cut: 0 }
  assert.deepEqual([said['journals'], said['signed']], [[read, read], []])
  assert.match(await world.done('bia', 'restored', ...reading), /journal\.jsonl: 0 signed\n/)
  await world.refusedWith(
    /passphrase is not there/,
    'bia',
    'restored',
    'money-out',
    '--journal',
    '/nowhere/a',
  )
})

test('money that came for a charge that the books do not have is read again, and waits in suspense with its refund', async () => {
  const before = await world.sums()
  assert.ok((await world.base.reconcile()) > 0)
  const now = await world.sums()
  assert.deepEqual(now, { ...before, suspense: 500n, provider: before.provider + 500n })
  const waiting = JSON.parse(await world.done('ana', 'suspense', 'list', '--json')) as readonly {
    readonly amount: number
    readonly reportedSince: readonly string[]
  }[]
  assert.deepEqual(
    waiting.map(({ amount, reportedSince }) => [amount, reportedSince]),
    [[500, ['refunded']]],
  )
  // What reconciliation has read is no news for the comparison, and the reverse.
  await world.done('ana', 'restored', 'money-out')
  assert.equal(await world.base.reconcile(), 0)
  assert.deepEqual(await world.sums(), now)
  assert.deepEqual(await world.faults(), [])
})

/** The connections that the last comparison missed. */
let missed = ''

test('a bank that hangs or fails is named, and holds up no other', async () => {
  await using hanging = await startHangingServer()
  const url = hanging.url.replace('http:', 'https:')
  const silent = await world.addPayouts({ baseUrl: url, tokenUrl: url })
  const absent = await world.addPayouts({ baseUrl: 'https://127.0.0.1:9', tokenUrl: 'https://127.0.0.1:9' })
  const [wallet, sepa] = [await world.addTo('PARTNER_PAY'), await world.addTo('SEPA_TRANSFER')]
  const chain = await world.addTo('CRYPTO', { settings: { chain: 'bsc' } })
  const unclear = await world.addTo('CRYPTO')
  const third = await world.lostPayout('carla@example.com', 40n)
  const { core } = world.base
  await world.bank.control('POST', '/return-payout', { idEnvio: lost.second, amount: '0.10' })
  const compare = () =>
    compareMoneyOut(
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
  // Two at the same time record it once.
  const [{ sources, recorded }, other] = await Promise.all([compare(), compare()])
  assert.deepEqual(
    [...recorded, ...other.recorded].map(({ reference }) => reference),
    [third],
  )
  const whys = new Map(sources.map(({ connection, kind, why }) => [`${kind} ${connection}`, why]))
  assert.match(whys.get(`WITHDRAWAL ${silent}`) ?? '', /no page for 1.5 seconds/)
  assert.match(whys.get(`WITHDRAWAL ${absent}`) ?? '', /ECONNREFUSED/)
  // Those whose providers list nothing by our references.
  assert.match(whys.get(`REFUND ${wallet}`) ?? '', /lists no refunds/)
  assert.match(whys.get(`WITHDRAWAL ${sepa}`) ?? '', /lists no payouts/)
  assert.match(whys.get(`WITHDRAWAL ${chain}`) ?? '', /journal of the signer/)
  assert.match(whys.get(`WITHDRAWAL ${unclear}`) ?? '', /names a chain/)
  assert.equal(whys.get(`REFUND ${sepa}`), undefined)
  // A part came back after it was recorded: a person decides.
  const back = whys.get(`WITHDRAWAL ${world.payouts}`) ?? ''
  assert.match(back, new RegExp(`^${lost.second} is recorded with 70, and its provider says another amount`))
  assert.equal(whys.get(`REFUND ${world.base.connection}`), undefined)

  // The person who began does not confirm it, and nobody does for lists that were missed.
  const confirm = ['confirm', 'money-out', '--note', 'compared'] as const
  await world.refusedWith(/You began this repair: another person/, 'ana', 'restored', ...confirm)
  await world.refusedWith(new RegExp(`missed .*${silent}`), 'bia', 'restored', ...confirm)
  await world.refusedWith(
    new RegExp(`missed .*${absent}`),
    'bia',
    'restored',
    ...confirm,
    '--without',
    silent,
  )
  const all = [silent, absent, wallet, sepa, chain, unclear, world.payouts].join(',')
  const needless = `${all},${world.base.connection}`
  await world.refusedWith(/missed nothing of/, 'bia', 'restored', ...confirm, '--without', needless)
  await world.refusedWith(
    /step before is not done: money_out/,
    'bia',
    'restored',
    'open',
    '--reason',
    'hurry',
  )
  await world.refusedWith(
    /Of what left unrecorded, 4 still wait for two people/,
    'bia',
    'restored',
    ...confirm,
    '--without',
    all,
  )
  missed = all
  assert.deepEqual(await world.faults(), [])
})

test('two people decide whose it was: a merchant is debited, it is written off, or it came back', async () => {
  const found = new Map((await world.listed()).map(({ reference, id }) => [reference, id]))
  const idOf = (reference: string) => must(found.get(reference), 'it is listed')
  const refund = idOf(lost.refund)
  const other = (await world.base.newMerchant()).id
  const owner = world.base.merchant.id
  const before = await world.sums()

  // Without a reason, a second request about it, and one's own: nothing moves.
  await world.refusedWith(/--reason is missing/, 'ana', 'suspense', 'charge', refund, '--merchant', owner)
  const wrong = await world.requested('ana', 'charge', refund, '--merchant', other)
  await world.refusedWith(/requested already/, 'bia', 'suspense', 'write-off', refund, '--reason', 'ours')
  await world.refusedWith(/Nobody approves what they requested/, 'ana', 'suspense', 'approve', wrong)
  await world.refusedWith(/nobody else is charged for it/, 'bia', 'suspense', 'approve', wrong)
  await world.done('bia', 'suspense', 'refuse', wrong, '--reason', 'another merchant')
  assert.deepEqual(await world.sums(), before)

  const charge = await world.requested('ana', 'charge', refund, '--merchant', owner)
  assert.match(await world.done('bia', 'suspense', 'approve', charge), /3\.00 BRL is CHARGED/)
  await world.refusedWith(/decided before/, 'bia', 'suspense', 'approve', charge)
  await world.refusedWith(
    /decided before: CHARGED/,
    'bia',
    'suspense',
    'came-back',
    refund,
    '--reason',
    'again',
  )
  assert.deepEqual(await world.sums(), {
    ...before,
    unrecorded: before.unrecorded - 300n,
    available: before.available - 300n,
  })

  // More than the wallet has becomes a debt.
  const [wallet] = await world.base.wallets()
  const all = must(wallet, 'a wallet').available
  const big = await world.base.core.lane.submit(sentKind, {
    kind: 'WITHDRAWAL',
    connection: world.payouts,
    account: world.base.connection,
    reference: hex(newId()),
    amount: { minor: all + 25n, currency: 'BRL' },
    evidence: Buffer.from('big'),
  })
  assert.equal(big.kind, 'recorded')
  const indebting = await world.requested('bia', 'charge', big.unrecorded.id, '--merchant', owner)
  await world.done('ana', 'suspense', 'approve', indebting)
  const indebted = await world.sums()
  assert.deepEqual([indebted.available, indebted.receivable], [0n, 25n])

  const off = await world.requested('bia', 'write-off', idOf(lost.payout))
  await world.done('ana', 'suspense', 'approve', off)
  const back = await world.requested('bia', 'came-back', idOf(lost.second))
  await world.done('ana', 'suspense', 'approve', back)
  const now = await world.sums()
  assert.equal(now.loss, 200n)
  assert.equal(now.provider, indebted.provider + 70n)
  assert.equal(now.unrecorded, 40n)
  assert.equal((await world.listed()).length, 1)
  assert.equal((await world.listed('--all')).length, 5)
  assert.deepEqual(await world.faults(), [])
})

/** Both accounts at the command line are one user's. */
async function linkBoth(sql: Sql): Promise<void> {
  const [id, by] = [
    newId<'user'>(),
    { by: { actor: { kind: 'OPERATOR', id: 'root' } as const }, name: 'root' },
  ]
  await sql`
    insert into app_user (id, email, name, language, time_zone, is_operator, created_at)
    values (${id}, 'ana@example.com', 'Ana', 'en', 'UTC', true, now())`
  for (const user of ['ana', 'bia'])
    await linkAccount(sql, by, { account: await asUser(user, async () => whoDecides()), userId: id })
}

test('money leaves again when another person confirms the comparison and opens', async () => {
  const confirm = ['confirm', 'money-out', '--note', 'compared', '--without', missed] as const
  await world.refusedWith(
    /Of what left unrecorded, 1 still wait for two people/,
    'bia',
    'restored',
    ...confirm,
  )
  const [last] = await world.listed()
  await world.done('bia', 'suspense', 'approve', await world.requested('ana', 'write-off', last?.id ?? ''))

  // Two accounts of one user are one person, for every step that needs another one.
  const { sql } = world.base.core
  await linkBoth(sql)
  const began = /You began this repair: another person/
  await world.refusedWith(began, 'bia', 'restored', ...confirm)
  await sql`delete from command_account`
  const out = await world.done('bia', 'restored', ...confirm)
  assert.match(out, /money out .*\(compared\)/)
  await world.done('ana', 'restored', 'confirm', 'money-in', '--note', 'suspense is empty')
  await world.refusedWith(
    /You began this repair: another person/,
    'ana',
    'restored',
    'open',
    '--reason',
    'compared',
  )
  // What left unrecorded after the comparison was confirmed waits for two people, too.
  const late = await world.base.core.lane.submit(sentKind, {
    kind: 'WITHDRAWAL',
    connection: world.payouts,
    account: world.base.connection,
    reference: hex(newId()),
    amount: { minor: 30n, currency: 'BRL' },
    evidence: Buffer.from('late'),
  })
  assert.equal(late.kind, 'recorded')
  const undecided = /Of what left unrecorded, 1 still wait for two people/
  await world.refusedWith(undecided, 'bia', 'restored', 'open', '--reason', 'compared')
  const lateOff = await world.requested('ana', 'write-off', late.unrecorded.id)
  await world.done('bia', 'suspense', 'approve', lateOff)
  await world.done('bia', 'restored', 'open', '--reason', 'compared')
  await world.refusedWith(/No repair is under way/, 'bia', 'restored', 'money-out')
  assert.deepEqual(await world.faults(), [])
})

test('verify names what was changed afterwards', async () => {
  const changes = [
    [`delete from unrecorded where resolved_at is null`, /belongs to .*, which is nothing that moves money/],
    [
      `update unrecorded set amount_minor = 41 where resolved_at is null`,
      /made transfer \d+ of 40 instead of 41/,
    ],
    [`update unrecorded set amount_minor = 41 where resolved_at is null`, /is 40, but 41 is undecided/],
    [
      `update unrecorded set known_minor = 1 where resolved_at is null`,
      /counts 1 as known, but the books have 0/,
    ],
    [`update unrecorded set note = 'mine' where resolution = 'CHARGED'`, /has other evidence than transfer/],
    [`update unrecorded set resolution = 'RETURNED' where resolution = 'WRITTEN_OFF'`, /without a reason/],
    [`delete from operator_proposal`, /without an approved request of another person/],
    [`update unrecorded set report_hash = sha256('x')`, /has other evidence than transfer/],
    [
      `update unrecorded set payment_id = id where payment_id is not null`,
      /which its merchant does not have/,
    ],
  ] as const
  await world.base.core.lane.submit(sentKind, {
    kind: 'WITHDRAWAL',
    connection: world.payouts,
    account: world.base.connection,
    reference: hex(newId()),
    amount: { minor: 40n, currency: 'BRL' },
    evidence: Buffer.from('one more'),
  })
  const owner = connect(world.base.ownerUrl, { max: 1 })
  try {
    for (const [statement, expected] of changes) {
      await owner.begin(async (tx) => {
        await tx.unsafe('create table kept as select * from unrecorded')
        await tx.unsafe('create table kept_proposal as select * from operator_proposal')
        await tx.unsafe(statement)
      })
      assert.match((await world.faults()).join('\n'), expected, statement)
      await owner.begin(async (tx) => {
        await tx.unsafe('delete from unrecorded; insert into unrecorded select * from kept; drop table kept')
        await tx.unsafe(
          'delete from operator_proposal; insert into operator_proposal select * from kept_proposal; drop table kept_proposal',
        )
      })
    }
    assert.deepEqual(await world.faults(), [])
  } finally {
    await owner.end({ timeout: 1 })
  }
})
