// What a change of a payout schedule writes, and which one is refused; and what a round of due schedules does when one of them cannot be run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { ApiKeyId } from '#/kernel/id.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { laneOn, poolOn, fieldOf } from '../../test/bare-lane.ts'
import { at, empty, ours, requestedBy, theirs, walletId } from '../../test/bare-payouts.ts'
import { bareId, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { changeSchedule, makeSchedule, scheduleFingerprint, type ScheduleChange } from './schedule-change.ts'
import type { ScheduleKey } from './schedule-queries.ts'
import { runDueSchedules, type ScheduleKind, type ScheduleVerdict } from './schedule-run.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const rule = { rhythm: 'DAILY', time: '06:00', timeZone: 'UTC', keep: 10, minimum: 50 } as const
const key = { merchantId: ours, id: bareId(61) } as ScheduleKey
const by = bareId(5) as ApiKeyId
const plan = {
  merchant_id: ours,
  id: key.id,
  status: 'ACTIVE',
  wallet_id: walletId,
  currency: 'BRL',
  request: { type: 'PIX', currency: 'BRL' },
  rule,
  requested_by: requestedBy,
  changed_by: [],
  next_run_at: at,
  version: 1,
}

const request = { type: 'PIX', currency: 'BRL' } as const
const asked: Parameters<typeof makeSchedule>[1] = {
  merchantId: ours,
  id: key.id,
  mode: 'LIVE',
  status: 'ACTIVE',
  walletId,
  currency: 'BRL',
  request,
  rule,
  requestedBy,
  version: 1,
  lastRunAt: null,
  lastOutcome: null,
  lastWithdrawalId: null,
  idempotencyKey: 'k',
  fingerprint: scheduleFingerprint({ request, rule }),
}

/** The code of the refusal. */
async function codeOf(doing: Promise<unknown>): Promise<string> {
  try {
    await doing
    return 'not refused'
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return error.code
  }
}

test('a change of a schedule is written with its entry; who changes amounts is noted; what is the same or over changes nothing', async () => {
  const seen = { status: 'ACTIVE', keep: 10, waits: true, version: 2, changers: 0, audited: 1 }
  const before = { ...seen, waits: false, version: 1, audited: 0 }
  const paused = { status: 'PAUSED', next_run_at: null }
  const cases: readonly (readonly [change: ScheduleChange, kind: string, seen: object, was?: object])[] = [
    [{ keep: 20 }, 'changed', { ...seen, keep: 20, changers: 1 }],
    [{ minimum: 60 }, 'changed', { ...seen, changers: 1 }],
    [{ status: 'PAUSED' }, 'changed', { ...seen, status: 'PAUSED', waits: null }],
    [{ status: 'ENDED' }, 'changed', { ...seen, status: 'ENDED', waits: null }],
    [{ status: 'ACTIVE' }, 'changed', seen, paused],
    [{ keep: 20 }, 'changed', { ...seen, status: 'PAUSED', keep: 20, waits: null, changers: 1 }, paused],
    [{}, 'changed', before],
    [{ status: 'ACTIVE', keep: 10, minimum: 50 }, 'changed', before],
    [
      { status: 'ACTIVE' },
      'refused',
      { ...before, status: 'ENDED', waits: null },
      { status: 'ENDED', next_run_at: null },
    ],
    [{ keep: 20 }, 'not_found', before, { merchant_id: theirs }],
  ]
  for (const [change, kind, expected, was = {}] of cases)
    await onRows(sql, { ...empty, audit_log: [], payout_schedule: [{ ...plan, ...was }] }, async (tx) => {
      const said = JSON.stringify({ change, was })
      assert.equal((await changeSchedule(poolOn(tx), key, change, by)).kind, kind, said)
      const rows = await tx`
        select status, (rule ->> 'keep')::integer as keep, next_run_at > now() as waits, version, cardinality(changed_by) as changers,
               (select count(*)::integer from audit_log) as audited
          from payout_schedule`
      assert.deepEqual([...rows], [expected], said)
    })
})

test('a schedule of a sub-account is made and changed in the states that let it', async () => {
  const cases = [
    ['ACTIVE', 'not refused', 'not refused'],
    ['SUSPENDED', 'invalid_state', 'not refused'],
    ['CLOSED', 'invalid_state', 'invalid_state'],
  ] as const
  for (const [state, made, changed] of cases) {
    const tables: BareRows = {
      ...empty,
      audit_log: [],
      sub_account: [{ merchant_id: ours, parent_id: theirs, state }],
      payout_schedule: [plan],
    }
    await onRows(sql, tables, async (tx) => {
      assert.equal(await codeOf(makeSchedule(poolOn(tx), asked, 'ana@example.com')), made, state)
      assert.equal(await codeOf(changeSchedule(poolOn(tx), key, { keep: 20 }, by)), changed, state)
    })
  }
})

test('the same call makes one schedule, and another body under its key is a conflict', async () => {
  const listed = [{ merchant_id: ours, type: 'PIX', destination: 'ana@example.com' }]
  await onRows(sql, { ...empty, withdrawal_destination: listed, audit_log: [] }, async (tx) => {
    await tx`create unique index on payout_schedule (merchant_id, idempotency_key)`
    const make = async (change: Partial<typeof asked>) =>
      (await makeSchedule(poolOn(tx), { ...asked, ...change }, 'ana@example.com')).kind
    assert.equal(await make({}), 'created')
    assert.equal(await make({}), 'replayed')
    assert.equal(await make({ rule: { ...rule, keep: 11 } }), 'conflict')
    assert.equal(await make({ request: { ...request, currency: 'EUR' } }), 'conflict')
  })
})

test('a schedule that cannot be run is logged and waits five minutes, delays no other, and a requested withdrawal wakes its sender', async () => {
  const [failing, other] = [key.id, bareId(62)]
  const cases: readonly (readonly [verdict: ScheduleVerdict, isAwake: boolean])[] = [
    [{ kind: 'run', outcome: 'REQUESTED' }, true],
    [{ kind: 'run', outcome: 'NOTHING_TO_PAY' }, false],
    [{ kind: 'not_due' }, false],
  ]
  for (const [verdict, isAwake] of cases)
    await onRows(sql, { payout_schedule: [plan, { ...plan, id: other }] }, async (tx) => {
      const [logged, woken]: [string[], string[]] = [[], []]
      const kind = partly<ScheduleKind>({
        async run(_batch, [item]) {
          if (item?.id === failing) throw new Error('the books are closed')
          return { verdicts: [verdict], events: [], changed: [true], sealed: [] }
        },
      })
      const { submit } = laneOn<EventDraft>(partly<Batch>({}))
      const lane = partly<LedgerLane<EventDraft>>({ submit })
      const log = pino({ level: 'warn' }, { write: (line) => void logged.push(fieldOf(line, 'error')) })
      const onReady = () => void woken.push('sender')
      assert.equal(await runDueSchedules({ sql: tx, log, lane, kind, onReady }), 2)
      const rows = await tx`
        select extract(epoch from next_run_at - now()) between 299 and 359 as waits
          from payout_schedule order by id`
      assert.deepEqual(
        rows.map(({ waits }) => waits as boolean),
        [true, false],
      )
      assert.deepEqual([logged, woken], [['the books are closed'], isAwake ? ['sender'] : []])
    })
})
