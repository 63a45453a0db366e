// What is loaded and written when withdrawals and whole batches are approved, rejected, canceled or sent: who requested them, what still waits, what is due.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { ApiKeyId, WithdrawalBatchId, WithdrawalId } from '#/kernel/id.ts'
import type { PayoutQueue, PayoutRail, PayoutRails } from '#/rails/payout-rail.ts'
import { at, limit, ours, requestedBy, run, theirs, walletId } from '../../test/bare-payouts.ts'
import { bareId, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { batchDecisionKind, type BatchDecisionItem } from './decide-batch.ts'
import { decisionKind, type DecisionItem } from './decide.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const second = bareId(5) as ApiKeyId
const [batchId, scheduleId] = [bareId(51) as WithdrawalBatchId, bareId(61)]
const row = {
  merchant_id: ours,
  type: 'PIX',
  amount_minor: 100,
  fee_minor: 0,
  currency: 'BRL',
  wallet_id: walletId,
  connection: 'bank',
  destination: { text: 'ana@example.com', fields: {} },
  request: { type: 'PIX', amount: 100, currency: 'BRL' },
  requested_by: requestedBy,
  batch_id: batchId,
  batch_place: 0,
  returned_minor: 0,
  review_required: false,
  left_before_restore: false,
  version: 1,
  created_at: at,
}
const shared: BareRows = {
  api_key: [requestedBy, second].map((id) => ({ id, merchant_id: ours })),
  audit_log: [],
  withdrawal_spent: [{ merchant_id: ours, type: 'PIX', currency: 'BRL', day: '2026-11-22', minor: 500 }],
}
const stateOf = async (tx: Tx) => ({
  statuses: (await tx`select status from withdrawal order by id`).map(({ status }) => status as string),
  due: (await tx`select distinct withdrawal_id from withdrawal_due`).length,
  spent: (await tx<{ minor: bigint }[]>`select minor from withdrawal_spent`)[0]?.minor,
  audited: (await tx`select 1 from audit_log`).length,
})

type Member = Readonly<Record<string, unknown>>
const members = (...changes: readonly Member[]): BareRows => ({
  withdrawal: changes.map((change, index) => ({ ...row, id: bareId(index + 21), ...change })),
  withdrawal_due: changes.flatMap(({ status }, index) =>
    status === 'PENDING' || status === 'PROCESSING'
      ? [{ merchant_id: ours, withdrawal_id: bareId(index + 21), connection: 'bank' }]
      : [],
  ),
})
const [pending, waiting, sent] = [
  { status: 'PENDING' },
  { status: 'PENDING_APPROVAL' },
  { status: 'PROCESSING' },
]
const [completed, canceled] = [{ status: 'COMPLETED' }, { status: 'CANCELED' }]
const byText = (a: string, b: string) => a.localeCompare(b)
const noRails: PayoutRails = new Map()

test('a batch is approved as a whole or not at all; its end reaches those that can still be ended', async () => {
  const item = { id: batchId, merchantId: ours }
  const approving = { ...item, event: 'approved', by: second } as const
  const rejecting = { ...item, event: 'rejected', by: second } as const
  const canceling = { ...item, event: 'canceled' } as const
  const cases: readonly (readonly [
    tables: BareRows,
    item: BatchDecisionItem,
    verdict: string,
    statuses: readonly string[],
    due: number,
    spent: bigint,
  ])[] = [
    [members(pending, completed), canceling, 'decided', ['CANCELED', 'COMPLETED'], 0, 400n],
    [members(waiting, waiting), canceling, 'decided', ['CANCELED', 'CANCELED'], 0, 300n],
    [members(completed), canceling, 'refused', ['COMPLETED'], 0, 500n],
    [members(sent), canceling, 'refused', ['PROCESSING'], 1, 500n],
    [members(canceled), canceling, 'decided', ['CANCELED'], 0, 500n],
    [members(pending), { ...canceling, merchantId: theirs }, 'not_found', ['PENDING'], 1, 500n],
    [members(waiting, waiting), approving, 'decided', ['PENDING', 'PENDING'], 2, 500n],
    [members(waiting), approving, 'decided', ['PENDING'], 1, 500n],
    [
      { ...members(waiting, { ...waiting, amount_minor: 101 }), ...limit({ each_minor: 100 }) },
      approving,
      'obstructed limited',
      ['PENDING_APPROVAL', 'PENDING_APPROVAL'],
      0,
      500n,
    ],
    [
      members(waiting),
      { ...approving, by: requestedBy },
      'obstructed objected',
      ['PENDING_APPROVAL'],
      0,
      500n,
    ],
    [
      { ...members(waiting), money_freeze: [{ kind: 'OPERATOR' }] },
      approving,
      'obstructed frozen',
      ['PENDING_APPROVAL'],
      0,
      500n,
    ],
    [members({ ...pending, decided_by: second }), approving, 'decided', ['PENDING'], 1, 500n],
    [members({ ...canceled, decided_by: second }), approving, 'refused', ['CANCELED'], 0, 500n],
    [members(pending), approving, 'refused', ['PENDING'], 1, 500n],
    [members(waiting, pending), rejecting, 'decided', ['CANCELED', 'PENDING'], 1, 400n],
  ]
  for (const [index, [tables, decision, verdict, statuses, due, spent]] of cases.entries()) {
    const { verdicts, seen } = await run(
      sql,
      { tables: { ...shared, ...tables } },
      batchDecisionKind(noRails),
      [decision],
      stateOf,
    )
    const [found] = verdicts
    const said = found?.kind === 'obstructed' ? `obstructed ${found.verdict.kind}` : found?.kind
    const { audited, ...state } = seen
    assert.deepEqual([said, state], [verdict, { statuses, due, spent }], `case ${index}`)
    const changes = statuses.filter((status, place) => status !== tables['withdrawal']?.[place]?.['status'])
    assert.equal(audited, decision.event === 'canceled' ? 0 : changes.length, `case ${index}`)
  }
})

test('who changed the amounts of a schedule requested its withdrawals too', async () => {
  const tables = {
    ...shared,
    ...members({ ...waiting, schedule_id: scheduleId }),
    payout_schedule: [{ merchant_id: ours, id: scheduleId, changed_by: [second] }],
  }
  const approving: DecisionItem = { id: bareId(21) as WithdrawalId, event: 'approved', by: second }
  const { verdicts } = await run(sql, { tables }, decisionKind(noRails), [approving], stateOf)
  assert.deepEqual(verdicts, [{ kind: 'objected', objection: 'own_request' }])
})

const item = (number: number, event: 'canceled' | 'sending'): DecisionItem => ({
  id: bareId(number) as WithdrawalId,
  event,
})

test('what had left before a restore is not canceled, and nothing is before money out is confirmed', async () => {
  const cases: readonly (readonly [tables: BareRows, kind: string])[] = [
    [members(pending), 'decided'],
    [members({ ...pending, left_before_restore: true }), 'refused'],
    [{ ...members(pending), money_freeze: [{ kind: 'RESTORE' }] }, 'frozen'],
  ]
  for (const [tables, kind] of cases) {
    const canceling = [item(21, 'canceled')]
    const { verdicts } = await run(
      sql,
      { tables: { ...shared, ...tables } },
      decisionKind(noRails),
      canceling,
      stateOf,
    )
    assert.deepEqual(
      verdicts.map((each) => each.kind),
      [kind],
    )
  }
})

test('only what is to be canceled and waits in a queue of our own is looked for there, and leaves it', async () => {
  const [asked, dropped]: [string[][], string[]] = [[], []]
  const queue: PayoutQueue = {
    lockWaiting: async (_tx, ids) => (
      asked.push(ids.toSorted(byText)),
      new Set([bareId(21) as WithdrawalId])
    ),
    drop: async (_tx, ids) => void dropped.push(...ids),
  }
  const rails: PayoutRails = new Map([['PIX', partly<PayoutRail>({ queue })]])
  const items = [item(21, 'canceled'), item(22, 'canceled'), item(23, 'canceled'), item(24, 'sending')]
  const tables = { ...shared, ...members(sent, sent, pending, sent) }
  const { verdicts, seen } = await run(sql, { tables }, decisionKind(rails), items, stateOf)
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['decided', 'refused', 'decided', 'already'],
  )
  assert.deepEqual(asked, [[bareId(21), bareId(22)]])
  assert.deepEqual(dropped.toSorted(byText), [bareId(21), bareId(23)])
  assert.deepEqual([seen.due, seen.spent], [2, 300n])
})

test('a batch is canceled where it waits in a queue of our own, and is approved once by two decisions at once', async () => {
  const queue: PayoutQueue = { lockWaiting: async (_tx, ids) => new Set(ids), drop: async () => {} }
  const rails: PayoutRails = new Map([['PIX', partly<PayoutRail>({ queue })]])
  const item = { id: batchId, merchantId: ours }
  const decidedAs = (member: Member, ...items: readonly BatchDecisionItem[]) =>
    run(sql, { tables: { ...shared, ...members(member) } }, batchDecisionKind(rails), items, stateOf)
  assert.deepEqual((await decidedAs(sent, { ...item, event: 'canceled' })).seen.statuses, ['CANCELED'])
  const approving = { ...item, event: 'approved', by: second } as const
  const { verdicts, seen } = await decidedAs(waiting, approving, approving)
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['decided', 'decided'],
  )
  assert.deepEqual([seen.statuses, seen.due, seen.audited], [['PENDING'], 1, 1])
})

test('a limit or a freeze is asked when one is sent; one that needs a second person since then is not due', async () => {
  const cases: readonly (readonly [more: BareRows, kind: string, status: string, due: number])[] = [
    [{}, 'decided', 'PROCESSING', 1],
    [{ money_freeze: [{ kind: 'OPERATOR' }] }, 'frozen', 'PENDING', 1],
    [limit({ each_minor: 99 }), 'limited', 'PENDING', 1],
    [limit({ approval_above_minor: 99 }), 'refused', 'PENDING_APPROVAL', 0],
  ]
  for (const [more, kind, status, due] of cases) {
    const tables: BareRows = { ...shared, ...members(pending), ...more }
    const { verdicts, seen } = await run(
      sql,
      { tables },
      decisionKind(noRails),
      [item(21, 'sending')],
      stateOf,
    )
    assert.deepEqual([verdicts[0]?.kind, seen.statuses, seen.due], [kind, [status], due])
  }
})
