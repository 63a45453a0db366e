// What the repair after a restore finds, and what it changes: of each statement the row that it is about, beside rows that differ in one column.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { AttemptId, ConnectionId, MerchantId } from '#/kernel/id.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as moneyOut from './money-out-queries.ts'
import * as queries from './queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [first, second, third] = [bareId(11), bareId(12), bareId(13)]
const [bank, otherBank] = ['bank' as ConnectionId, 'other' as ConnectionId]
const past = '2026-11-22T00:00:00Z'

/** The instant of the database's clock, so many seconds from now. */
async function inSeconds(seconds: number): Promise<Date> {
  const [row] = await sql<{ at: Date }[]>`select now() + ${seconds} * interval '1 second' as at`
  return row?.at ?? assert.fail('the database has a clock')
}

/** The ids of a table's rows of which the condition is true. */
async function idsWhere(tx: Tx, table: string, condition: string): Promise<readonly string[]> {
  const rows = await tx.unsafe<{ id: string }[]>(`select id from ${table} where ${condition} order by id`)
  return rows.map(({ id }) => id)
}

test('the last restore is that of the highest epoch, with its own steps', async () => {
  const epoch = { number: 1, id: first, last_batch: 5, last_hash: '\\x01', last_at: past, at: past }
  const tables = {
    epoch: [{ ...epoch, number: 2, id: second }, epoch],
    restore: [
      { epoch: 1, jumped_to: ours },
      { epoch: 2, jumped_to: theirs },
    ],
  }
  const found = await onRows(sql, tables, (tx) => queries.selectRestore(tx))
  assert.deepEqual([found?.number, found?.id, found?.jumpedTo], [2, second, theirs])
})

test('merchants are visited in the order of their ids, after one', async () => {
  const tables = { merchant: [second, third, first].map((id) => ({ id, mode: 'LIVE' })) }
  const find = async (from: string | null, limit: number) =>
    (
      await onRows(sql, tables, (tx) => queries.selectMerchantsAfter(tx, from as MerchantId | null, limit))
    ).map(({ id }) => id as string)
  assert.deepEqual(await find(null, 2), [first, second])
  assert.deepEqual(await find(first, 2), [second, third])
})

test('gaps are of one epoch and these merchants', async () => {
  const gap = { merchant_id: ours, epoch: 2, last_number: 5, first_number: 10 }
  const event_gap = [gap, ...beside({ ...gap, last_number: 6 }, { merchant_id: theirs }, { epoch: 1 })]
  const found = await onRows(sql, { event_gap }, (tx) => queries.selectGaps(tx, 2, [ours]))
  assert.deepEqual([...found], [{ merchantId: ours, lastNumber: 5n, firstNumber: 10n }])
})

test('sessions and links end that have not ended; a used link stays as it is', async () => {
  const tables = {
    user_session: [{ id: first }, { id: second, revoked_at: past }],
    one_time_link: [{ id: first }, { id: second, revoked_at: past }, { id: third, used_at: past }],
  }
  await onRows(sql, tables, async (tx) => {
    const end = () => queries.endSessions(tx, 9)
    assert.equal(await end(), 2)
    const before = `revoked_at = '${past}'`
    assert.deepEqual(await idsWhere(tx, 'user_session', before), [second])
    assert.deepEqual(await idsWhere(tx, 'one_time_link', before), [second])
    assert.deepEqual(await idsWhere(tx, 'one_time_link', 'revoked_at is null'), [third])
    assert.equal(await end(), 0)
  })
})

test('a step moves on for its own epoch, keeps its place when it is done, and its end has a time', async () => {
  const restore = [{ epoch: 1 }, { epoch: 2 }]
  await onRows(sql, { restore }, async (tx) => {
    for (const step of ['jump', 'tell'] as const) {
      await queries.moveStep(tx, 2, step, ours)
      await queries.moveStep(tx, 2, step, null)
    }
    const rows = await tx`
      select jumped_to, jumped_at is not null as jumped, told_to, told_at is not null as told from restore order by epoch`
    assert.deepEqual(
      [...rows],
      [
        { jumped_to: null, jumped: false, told_to: null, told: false },
        { jumped_to: ours, jumped: true, told_to: ours, told: true },
      ],
    )
  })
})

test('money out is opened once, and a review is noted', async () => {
  const tables = { restore: [{ epoch: 1 }, { epoch: 2 }], restore_review: [] }
  await onRows(sql, tables, async (tx) => {
    const review = { subject: 'KEYS', reviewedBy: 'bia', note: 'read' } as const
    assert.equal(await queries.insertReview(tx, 2, review), true)
    assert.deepEqual(
      (await queries.selectReviews(tx, 2)).map(({ subject }) => subject),
      ['KEYS'],
    )
    assert.equal((await queries.selectReviews(tx, 1)).length, 0)
    assert.equal(await queries.markOpened(tx, 2), true)
    assert.equal(await queries.markOpened(tx, 2), false)
    assert.equal((await tx`select 1 from restore where opened_at is null and epoch = 1`).length, 1)
  })
})

test('API keys are in force that no member has, that were not revoked and have not expired', async () => {
  const key = { merchant_id: ours, id: first, name: 'shop', scopes: ['read'], created_at: past }
  const [late, soon] = [await inSeconds(-1), await inSeconds(60)]
  const api_key = [
    { ...key, id: second, expires_at: soon },
    key,
    ...beside({ ...key, id: third }, { member: third }, { revoked_at: past }, { expires_at: late }),
    { ...key, merchant_id: theirs },
  ]
  const find = async (from: queries.Place | undefined, limit: number) =>
    (await onRows(sql, { api_key }, (tx) => queries.selectKeysInForce(tx, from, limit))).map(
      ({ merchantId, name }) => [merchantId, name],
    )
  const all = [
    [ours, first],
    [ours, second],
    [theirs, first],
  ]
  assert.deepEqual(await find(undefined, 9), all)
  assert.deepEqual(await find({ merchantId: ours, name: first }, 1), [all[1]])
})

test('operators and members are in force whose account is not disabled, operators first', async () => {
  const user = (number: number, more: object) => ({
    id: bareId(number),
    email: `${number}@example.com`,
    is_operator: false,
    created_at: past,
    ...more,
  })
  const tables = {
    app_user: [
      user(1, { is_operator: true }),
      user(2, { is_operator: true, disabled_at: past }),
      user(3, {}),
      user(4, { disabled_at: past }),
      user(5, {}),
    ],
    membership: [3, 4].map((number) => ({ merchant_id: ours, user_id: bareId(number), role: 'OWNER' })),
  }
  const find = async (from: queries.Place | undefined, limit: number) =>
    (await onRows(sql, tables, (tx) => queries.selectRolesInForce(tx, from, limit))).map(
      ({ merchantId, name, what }) => [merchantId, name, what],
    )
  const all = [
    [null, '1@example.com', 'operator'],
    [ours, '3@example.com', 'OWNER'],
  ]
  assert.deepEqual(await find(undefined, 9), all)
  assert.deepEqual(await find(undefined, 1), [all[0]])
  assert.deepEqual(await find({ merchantId: null, name: '1@example.com' }, 9), [all[1]])
})

test('the owner of an attempt is found by its id and its connection together', async () => {
  const attempt = [
    { id: first, connection: bank, merchant_id: ours, payment_id: third },
    { id: first, connection: otherBank, merchant_id: theirs, payment_id: third },
    { id: second, connection: bank, merchant_id: theirs, payment_id: third },
  ]
  const names = [{ id: first as AttemptId, connection: bank }]
  const found = await onRows(sql, { attempt }, (tx) => moneyOut.selectAttemptOwners(tx, names))
  assert.deepEqual([...found], [{ ...names[0], merchantId: ours, paymentId: third }])
})

test('the last comparison is of its epoch; undecided is what has no resolution', async () => {
  const comparison = { id: first, epoch: 2, at: past, compared_by: 'ana', complete: 1, incomplete: [] }
  const tables = {
    money_out_comparison: [
      comparison,
      { ...comparison, id: second, at: '2026-11-23T00:00:00Z', compared_by: 'bia' },
      { ...comparison, id: third, at: '2026-11-24T00:00:00Z', epoch: 1 },
    ],
    unrecorded: [{ id: first }, { id: second, resolved_at: past }],
    money_freeze: [
      { kind: 'OPERATOR', decided_by: 'bia' },
      { kind: 'RESTORE', decided_by: 'ana' },
    ],
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal((await moneyOut.selectLastComparison(tx, 2))?.id, second)
    assert.equal(await moneyOut.countUndecided(tx), 1)
    assert.equal(await moneyOut.selectBeginner(tx), 'ana')
  })
})

test('withdrawals and refunds are marked that left by this connection and have no end', async () => {
  const withdrawal = {
    connection: bank,
    reference: 'ours',
    status: 'PENDING',
    left_before_restore: false,
    version: 1,
  }
  const refund = { merchant_id: ours, connection: bank, status: 'PENDING', left_before_restore: false }
  const tables = {
    withdrawal: [
      ...['PENDING_APPROVAL', 'PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'].map((status, index) => ({
        ...withdrawal,
        id: bareId(index + 1),
        status,
      })),
      ...beside({ ...withdrawal, id: bareId(9) }, { reference: 'other' }, { connection: otherBank }),
    ],
    refund: [
      { ...refund, id: first },
      { ...refund, id: second, status: 'COMPLETED' },
      { ...refund, id: third },
      { ...refund, id: bareId(14), connection: otherBank },
      { ...refund, id: bareId(15), left_before_restore: true },
    ],
    refund_due: [11, 12, 13, 14, 15].map((number) => ({
      merchant_id: ours,
      refund_id: bareId(number),
      sends: 0,
    })),
  }
  await onRows(sql, tables, async (tx) => {
    const names = [...[11, 12, 14, 15].map(bareId), 'ours', bareId(99).toUpperCase()]
    await moneyOut.markDeparted(tx, bank, names)
    const marked = 'left_before_restore'
    assert.deepEqual(await idsWhere(tx, 'withdrawal', marked), [1, 2, 3].map(bareId))
    assert.deepEqual(await idsWhere(tx, 'refund', marked), [first, bareId(15)])
    const due = await tx<{ id: string }[]>`select refund_id as id from refund_due where sends = 1`
    assert.deepEqual(
      due.map(({ id }) => id),
      [first],
    )
  })
})

const [hot, gas] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
const bytes = (address: string) => `\\x${address.slice(2)}`

test('a wallet continues after the highest nonce that was signed at the restored moment, by its own chain and address', async () => {
  const lastAt = new Date('2026-11-22T00:00:10Z')
  const tx = { chain: 'bsc', wallet: bytes(hot), nonce: 4, id: bareId(4) }
  const onChain = { method: 'CRYPTO', settings: { chain: 'bsc' } }
  const tables = {
    chain: [
      { key: 'bsc', chain_id: 56, final_number: 7 },
      { key: 'base', chain_id: 8_453 },
    ],
    hot_wallet: [
      { chain: 'bsc', address: bytes(hot), purpose: 'hot' },
      { chain: 'bsc', address: bytes(gas), purpose: 'gas' },
    ],
    connection: [
      { ...onChain, id: bank },
      ...beside({ ...onChain, id: otherBank }, { method: 'PIX' }, { merchant_id: ours }),
      { ...onChain, id: 'base', settings: { chain: 'base' } },
    ],
    chain_tx: [
      { ...tx, nonce: 3, id: bareId(3) },
      tx,
      // Signed later, of another chain, of another wallet, not signed.
      { ...tx, nonce: 5, id: bareId(5) },
      { ...tx, nonce: 6, id: bareId(6), chain: 'base' },
      { ...tx, nonce: 7, id: bareId(7), wallet: bytes(`0x${'cc'.repeat(20)}`) },
      { ...tx, nonce: 8, id: bareId(8) },
    ],
    chain_tx_attempt: [3, 4, 6, 7]
      .map((number) => ({ tx: bareId(number), signed_at: lastAt }))
      .concat([{ tx: bareId(5), signed_at: new Date('2026-11-22T00:00:11Z') }]),
  }
  const found = await onRows(sql, tables, (db) => moneyOut.selectSigningWallets(db as Sql, lastAt))
  const wallet = { chain: 'bsc', chainId: 56n, connection: bank, final: 7n }
  assert.deepEqual(
    [...found],
    [
      { ...wallet, address: gas, purpose: 'gas', firstLost: 0n },
      { ...wallet, address: hot, purpose: 'hot', firstLost: 5n },
    ],
  )
})

test('transactions of the books are found by their reference, or by their wallet and nonce, on one chain', async () => {
  const tx = { chain: 'bsc', reference: 'payout/a', state: 'MINED', wallet: bytes(hot), nonce: 4 }
  const of = { ...tx, reference: 'by-nonce', nonce: 1 }
  const chain_tx = [
    { ...tx, wallet: null, nonce: null },
    { ...tx, chain: 'base' },
    of,
    ...beside({ ...of, reference: 'other' }, { chain: 'base' }, { wallet: bytes(gas) }, { nonce: 2 }),
  ]
  const names = [{ reference: 'payout/a', key: hot, nonce: 1n }]
  const found = await onRows(sql, { chain_tx }, (db) => moneyOut.selectQueuedTx(db as Sql, 'bsc', names))
  assert.deepEqual(
    found
      .map(({ reference, key, nonce }) => [reference, key, nonce])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    [
      ['by-nonce', hot, 1n],
      ['payout/a', null, null],
    ],
  )
})

test('payouts are found by their references and their connection', async () => {
  const withdrawal = { merchant_id: ours, connection: bank, reference: 'a', status: 'PENDING' }
  const refund = { merchant_id: ours, connection: bank, id: first, status: 'COMPLETED' }
  const tables = {
    withdrawal: [withdrawal, ...beside(withdrawal, { reference: 'b' }, { connection: otherBank })],
    refund: [refund, ...beside(refund, { id: second }, { connection: otherBank })],
  }
  const found = await onRows(sql, tables, (tx) => moneyOut.selectPaidOut(tx, bank, ['a', first]))
  assert.deepEqual(
    [...found],
    [
      { reference: 'a', status: 'PENDING', merchantId: ours },
      { reference: first, status: 'COMPLETED', merchantId: ours },
    ],
  )
})

test('movements of a chain wait that are final and not booked; recorded are those of a movement', async () => {
  const move = { id: first, chain: 'bsc', state: 'FINAL' }
  const recorded = { id: first, reference: '0x01:3', move: first }
  const tables = {
    coin_move: [move, ...beside(move, { chain: 'base' }, { state: 'SEEN' }, { booked_as: 'LEFT' })],
    unrecorded: [recorded, ...beside(recorded, { reference: '0x01:4' }, { reference: 'a', move: null })],
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await moneyOut.countUnbooked(tx, 'bsc'), 1)
    assert.deepEqual(await moneyOut.selectRecordedMoves(tx, ['0x01:3', 'a']), ['0x01:3'])
  })
})

test('nonces that the books have given are of one wallet of one chain, from one on', async () => {
  const tx = { chain: 'bsc', wallet: bytes(hot), nonce: 4 }
  const chain_tx = [
    tx,
    { ...tx, nonce: 6 },
    ...beside({ ...tx, nonce: 5 }, { chain: 'base' }, { wallet: bytes(gas) }, { nonce: 3 }),
  ]
  const wallet = { chain: 'bsc', address: hot, firstLost: 4n }
  const found = await onRows(sql, { chain_tx }, (db) => moneyOut.selectGivenNonces(db as Sql, wallet))
  assert.deepEqual(new Set(found), new Set([4n, 6n]))
})
