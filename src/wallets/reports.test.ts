// Balances and reports on a test's own rows, while the clock of the database stands still at the last millisecond of a day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { addMs, dayMs, minuteMs } from '#/kernel/time.ts'
import * as chart from '#/ledger/chart.ts'
import { bareBooks } from '../../test/bare-books.ts'
import { poolOn } from '../../test/bare-lane.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { stoppedClock, type WorldClock } from '../../test/clock.ts'
import { fileDatabase } from '../../test/file-database.ts'
import { consolidatedBalance, walletRecordAt, walletRecords } from './balance.ts'
import { selectWallets } from './queries.ts'
import { balanceHistory, movementsByWallet, summary, type HistoryRequest } from './reports.ts'
import { settledAfter, settleInstants } from './statement.ts'

const now = new Date('2027-03-09T23:59:59.999Z')
const midnight = addMs(now, 1)

let sql: Sql
let clock: WorldClock
// One connection: what is asked on it is answered in the order of the asking.
fileDatabase(async (owner, place) => {
  sql = owner
  clock = await stoppedClock(place, now)
}, 1)

const owner = { id: bareId(1) as MerchantId, mode: 'LIVE' } as const
const [main, spare, euro, unused, theirs] = [11, 12, 13, 14, 15].map(bareId) as [
  WalletId,
  WalletId,
  WalletId,
  WalletId,
  WalletId,
]
const wallet = {
  merchant_id: owner.id,
  id: main,
  currency: 'BRL',
  label: 'Main',
  wallet_type: 'SPENDABLE',
  is_default: true,
  is_active: true,
  version: 3,
  created_at: '2027-01-01T00:00:00Z',
}
const wallets = [
  wallet,
  ...beside(
    wallet,
    { id: spare, wallet_type: 'RESERVE' },
    { id: euro, currency: 'EUR' },
    { id: unused, currency: 'USDT' },
    { id: theirs, merchant_id: bareId(2) },
  ),
]
const availableOf = (id: string, currency: 'BRL' | 'EUR' = 'BRL') =>
  chart.walletAvailable('LIVE', id, currency)

const books = {
  ...bareBooks([
    { account: availableOf(main), minor: 5, at: addMs(now, -30 * dayMs - 1).toISOString() },
    { account: availableOf(main), minor: 1000, at: addMs(now, -30 * dayMs).toISOString() },
    { account: availableOf(main), minor: -10, kind: 'FEE', at: '2027-03-01T00:00:00.000Z' },
    {
      account: availableOf(spare),
      other: availableOf(main),
      minor: 100,
      kind: 'TRANSFER',
      at: '2027-03-02T10:00:00.000Z',
    },
    { account: availableOf(theirs), minor: 1, at: '2027-03-02T10:00:00.000Z' },
    { account: availableOf(euro, 'EUR'), minor: 70, at: now.toISOString() },
    // Its batch began while the clock of another machine was ahead.
    { account: availableOf(euro, 'EUR'), minor: 7, at: midnight.toISOString() },
  ]),
  wallet: wallets,
}

/** Asks on these rows, with the clock of the test's database. */
function onBooks(rows: BareRows, ask: (pool: Sql) => Promise<void>) {
  return onRows(sql, rows, async (tx) => {
    await tx`set local search_path = pg_temp, public, pg_catalog`
    await ask(poolOn(tx))
  })
}

/** Whether this transaction has waited for its turn, which locks it: and it forgets that. */
async function hasWaited(pool: Sql): Promise<boolean> {
  const [row] = await pool`select xmax::text <> '0' as waited from turn`
  await pool`delete from turn`
  await pool`insert into turn default values`
  return row?.['waited'] === true
}

test('what was posted up to now is settled when the millisecond is over', async () => {
  const settled = settledAfter(sql, now)
  // After this it has read the clock.
  await sql`select`
  await clock.advance(1)
  assert.deepEqual(await settled, midnight)
  await clock.advance(-1)
})

const fees = { kind: 'FEE', count: 1n, inflow: 0n, outflow: 10n }
const paid = (count: bigint, inflow: bigint) => ({ kind: 'PAYMENT', count, inflow, outflow: 0n })
const moved = (inflow: bigint, outflow: bigint, count = 1n) => ({ kind: 'TRANSFER', count, inflow, outflow })
const nothing = { openingBalance: 0n, inflow: 0n, outflow: 0n, net: 0n, closingBalance: 0n, byKind: [] }

test('a report waits for the batch that is being written where that batch may be of an instant before its own', async () => {
  const cases: readonly (readonly [
    instants: readonly Date[],
    lastBatchAt: Date | undefined,
    waits: boolean,
  ])[] = [
    [[], undefined, false],
    [[now], undefined, true],
    [[now], addMs(now, -1), true],
    // Batches are in the order of time: none comes before the last one.
    [[now], now, false],
    [[midnight], undefined, false],
    // No batch lasts a minute.
    [[addMs(now, 1 - minuteMs)], addMs(now, -minuteMs), true],
    [[addMs(now, -minuteMs)], addMs(now, -2 * minuteMs), false],
    [[midnight, now], undefined, true],
  ]
  await onBooks({ head: [{}], turn: [{}] }, async (pool) => {
    for (const [instants, lastBatchAt, waits] of cases) {
      await pool`update head set at = ${lastBatchAt ?? null}`
      assert.deepEqual(await settleInstants(pool, instants), now)
      assert.equal(await hasWaited(pool), waits, JSON.stringify({ instants, lastBatchAt }))
    }
  })
})

test('what was posted up to an instant is settled one millisecond after it, and not of the future', async () => {
  await onBooks({ head: [{}], turn: [{}] }, async (pool) => {
    assert.deepEqual(await settledAfter(pool, addMs(now, -2)), addMs(now, -1))
    assert.deepEqual(await settledAfter(pool, addMs(now, -1)), now)
    assert.equal(await settledAfter(pool, midnight), undefined)
  })
})

test('a summary is of 30 days up to now, with what moves in this millisecond', async () => {
  await onBooks(books, async (pool) => {
    const byKind = [paid(1n, 1000n), fees, moved(100n, 100n, 2n)]
    assert.deepEqual(await summary(pool, owner, {}), {
      from: '2027-02-07T23:59:59.999Z',
      to: '2027-03-09T23:59:59.999Z',
      data: [
        {
          currency: 'BRL',
          openingBalance: 5n,
          inflow: 1000n,
          outflow: 10n,
          net: 990n,
          closingBalance: 995n,
          byKind,
        },
        { currency: 'EUR', ...nothing, inflow: 70n, net: 70n, closingBalance: 70n, byKind: [paid(1n, 70n)] },
        { currency: 'USDT', ...nothing },
      ],
    })
  })
})

test('a summary has its first instant and not its last, and does not end before it begins', async () => {
  await onBooks(books, async (pool) => {
    const balances = async (request: Parameters<typeof summary>[2]) => {
      const report = await summary(pool, owner, request)
      if (report === 'backwards') return report
      const [real, euros] = report['data'] as readonly Readonly<Record<string, unknown>>[]
      return [real?.['openingBalance'], real?.['closingBalance'], euros?.['closingBalance']]
    }
    assert.deepEqual(await balances({ to: now }), [5n, 995n, 0n])
    assert.deepEqual(await balances({ to: addMs(now, -30 * dayMs) }), [0n, 5n, 0n])
    assert.deepEqual(await balances({ from: new Date('2027-03-01T00:00:00.001Z') }), [995n, 995n, 70n])
    assert.deepEqual(await balances({ from: now, to: now }), [995n, 995n, 0n])
    assert.equal(await balances({ from: midnight, to: now }), 'backwards')
  })
})

test('the movements of each wallet have both sides of what moved between them', async () => {
  await onBooks(books, async (pool) => {
    const span = { from: addMs(now, -30 * dayMs), to: midnight }
    const found = await movementsByWallet(pool, owner, span)
    assert.deepEqual(
      found.map(({ wallet: { id }, ...rest }) => ({ id, ...rest })),
      [
        {
          id: main,
          openingBalance: 5n,
          closingBalance: 895n,
          byKind: [paid(1n, 1000n), fees, moved(0n, 100n)],
        },
        { id: spare, openingBalance: 0n, closingBalance: 100n, byKind: [moved(100n, 0n)] },
        { id: euro, openingBalance: 0n, closingBalance: 70n, byKind: [paid(1n, 70n)] },
        { id: unused, openingBalance: 0n, closingBalance: 0n, byKind: [] },
      ],
    )
  })
})

const beforeAnyBatch = { ...books, head: [{ transfer: 7 }] }

test('movements up to now wait for the batch that is being written', async () => {
  await onBooks(beforeAnyBatch, async (pool) => {
    await movementsByWallet(pool, owner, { from: now, to: now })
    assert.equal(await hasWaited(pool), true)
  })
})

test('a history waits for the batch that is being written when a day has just ended', async () => {
  await clock.advance(1)
  await onBooks(beforeAnyBatch, async (pool) => {
    await balanceHistory(pool, owner, { interval: 'DAY', zone: 'UTC', from: now, to: midnight })
    assert.equal(await hasWaited(pool), true)
  })
  await clock.advance(-1)
})

type Day = Readonly<Record<string, unknown>>

/** The days of the history; or why there is none. */
async function daysOf(pool: Sql, request: Partial<HistoryRequest>): Promise<readonly Day[] | string> {
  const report = await balanceHistory(pool, owner, { interval: 'DAY', zone: 'UTC', ...request })
  return typeof report === 'string' ? report : report['data']
}

test('a history shows what came in and went out of each day, and between wallets only where one wallet is named', async () => {
  const days = { from: new Date('2027-03-01T00:00:00Z'), to: new Date('2027-03-03T00:00:00Z') }
  const [first, second] = [
    { date: '2027-03-01', openingBalance: 1005n, inflow: 0n, outflow: 10n, closingBalance: 995n },
    { date: '2027-03-02', openingBalance: 995n, inflow: 0n, outflow: 0n, closingBalance: 995n },
  ]
  const none = { openingBalance: 0n, inflow: 0n, outflow: 0n, closingBalance: 0n }
  await onBooks(books, async (pool) => {
    assert.deepEqual(await daysOf(pool, { ...days, currency: 'BRL' }), [
      { currency: 'BRL', ...first },
      { currency: 'BRL', ...second },
    ])
    assert.deepEqual(await daysOf(pool, { ...days, walletId: main }), [
      { currency: 'BRL', walletId: main, ...first },
      { currency: 'BRL', walletId: main, ...second, outflow: 100n, closingBalance: 895n },
    ])
    assert.deepEqual(await daysOf(pool, { ...days, from: new Date('2027-03-02T00:00:00Z') }), [
      { currency: 'BRL', ...second },
      { currency: 'EUR', date: '2027-03-02', ...none },
      { currency: 'USDT', date: '2027-03-02', ...none },
    ])
    const today = { from: now, isBrief: true, currency: 'EUR' }
    assert.deepEqual(await daysOf(pool, today), [
      { date: '2027-03-09', currency: 'EUR', openingBalance: 0n, closingBalance: 70n },
    ])
    assert.deepEqual(await daysOf(pool, { currency: 'USD' }), [])
    assert.equal(await daysOf(pool, { walletId: theirs }), 'unknown_wallet')
  })
})

test('a history without a start is of 30 days, 13 weeks or 12 months; it ends with its last instant, or today', async () => {
  const cases: readonly (readonly [
    request: Partial<HistoryRequest>,
    spans: number,
    first: string,
    last: string,
  ])[] = [
    [{}, 30, '2027-02-08', '2027-03-09'],
    [{ interval: 'WEEK' }, 13, '2026-12-14', '2027-03-08'],
    [{ interval: 'MONTH' }, 12, '2026-04-01', '2027-03-01'],
    [{ to: new Date('2999-01-01T00:00:00Z') }, 30, '2027-02-08', '2027-03-09'],
    [{ to: new Date('2027-03-05T00:00:00.001Z') }, 30, '2027-02-04', '2027-03-05'],
    [{ to: new Date('2027-03-05T00:00:00Z') }, 30, '2027-02-03', '2027-03-04'],
    [{ from: addMs(midnight, -400 * dayMs) }, 400, '2026-02-03', '2027-03-09'],
  ]
  await onBooks(books, async (pool) => {
    for (const [request, spans, first, last] of cases) {
      const days = await daysOf(pool, { walletId: spare, isBrief: true, ...request })
      assert.ok(typeof days === 'object')
      assert.deepEqual([days.length, days[0]?.['date'], days.at(-1)?.['date']], [spans, first, last])
    }
    const long = { from: addMs(midnight, -401 * dayMs), isBrief: true }
    assert.equal(await daysOf(pool, { ...long, walletId: spare }), 'too_many')
    assert.equal(await daysOf(pool, { ...long, currency: 'USD' }), 'too_many')
    assert.equal(await daysOf(pool, { from: now, to: addMs(now, -1) }), 'backwards')
    const morning = new Date('2027-03-09T00:00:00Z')
    assert.deepEqual(await daysOf(pool, { from: morning, to: morning }), [])
  })
  // A day begins now: it is not shown up to now, and it is shown with what moves in its first millisecond.
  await clock.advance(1)
  await onBooks(books, async (pool) => {
    const lastUpTo = async (to: object) => {
      const days = await daysOf(pool, { walletId: spare, isBrief: true, ...to })
      return typeof days === 'string' ? days : days.at(-1)?.['date']
    }
    assert.equal(await lastUpTo({ to: midnight }), '2027-03-09')
    assert.equal(await lastUpTo({}), '2027-03-10')
  })
  await clock.advance(-1)
})

const owing = {
  ...bareBooks([
    { account: availableOf(main), minor: 5, at: '2027-03-01T00:00:00.000Z' },
    { account: chart.walletPending('LIVE', main, 'BRL'), minor: 20, at: '2027-03-01T00:00:00.000Z' },
    { account: chart.walletHeld('LIVE', spare, 'BRL'), minor: 300, at: '2027-03-01T00:00:00.000Z' },
    { account: availableOf(spare), minor: 1000, at: '2027-03-02T00:00:00.000Z' },
    { account: chart.receivable('LIVE', owner.id, 'BRL'), minor: 6, at: '2027-03-02T00:00:00.000Z' },
    { account: chart.owes('LIVE', owner.id, 'BRL'), minor: 7, at: '2027-03-02T00:00:00.000Z' },
    { account: chart.owed('LIVE', owner.id, 'EUR'), minor: 8, at: '2027-03-02T00:00:00.000Z' },
    { account: availableOf(theirs), minor: 1, at: '2027-03-02T00:00:00.000Z' },
  ]),
  wallet: wallets,
}
const held = (balance: bigint, pendingBalance: bigint, heldBalance: bigint) => ({
  balance,
  pendingBalance,
  heldBalance,
})
const empty = held(0n, 0n, 0n)

test('the balance of a currency is that of its wallets, by their type, with what is owed in it: now and at an instant', async () => {
  const unusedIn = (currency: string, more: object = {}) => ({
    currency,
    ...empty,
    owed: 0n,
    ...more,
    byWalletType: [{ walletType: 'SPENDABLE', ...empty }],
  })
  await onBooks(owing, async (pool) => {
    assert.deepEqual(await consolidatedBalance(pool, owner), {
      data: [
        {
          currency: 'BRL',
          ...held(1005n, 20n, 300n),
          owed: 6n,
          owedToParent: 7n,
          byWalletType: [
            { walletType: 'SPENDABLE', ...held(5n, 20n, 0n) },
            { walletType: 'RESERVE', ...held(1000n, 0n, 300n) },
          ],
        },
        unusedIn('EUR', { owedBySubAccounts: 8n }),
        unusedIn('USDT'),
      ],
      asOf: now.toISOString(),
    })
    const at = new Date('2027-03-01T00:00:00.000Z')
    assert.deepEqual(await consolidatedBalance(pool, owner, at), {
      data: [
        {
          currency: 'BRL',
          ...held(5n, 20n, 300n),
          owed: 0n,
          byWalletType: [
            { walletType: 'SPENDABLE', ...held(5n, 20n, 0n) },
            { walletType: 'RESERVE', ...held(0n, 0n, 300n) },
          ],
        },
        unusedIn('EUR'),
        unusedIn('USDT'),
      ],
      asOf: at.toISOString(),
    })
    assert.equal(await consolidatedBalance(pool, owner, midnight), 'future')
  })
})

test('the balances of a wallet are its own, now and at an instant', async () => {
  await onBooks(owing, async (pool) => {
    const [first, second] = await selectWallets(pool, owner.id)
    assert.ok(first !== undefined && second !== undefined)
    const balancesOf = (record: Readonly<Record<string, unknown>>) =>
      ['id', 'balance', 'pendingBalance', 'heldBalance'].map((name) => record[name])
    assert.deepEqual((await walletRecords(pool, owner, [second, first])).map(balancesOf), [
      [spare, 1000n, 0n, 300n],
      [main, 5n, 20n, 0n],
    ])
    const earlier = await walletRecordAt(pool, owner, second, new Date('2027-03-01T12:00:00Z'))
    assert.ok(typeof earlier === 'object')
    assert.deepEqual(
      [...balancesOf(earlier), earlier['asOf']],
      [spare, 0n, 0n, 300n, '2027-03-01T12:00:00.000Z'],
    )
    assert.equal(await walletRecordAt(pool, owner, second, midnight), 'future')
  })
})
