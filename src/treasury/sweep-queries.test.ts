// Which deposit addresses are to be emptied, and what a sweep's end changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { bareAddress, bareBytes, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import type { ChainTxId } from './outgoing.ts'
import * as queries from './sweep-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [payment, wanted, second, third] = [bareId(1), bareId(11), bareId(12), bareId(13)]
const at = new Date('2026-11-22T00:00:00Z')

const deposit = { chain: ours, address: bareBytes(1), payment_id: payment, held: 50 }

/** The addresses to be emptied that hold this much, by their numbers; each with what it holds. */
async function sweepable(
  tables: BareRows,
  unitsMin = 10n,
  limit = 9,
): Promise<readonly (readonly [string, bigint])[]> {
  const found = await onRows(sql, { sweep: [], coin_move: [], ...tables }, async (tx) => {
    await tx`update sweep set due_at = statement_timestamp() + (case fails when 1 then -1 else 60 end) * interval '1 second' where fails > 0`
    return queries.selectSweepable(tx, ours, { unitsMin, limit })
  })
  return found.map(({ address, units }) => [address, units])
}

test('addresses of the chain that hold enough are to be emptied, the fullest first, to a limit', async () => {
  const deposit_address = [
    { ...deposit, address: bareBytes(3), held: 10 },
    { ...deposit, address: bareBytes(2) },
    deposit,
    { ...deposit, address: bareBytes(4), held: 60 },
    ...beside({ ...deposit, address: bareBytes(5) }, { chain: other }, { held: 9 }, { held: 0 }),
  ]
  assert.deepEqual(await sweepable({ deposit_address }), [
    [bareAddress(4), 60n],
    [bareAddress(1), 50n],
    [bareAddress(2), 50n],
    [bareAddress(3), 10n],
  ])
  assert.deepEqual(await sweepable({ deposit_address }, 10n, 1), [[bareAddress(4), 60n]])
  assert.deepEqual((await sweepable({ deposit_address }, 0n)).at(-1), [bareAddress(5), 9n])
  const [first] = await onRows(sql, { deposit_address: [deposit], sweep: [], coin_move: [] }, (tx) =>
    queries.selectSweepable(tx, ours, { unitsMin: 1n, limit: 1 }),
  )
  assert.deepEqual(first, { address: bareAddress(1), paymentId: payment, units: 50n })
})

test('an address is not to be emptied while it is being swept, waits after a failure, or what left it is not booked', async () => {
  const bound = { chain: ours, address: bareBytes(1), tx: wanted, fails: 0 }
  const moved = { chain: ours, sender: bareBytes(1), state: 'FINAL' }
  const rows: readonly (readonly [tables: BareRows, isFree: boolean])[] = [
    [{ sweep: [bound] }, false],
    [{ sweep: beside(bound, { chain: other }, { address: bareBytes(2) }) }, true],
    [{ sweep: [{ ...bound, tx: null }] }, true],
    [{ sweep: [{ ...bound, tx: null, fails: 1 }] }, true],
    [{ sweep: [{ ...bound, tx: null, fails: 2 }] }, false],
    [{ coin_move: [moved] }, false],
    [{ coin_move: beside(moved, { chain: other }, { sender: bareBytes(2) }, { booked_as: 'SWEPT' }) }, true],
  ]
  for (const [tables, isFree] of rows) {
    const found = await sweepable({ deposit_address: [deposit], ...tables })
    assert.equal(found.length, isFree ? 1 : 0, JSON.stringify(tables))
  }
})

test('open sweeps of a chain are counted once each, however many addresses they empty', async () => {
  const bound = { chain: ours, address: bareBytes(1), tx: wanted }
  const sweep = [bound, ...beside(bound, { address: bareBytes(2) }, { tx: second })]
  const not = beside({ ...bound, tx: third }, { chain: other }, { tx: null })
  const count = (...rows: BareRows[string]) =>
    onRows(sql, { sweep: rows }, (tx) => queries.countOpenSweeps(tx, ours))
  assert.equal(await count(...sweep, ...not), 2)
  assert.equal(await count(...not), 0)
})

/** The addresses of the sweep's table with what binds them, in the order of addresses. */
async function bindings(tx: Tx): Promise<readonly (string | null)[]> {
  const rows = await tx`select tx from sweep order by chain, address`
  return rows.map((row) => row['tx'] as string | null)
}

test('of the addresses those that are free are bound to a transaction', async () => {
  const sweep = [
    { chain: ours, address: bareBytes(1), tx: null },
    { chain: ours, address: bareBytes(2), tx: second },
  ]
  await onRows(sql, { sweep }, async (tx) => {
    await tx`create unique index on sweep (chain, address)`
    const addresses = [1, 2, 3].map(bareAddress)
    assert.equal(await queries.bindSweep(tx, ours, addresses, wanted as ChainTxId), 2)
    assert.deepEqual(await bindings(tx), [wanted, second, wanted])
  })
})

test('a sweep has ended when it failed, or when the watcher has made the block of its success final too', async () => {
  const bound = { chain: ours, address: bareBytes(2), tx: wanted }
  const final = { id: wanted, purpose: 'SWEEP', state: 'FINAL', block_number: 10 }
  const tables = {
    chain: [
      { key: ours, final_number: 10 },
      { key: other, final_number: 99 },
    ],
    sweep: [
      { ...bound, tx: second },
      ...beside(bound, {}, { address: bareBytes(1) }),
      ...[13, 14, 15, 16].map((number) => ({ ...bound, tx: bareId(number) })),
      { ...bound, chain: other, tx: bareId(17) },
      { ...bound, tx: null },
    ],
    chain_tx: [
      final,
      { ...final, id: second, state: 'FAILED', failure: 'reverted', block_number: 11 },
      ...beside(final, { id: bareId(13), block_number: 11 }, { id: bareId(14), purpose: 'REFILL' }),
      ...beside({ ...final, state: 'MINED' }, { id: bareId(15) }),
      ...beside(final, { id: bareId(17) }, { id: bareId(18) }),
    ],
  }
  const find = (limit: number) =>
    onRows(sql, tables, async (tx) => {
      // The other columns of a transaction are told apart by its id.
      await tx`alter table chain_tx add primary key (id)`
      return queries.selectEndedSweeps(tx, ours, limit)
    })
  const found = await find(9)
  assert.deepEqual(found, [
    {
      id: wanted,
      state: 'FINAL',
      failure: null,
      evidence: null,
      addresses: [bareAddress(1), bareAddress(2)],
    },
    { id: second, state: 'FAILED', failure: 'reverted', evidence: null, addresses: [bareAddress(2)] },
  ])
  assert.deepEqual(
    (await find(1)).map(({ id }) => id as string),
    [wanted],
  )
})

test('on a rebuilt chain, sweeps and refills whose transactions had ended are forgotten, and no others', async () => {
  const bound = { chain: ours, address: bareBytes(1) }
  const asked = { chain: ours, created_at: at }
  const end = new Date('2026-11-23T00:00:00Z')
  const tx = { purpose: 'SWEEP', state: 'FINAL' }
  const numbered = [
    { number: 1, ...tx },
    { number: 2, ...tx, state: 'FAILED' },
    { number: 3, ...tx, state: 'MINED' },
    { number: 4, ...tx, purpose: 'REFILL' },
    { number: 5, ...tx, purpose: 'REFILL', state: 'FAILED' },
    { number: 6, ...tx, purpose: 'REFILL', state: 'QUEUED' },
  ]
  const tables = {
    chain_tx: numbered.map(({ number, ...row }) => ({ id: bareId(number), ...row })),
    sweep: [
      ...numbered.map(({ number }) => ({ ...bound, tx: bareId(number), fails: number })),
      { ...bound, tx: bareId(1), chain: other, fails: 11 },
      { ...bound, tx: bareId(99), fails: 12 },
      { ...bound, fails: 13 },
    ],
    refill: [
      ...numbered.map(({ number }) => ({ ...asked, id: bareId(number), tx: bareId(number) })),
      { ...asked, id: bareId(11), tx: bareId(4), chain: other },
      { ...asked, id: bareId(12), tx: bareId(4), ended_at: at },
      { ...asked, id: bareId(13), tx: bareId(99) },
      { ...asked, id: bareId(14) },
    ],
  }
  await onRows(sql, tables, async (rows) => {
    await queries.forgetEnded(rows, ours, end)
    const left = await rows`select fails from sweep order by fails`
    assert.deepEqual(
      left.map((row) => row['fails'] as number),
      [3, 4, 5, 6, 11, 12, 13],
    )
    const ended = await rows`select id from refill where ended_at = ${end} order by id`
    assert.deepEqual(
      ended.map((row) => row['id'] as string),
      [bareId(4), bareId(5)],
    )
  })
})

test('addresses of a sweep are freed where they were emptied, and wait longer each time where they kept their coins', async () => {
  const bound = { chain: ours, address: bareBytes(1), tx: wanted, fails: 2 }
  const sweep = [bound, ...beside(bound, { address: bareBytes(2) }, { address: bareBytes(3), tx: second })]
  await onRows(sql, { sweep }, async (tx) => {
    await queries.deleteSwept(tx, wanted as ChainTxId, [bareAddress(2), bareAddress(3)])
    assert.deepEqual(await bindings(tx), [wanted, second])
  })
  await onRows(sql, { sweep }, async (tx) => {
    await queries.postponeSweeps(tx, wanted as ChainTxId, [bareAddress(2), bareAddress(3)], 'reverted')
    assert.deepEqual(await bindings(tx), [wanted, null, second])
    const [waits] = await tx`
      select fails, reason, due_at > statement_timestamp() + interval '3 minutes' as "isLater",
             due_at <= statement_timestamp() + interval '4 minutes' as "isSoon"
        from sweep where tx is null`
    assert.deepEqual(waits, { fails: 3, reason: 'reverted', isLater: true, isSoon: true })
  })
})

test('addresses whose last sweep failed are shown, page by page or all at once', async () => {
  const waiting = { chain: ours, address: bareBytes(1), fails: 2, reason: 'reverted', due_at: at }
  const sweep = [
    { ...waiting, address: bareBytes(3) },
    { ...waiting, address: bareBytes(2) },
    waiting,
    ...beside({ ...waiting, address: bareBytes(4) }, { chain: other }, { fails: 0 }),
  ]
  const page = async (more: { after?: `0x${string}`; limit: number }) =>
    (await onRows(sql, { sweep }, (tx) => queries.selectWaitingPage(tx, { chain: ours, ...more }))).map(
      ({ address }) => address,
    )
  assert.deepEqual(await page({ limit: 2 }), [1, 2].map(bareAddress))
  assert.deepEqual(await page({ after: bareAddress(1), limit: 9 }), [2, 3].map(bareAddress))
  const all = await onRows(sql, { sweep }, (tx) => queries.selectWaitingSweeps(tx, ours))
  assert.deepEqual(
    all.map(({ address }) => address),
    [1, 2, 3].map(bareAddress),
  )
  assert.deepEqual(all[0], { address: bareAddress(1), fails: 2, reason: 'reverted', dueAt: at })
})
