// Which rows the console's statements find: of merchants, fees, freezes, chains, payouts and requests, and how much of each waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId, RefundId, WithdrawalId } from '#/kernel/id.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { selectWatchers } from './chain-queries.ts'
import { selectIsInDirectory } from './directory-queries.ts'
import { isSandboxAsWhole } from './live-queries.ts'
import { selectRefundFacts, selectWithdrawalFacts } from './payout-queries.ts'
import { decideProposal, selectOpenProposals, type ProposalId } from './proposal-queries.ts'
import { selectAttention, selectFreezesOf, selectBooksLoad, selectTallyLoad } from './queries.ts'
import * as queries from './queries.ts'
import { queueReadMax, selectQueueDepth } from './queue-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const someTime = '2026-11-22T00:00:00Z'
const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const numberOf = ({ id }: { readonly id: string }) => Number(id.slice(-3))

/** By number: 1 active, 2 suspended, 3 frozen, 4 both, 5 archived and frozen, 6 archived with both, 7 a sandbox in use. */
const merchants: BareRows = {
  merchant: [1, 2, 3, 4, 5, 6, 7].map((number) => ({
    id: bareId(number),
    name: `M${number}`,
    mode: number > 4 ? 'SANDBOX' : 'LIVE',
  })),
  sandbox: [
    { merchant_id: bareId(5), archived_at: someTime },
    { merchant_id: bareId(6), archived_at: someTime },
    { merchant_id: bareId(7) },
  ],
  money_freeze: [
    // Everything is frozen too, which is no merchant's state.
    { kind: 'FREEZE' },
    { kind: 'SUSPENSION' },
    ...[2, 4, 6].map((number) => ({ kind: 'SUSPENSION', merchant_id: bareId(number) })),
    ...[3, 4, 5, 6].map((number) => ({ kind: 'FREEZE', merchant_id: bareId(number) })),
  ],
}

test('a list of merchants has those of one state and mode, the newest first, from a merchant on', async () => {
  const list = (page: Partial<Parameters<typeof queries.selectMerchantPage>[1]>) =>
    onRows(sql, merchants, async (tx) =>
      (await queries.selectMerchantPage(tx, { limit: 9, ...page })).map(numberOf).join(),
    )
  assert.equal(await list({}), '7,6,5,4,3,2,1')
  assert.equal(await list({ state: 'active' }), '7,1')
  assert.equal(await list({ state: 'suspended' }), '4,2')
  assert.equal(await list({ state: 'frozen' }), '3')
  assert.equal(await list({ state: 'archived' }), '6,5')
  assert.equal(await list({ mode: 'SANDBOX' }), '7,6,5')
  assert.equal(await list({ state: 'active', mode: 'LIVE' }), '1')
  assert.equal(await list({ id: bareId(4) as MerchantId }), '4')
  assert.equal(await list({ before: bareId(4) as MerchantId, limit: 2 }), '3,2')
})

test('a merchant is shown with its own suspension, freeze and end', async () => {
  const found = await onRows(sql, merchants, (tx) =>
    queries.selectMerchantPage(tx, { limit: 4, before: bareId(6) as MerchantId }),
  )
  assert.deepEqual(
    found.map((each) => [numberOf(each), each.isSuspended, each.isFrozen, each.archivedAt !== null]),
    [
      [5, false, true, true],
      [4, true, true, false],
      [3, false, true, false],
      [2, true, false, false],
    ],
  )
})

test('merchants are found by how their names begin, in any case, by name and then by id', async () => {
  const names = ['Bea', 'AN', 'ana', 'Ana', 'Am', 'anz', 'ana gone']
  const tables = {
    merchant: names.map((name, index) => ({ id: bareId(index + 1), name, mode: 'LIVE' })),
    sandbox: [{ merchant_id: bareId(7), archived_at: someTime }],
    money_freeze: [],
  }
  const find = (page: { after?: MerchantId; limit: number }) =>
    onRows(sql, tables, async (tx) =>
      (await queries.selectMerchantsNamed(tx, { prefix: 'aN', state: 'active', ...page }))
        .map(numberOf)
        .join(),
    )
  assert.equal(await find({ limit: 9 }), '2,3,4,6')
  assert.equal(await find({ after: bareId(3) as MerchantId, limit: 1 }), '4')
})

test('replaced fees are those of one merchant, method and currency, the latest first', async () => {
  const rule = { merchantId: ours, method: 'PIX', currency: 'BRL' } as const
  const row = { merchant_id: ours, method: 'PIX', currency: 'BRL', fixed_minor: 1, valid_from: someTime }
  const later = { ...row, fixed_minor: 2, valid_from: '2026-11-23T00:00:00Z' }
  const others = beside(row, { merchant_id: theirs }, { method: 'CARD' }, { currency: 'EUR' })
  const list = (page: { before?: Date; limit: number }) =>
    onRows(sql, { fee_rule_past: [row, ...others, later] }, async (tx) =>
      (await queries.selectFeeHistory(tx, rule, page)).map(({ fixedMinor }) => fixedMinor),
    )
  assert.deepEqual(await list({ limit: 9 }), [2n, 1n])
  assert.deepEqual(await list({ limit: 1 }), [2n])
  assert.deepEqual(await list({ limit: 9, before: new Date('2026-11-23T00:00:00Z') }), [1n])
})

test('connections are listed after an id: all, one merchant’s, or those that are shared', async () => {
  const connection = [
    { id: 'c', merchant_id: ours },
    { id: 'a', merchant_id: ours },
    { id: 'b' },
    { id: 'd', merchant_id: theirs },
  ]
  const list = (page: { of?: MerchantId | 'shared'; after?: string }) =>
    onRows(sql, { connection, merchant: [] }, async (tx) =>
      (await queries.selectConnectionPage(tx, { limit: 3, ...page })).map(({ id }) => id).join(),
    )
  assert.equal(await list({}), 'a,b,c')
  assert.equal(await list({ after: 'b' }), 'c,d')
  assert.equal(await list({ of: ours }), 'a,c')
  assert.equal(await list({ of: 'shared' }), 'b')
})

test('the freeze and the suspension of a merchant are its own, of all its methods', async () => {
  const freeze = { merchant_id: ours, kind: 'FREEZE', reason: 'ours' }
  const others = [{ merchant_id: theirs }, { rail: 'PIX' }, { kind: 'OTHER' }]
  const rows = [{ ...freeze, kind: 'SUSPENSION' }, ...beside({ ...freeze, reason: 'x' }, ...others), freeze]
  const found = await onRows(sql, { money_freeze: rows }, (tx) => selectFreezesOf(tx, ours))
  assert.deepEqual(
    found.map(({ kind, reason }) => [kind, reason]),
    [
      ['FREEZE', 'ours'],
      ['SUSPENSION', 'ours'],
    ],
  )
})

test('money in suspense waits for an operator while nobody resolved it, where some of it was paid', async () => {
  const row = { outcome: 'paid', amount_minor: 1 }
  const others = beside(row, { resolved_at: someTime }, { outcome: 'failed' }, { amount_minor: 0 })
  const count = (unmatched: BareRows[string], most = 9) =>
    onRows(sql, { unmatched }, async (tx) => (await selectAttention(tx, most)).suspense)
  assert.equal(await count([row, row, ...others]), 2)
  assert.equal(await count([row, row], 1), 1)
})

test('a chain that is followed has the shared connection of its name', async () => {
  const connection = { method: 'CRYPTO', settings: { chain: 'base' }, mode: 'LIVE' }
  const others = [{ method: 'PIX' }, { settings: { chain: 'other' } }, { merchant_id: ours }]
  const tables = {
    chain: [{ key: 'base', chain_id: 8453 }],
    connection: [connection, ...beside({ ...connection, mode: 'SANDBOX' }, ...others)],
  }
  const found = await onRows(sql, tables, (tx) => selectWatchers(tx))
  assert.deepEqual(
    found.map(({ key, mode }) => [key, mode]),
    [['base', 'LIVE']],
  )
})

test('books that no process keeps here took nothing', async () => {
  const load = await onRows(sql, { head: [{ cell: 'other', batch: 7, transfer: 9 }], batch: [] }, (tx) =>
    selectBooksLoad(tx, 'here', 5, 100),
  )
  assert.deepEqual(load, { minutes: 5, batches: 0, transfers: 0, events: 0 })
})

test('payments of today are counted by the tally of this day, those that were made and those that were paid', async () => {
  const [today] = await sql<
    { day: string; next: string; last: string }[]
  >`select day::text, (day + 1)::text as next, (day - 1)::text as last from (select (now() at time zone 'UTC')::date as day) as now`
  const { day, next, last } = today ?? assert.fail('a day')
  // The same on the next day, should it begin meanwhile.
  const rows = [day, next].flatMap((each) => [
    { day: each, figure: 'CREATED', count: 3 },
    { day: each, figure: 'PAID', count: 2 },
    { day: each, figure: 'REFUNDED', count: 1 },
  ])
  const found = await onRows(
    sql,
    { insight_day: [...rows, { day: last, figure: 'CREATED', count: 50 }] },
    (tx) => selectTallyLoad(tx, 100),
  )
  const counts = new Map(found.map(({ figure, count, read }) => [figure as string, [count, read]]))
  assert.deepEqual(
    counts,
    new Map([
      ['CREATED', [3n, 1]],
      ['PAID', [2n, 1]],
    ]),
  )
})

test('a payout has the place in the queue that is its own, and a refund the open dispute about its receipt', async () => {
  const [wanted, other] = [bareId(11), bareId(12)]
  const merchant = [{ id: ours, name: 'Padaria' }]
  const place = { merchant_id: ours, due_at: someTime, begun_at: someTime, sends: 3, unsent: 1 }
  const withdrawals = await onRows(
    sql,
    {
      merchant,
      withdrawal: [{ id: wanted, merchant_id: ours, type: 'PIX' }],
      withdrawal_due: [
        { ...place, withdrawal_id: other, sends: 9 },
        { ...place, withdrawal_id: wanted },
      ],
    },
    (tx) => selectWithdrawalFacts(tx, [wanted as WithdrawalId]),
  )
  assert.deepEqual(
    withdrawals.map(({ maybeSent }) => maybeSent),
    [3],
  )
  const about = { merchant_id: ours, payment_id: bareId(21), connection: 'c', paid_ref: 'r' }
  const open = { ...about, status: 'OPEN' }
  const facts = (dispute: BareRows[string]) =>
    onRows(
      sql,
      {
        merchant,
        refund: [{ ...about, id: wanted, method: 'PIX' }],
        refund_due: [
          { ...place, refund_id: other, sends: 9 },
          { ...place, refund_id: wanted },
        ],
        dispute,
      },
      async (tx) =>
        (await selectRefundFacts(tx, [wanted as RefundId])).map(({ maybeSent, isDisputed }) => [
          maybeSent,
          isDisputed,
        ]),
    )
  assert.deepEqual(await facts([open]), [[2, true]])
  const others = [{ payment_id: other }, { connection: 'd' }, { paid_ref: 's' }, { status: 'WON' }]
  assert.deepEqual(await facts(beside(open, ...others)), [[2, false]])
})

test('requests that wait are listed after one, and decided once, each alone', async () => {
  const [first, second, third] = [1, 2, 3].map((number) => bareId(number) as ProposalId)
  assert.ok(first && second && third)
  const row = { kind: 'freeze.end', subject: 's', arguments: {}, reason: 'r' }
  const rows = [
    { ...row, id: third, status: 'OPEN' },
    { ...row, id: first, status: 'OPEN' },
    { ...row, id: second, status: 'APPROVED' },
  ]
  const by = { actor: { kind: 'OPERATOR', id: 'ana@office' }, name: 'ana' } as const
  await onRows(sql, { operator_proposal: rows }, async (tx) => {
    const open = async (after?: ProposalId) =>
      (await selectOpenProposals(tx, { limit: 9, ...(after && { after }) })).map(numberOf).join()
    assert.deepEqual([await open(), await open(first)], ['1,3', '3'])
    assert.equal(await decideProposal(tx, second, 'REFUSED', by), false)
    assert.equal(await decideProposal(tx, first, 'REFUSED', by), true)
    assert.equal(await open(), '3')
  })
})

test('of a queue ten thousand rows and one more are read', async () => {
  const rows = Array.from({ length: queueReadMax + 2 }, () => ({ fails: 0 }))
  const { read } = await onRows(sql, { delivery_due: rows }, (tx) => selectQueueDepth(tx, 'deliveries'))
  assert.equal(read, 10_001)
})

test('an installation is a sandbox as a whole where it was started as one and nothing is LIVE', async () => {
  const whole = (merchant: string, connection: string, isSandboxHere?: boolean) =>
    onRows(sql, { merchant: [{ mode: merchant }], connection: [{ mode: connection }] }, (tx) =>
      isSandboxAsWhole(tx, isSandboxHere === undefined ? {} : { isSandboxHere }),
    )
  assert.equal(await whole('SANDBOX', 'SANDBOX', true), true)
  assert.equal(await whole('SANDBOX', 'SANDBOX', false), false)
  assert.equal(await whole('SANDBOX', 'SANDBOX'), false)
  assert.equal(await whole('LIVE', 'SANDBOX', true), false)
  assert.equal(await whole('SANDBOX', 'LIVE', true), false)
})

test('a cell is in a directory where its workers stored it', async () => {
  assert.equal(await onRows(sql, { in_directory: [] }, (tx) => selectIsInDirectory(tx)), false)
  assert.equal(await onRows(sql, { in_directory: [{}] }, (tx) => selectIsInDirectory(tx)), true)
})
