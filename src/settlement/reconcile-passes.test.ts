// Which span each pass asks for, what of its answer is settled, and when it is due again: see decision 51. The providers are stand-ins.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import type { Sql, Tx } from '#/db/client.ts'
import { ConnectionLost } from '#/db/failure.ts'
import { AppError } from '#/kernel/error.ts'
import { dayMs, hourMs, minuteMs } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { ListedPayout, PayoutRail } from '#/rails/payout-rail.ts'
import type { ListedSpan, Rail } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { SettledAs } from '#/withdrawals/send.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { testRail } from '../../test/contract/rail.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { testPayoutRails } from '../../test/payout-rail.ts'
import { receiptOf, refundOf } from '../../test/settlement-view.ts'
import { reconcilePayouts } from './reconcile-payouts.ts'
import { reconcileDue, runPasses } from './reconcile.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

/** Before and after every moment at which a test runs. */
const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'] as const
const { connection } = receiptOf('paid')
const known: ProviderConnection = {
  id: connection,
  mode: 'SANDBOX',
  method: 'PIX',
  provider: 'bacen',
  settings: {},
  secrets: {},
}
const periodMs = minuteMs

type Line = { readonly level: number; readonly msg: string }
function logging(): { readonly lines: Line[]; readonly log: pino.Logger } {
  const lines: Line[] = []
  return {
    lines,
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line) as Line) }),
  }
}

/** The passes, each with how long it waits. */
function waiting(tx: Tx) {
  return tx<{ look: string; through: Date; waits: number }[]>`
    select look, through, extract(epoch from due_at - statement_timestamp())::float8 * 1000 as waits from reconciliation`
}

type Scene = {
  readonly rows?: Parameters<typeof onRows>[1]
  /** What the provider lists, page by page. */
  readonly pages?: readonly (readonly Receipt[])[]
  /** Whether what is settled fails. */
  readonly fails?: (receipts: readonly Receipt[]) => Error | undefined
  /** While the provider answers. */
  readonly meanwhile?: (tx: Tx) => Promise<unknown>
  /** Whether the connection is unknown by now. */
  readonly isGone?: true
}

/** What one look at everything that is due did. Only the rows of `reconciliation` are due; with none, all passes begin now. */
function look({ rows = {}, pages = [], fails, meanwhile, isGone }: Scene) {
  return onRows(sql, { reconciliation: [], receipt: [], refund: [], ...rows }, async (tx) => {
    await tx`alter table reconciliation add primary key (connection, look)`
    const { lines, log } = logging()
    const spans: ListedSpan[] = []
    const settled: (readonly Receipt[])[] = []
    const inquiries: (Date | undefined)[] = []
    const rail: Rail = {
      ...testRail(),
      method: 'PIX',
      async *list(_connection, span) {
        spans.push(span)
        await meanwhile?.(tx)
        yield* pages
      },
    }
    const found = await reconcileDue({
      sql: tx as Tx & Sql,
      rails: new Map([['PIX', rail]]),
      connections: {
        of: () => [],
        find: () => (isGone ? undefined : known),
        all: (method) => (method === 'PIX' ? [known] : []),
      },
      log,
      periodMs,
      settle: async (receipts, inquiry) => {
        const error = fails?.(receipts)
        if (error !== undefined) throw error
        settled.push(receipts)
        inquiries.push(inquiry?.at)
      },
    })
    const passes = await waiting(tx)
    return { found, spans, settled, inquiries, said: lines.map(({ level, msg }) => [level, msg]), passes }
  })
}

const pass = { connection, due_at: past, lease_until: past, takes: 0, through: past }
const others = ['day', 'week', 'returned'].map((name) => ({ ...pass, look: name, due_at: future }))
/** Only the recent pass is due. */
const recent = [{ ...pass, look: 'recent' }, ...others]

/** Whether it waits this long from the end of the pass, which was a moment ago. */
const isIn = (ms: number, waits: number | undefined) =>
  waits !== undefined && waits <= ms && waits > ms - minuteMs

/** All passes are due. */
const allDue = [...recent.slice(0, 1), ...others.map((each) => ({ ...each, due_at: past }))]
const backOf = (spans: readonly ListedSpan[]) =>
  spans.map(({ from }) => Date.parse(past) - from.getTime()).toSorted((a, b) => a - b)
/** By the table of decision 51. */
const farBack = [15 * minuteMs, dayMs, 7 * dayMs, 100 * dayMs]
const every = { recent: periodMs, day: 15 * minuteMs, week: dayMs, returned: hourMs } as const

test('each pass goes back as far as it says before the end of the one before, and is due again as often as it says', async () => {
  const { spans, passes } = await look({ rows: { reconciliation: allDue } })
  assert.deepEqual(backOf(spans), farBack)
  assert.deepEqual(
    spans
      .filter(({ onlyReturned }) => onlyReturned === true)
      .map(({ from }) => Date.parse(past) - from.getTime()),
    [100 * dayMs],
  )
  for (const { look: name, waits, through } of passes) {
    assert.ok(isIn(every[name as keyof typeof every], waits), `${name} is due in ${waits} ms`)
    assert.deepEqual(through, spans[0]?.to)
  }
  const payouts = await lookAtPayouts([], [], { reconciliation: allDue })
  assert.deepEqual(backOf(payouts.spans), farBack)
  for (const { look: name, waits } of payouts.passes)
    if (name === 'recent' || name === 'day') assert.ok(isIn(every[name], waits), name)
})

test('passes of a new connection begin now, and one that ended later than now goes back from now', async () => {
  const { passes, found } = await look({})
  assert.deepEqual(
    [passes.map((each) => each.look).toSorted(), found],
    [['day', 'recent', 'returned', 'week'], 0],
  )
  const { spans } = await look({ rows: { reconciliation: [{ ...recent[0], through: future }, ...others] } })
  assert.deepEqual(
    spans.map(({ from, to }) => to.getTime() - from.getTime()),
    [15 * minuteMs],
  )
})

const [one, two] = [receiptOf('paid'), receiptOf('paid', { providerRef: 'e2' })]
const stored = ({ providerRef, outcome }: Receipt) => ({
  connection,
  provider_ref: providerRef,
  outcome,
  occurrence: 1,
})

test('what is new in the answer is settled as an answer of the moment of the claim, and is told', async () => {
  const rows = { reconciliation: recent, receipt: [stored(two)] }
  const { found, settled, inquiries, spans, said } = await look({ rows, pages: [[], [one, two], [one]] })
  assert.deepEqual([found, settled], [2, [[one], [one]]])
  assert.deepEqual(inquiries[0], spans[0]?.to)
  assert.deepEqual(said, [[30, 'found what no callback had reported']])
  const single = await look({ rows, pages: [[one]] })
  assert.deepEqual([single.found, single.said.length], [1, 1])
  const nothing = await look({ rows, pages: [[two]] })
  assert.deepEqual([nothing.found, nothing.settled, nothing.said], [0, [], []])
  const gone = await look({ rows, pages: [[one]], isGone: true })
  assert.deepEqual([gone.found, gone.settled], [0, []])
})

test('a recorded report of a refund is settled again while the refund has the opposite end, for the same amount', async () => {
  const refund = refundOf()
  const row = {
    id: refund.id,
    merchant_id: bareId(1),
    amount_minor: 400,
    status: 'FAILED',
    currency: 'BRL',
    metadata: {},
    destination: {},
  }
  const done = receiptOf('refunded', {}, refund.id)
  const failed = receiptOf('refund_failed', {}, refund.id)
  for (const [report, refunds, isAgain] of [
    [done, [row], true],
    [done, [{ ...row, status: 'COMPLETED' }], false],
    [failed, [{ ...row, status: 'COMPLETED' }], true],
    [failed, [row], false],
    [done, [{ ...row, amount_minor: 401 }], false],
    [done, [], false],
    [receiptOf('refunded'), [row], false],
    [{ ...receiptOf('paid'), refund: refund.id }, [row], false],
  ] as const) {
    const rows = {
      reconciliation: recent,
      receipt: [stored(report)],
      merchant: [{ id: bareId(1), mode: 'SANDBOX' }],
      refund: refunds,
    }
    const { settled } = await look({ rows, pages: [[report]] })
    assert.deepEqual(settled, isAgain ? [[report]] : [], JSON.stringify([report.outcome, refunds]))
  }
})

test('if one of the receipts cannot be booked, each is settled alone; what is not their fault fails the pass', async () => {
  const rows = { reconciliation: recent }
  const isBad = (receipts: readonly Receipt[]) => receipts.includes(two)
  const bad = await look({
    rows,
    pages: [[one, two]],
    fails: (all) => (isBad(all) ? new Error('no') : undefined),
  })
  assert.deepEqual([bad.settled, bad.said[0]], [[[one]], [50, 'a receipt cannot be booked']])
  const away = [new AppError('unavailable', 'later'), new ConnectionLost('gone', 'CONNECTION_CLOSED')]
  for (const error of away)
    for (const first of [error, new Error('no')]) {
      const fails = (all: readonly Receipt[]) => (all.length > 1 ? first : isBad(all) ? error : undefined)
      const { found, settled, said, passes } = await look({ rows, pages: [[one, two]], fails })
      assert.deepEqual([found, settled.length], [0, first === error ? 0 : 1])
      assert.deepEqual(said, [[40, 'a connection could not be reconciled']])
      const own = passes.find((each) => each.look === 'recent')
      assert.deepEqual(own?.through, new Date(past), 'it begins there again')
      assert.ok(isIn(minuteMs, own?.waits))
    }
  const [, day, ...rest] = recent
  const late = await look({
    rows: { reconciliation: [{ ...recent[0], due_at: future }, { ...day, due_at: past }, ...rest] },
    pages: [[one]],
    fails: () => away[0],
  })
  assert.ok(isIn(minuteMs, late.passes.find((each) => each.look === 'day')?.waits), 'within a minute')
})

test('a pass that another worker has claimed meanwhile is that worker’s', async () => {
  const { said, passes } = await look({
    rows: { reconciliation: recent },
    meanwhile: (tx) => tx`update reconciliation set takes = takes + 1, due_at = ${past}`,
  })
  assert.deepEqual(said, [[40, 'another worker has claimed it since and decides when it is due again']])
  assert.ok(passes.every(({ waits }) => waits < 0))
})

test('a pass is renewed while it runs, and not after its end', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const tick = () => t.mock.timers.tick(2_000)
  await onRows(sql, { reconciliation: [{ ...pass, look: 'x' }] }, async (tx) => {
    await tx`alter table reconciliation add primary key (connection, look)`
    const due = async () => {
      const [row] = await tx<{ at: Date }[]>`select due_at as at from reconciliation`
      return row?.at.getTime() ?? 0
    }
    await runPasses(
      { sql: tx as Tx & Sql, log: logging().log },
      {
        connections: [connection],
        passes: [{ name: 'x', everyMs: 0, backMs: 0 }],
        settle: async () => {
          await tx`update reconciliation set due_at = ${past}`
          tick()
          assert.ok((await due()) > Date.parse(past))
          return 0
        },
      },
    )
    const ended = await due()
    tick()
    // What the tick sent came before the second of these.
    assert.deepEqual([await due(), await due()], [ended, ended])
  })
})

/** What a look at the payouts did. `verdicts`: of those that are settled, in their order. */
function lookAtPayouts(
  withdrawals: readonly Readonly<Record<string, unknown>>[],
  pages: readonly (readonly ListedPayout[])[],
  {
    verdicts = [],
    reconciliation = recent,
  }: { readonly verdicts?: readonly SettledAs[]; readonly reconciliation?: typeof recent } = {},
) {
  const withdrawal = {
    merchant_id: bareId(1),
    id: bareId(2),
    type: 'PIX',
    reference: 'w1',
    amount_minor: 100,
    fee_minor: 0,
    returned_minor: 0,
  }
  const rows = {
    reconciliation,
    merchant: [{ id: bareId(1), mode: 'SANDBOX' }],
    withdrawal: beside(withdrawal, ...withdrawals),
  }
  return onRows(sql, rows, async (tx) => {
    await tx`alter table reconciliation add primary key (connection, look)`
    const { lines, log } = logging()
    const settled: string[] = []
    const spans: ListedSpan[] = []
    const list: PayoutRail['list'] = async function* (_, span) {
      spans.push(span)
      yield* pages
    }
    const found = await reconcilePayouts({
      sql: tx as Tx & Sql,
      log,
      rails: testPayoutRails(undefined, { list, connectionMethod: 'PIX_PAYOUT' }),
      connections: { all: (method) => (method === 'PIX_PAYOUT' ? [known] : []), find: () => known },
      periodMs,
      settle: async ({ reference }, { state }) => {
        settled.push(`${reference} ${state}`)
        return verdicts[settled.length - 1] ?? 'settled'
      },
    })
    const passes = await waiting(tx)
    return {
      found,
      settled,
      spans,
      passes,
      said: lines.filter(({ level }) => level > 30).map(({ msg }) => msg),
    }
  })
}

const evidence = Buffer.from('{}')
const results = {
  sent: { state: 'sent', evidence },
  done: { state: 'done', evidence },
  refused: { state: 'refused', code: 'x', message: 'x', evidence },
  returned: { state: 'returned', returned: 40n, evidence },
} as const
const listed = (state: keyof typeof results, reference = 'w1'): ListedPayout => ({
  reference,
  amount: { minor: 100n, currency: 'BRL' },
  result: results[state],
})

test('a listed payout is settled when it says another end than its withdrawal has, or more has come back', async () => {
  for (const [status, returned, settledAs] of [
    ['PROCESSING', 0, ['done', 'refused', 'returned']],
    ['COMPLETED', 0, ['refused', 'returned']],
    ['COMPLETED', 39, ['refused', 'returned']],
    ['COMPLETED', 40, ['refused']],
    ['FAILED', 0, ['done', 'returned']],
    ['FAILED', 40, ['done', 'returned']],
  ] as const) {
    const page = (['sent', 'done', 'refused', 'returned'] as const).map((state) => listed(state))
    const { settled } = await lookAtPayouts([{ status, returned_minor: returned }], [page])
    assert.deepEqual(
      settled,
      settledAs.map((state) => `w1 ${state}`),
      `${status} ${returned}`,
    )
  }
})

test('what a look at payouts found is what it changed; a payout that nothing here knows is an alarm, and the next one counts', async () => {
  const paid = ['w1', 'w2', 'w3', 'w4'].map((reference) => ({ reference, status: 'PROCESSING' }))
  const page = paid.map(({ reference }) => listed('done', reference))
  const all = await lookAtPayouts(paid, [[], page], {
    verdicts: ['settled', 'noted', 'reversed', 'repeated'],
  })
  assert.deepEqual([all.found, all.settled.length, all.said], [2, 4, []])
  const stray = await lookAtPayouts(paid, [[listed('done', 'w9'), listed('done', 'w2')], [listed('done')]])
  assert.deepEqual([stray.found, stray.settled], [2, ['w2 done', 'w1 done']])
  assert.deepEqual(stray.said, ['a provider has a payout that is unknown here'])
})
