// Which payments expire or are canceled, what that changes, and how their attempts are canceled at providers, on a test's own rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Sql } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId } from '#/kernel/id.ts'
import { addMs, hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import type { Rails } from '#/rails/rail.ts'
import { at, bank, earlier, ours, theirs } from '../../test/bare-attempts.ts'
import {
  attemptOf,
  attemptRows,
  numberOf,
  paymentOf,
  paymentRow,
  paymentTables,
  railsThatOpen,
} from '../../test/bare-payments.ts'
import { onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { runOnRows } from '../../test/kind-on-rows.ts'
import { cancelDue } from './check.ts'
import { endKind, type EndItem } from './end.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>
type Case = readonly [what: string, verdict: string, payment: Row, item: Partial<EndItem>]

const all = railsThatOpen()
const railsOf = (...methods: readonly Method[]): Rails =>
  new Map([...all].filter(([method]) => methods.includes(method)))
const itemOf = (number: number, change: Partial<EndItem>): EndItem => ({
  merchantId: ours,
  paymentId: paymentOf(number),
  event: 'expired',
  ...change,
})

async function checkAll(cases: readonly Case[]): Promise<void> {
  const tables = {
    ...paymentTables(cases.map(([, , payment], index) => paymentRow(index, { expires_at: at, ...payment }))),
    attempt_check: [],
    attempt_closing: [],
  }
  const items = cases.map(([, , , item], index) => itemOf(index, item))
  const { verdicts } = await onRows(sql, tables, (tx) => runOnRows(tx, endKind(all), items, { at }))
  assert.deepEqual(
    verdicts.map(({ kind }, index) => `${cases[index]?.[0]}: ${kind}`),
    cases.map(([what, verdict]) => `${what}: ${verdict}`),
  )
}

test('a payment expires when its time has come, unless money on its way covers what is missing', () =>
  checkAll([
    ['now', 'closed', {}, {}],
    ['in a millisecond', 'refused', { expires_at: addMs(at, 1) }, {}],
    ['in a millisecond, but early', 'closed', { expires_at: addMs(at, 1) }, { early: true }],
    ['never', 'refused', { expires_at: null }, {}],
    ['all of it is on its way', 'refused', { seen_minor: 100 }, {}],
    ['all but a cent', 'closed', { seen_minor: 99 }, {}],
    ['the rest is on its way', 'refused', { seen_minor: 60, received_minor: 40 }, {}],
    ['all of it is on its way, early', 'refused', { seen_minor: 100 }, { early: true }],
    ['paid', 'refused', { status: 'PAID' }, {}],
    ['expired before', 'already', { status: 'EXPIRED' }, {}],
    ['of another merchant', 'not_found', {}, { merchantId: theirs }],
  ]))

test('when the time of a method is over, a checkout with other methods expires only at its own end, a day after its creation', () => {
  const open = {
    methods: ['CRYPTO', 'PARTNER_PAY'],
    method: 'PARTNER_PAY',
    request: { amount: 100, checkout: 'default' },
    created_at: addMs(at, -2 * hourMs),
  }
  return checkAll([
    ['two hours old', 'method_over', open, {}],
    ['a day old', 'closed', { ...open, created_at: addMs(at, -24 * hourMs) }, {}],
    ['a millisecond less', 'method_over', { ...open, created_at: addMs(at, 1 - 24 * hourMs) }, {}],
    [
      'after the end that its merchant set',
      'closed',
      { ...open, request: { ...open.request, expiresIn: 3_600 } },
      {},
    ],
    ['its only method', 'closed', { ...open, methods: ['PARTNER_PAY'] }, {}],
    ['no checkout', 'closed', { ...open, request: { amount: 100 } }, {}],
    ['a part came', 'closed', { ...open, received_minor: 40 }, {}],
    ['a part is on its way', 'closed', { ...open, seen_minor: 40 }, {}],
    ['nothing is chosen', 'closed', { ...open, status: 'PENDING', method: null }, {}],
    ['not yet', 'refused', { ...open, expires_at: addMs(at, 1) }, {}],
    ['early, by the sandbox', 'closed', open, { early: true }],
    ['canceled', 'closed', open, { event: 'canceled' }],
  ])
})

test('a payment is canceled while no money is on its way, whenever it expires', () => {
  const canceled = { event: 'canceled' } as const
  return checkAll([
    ['nothing came', 'closed', { expires_at: null }, canceled],
    ['a cent is on its way', 'refused', { seen_minor: 1 }, canceled],
    ['paid', 'refused', { status: 'PAID' }, canceled],
    ['expired', 'refused', { status: 'EXPIRED' }, canceled],
    ['canceled before', 'already', { status: 'CANCELED' }, canceled],
  ])
})

type Ended = {
  readonly payment?: Row
  readonly items?: readonly Partial<EndItem>[]
  readonly checks?: readonly Row[]
  readonly attempts?: readonly Row[]
  readonly rails?: Rails
}

/** An attempt of each way to open. */
const ofEach = ['CREDIT_CARD', 'PIX', 'CRYPTO'].map((method) => ({ method }))

/** Ends one payment. */
async function end({ payment = {}, items = [{}], checks = [], attempts = ofEach, rails = all }: Ended) {
  const tables = {
    ...paymentTables([paymentRow(0, { expires_at: at, ...payment })], attemptRows(0, attempts)),
    attempt_check: checks.map((row) => ({
      merchant_id: ours,
      attempt_id: attemptOf(0, 1),
      connection: bank,
      ...row,
    })),
    attempt_closing: [],
  }
  return onRows(sql, tables, async (tx) => {
    const asked = items.map((item) => itemOf(0, item))
    const { verdicts, events } = await runOnRows(tx, endKind(rails), asked, { at })
    const [row] = await tx<Row[]>`select status, version, expires_at from payment`
    const closed = await tx<{ id: AttemptId }[]>`select attempt_id as id from attempt_closing order by 1`
    return {
      row,
      kinds: verdicts.map(({ kind }) => kind),
      events: events.map(({ type, data }) => [type, data['cryptoNetwork']]),
      closed: closed.map(({ id }) => numberOf(id)),
    }
  })
}

test('a payment that ends is written with its event, and its attempts at providers are closed', async () => {
  const expired = await end({})
  assert.deepEqual(expired.row, { status: 'EXPIRED', version: 2, expires_at: at })
  assert.deepEqual([expired.events, expired.closed], [[['payment.expired', 'BSC']], [1, 2]])
  const early = await end({ payment: { expires_at: addMs(at, 9) }, items: [{ early: true }] })
  assert.deepEqual(early.row?.['expires_at'], at)
  const canceled = await end({ payment: { expires_at: null }, items: [{ event: 'canceled' }] })
  assert.deepEqual(canceled.row, { status: 'CANCELED', version: 2, expires_at: null })
  assert.deepEqual(canceled.events, [['payment.canceled', 'BSC']])
})

test('when the time of a method is over, its attempts whose own time is over are canceled at their providers, and no others', async () => {
  const payment = {
    methods: ['CRYPTO', 'PIX', 'CREDIT_CARD'],
    method: 'CREDIT_CARD',
    request: { amount: 100, checkout: 'default' },
    created_at: addMs(at, -2 * hourMs),
  }
  const [past, ahead] = [at, addMs(at, 1)].map((end) => ({ expiresAt: end.toISOString() }))
  const shown = { artifacts: { name: 'x' } }
  const attempts = [
    { method: 'CREDIT_CARD', ...shown, asked: past },
    { method: 'CREDIT_CARD', ...shown, asked: ahead },
    { method: 'CREDIT_CARD', asked: past },
    { method: 'CREDIT_CARD', ...shown, asked: past, over_at: earlier },
    { method: 'PIX', ...shown, asked: past },
    { method: 'CREDIT_CARD', ...shown },
  ]
  const { kinds, events, closed } = await end({ payment, attempts })
  assert.deepEqual([kinds, events, closed], [['method_over'], [], [1]])
  const local = await end({ payment, attempts, rails: railsOf('PIX', 'CRYPTO') })
  assert.deepEqual([local.kinds, local.closed], [['method_over'], []])
})

test('a payment ends once in a batch', async () => {
  const { kinds, events, row } = await end({ items: [{}, {}] })
  assert.deepEqual([kinds, events.length, row?.['version']], [['closed', 'already'], 1, 2])
})

test('a provider that is asked about attempts delays the end until it has answered, for ten minutes at most', async () => {
  const kindAfter = async (ms: number, checks: readonly Row[], rails?: Rails) => {
    const payment = { expires_at: addMs(at, -ms) }
    const { kinds } = await end({ payment, checks, ...given({ rails }) })
    return kinds[0]
  }
  const [unchecked, checked] = [[{ checked_at: earlier }], [{ checked_at: at }]]
  assert.equal(await kindAfter(minuteMs, unchecked), 'refused')
  assert.equal(await kindAfter(minuteMs, checked), 'closed')
  assert.equal(await kindAfter(10 * minuteMs - 1, [{ checked_at: null }]), 'refused')
  assert.equal(await kindAfter(10 * minuteMs, unchecked), 'closed')
  assert.equal(await kindAfter(minuteMs, unchecked, railsOf('PIX', 'CRYPTO')), 'closed')
  const { kinds } = await end({
    payment: { expires_at: addMs(at, -minuteMs) },
    checks: unchecked,
    items: [{ event: 'canceled' }],
  })
  assert.deepEqual(kinds, ['closed'])
})

test('only attempts that a provider knows are closed', async () => {
  const pix = await end({ rails: railsOf('PIX', 'CRYPTO') })
  assert.deepEqual([pix.kinds, pix.closed], [['closed'], [2]])
  const none = await end({ rails: railsOf('CRYPTO') })
  assert.deepEqual([none.kinds, none.closed], [['closed'], []])
})

/** Tries once more, after so many tries. `waits`: whether the next try is due after this time. */
async function cancel(tries: number, isAway: boolean, method: Method = 'CREDIT_CARD') {
  const row = { merchant_id: ours, attempt_id: attemptOf(0, 1), connection: bank, due_at: at, tries }
  const tables = { ...paymentTables([paymentRow(0)], attemptRows(0, [{ method }])), attempt_closing: [row] }
  return onRows(sql, tables, async (tx) => {
    let [calls, warned] = [0, 0]
    const opens = {
      async cancel() {
        calls += 1
        if (isAway) throw new ProviderError('unavailable', 'away')
      },
    }
    const log = pino({}, { write: () => void (warned += 1) })
    const before = await readNow(tx)
    const claimed = await cancelDue({ sql: tx, rails: railsThatOpen({ PAGE: opens, REQUEST: opens }), log })
    const after = await readNow(tx)
    const [left] = await tx<{ due_at: Date }[]>`select due_at from attempt_closing`
    const waits = (ms: number) =>
      left !== undefined && addMs(before, ms) <= left.due_at && left.due_at <= addMs(after, ms)
    return { claimed, calls, warned, isLeft: left !== undefined, waits }
  })
}

test('an attempt is canceled once at its provider, and one that no provider knows without a call', async () => {
  for (const [method, calls] of [
    ['CREDIT_CARD', 1],
    ['PIX', 1],
    ['CRYPTO', 0],
  ] as const) {
    const canceled = await cancel(0, false, method)
    assert.deepEqual(
      [canceled.claimed, canceled.calls, canceled.isLeft, canceled.warned],
      [1, calls, false, 0],
    )
  }
})

test('a provider that is away is asked again later each time, and twelve times in all', async () => {
  for (const [tries, waitMs] of [
    [0, 2 * secondMs],
    [1, 4 * secondMs],
    [10, 2_048 * secondMs],
  ] as const) {
    const silent = await cancel(tries, true)
    assert.deepEqual([silent.isLeft, silent.waits(waitMs), silent.warned], [true, true, 1], String(tries))
  }
  assert.equal((await cancel(11, true)).isLeft, false)
})
