// Which withdrawals each statement finds and changes: the one that it is about, beside rows that differ in one column.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId, WithdrawalId } from '#/kernel/id.ts'
import { loadOwnDestinations } from '#/money-out/own-destinations.ts'
import * as limits from '#/money-out/queries.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as dueQueries from './due-queries.ts'
import * as queries from './queries.ts'
import type { Withdrawal } from './withdrawal.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [first, second, third] = [11, 12, 13].map((number) => bareId(number) as WithdrawalId) as [
  WithdrawalId,
  WithdrawalId,
  WithdrawalId,
]
const bank = 'bank' as ConnectionId
const [past, future] = ['2026-11-22T00:00:00Z', '2999-01-01T00:00:00Z']
const merchant = [ours, theirs].map((id) => ({ id, mode: 'LIVE' }))
const row = {
  merchant_id: ours,
  id: first,
  type: 'PIX',
  status: 'PROCESSING',
  reference: 'r1',
  connection: bank,
  review_required: false,
  left_before_restore: false,
  version: 1,
}
const key = { merchantId: ours, id: first }

/** What these rows of a table have in a column. */
async function column(tx: Tx, table: string, name: string): Promise<readonly unknown[]> {
  const rows = await tx.unsafe<{ value: unknown }[]>(`select ${name} as value from ${table} order by 1`)
  return rows.map(({ value }) => value)
}

test('withdrawals are found by their references at providers of one type', async () => {
  const withdrawal = [row, ...beside({ ...row, id: second }, { reference: 'r2' }, { type: 'CRYPTO' })]
  const found = await onRows(sql, { merchant, withdrawal }, (tx) =>
    queries.selectByReferences(tx, 'PIX', ['r1']),
  )
  assert.deepEqual(
    found.map(({ id }) => id),
    [first],
  )
})

test('what a restore took back and had left, and what left unrecorded', async () => {
  const left = { ...row, left_before_restore: true }
  const tables = {
    withdrawal: [left, { ...left, id: second }, { ...row, id: third }],
    unrecorded: [
      { kind: 'WITHDRAWAL', reference: 'a' },
      { kind: 'REFUND', reference: 'b' },
      { kind: 'WITHDRAWAL', reference: 'c' },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    assert.deepEqual([...(await queries.selectDeparted(tx, [first, third]))], [first])
    assert.deepEqual(await queries.selectDepartedReferences(tx, ['a', 'b']), ['a'])
  })
})

test('a withdrawal is written, and leaves being due, alone', async () => {
  const due = { merchant_id: ours, withdrawal_id: first, due_at: past }
  const tables = {
    merchant,
    withdrawal: [row, ...beside({ ...row, version: 3 }, { id: second }, { merchant_id: theirs })],
    withdrawal_due: [due, { ...due, withdrawal_id: second }, { ...due, merchant_id: theirs }],
  }
  await onRows(sql, tables, async (tx) => {
    const [before] = await queries.selectWithdrawalsById(tx, [first])
    assert.ok(before !== undefined)
    const after = { ...before, merchantId: ours, version: 2 } satisfies Withdrawal
    await queries.writeWithdrawals(tx, [after])
    assert.deepEqual(await column(tx, 'withdrawal', 'version'), [2, 3, 3])
    await queries.deleteDue(tx, [key])
    assert.equal((await column(tx, 'withdrawal_due', 'withdrawal_id')).length, 2)
  })
})

const due = {
  merchant_id: ours,
  withdrawal_id: first,
  connection: bank,
  due_at: past,
  sends: 4,
  asked_at: past,
  begun_at: past,
}
/** The claim of that row, and rows that it does not hold. */
const claimed = {
  withdrawal: key as Withdrawal,
  claim: { id: first, connection: bank, number: 4, trace: null },
  firstClaimedAt: new Date(past),
  lastSentAt: null,
  claimedAt: new Date(past),
}
const unheld = beside(due, { merchant_id: theirs }, { withdrawal_id: second }, { sends: 5 })

test('each due withdrawal is claimed with its own row', async () => {
  const tables = {
    merchant,
    withdrawal: [row, { ...row, id: second, reference: 'r2' }],
    // Never asked about: a freeze of its own type would hold it.
    withdrawal_due: [
      { ...due, asked_at: null },
      { ...due, withdrawal_id: second, due_at: future },
    ],
    money_freeze: [],
  }
  await onRows(sql, tables, async (tx) => {
    const slots = { total: 9, each: 9, byConnection: [] }
    const found = await dueQueries.claimDue(tx, slots, 60_000)
    assert.deepEqual(
      found.map(({ withdrawal, claim }) => [withdrawal.id, claim.number]),
      [[first, 5]],
    )
  })
})

test('a claim postpones, releases and ends its own row alone, and only while no later claim took it', async () => {
  const leased = { ...due, due_at: future }
  const all = { withdrawal_due: [leased, ...unheld.map((each) => ({ ...each, due_at: future }))] }
  const soon = `due_at < '${future}'`
  await onRows(sql, all, async (tx) => {
    const wait = { waitMs: 1_000, wasNotSent: true }
    assert.equal(await dueQueries.postponeDue(tx, claimed, wait), true)
    assert.equal(
      (await tx.unsafe(`select 1 from withdrawal_due where ${soon} and asked_at is null`)).length,
      1,
    )
    assert.equal((await tx`select 1 from withdrawal_due where asked_at is null`).length, 1)
    const later = { ...claimed, claim: { ...claimed.claim, number: 9 } }
    assert.equal(await dueQueries.postponeDue(tx, later, wait), false)
  })
  await onRows(sql, all, async (tx) => {
    await dueQueries.releaseDue(tx, claimed, 1_000)
    assert.equal((await tx`select 1 from withdrawal_due where begun_at is null`).length, 1)
    assert.equal((await tx.unsafe(`select 1 from withdrawal_due where ${soon}`)).length, 1)
  })
  await onRows(sql, all, async (tx) => {
    await dueQueries.dropDue(tx, claimed)
    assert.equal((await tx`select 1 from withdrawal_due`).length, unheld.length)
  })
  await onRows(sql, { withdrawal_due: [due] }, async (tx) => {
    await dueQueries.dropDue(tx, claimed)
    assert.equal((await tx`select 1 from withdrawal_due`).length, 1, 'it was hastened')
  })
})

test('a claim is locked that no later one superseded', async () => {
  const tables = {
    withdrawal: [row, { ...row, id: second }],
    withdrawal_due: [due, { ...due, withdrawal_id: second, sends: 5 }],
  }
  const lock = (claims: readonly (readonly [WithdrawalId, number])[]) =>
    onRows(sql, tables, (tx) =>
      dueQueries.lockClaims(
        tx,
        claims.map(([id, number]) => ({ id, number })),
      ),
    )
  assert.equal((await lock([[first, 4]])).size, 1)
  assert.equal((await lock([[first, 5]])).size, 0)
})

test('withdrawals are due now by reference and type that are under way or ended at their provider', async () => {
  const statuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELED']
  const ended = { ...row, status: 'FAILED' }
  const withdrawal = [
    ...statuses.map((status, index) => ({ ...row, id: bareId(index + 21), status })),
    { ...ended, id: first, reference: 'r2' },
    { ...ended, id: second, type: 'CRYPTO' },
  ]
  const withdrawal_due = withdrawal.map(({ id }) => ({ ...due, withdrawal_id: id, due_at: future }))
  await onRows(sql, { withdrawal, withdrawal_due }, async (tx) => {
    assert.equal(await dueQueries.hastenDue(tx, 'PIX', ['r1']), 5)
    const found = await tx<{ id: string }[]>`
      select withdrawal_id as id from withdrawal_due where due_at < ${future} order by 1`
    // Ended ones are added as well: only the table's own key keeps them out where they are due already.
    assert.deepEqual(
      found.map(({ id }) => id),
      [22, 23, 23, 24, 24].map(bareId),
    )
  })
})

test('one withdrawal is retried now, unless nothing of it is due', async () => {
  const tables = {
    withdrawal: [row, { ...row, id: second }],
    withdrawal_due: [first, third].map((id) => ({ ...due, withdrawal_id: id, due_at: future })),
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await dueQueries.retryNow(tx, first), true)
    assert.equal((await tx`select 1 from withdrawal_due where due_at < ${future}`).length, 1)
    assert.equal(await dueQueries.retryNow(tx, second), false)
  })
})

const spent = { merchant_id: ours, type: 'PIX', currency: 'BRL', day: '2026-11-22', minor: 10 }
const otherDays = [{ type: 'CRYPTO' }, { currency: 'EUR' }, { day: '2026-11-21' }] as const
const family = { sub_account: [{ merchant_id: theirs, parent_id: ours }] }
const stranger = bareId(3)
const ofDay = { merchantId: ours, type: 'PIX', currency: 'BRL', day: '2026-11-22' } as const

test('what was spent counts for its merchant with its sub-accounts, by type, currency and day', async () => {
  const withdrawal_spent = [
    spent,
    { ...spent, merchant_id: theirs, minor: 5 },
    ...beside({ ...spent, minor: 100 }, { merchant_id: stranger }, ...otherDays),
  ]
  const found = await onRows(sql, { ...family, withdrawal_spent }, (tx) => limits.selectSpentOn(tx, [ofDay]))
  assert.deepEqual([...found], [{ ...ofDay, minor: 15n }])
  await onRows(sql, { withdrawal_spent }, async (tx) => {
    await limits.releaseSpent(tx, [{ ...ofDay, minor: 4n }])
    assert.deepEqual(await column(tx, 'withdrawal_spent', 'minor'), [5n, 6n, 100n, 100n, 100n, 100n])
    await limits.releaseSpent(tx, [{ ...ofDay, minor: 9n }])
    assert.deepEqual((await column(tx, 'withdrawal_spent', 'minor'))[0], 0n)
  })
})

test('limits are shown with what was spent today', async () => {
  const [now] = await sql<{ day: string; before: string }[]>`
    select (now() at time zone 'UTC')::date::text as day, (now() at time zone 'UTC')::date - 1 as before`
  const today = { ...spent, day: now?.day }
  const limit = { merchant_id: ours, type: 'PIX', currency: 'BRL', listed_only: false }
  const tables = {
    ...family,
    withdrawal_limit: [limit, { ...limit, merchant_id: stranger }],
    withdrawal_spent: [
      today,
      { ...today, merchant_id: theirs, minor: 5 },
      ...beside(
        { ...today, minor: 100 },
        { merchant_id: stranger },
        { type: 'CRYPTO' },
        { currency: 'EUR' },
        { day: '2000-01-01' },
      ),
    ],
  }
  const found = await onRows(sql, tables, (tx) => limits.selectLimitsToday(tx, ours))
  assert.deepEqual(
    found.map(({ merchantId, spentMinor }) => [merchantId, spentMinor]),
    [[ours, 15n]],
  )
})

test('changed rules make those due now that they held back, of the merchant and its sub-accounts', async () => {
  const held = { merchant_id: ours, withdrawal_id: first, due_at: future }
  const review = { ...row, review_required: true }
  const tables = {
    ...family,
    withdrawal: [
      review,
      { ...row, id: second },
      { ...review, id: third },
      { ...review, merchant_id: theirs },
      { ...review, merchant_id: stranger },
    ],
    withdrawal_due: [
      held,
      { ...held, withdrawal_id: second },
      { ...held, withdrawal_id: third, asked_at: past },
      { ...held, merchant_id: theirs },
      { ...held, merchant_id: stranger },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    await limits.hastenHeldBack(tx, ours)
    const found = await tx`
      select merchant_id, withdrawal_id from withdrawal_due where due_at < ${future} order by merchant_id`
    assert.deepEqual(
      [...found],
      [ours, theirs].map((merchant_id) => ({ merchant_id, withdrawal_id: first })),
    )
  })
})

test('one destination leaves its list', async () => {
  const place = { merchant_id: ours, type: 'PIX', destination: 'ana@example.com' }
  const others = beside(
    place,
    { merchant_id: theirs },
    { type: 'CRYPTO' },
    { destination: 'bia@example.com' },
  )
  await onRows(sql, { withdrawal_destination: [place, ...others] }, async (tx) => {
    const wanted = { merchantId: ours, type: 'PIX', destination: 'ana@example.com' } as const
    assert.equal(await limits.deleteDestination(tx, wanted), true)
    assert.equal((await tx`select 1 from withdrawal_destination`).length, others.length)
    assert.equal(await limits.deleteDestination(tx, wanted), false)
  })
})

test('addresses, IBANs and PIX keys are ours that our chains and connections have', async () => {
  const address = (byte: string) => `0x${byte.repeat(20)}`
  const iban = (id: string, method: string, text: string) => ({ id, method, settings: { iban: text } })
  const pix = (id: string, method: string, text: string) => ({ id, method, settings: { pixKey: text } })
  const tables = {
    chain: [{ key: 'bsc' }],
    hot_wallet: [],
    deposit_address: [
      { chain: 'bsc', address: `\\x${'aa'.repeat(20)}` },
      { chain: 'gone', address: `\\x${'bb'.repeat(20)}` },
    ],
    connection: [
      iban('a', 'SEPA_TRANSFER', 'DE1'),
      iban('b', 'SEPA_TRANSFER', 'DE2'),
      iban('c', 'CARD', 'DE3'),
      pix('d', 'PIX', 'A@example.com'),
      pix('e', 'PIX_PAYOUT', 'b@example.com'),
      pix('f', 'CARD', 'c@example.com'),
      pix('g', 'PIX', 'd@example.com'),
    ],
  }
  await onRows(sql, tables, async (tx) => {
    const addresses = ['aa', 'bb', 'cc'].map(address)
    assert.deepEqual(await limits.selectOwnAddresses(tx, addresses), [address('aa')])
    assert.deepEqual(await limits.selectOwnIbans(tx, ['DE1', 'DE3']), ['DE1'])
    const keys = ['a@example.com', 'b@example.com', 'c@example.com']
    assert.deepEqual((await limits.selectOwnPixKeys(tx, keys)).toSorted(), keys.slice(0, 2))
    const places = [
      { type: 'CRYPTO', destination: address('aa') },
      { type: 'SEPA', destination: 'de 1' },
      { type: 'PIX', destination: 'A@example.com' },
    ] as const
    for (const place of places)
      assert.equal((await loadOwnDestinations(tx, [place])).has(place), true, place.type)
    assert.equal((await loadOwnDestinations(tx, [])).has(places[0]), false)
  })
})
