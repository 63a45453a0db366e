// What becomes of a withdrawal that is due: by the decision about it, by its provider's answer, and by when it was sent before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import { addMs, minuteMs, secondMs, testClock } from '#/kernel/time.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { PayoutOrder, PayoutRail, PayoutResult } from '#/rails/payout-rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { fieldOf, laneOn } from '../../test/bare-lane.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import type { DecisionKind, DecisionVerdict } from './decide.ts'
import { selectWithdrawalsById } from './queries.ts'
import { sendDueWithdrawals, type SettledAs, type WithdrawalSenderDeps } from './send.ts'
import type { Withdrawal } from './withdrawal.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, id] = [bareId(1), bareId(11)]
const askedBefore = '2026-11-22T00:00:00Z'
const clock = testClock(new Date('2026-11-22T10:00:00Z'))
const row = {
  merchant_id: ours,
  id,
  type: 'PIX',
  status: 'PROCESSING',
  amount_minor: 500,
  fee_minor: 0,
  currency: 'BRL',
  connection: 'bank',
  reference: 'w1',
  destination: { text: 'ana@example.com', fields: {} },
  request: { type: 'PIX', amount: 500, currency: 'BRL' },
  returned_minor: 0,
  review_required: false,
  left_before_restore: false,
  version: 1,
  created_at: askedBefore,
}
/** So many claims that the next wait is two minutes, and the lease is ten: what a row shows is told from both. */
const [claims, leaseMs] = [7, 10 * minuteMs]

type Given = {
  readonly row?: Partial<typeof row>
  /** Whether it may have been sent before. */
  readonly wasAsked?: boolean
  readonly claimedMinutesAgo?: number
  readonly decision?: (withdrawal: Withdrawal) => DecisionVerdict
  readonly answer?: PayoutResult | Error | ((order: PayoutOrder) => Promise<PayoutResult>)
  /** Of an ended one. */
  readonly check?: PayoutResult
  readonly settledAs?: SettledAs
  /** The PIX keys of our own connections. */
  readonly ownKeys?: readonly string[]
}

const evidence = Buffer.from('{}')
const sent: PayoutResult = { state: 'sent', evidence }
const done: PayoutResult = { state: 'done', evidence }
const refused: PayoutResult = { state: 'refused', code: 'x', message: 'x', evidence }
const decided = (withdrawal: Withdrawal): DecisionVerdict => ({ kind: 'decided', withdrawal })

/** What happened: calls to the provider, what was settled, what is logged, and the row that says when it is due. */
async function handled(given: Given) {
  const { wasAsked = false, decision = decided, answer = sent, settledAs = 'settled', ownKeys = [] } = given
  const [calls, settled, logged]: [string[], string[], string[]] = [[], [], []]
  const rail = partly<PayoutRail>({
    type: 'PIX',
    async send(order, again) {
      calls.push(again ? 'send again' : 'send')
      assert.deepEqual(order.sendBefore, addMs(clock.now(), 30 * secondMs))
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer(order) : answer
    },
    async check() {
      calls.push('check')
      return given.check
    },
  })
  const begun = given.claimedMinutesAgo ?? 0
  const [now] = await sql<{ begun: string }[]>`
    select (now() - ${begun} * interval '1 minute')::text as begun`
  const tables = {
    merchant: [{ id: ours, mode: 'LIVE' }],
    connection: ownKeys.map((pixKey) => ({ id: 'own', method: 'PIX', settings: { pixKey } })),
    withdrawal: [{ ...row, ...given.row }],
    withdrawal_due: [
      {
        merchant_id: ours,
        withdrawal_id: id,
        connection: 'bank',
        due_at: askedBefore,
        sends: claims,
        begun_at: now?.begun,
        ...(wasAsked ? { asked_at: askedBefore } : {}),
      },
    ],
  }
  const due = await onRows(sql, tables, async (tx) => {
    const decisionKind = partly<DecisionKind>({
      async run() {
        const [found] = await selectWithdrawalsById(tx, [id as WithdrawalId])
        const verdicts = [decision(found ?? assert.fail('it is there'))]
        return { verdicts, events: [], changed: [], sealed: [] }
      },
    })
    const deps = partly<WithdrawalSenderDeps>({
      sql: tx,
      rails: new Map([['PIX', rail]]),
      lane: laneOn<EventDraft>(partly<Batch>({})),
      decisionKind,
      clock,
      log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(fieldOf(line, 'msg')) }),
      async settle(_withdrawal: Withdrawal, news: { readonly state: string }) {
        settled.push(news.state)
        return settledAs
      },
      leaseMs,
    })
    assert.equal(await sendDueWithdrawals(deps), 1)
    const [left] = await tx<{ wait: number; asked: string }[]>`
      select extract(epoch from due_at - lease_until)::float8 as wait,
             case when asked_at is null then 'not asked' when asked_at = ${askedBefore} then 'as before' else 'asked' end as asked
        from withdrawal_due`
    if (left === undefined) return 'gone'
    const waitMs = left.wait * secondMs + leaseMs
    return `${waitMs < minuteMs ? 'now' : waitMs < 5 * minuteMs ? 'later' : 'leased'}, ${left.asked}`
  })
  return [due, ...calls, ...settled.map((each) => `settles ${each}`), ...logged]
}

const [again, review] = [{ wasAsked: true }, 'a withdrawal is not sent: it is not allowed any more'] as const
const silent = 'a withdrawal has no answer yet'
const frozen = (withdrawal: Withdrawal): DecisionVerdict => ({ kind: 'frozen', withdrawal })
const limit = { ok: false, reason: 'each', limitMinor: 1n, leftMinor: 1n } as const
const limited = (withdrawal: Withdrawal): DecisionVerdict => ({ kind: 'limited', withdrawal, limit })
const limitedForReview = (withdrawal: Withdrawal): DecisionVerdict =>
  limited({ ...withdrawal, reviewRequired: true })
const pending = { status: 'PENDING' }

async function each(cases: readonly (readonly [given: Given, expected: readonly string[]])[]): Promise<void> {
  for (const [index, [given, expected]] of cases.entries())
    assert.deepEqual(await handled(given), expected, `case ${index}`)
}

test('it is sent when that is decided, and not while money is frozen, limits hold it back or a person must decide', async () => {
  await each([
    [{ row: pending }, ['later, asked', 'send']],
    [{ decision: (withdrawal) => ({ kind: 'already', withdrawal }) }, ['later, asked', 'send']],
    [{ decision: (withdrawal) => ({ kind: 'refused', withdrawal }) }, ['later, asked']],
    [
      { decision: (withdrawal) => ({ kind: 'refused', withdrawal: { ...withdrawal, status: 'CANCELED' } }) },
      ['gone'],
    ],
    // Nothing was sent: a freeze ends at once for it, everything else after a while.
    [{ decision: frozen }, ['now, not asked']],
    [{ decision: (withdrawal) => ({ kind: 'frozen', withdrawal, isAccount: true }) }, ['later, not asked']],
    [{ decision: limitedForReview }, ['later, not asked', review]],
    [{ decision: limitedForReview, row: { review_required: true } }, ['later, not asked']],
    [{ decision: limited }, ['later, not asked']],
    [{ ...again, row: pending, decision: frozen }, ['now, not asked']],
    // It may be on its way: it is looked up.
    [{ ...again, decision: frozen }, ['later, asked', 'send again']],
    [{ ...again, decision: limited }, ['later, asked', 'send again']],
  ])
})

test('what may be sent again is asked right before, and waits for the end of a freeze', async () => {
  const asks = async (order: PayoutOrder): Promise<PayoutResult> => {
    if (await order.mayLeave?.()) return sent
    throw new Error('it may not leave')
  }
  await each([
    [{ ...again, answer: asks }, ['later, asked', 'send again']],
    [{ ...again, decision: frozen, answer: asks }, ['now, not asked', 'send again']],
  ])
})

test('an answer is settled when it is an end or has a new name; a call without an end is looked up later', async () => {
  const named: PayoutResult = { ...sent, providerRef: 'p1' }
  const unavailable = new ProviderError('unavailable', 'x')
  await each([
    [{ answer: named }, ['later, asked', 'send', 'settles sent']],
    [{ answer: named, row: { provider_ref: 'p1' } as object }, ['later, asked', 'send']],
    [{ answer: done }, ['gone', 'send', 'settles done']],
    [{ answer: done, settledAs: 'superseded' }, ['later, asked', 'send', 'settles done']],
    [{ answer: refused }, ['gone', 'send', 'settles refused', 'a provider refuses a withdrawal']],
    [{ answer: unavailable }, ['later, not asked', 'send', silent]],
    [{ ...again, answer: unavailable }, ['later, as before', 'send again', silent]],
    [{ answer: new ProviderError('unknown', 'x') }, ['later, asked', 'send', silent]],
    [{ answer: new Error('x') }, ['later, asked', 'send', silent]],
  ])
})

test('after an hour without an end a person must look at it, once', async () => {
  await each([
    [{ claimedMinutesAgo: 59 }, ['later, asked', 'send']],
    [{ claimedMinutesAgo: 61 }, ['later, asked', 'send', 'settles silent']],
    [{ claimedMinutesAgo: 61, row: { review_required: true } }, ['later, asked', 'send']],
    [{ claimedMinutesAgo: 61, answer: done }, ['gone', 'send', 'settles done']],
  ])
})

test('one that ended is checked and never sent; one that can never leave ends without a call', async () => {
  const ended = { row: { status: 'COMPLETED' } }
  const ends = ['gone', 'settles refused', 'a provider refuses a withdrawal']
  await each([
    [ended, ['gone', 'check']],
    [{ ...ended, check: sent }, ['gone', 'check']],
    [
      { ...ended, check: { ...done, state: 'returned', returned: 5n } },
      ['gone', 'check', 'settles returned'],
    ],
    [{ ownKeys: ['ana@example.com'] }, ends],
    [{ row: { amount_minor: 10 ** 13 } }, ends],
    [{ ...again, ownKeys: ['ana@example.com'] }, ['later, asked', 'send again']],
  ])
})
