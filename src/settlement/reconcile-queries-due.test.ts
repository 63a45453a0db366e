// Which passes and releases are due, who may end them, and what a release moves, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows, type RecordedBooks } from '../../test/kind-on-rows.ts'
import * as passes from './reconcile-queries.ts'
import * as releases from './release-queries.ts'
import { releaseDue, releaseKind } from './release.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = ['t1-bank', 't2-bank'] as ConnectionId[] as [ConnectionId, ConnectionId]
/** Before and after every moment at which a test runs. */
const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'] as const
const [merchantId, paymentId] = [bareId(1) as MerchantId, bareId(2) as PaymentId]
const on = <Answer>(rows: BareRows, ask: (tx: Sql & Tx) => Promise<Answer>) =>
  onRows(sql, rows, (tx) => ask(tx))

test('a pass is claimed while its connection is polled, and its holder alone renews and ends it', async () => {
  const pass = { connection: ours, look: 'day', through: past, due_at: past, lease_until: past, takes: 1 }
  const old = { ...pass, connection: theirs }
  const never = { ...pass, connection: 't3-bank' }
  const slots = { total: 9, each: 9, byConnection: [] }
  const all = [ours, theirs, 't3-bank' as ConnectionId]
  const tables = {
    connection: [
      { id: ours, polled_until: future },
      { id: theirs, polled_until: past },
      { id: 't3-bank', polled_until: null },
    ],
    reconciliation: [pass, old, never],
  }
  await on(tables, async (tx) => {
    const claimed = await passes.claimPasses(tx, all, slots, 60_000)
    assert.deepEqual(claimed.map(({ claim }) => claim.id).toSorted(), ['t1-bank/day', 't3-bank/day'])
  })
  const held = {
    connection: ours,
    pass: 'day',
    through: new Date(past),
    claim: { id: '', connection: ours, number: 1 },
    claimedAt: new Date(past),
  }
  const changed = [{}, { connection: theirs }, { look: 'week' }, { takes: 2 }]
  const reconciliation = changed.map((change, index) => ({
    ...pass,
    ...change,
    through: `2001-01-0${index + 1}`,
  }))
  const touched = (tx: Tx) =>
    tx`select through from reconciliation where due_at <> ${past} or through = ${future} order by through`
  await on({ reconciliation }, async (tx) => {
    await passes.renewPass(tx, held, 60_000)
    assert.deepEqual([...(await touched(tx))], [{ through: new Date(past) }])
  })
  await on({ reconciliation: [{ ...pass, due_at: future }] }, async (tx) => {
    await passes.renewPass(tx, held, 60_000)
    assert.equal((await tx`select from reconciliation where due_at = ${future}`).length, 1, 'never shorter')
  })
  await on({ reconciliation }, async (tx) => {
    const end = { through: new Date(future), waitMs: 60_000 }
    const late = { ...held, claim: { ...held.claim, number: 3 } }
    assert.deepEqual(
      [await passes.finishPass(tx, late, end), await passes.finishPass(tx, held, end)],
      [false, true],
    )
    assert.deepEqual([...(await touched(tx))], [{ through: new Date(future) }])
  })
})

test('money whose delay is over is released, the longest due first; a release is postponed and written by all parts of its key', async () => {
  const key = { merchantId, paymentId, ordinal: 1 }
  const row = { merchant_id: merchantId, payment_id: paymentId, ordinal: 1, release_at: past }
  const others = [{ payment_id: bareId(3) }, { ordinal: 2 }]
  const due = [
    { ...row, ordinal: 2, release_at: '2001-01-02T00:00:00Z' },
    row,
    ...beside(row, { released_at: past, ordinal: 3 }, { release_at: future, ordinal: 4 }),
  ]
  const ordinals = async (limit: number) =>
    (await on({ release: due }, (tx) => releases.selectDueReleases(tx, limit))).map(({ ordinal }) => ordinal)
  assert.deepEqual([await ordinals(9), await ordinals(1)], [[1, 2], [1]])
  const states = (tx: Tx) =>
    tx`select payment_id as payment, ordinal from release where release_at > statement_timestamp() or released_at is not null`
  for (const write of [
    (tx: Tx) => releases.postponeReleases(tx, [key], 60_000),
    (tx: Tx) => releases.writeReleased(tx, [{ ...key, releasedMinor: 5n }], new Date(past)),
  ])
    await on({ release: [row, ...beside(row, ...others)] }, async (tx) => {
      await write(tx)
      assert.deepEqual([...(await states(tx))], [{ payment: paymentId, ordinal: 1 }])
    })
})

const [wallet, subAccount, subWallet] = [bareId(4), bareId(5), bareId(6)]
/** A payment of 10.00, of which our fee was 0.30; what is left waits. */
const paymentRow = {
  merchant_id: merchantId,
  id: paymentId,
  request: { amount: 1_000 },
  status: 'PAID',
  amount_minor: 1_000,
  currency: 'BRL',
  methods: ['PIX'],
  method: 'PIX',
  received_minor: 1_000,
  refunded_minor: 0,
  disputed_minor: 0,
  seen_minor: 0,
  unreleased_minor: 970,
  fee_minor: 30,
  exceptions: [],
  receipts: 1,
  version: 1,
  created_at: past,
  wallet_id: wallet,
  money: [{ currency: 'BRL', walletId: wallet, methods: [{ method: 'PIX' }] }],
}
const split = { splits: [{ subAccountId: subAccount, percent: 40 }] }
const shareRow = {
  merchant_id: merchantId,
  payment_id: paymentId,
  ordinal: 1,
  id: bareId(7),
  sub_account_id: subAccount,
  wallet_id: subWallet,
  rate_ppm: 400_000,
  booked_minor: 0,
  unreleased_minor: 0,
  kept_minor: 0,
  fee_minor: 0,
}
const splitRow = {
  merchant_id: merchantId,
  payment_id: paymentId,
  id: bareId(8),
  currency: 'BRL',
  fee_payer: subAccount,
  duplicate_minor: 0,
  waiting_minor: 1_000,
  version: 1,
  created_at: past,
}
const key = { merchantId, paymentId, ordinal: 1 }
const releaseRow = {
  merchant_id: merchantId,
  payment_id: paymentId,
  ordinal: 1,
  currency: 'BRL',
  minor: 970,
  release_at: past,
  share_minors: [],
}
type Change = Readonly<Record<string, unknown>>

/** What releasing these receipts in one batch did, on rows that differ in this. */
function release({
  rows = {},
  payment = {},
  changes = [{}],
  keys = [key],
  books = {},
}: {
  readonly rows?: BareRows
  readonly payment?: Change
  readonly changes?: readonly Change[]
  readonly keys?: readonly releases.ReleaseKey[]
  readonly books?: Partial<RecordedBooks>
}) {
  return on(releaseTables({ rows, payment, changes }), async (tx) => {
    const { verdicts, posted } = await runOnRows(tx, releaseKind(), keys, { at: new Date(future), ...books })
    const [paid] = await tx<{ unreleased: bigint; version: number }[]>`
      select unreleased_minor as unreleased, version from payment`
    const [share] = await tx<{ booked: bigint; unreleased: bigint; fee: bigint }[]>`
      select booked_minor as booked, unreleased_minor as unreleased, fee_minor as fee from payment_share`
    const released = await tx<{ minor: bigint; waits: number }[]>`
      select released_minor as minor, round(extract(epoch from release_at - statement_timestamp()) / 3600)::integer as waits
        from release order by ordinal`
    return {
      verdicts: verdicts.map((each) => ('minor' in each ? each.minor : each.kind)),
      posted,
      payment: [paid?.unreleased, paid?.version],
      share: share && [share.booked, share.unreleased, share.fee],
      released: released.map(({ minor }) => minor),
      waits: released[0]?.waits,
    }
  })
}

/** Every scene names all these tables: a prepared statement keeps the table that it found first. */
function releaseTables({
  rows,
  payment,
  changes,
}: {
  readonly rows: BareRows
  readonly payment: Change
  readonly changes: readonly Change[]
}): BareRows {
  const receipt = {
    merchant_id: merchantId,
    payment_id: paymentId,
    outcome: 'paid',
    booked_minor: 1_000,
    evidence: '\\x7b7d',
  }
  const walletRow = { id: wallet, merchant_id: merchantId, currency: 'BRL', is_default: true }
  return {
    merchant: [{ id: merchantId, mode: 'SANDBOX' }],
    payment: [{ ...paymentRow, ...payment }],
    release: changes.map((change) => ({ ...releaseRow, ...change })),
    receipt: [1, 2].map((ordinal) => ({ ...receipt, ordinal })),
    wallet: [
      walletRow,
      { ...walletRow, id: subWallet, merchant_id: subAccount },
      { ...walletRow, id: bareId(9), merchant_id: bareId(10) },
    ],
    payment_split: [],
    payment_share: [],
    sub_account: [],
    ...rows,
  }
}

const moved = (minor: number, ordinal = 1) => [
  `${ordinal}.release RELEASE pending>available ${minor}`,
  `${ordinal}.release-repay RECEIVABLE_REPAID available>receivable ${minor}`,
]

test('what is left of the money is released once, and of several pieces as much as is left', async () => {
  const whole = await release({ keys: [key, key] })
  assert.deepEqual(
    [whole.verdicts, whole.posted, whole.payment, whole.released],
    [[970n, 'already'], moved(970), [0n, 2], [970n]],
  )
  const partly = await release({ payment: { unreleased_minor: 400 } })
  assert.deepEqual(
    [partly.verdicts, partly.posted, partly.payment, partly.released],
    [[400n], moved(400), [0n, 2], [400n]],
  )
  const debited = await release({ payment: { unreleased_minor: 0 } })
  assert.deepEqual(
    [debited.verdicts, debited.posted, debited.payment, debited.released],
    [[0n], [], [0n, 1], [0n]],
  )
  const cent = await release({ payment: { unreleased_minor: 1 } })
  assert.deepEqual([cent.verdicts, cent.payment], [[1n], [0n, 2]])
  const pieces = [{ minor: 300 }, { minor: 300, ordinal: 2 }]
  const two = await release({
    payment: { unreleased_minor: 500 },
    changes: pieces,
    keys: [key, { ...key, ordinal: 2 }],
  })
  assert.deepEqual(
    [two.verdicts, two.posted, two.payment],
    [
      [300n, 200n],
      [...moved(300), ...moved(200, 2)],
      [0n, 3],
    ],
  )
})

test('what cannot be released is due again in an hour', async () => {
  const elsewhere = [{ currency: 'EUR', walletId: wallet, methods: [{ method: 'PIX' }] }]
  const refusing = { accepts: ({ key: name }: { readonly key: string }) => !name.includes('receivable') }
  for (const scene of [
    { payment: { money: elsewhere } },
    { payment: { id: bareId(99) } },
    { books: refusing },
  ]) {
    const { verdicts, posted, released, waits } = await release(scene)
    assert.deepEqual([verdicts, posted, released, waits], [['unbookable'], [], [null], 1])
  }
})

test('shares that waited are released with the money; shares that were not given yet are given, and pay the fee', async () => {
  const payment = { request: { amount: 1_000, ...split } }
  const given = { ...shareRow, booked_minor: 400, unreleased_minor: 400 }
  const rows = (share: Change) => ({
    payment_split: [{ ...splitRow, waiting_minor: 'booked_minor' in share ? 0 : 1_000 }],
    payment_share: [{ ...shareRow, ...share }],
  })
  const waited = await release({
    payment: { ...payment, unreleased_minor: 570 },
    changes: [{ share_minors: [400] }],
    rows: rows(given),
  })
  assert.deepEqual(
    [waited.verdicts, waited.payment, waited.share, waited.released],
    [[970n], [0n, 2], [400n, 0n, 0n], [970n]],
  )
  assert.ok(
    waited.posted.some((each) => /SHARE.* pending>available 400$/.test(each)),
    waited.posted.join(),
  )
  const unshared = { changes: [{ share_minors: null }], rows: rows({}) }
  const now = await release({ payment, ...unshared })
  assert.deepEqual([now.verdicts, now.payment, now.share], [[970n], [0n, 2], [400n, 0n, 30n]])
  const twice = await release({ payment: { ...payment, exceptions: ['DUPLICATE'] }, ...unshared })
  assert.deepEqual(twice.share, [400n, 0n, 0n], 'which fees are those of the duplicate is not known')
})

test('what is released to a sub-account repays its platform', async () => {
  const rows = { sub_account: [{ merchant_id: merchantId, parent_id: bareId(10), state: 'ACTIVE' }] }
  const balance: RecordedBooks['balance'] = ({ key: name }) => (/owes|available/.test(name) ? 30n : 0n)
  const { posted } = await release({ rows, books: { balance } })
  assert.equal(posted[2], '1.release-repay-parent PARENT_REPAID available>available 30')
})

test('all that is due is released, and what cannot be is an alarm', async () => {
  for (const [payment, count, alarms] of [
    [{}, 1, []],
    [{ id: bareId(99) }, 0, ['money that waited cannot be released']],
  ] as const)
    await on(releaseTables({ rows: {}, payment, changes: [{}] }), async (tx) => {
      const lines: string[] = []
      const log = pino(
        {},
        { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
      )
      const lane: Parameters<typeof releaseDue>[0]['lane'] = {
        async submit(kind, item) {
          const { verdicts } = await runOnRows(tx, kind, [item], { at: new Date(future) })
          return verdicts[0] ?? assert.fail('one verdict')
        },
      }
      assert.equal(await releaseDue({ sql: tx, lane, kind: releaseKind(), log }), count)
      assert.deepEqual(lines, alarms)
    })
})
