// The statement and its file on a test's own rows: which rows, in which order, with which names; and where a page ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { walletAvailable } from '#/ledger/chart.ts'
import { bareBooks, type BareMove } from '../../test/bare-books.ts'
import { poolOn } from '../../test/bare-lane.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { statementCsv } from './export.ts'
import { statementPage, type StatementEntry, type StatementFilter, type StatementPage } from './statement.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const owner = { id: bareId(1) as MerchantId, mode: 'LIVE' } as const
const theirs = bareId(2)
const [main, spare, euro, unused] = [11, 12, 13, 14].map(bareId) as [WalletId, WalletId, WalletId, WalletId]
const [payment, transfer, split, refund, given] = [21, 22, 23, 24, 25].map(bareId) as [
  string,
  string,
  string,
  string,
  string,
]

const wallet = { merchant_id: owner.id, id: main, currency: 'BRL', created_at: '2027-01-01T00:00:00Z' }
const wallets = [
  wallet,
  ...beside(
    wallet,
    { id: spare },
    { id: euro, currency: 'EUR' },
    { id: unused, currency: 'USDT' },
    { id: bareId(15), merchant_id: theirs },
  ),
]
const availableOf = (id: string, currency: 'BRL' | 'EUR' = 'BRL') => walletAvailable('LIVE', id, currency)
const second = (nth: number) => `2027-01-01T00:00:0${nth}.000Z`

const moves: readonly BareMove[] = [
  { account: availableOf(main), minor: 1000, subject: payment, step: '1.paid' },
  { account: availableOf(main), minor: -10, kind: 'FEE', subject: payment, step: '1.fee', at: second(1) },
  {
    account: availableOf(spare),
    other: availableOf(main),
    minor: 100,
    kind: 'TRANSFER',
    subject: transfer,
    at: second(2),
  },
  {
    account: availableOf(euro, 'EUR'),
    minor: 70,
    kind: 'SHARE',
    subject: split,
    step: '1.2.share',
    at: second(3),
  },
  { account: availableOf(main), minor: -20, kind: 'REFUND', subject: refund, at: second(4) },
  {
    account: availableOf(euro, 'EUR'),
    minor: -5,
    kind: 'SUB_TRANSFER',
    subject: given,
    at: second(5),
  },
  // Of another merchant, of another mode.
  { account: availableOf(bareId(15)), minor: 1, at: second(5) },
  { account: walletAvailable('SANDBOX', main, 'BRL'), minor: 1, at: second(5) },
]
const share = { merchant_id: theirs, payment_id: bareId(31), label: 'wrong', sub_account_id: owner.id }
const tables = {
  ...bareBooks(moves),
  wallet: wallets,
  own_transfer: [{ merchant_id: owner.id, id: transfer, description: 'the rent' }],
  refund: [{ merchant_id: owner.id, id: refund, payment_id: payment }],
  payment_split: [{ id: split, merchant_id: theirs, payment_id: bareId(31) }],
  payment_share: [
    { ...share, ordinal: 1 },
    { ...share, ordinal: 2, label: 'the half' },
  ],
}

type PageOf = (filter: Partial<StatementFilter>) => Promise<StatementPage | string>

/** Asks for pages of these rows. */
function onPages(rows: BareRows, ask: (pageOf: PageOf) => Promise<void>) {
  return onRows(sql, rows, (tx) =>
    ask((filter) => statementPage(poolOn(tx), owner, { limit: 20, ...filter })),
  )
}

function entriesOf(page: StatementPage | string): readonly StatementEntry[] {
  return typeof page === 'string' ? assert.fail(page) : page.data
}

const shown = (page: StatementPage | string) =>
  typeof page === 'string'
    ? page
    : page.data.map(({ kind, amount, balance }) => `${kind} ${amount} ${balance}`)

const rows = {
  given: 'TRANSFER -5 65',
  refund: 'REFUND -20 870',
  share: 'SHARE 70 70',
  out: 'TRANSFER -100 890',
  in: 'TRANSFER 100 100',
  fee: 'FEE -10 990',
  paid: 'PAYMENT 1000 1000',
}

test('a statement has the rows of the wallets that its filter names, newest first', async () => {
  const cases: readonly (readonly [filter: Partial<StatementFilter>, rows: readonly string[] | string])[] = [
    [{}, [rows.given, rows.refund, rows.share, rows.in, rows.out, rows.fee, rows.paid]],
    [{ walletId: main }, [rows.refund, rows.out, rows.fee, rows.paid]],
    [{ walletId: spare }, [rows.in]],
    [{ walletId: unused }, []],
    [{ walletId: bareId(15) as WalletId }, 'unknown_wallet'],
    [{ currency: 'EUR' }, [rows.given, rows.share]],
    [{ currency: 'EUR', walletId: main }, []],
    [{ kind: 'TRANSFER' }, [rows.given, rows.in, rows.out]],
    [{ kind: 'DISPUTE' }, []],
    [{ from: new Date(second(3)) }, [rows.given, rows.refund, rows.share]],
    [{ to: new Date(second(1)) }, [rows.paid]],
    [{ from: new Date(second(2)), to: new Date(second(4)) }, [rows.share, rows.in, rows.out]],
    [{ from: new Date(second(2)), to: new Date(second(2)) }, []],
  ]
  await onPages(tables, async (pageOf) => {
    for (const [filter, expected] of cases)
      assert.deepEqual(shown(await pageOf(filter)), expected, JSON.stringify(filter))
  })
})

test('a row names what it belongs to in the words of the merchant', async () => {
  const cases: readonly (readonly [filter: Partial<StatementFilter>, named: object])[] = [
    [{ kind: 'FEE' }, { walletId: main, description: 'Fee', paymentId: payment }],
    [
      { kind: 'TRANSFER', walletId: spare },
      { walletId: spare, description: 'the rent', transferId: transfer },
    ],
    [
      { kind: 'TRANSFER', currency: 'EUR' },
      { walletId: euro, description: 'Transfer between wallets', transferId: given },
    ],
    [{ kind: 'SHARE' }, { walletId: euro, description: 'Share of a payment', label: 'the half' }],
    [{ kind: 'REFUND' }, { walletId: main, description: 'Refund', refundId: refund, paymentId: payment }],
  ]
  await onPages(tables, async (pageOf) => {
    for (const [filter, expected] of cases) {
      const [entry] = entriesOf(await pageOf({ ...filter, limit: 1 }))
      const { id, amount, balance, currency, kind, postedAt } = entry ?? assert.fail('no row')
      assert.deepEqual(entry, { id, amount, balance, currency, kind, postedAt, ...expected })
    }
  })
})

test('the id of a row is for ever: a UUIDv8 of its instant and of SHA-256 over subject, step and wallet', async () => {
  await onPages(tables, async (pageOf) => {
    const [entry] = entriesOf(await pageOf({ kind: 'FEE' }))
    assert.deepEqual(
      [entry?.postedAt, entry?.id],
      ['2027-01-01T00:00:01.000Z', '01a2ce8b-d7e8-83d2-b8a5-58e89dc87314'],
    )
  })
})

test('pages follow each other without a gap, and the last one has no next', async () => {
  await onPages(tables, async (pageOf) => {
    const pages: unknown[] = []
    const wanted = { walletId: main, limit: 2 }
    for (let page = await pageOf(wanted); ;) {
      pages.push(shown(page))
      if (typeof page === 'string' || page.next === undefined) break
      page = await pageOf({ ...wanted, after: page.next })
    }
    assert.deepEqual(pages, [
      [rows.refund, rows.out],
      [rows.fee, rows.paid],
    ])
    const place = { subject: payment, step: '1.fee', walletId: main }
    assert.deepEqual(shown(await pageOf({ after: place })), [rows.paid])
    for (const wrong of [
      { step: '1.none' },
      { subject: transfer },
      { walletId: spare },
      { walletId: unused },
    ])
      assert.equal(await pageOf({ after: { ...place, ...wrong } }), 'unknown_position')
  })
})

/** A wallet with so many payments, and rows of another kind at these places, counted from the newest. */
function manyWith(count: number, places: readonly number[]): BareRows {
  const account = availableOf(main)
  const kindAt = (nth: number) => (places.includes(count - nth) ? 'FEE' : 'PAYMENT')
  const all = Array.from({ length: count }, (_, nth) => ({ account, minor: 1, kind: kindAt(nth) }))
  return { ...tables, ...bareBooks(all) }
}

test('rows of a rare kind are looked for among 2,000 rows for one page', async () => {
  const cases: readonly (readonly [
    count: number,
    places: readonly number[],
    found: number,
    hasNext: boolean,
  ])[] = [
    [251, [251], 1, false],
    // A row at the end of one reading is not read again by the next.
    [251, [250], 1, false],
    [1990, [], 0, false],
    [2300, [2000], 1, true],
    [2300, [2001], 0, true],
  ]
  for (const [count, places, found, hasNext] of cases)
    await onPages(manyWith(count, places), async (pageOf) => {
      const page = await pageOf({ kind: 'FEE' })
      assert.ok(typeof page === 'object')
      assert.deepEqual(
        [page.data.length, page.next !== undefined],
        [found, hasNext],
        `${count} ${places.join()}`,
      )
    })
  await onPages(manyWith(2300, [2001, 2300]), async (pageOf) => {
    const page = await pageOf({ kind: 'FEE' })
    assert.ok(typeof page === 'object' && page.next !== undefined)
    const rest = await pageOf({ kind: 'FEE', after: page.next })
    assert.ok(typeof rest === 'object')
    assert.deepEqual([rest.data.length, rest.next], [2, undefined])
  })
})

type FileFilter = Parameters<typeof statementCsv>[2]

/** Kind, amount and balance of each line of the file. */
function onFiles(
  of: BareRows,
  ask: (linesOf: (filter: FileFilter) => Promise<readonly string[]>) => Promise<void>,
) {
  return onRows(sql, of, (tx) =>
    ask(async (filter) => {
      const pieces = await statementCsv(poolOn(tx), owner, filter, { timeZone: 'UTC' })
      assert.ok(typeof pieces === 'object')
      const lines = (await Array.fromAsync(pieces)).join('').split('\r\n').slice(1, -1)
      return lines.map((line) => line.split(',').slice(4, 7).join(' ').replaceAll('"', ''))
    }),
  )
}

test('the file has every row once, however many there are, and those of one kind where it is named', async () => {
  await onFiles(tables, async (linesOf) => {
    assert.deepEqual(await linesOf({ walletId: main }), [rows.refund, rows.out, rows.fee, rows.paid])
    assert.deepEqual(await linesOf({ kind: 'FEE' }), [rows.fee])
  })
  for (const count of [1000, 1001])
    await onFiles(manyWith(count, []), async (linesOf) => {
      const lines = Array.from({ length: count }, (_, nth) => `PAYMENT 1 ${count - nth}`)
      assert.deepEqual(await linesOf({}), lines)
    })
})
