// Which signals, passes and releases the statements of settlement find, claim and change: of rows that differ in one column each, those that
// are due, and are still held by the one who asks.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { deleteSignals, insertSignals, postponeSignal, withdrawSignals } from './inbox-queries.ts'
import * as parked from './parked-queries.ts'
import * as passes from './pass-queries.ts'
import * as releases from './release-queries.ts'

let database: TestDatabase
let sql: Sql
before(async () => {
  database = await testDatabase()
  sql = connect(database.ownerUrl, { max: 2 })
})
after(async () => {
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})

const [ours, theirs] = ['t1-bank', 't2-bank'] as ConnectionId[] as [ConnectionId, ConnectionId]
/** Before and after every moment at which a test runs. */
const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'] as const
const [merchantId, paymentId] = [bareId(1) as MerchantId, bareId(2) as PaymentId]
const on = <Answer>(rows: BareRows, ask: (tx: Sql & Tx) => Promise<Answer>) =>
  onRows(sql, rows, (tx) => ask(tx as Sql & Tx))

const signal = {
  connection: ours,
  body: '\\x7b7d',
  parked: false,
  crowded: false,
  takes: 0,
  tries: 0,
  due_at: past,
  lease_until: past,
}
type InboxState = readonly (readonly [id: number, parked: boolean, tries: number])[]
const inboxOf = async (tx: Tx): Promise<InboxState> => {
  const rows = await tx`select id, parked, tries from inbox order by id`
  return rows.map(({ id, parked: isParked, tries }) => [Number(id), isParked as boolean, tries as number])
}

test('parked signals are listed in the order of their arrival; one of them is tried again or dropped, and no other', async () => {
  const inbox = [
    { ...signal, id: 3, parked: true, tries: 5 },
    { ...signal, id: 2, tries: 1 },
    { ...signal, id: 1, parked: true, tries: 5 },
    { ...signal, id: 4, parked: true, tries: 5, due_at: future },
  ]
  await on({ inbox }, async (tx) => {
    const ids = async (asked: object) =>
      (await parked.selectParkedPage(tx, { limit: 9, ...asked })).map(({ id }) => id)
    assert.deepEqual(await ids({}), [1n, 3n, 4n])
    assert.deepEqual(await ids({ after: 1n }), [3n, 4n])
    assert.deepEqual(await ids({ limit: 1 }), [1n])
    assert.deepEqual(
      (await parked.selectParked(tx)).map(({ id }) => id),
      [1n, 3n, 4n],
    )
    assert.deepEqual([await parked.retryParked(tx, 2n), await parked.retryParked(tx, 4n)], [false, true])
    assert.equal(await parked.dropParked(tx, 2n), undefined)
    assert.equal((await parked.dropParked(tx, 3n))?.id, 3n)
    assert.deepEqual(await inboxOf(tx), [
      [1, true, 5],
      [2, false, 1],
      [4, false, 0],
    ])
    assert.equal((await tx`select from inbox where due_at > statement_timestamp()`).length, 0)
  })
})

test('the worker that holds a signal postpones it, and no other worker and no other signal', async () => {
  const inbox = [1, 2].map((id) => ({ ...signal, id, takes: 3 }))
  await on({ inbox }, async (tx) => {
    const outcome = { tries: 4, waitMs: 60_000, parked: true, error: 'away' }
    const postpone = (number: number) =>
      postponeSignal(tx, { id: 1n, claim: { id: '1', connection: ours, number } }, outcome)
    assert.deepEqual(
      [await postpone(2), await inboxOf(tx)],
      [
        false,
        [
          [1, false, 0],
          [2, false, 0],
        ],
      ],
    )
    assert.deepEqual(
      [await postpone(3), await inboxOf(tx)],
      [
        true,
        [
          [1, true, 4],
          [2, false, 0],
        ],
      ],
    )
    await deleteSignals(tx, [1n])
    assert.deepEqual(await inboxOf(tx), [[2, false, 0]])
  })
})

test('a signal is due at once, or as much later as it says', async () => {
  const of = (waitMs?: number) => ({
    method: 'PIX' as const,
    connection: ours,
    body: Buffer.from('{}'),
    ...(waitMs === undefined ? {} : { waitMs }),
  })
  await on({ inbox: [] }, async (tx) => {
    await insertSignals(tx, [of(), of(0), of(1)], new Date(past))
    const rows =
      await tx`select (extract(epoch from due_at - min(due_at) over ()) * 1000)::integer as later from inbox order by 1`
    assert.deepEqual(
      rows.map(({ later }) => later as number),
      [0, 0, 1],
    )
  })
})

test('a later signal replaces crowded ones of its connection that wait, are not parked and nobody has claimed', async () => {
  const crowded = { ...signal, crowded: true, due_at: future, id: 1 }
  const others = [
    { connection: theirs },
    { parked: true },
    { crowded: false },
    { takes: 1 },
    { due_at: past },
    { body: '\\x5b5d' },
  ]
  const inbox = [
    crowded,
    ...beside(crowded, ...others.map((change, index) => ({ ...change, id: index + 2 }))),
  ]
  const left = await on({ inbox }, async (tx) => {
    await withdrawSignals(tx, ours, [{}])
    return inboxOf(tx)
  })
  assert.deepEqual(
    left.map(([id]) => id),
    [2, 3, 4, 5, 6, 7],
  )
})

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
