// What a payout schedule pays when it is due, case by case, and what is written of its run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { PayoutRail, PayoutRails, PayoutRouting } from '#/rails/payout-rail.ts'
import { poolOn } from '../../test/bare-lane.ts'
import {
  at,
  empty,
  limit,
  ours,
  place,
  requestedBy,
  routing,
  run,
  walletId,
  type Balances,
} from '../../test/bare-payouts.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { makeSchedule } from './schedule-change.ts'
import { scheduleKind } from './schedule-run.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const daily = { rhythm: 'DAILY', time: '06:00', timeZone: 'UTC', keep: 10, minimum: 50 } as const
const above = { rhythm: 'ABOVE', above: 100, keep: 10, minimum: 50 } as const
const plan = {
  merchant_id: ours,
  id: bareId(61),
  status: 'ACTIVE',
  wallet_id: walletId,
  currency: 'BRL',
  request: { type: 'PIX', currency: 'BRL' },
  rule: daily,
  requested_by: requestedBy,
  next_run_at: at,
  version: 1,
}
const listed = { withdrawal_destination: [{ merchant_id: ours, type: 'PIX', destination: place }] }
const railsThat = (route: () => PayoutRouting): PayoutRails =>
  new Map([['PIX', partly<PayoutRail>({ route })]])
const rails = railsThat(() => routing)
const closed = railsThat(() => ({
  ok: false,
  code: 'method_not_available',
  detail: 'It is closed.',
  pointer: '/type',
}))
const key = { merchantId: ours, id: plan.id } as Parameters<ReturnType<typeof scheduleKind>['run']>[1][number]
const plansOf = (tx: Tx) => tx<
  { amount: bigint | null; outcome: string | null; ran: boolean; waits: boolean }[]
>`
  select (select amount_minor from withdrawal where schedule_id = schedule.id) as amount, last_outcome as outcome,
         last_run_at is not null as ran, next_run_at > ${at} as waits
    from payout_schedule as schedule order by id`

test('a schedule that is due pays what there is above what it keeps, from its minimum on, as its limits and fee let it', async () => {
  const [before, later] = [new Date(at.getTime() - 1), new Date(at.getTime() + 1)]
  const fee_rule = [
    { merchant_id: ours, method: 'PIX_WITHDRAWAL', currency: 'BRL', fixed_minor: 7, rate_ppm: 0 },
  ]
  const nothing = 'NOTHING_TO_PAY'
  const cases: readonly (readonly [
    given: Balances & { readonly tables?: BareRows; readonly rails?: PayoutRails },
    plan: Partial<Omit<typeof plan, 'rule' | 'next_run_at'>> & {
      rule?: typeof above
      next_run_at?: Date | null
    },
    outcome: string,
    amount?: bigint,
  ])[] = [
    [{ available: 100n }, {}, 'REQUESTED', 90n],
    [{ available: 100n }, { next_run_at: before }, 'REQUESTED', 90n],
    [{ available: 100n }, { next_run_at: later }, 'not_due'],
    [{ available: 100n }, { next_run_at: null }, 'not_due'],
    [{ available: 100n }, { id: bareId(62) }, 'not_due'],
    [{ available: 60n }, {}, 'REQUESTED', 50n],
    [{ available: 59n }, {}, nothing],
    [{ available: 100n }, { rule: above }, 'REQUESTED', 90n],
    [{ available: 99n }, { rule: above }, nothing],
    [{ available: 99n }, {}, 'REQUESTED', 89n],
    [{ available: 100n, tables: { fee_rule } }, {}, 'REQUESTED', 83n],
    [{ available: 67n, tables: { fee_rule } }, {}, 'REQUESTED', 50n],
    [{ available: 66n, tables: { fee_rule } }, {}, nothing],
    [{ available: 100n, tables: limit({ day_minor: 90 }) }, {}, 'REQUESTED', 90n],
    [{ available: 100n, tables: limit({ day_minor: 60 }) }, {}, 'REQUESTED', 60n],
    [{ available: 100n, tables: limit({ day_minor: 49 }) }, {}, nothing],
    [{ available: 100n, tables: { withdrawal_destination: [] } }, {}, 'NOT_LISTED'],
    [
      { available: 100n, tables: { connection: [{ method: 'PIX', settings: { pixKey: place } }] } },
      {},
      'REFUSED',
    ],
    [{ available: 100n, tables: { money_freeze: [{ kind: 'OPERATOR' }] } }, {}, 'FROZEN'],
    [{ available: 100n, rails: closed }, {}, 'NOT_AVAILABLE'],
    [{ available: 100n }, { wallet_id: bareId(9) as typeof walletId }, 'REFUSED'],
    [{ available: 100n, refuses: true }, {}, 'REFUSED'],
  ]
  for (const [
    index,
    [{ tables, rails: offered = rails, ...balances }, change, outcome, amount],
  ] of cases.entries()) {
    const own = { ...plan, ...change }
    const given = { ...balances, tables: { ...listed, ...tables, payout_schedule: [own] } }
    const { verdicts, seen, events } = await run(sql, given, scheduleKind(offered), [key], plansOf)
    const [verdict] = verdicts
    assert.equal(verdict?.kind === 'run' ? verdict.outcome : verdict?.kind, outcome, `case ${index}`)
    const isQuiet = own.rule.rhythm === 'ABOVE' && outcome === nothing
    const runs = outcome !== 'not_due'
    assert.deepEqual(
      seen.map((each) => [each.amount, each.outcome, each.ran]),
      [[amount ?? null, runs && !isQuiet ? outcome : null, runs && !isQuiet]],
      `case ${index}`,
    )
    if (runs) assert.equal(seen[0]?.waits, true, `case ${index}`)
    assert.deepEqual(events, amount === undefined ? [] : ['withdrawal.created'])
  }
})

test('a schedule pays once for one due time, and two share what the day leaves', async () => {
  const tables = {
    ...listed,
    ...limit({ day_minor: 130 }),
    payout_schedule: [plan, { ...plan, id: bareId(62) }],
  }
  const other = { ...key, id: bareId(62) } as typeof key
  const { verdicts, seen } = await run(
    sql,
    { available: 100n, tables },
    scheduleKind(rails),
    [key, key, other],
    plansOf,
  )
  assert.deepEqual(verdicts, [
    { kind: 'run', outcome: 'REQUESTED' },
    { kind: 'not_due' },
    { kind: 'run', outcome: 'NOTHING_TO_PAY' },
  ])
  assert.deepEqual(
    seen.map(({ amount }) => amount),
    [90n, null],
  )
})

test('a schedule is made for a wallet that may pay out, to a listed destination that is not ours, up to a hundred of them', async () => {
  const [wallet] = empty['wallet'] ?? []
  const many = (count: number) => ({
    payout_schedule: Array.from({ length: count }, (_, index) => ({ ...plan, id: bareId(index + 100) })),
  })
  const destination = { merchant_id: ours, type: 'PIX', destination: place }
  const only = (change: object): BareRows => ({ withdrawal_destination: [{ ...destination, ...change }] })
  const cases: readonly (readonly [tables: BareRows, kind: string])[] = [
    [many(99), 'created'],
    [many(100), 'too_many'],
    [{ wallet: [] }, 'unknown_wallet'],
    [{ wallet: [{ ...wallet, currency: 'EUR' }] }, 'unknown_wallet'],
    [{ wallet: [{ ...wallet, wallet_type: 'RESERVE' }] }, 'not_spendable'],
    [{ wallet: [{ ...wallet, is_active: false }] }, 'not_spendable'],
    [{ connection: [{ method: 'PIX', settings: { pixKey: place } }] }, 'own_destination'],
    [only({ type: 'CRYPTO' }), 'not_listed'],
    [only({ destination: 'bia@example.com' }), 'not_listed'],
  ]
  for (const [index, [tables, kind]] of cases.entries())
    await onRows(sql, { ...empty, ...listed, audit_log: [], ...tables }, async (tx) => {
      await tx`create unique index on payout_schedule (merchant_id, idempotency_key)`
      const asked: Parameters<typeof makeSchedule>[1] = {
        merchantId: ours,
        id: key.id,
        mode: 'LIVE',
        status: 'ACTIVE',
        walletId,
        currency: 'BRL',
        request: { type: 'PIX', currency: 'BRL' },
        rule: daily,
        requestedBy,
        version: 1,
        lastRunAt: null,
        lastOutcome: null,
        lastWithdrawalId: null,
        idempotencyKey: undefined,
        fingerprint: Buffer.from('x'),
      }
      assert.equal((await makeSchedule(poolOn(tx), asked, place)).kind, kind, `case ${index}`)
      assert.equal((await tx`select 1 from audit_log`).length, kind === 'created' ? 1 : 0)
    })
})
