// The overview of one merchant: the results of its payments over a span of days compared with the span before, day by day, what its wallets
// hold, and what waits for a person. A span ends with today; days are days in UTC.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { addMs, dayMs } from '#/kernel/time.ts'
import { walletRecords } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { balanceHistory, type HistoryReport } from '#/wallets/reports.ts'
import { bucketCount, medianOf, readingError } from './buckets.ts'
import {
  selectDays,
  selectProgress,
  selectTimes,
  selectTotals,
  type Figure,
  type Times,
  type Total,
} from './overview-queries.ts'
import * as queries from './overview-queries.ts'

export const overviewSpans = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const
export type OverviewSpan = keyof typeof overviewSpans

/** A number, and a sum in minor units. */
type Amounts = { readonly count: bigint; readonly minor: bigint }
type ByCurrency = Amounts & { readonly currency: string }
type ByMethod = ByCurrency & { readonly method: string }

/** Attempts that ended, and those of them whose money made their payment PAID (decision 117). */
type Success = {
  readonly method: string
  readonly ended: bigint
  readonly paid: bigint
  /** `paid` of `ended`, from 0 to 1. Absent when none ended. */
  readonly rate?: number
}

/** From creation to PAID. */
type TimeToPaid = { readonly method: string; readonly count: number; readonly medianMs: number }

type SpanFigures = {
  /** Dates, both inclusive. */
  readonly from: string
  readonly to: string
  readonly created: readonly { readonly currency: string; readonly count: bigint }[]
  /** Payments that became PAID, and what was credited for them until then, by the method and currency of the money. */
  readonly paid: readonly ByMethod[]
  readonly success: readonly Success[]
  readonly timeToPaid: readonly TimeToPaid[]
  readonly refunded: readonly ByMethod[]
  readonly disputed: readonly ByCurrency[]
  readonly disputesWon: readonly ByCurrency[]
  readonly disputesLost: readonly ByCurrency[]
  /** `method`: the type of the withdrawal. */
  readonly withdrawn: readonly ByMethod[]
}

/** One figure of one day. A day on which nothing happened has none. */
type DayFigure = Amounts & {
  readonly date: string
  readonly figure: Figure
  readonly method?: string
  readonly currency?: string
}

export type Overview = {
  readonly span: OverviewSpan
  readonly timeZone: 'UTC'
  /** Everything that was committed before this instant is in the figures. */
  readonly asOf: Date
  readonly lagMs: number
  /** Created payments are counted from this day on. Absent: all are. */
  readonly createdFrom?: string
  readonly present: SpanFigures
  readonly before: SpanFigures
  /** Of the present span, oldest first. */
  readonly days: readonly DayFigure[]
  /** How far a median may be from the true one, as a part of it. */
  readonly medianError: number
  /** As `GET /v1/wallets` shows them. */
  readonly wallets: Awaited<ReturnType<typeof walletRecords>>
  /** The balances of `GET /v1/wallets/balance-history`, by currency, for the days of the present span. */
  readonly balanceHistory?: HistoryReport
  readonly attention: Attention
}

/** The most wallets that the overview shows. */
const walletsMost = 100

/**
 * Everything on the overview. Its time depends on the number of days, methods, currencies and wallets, not on how many payments there are.
 */
export async function overviewOf(
  sql: Sql,
  owner: { readonly id: MerchantId; readonly mode: Mode },
  span: OverviewSpan,
): Promise<Overview> {
  // Read before the figures, so that the figures hold at least what it says.
  const progress = await selectProgress(sql, owner.id)
  const length = overviewSpans[span] * dayMs
  const to = addMs(new Date(Math.floor(progress.now.getTime() / dayMs) * dayMs), dayMs)
  const middle = addMs(to, -length)
  const from = addMs(middle, -length)
  const [totals, times, days, wallets, history, attention] = await Promise.all([
    selectTotals(sql, owner.id, { from, middle, to }),
    selectTimes(sql, owner.id, { from, middle, to }),
    selectDays(sql, owner.id, { from: middle, to }),
    selectWallets(sql, owner.id, { limit: walletsMost }).then((all) => walletRecords(sql, owner, all)),
    // What came in and went out is shown of one day alone; of ninety it would take most of the time.
    balanceHistory(sql, owner, { interval: 'DAY', zone: 'UTC', from: middle, isBrief: span !== 'today' }),
    attentionOf(sql, owner.id),
  ])
  return {
    span,
    timeZone: 'UTC',
    asOf: progress.asOf,
    lagMs: Math.max(0, progress.now.getTime() - progress.asOf.getTime()),
    ...(progress.createdFrom === null ? {} : { createdFrom: progress.createdFrom }),
    present: figuresOf(
      totals.filter(({ isBefore }) => !isBefore),
      times.filter(({ isBefore }) => !isBefore),
      middle,
      to,
    ),
    before: figuresOf(
      totals.filter(({ isBefore }) => isBefore),
      times.filter(({ isBefore }) => isBefore),
      from,
      middle,
    ),
    days: days.map(dayFigure),
    medianError: readingError,
    wallets,
    ...(typeof history === 'string' ? {} : { balanceHistory: history }),
    attention,
  }
}

/** The figures that these totals and times of a span make. */
function figuresOf(totals: readonly Total[], times: readonly Times[], from: Date, to: Date): SpanFigures {
  const of = (figure: Figure) => totals.filter((each) => each.figure === figure && each.count !== 0n)
  const byMethod = (figure: Figure) =>
    // A part of a payment that another method completed counts in the volume of its own method, and not as a payment.
    totals
      .filter((each) => each.figure === figure && (each.count !== 0n || each.minor !== 0n))
      .map(({ method, currency, count, minor }) => ({ method, currency, count, minor }))
  const byCurrency = (figure: Figure) =>
    of(figure).map(({ currency, count, minor }) => ({ currency, count, minor }))
  return {
    from: dateOf(from),
    to: dateOf(addMs(to, -1)),
    created: of('CREATED').map(({ currency, count }) => ({ currency, count })),
    paid: byMethod('PAID'),
    success: successOf(of('ENDED'), of('SUCCEEDED')),
    timeToPaid: timesOf(times),
    refunded: byMethod('REFUNDED'),
    disputed: byCurrency('DISPUTED'),
    disputesWon: byCurrency('DISPUTE_WON'),
    disputesLost: byCurrency('DISPUTE_LOST'),
    withdrawn: byMethod('WITHDRAWN'),
  }
}

function successOf(ended: readonly Total[], succeeded: readonly Total[]): readonly Success[] {
  return ended.map(({ method, count }) => {
    const paid = succeeded.find((each) => each.method === method)?.count ?? 0n
    return { method, ended: count, paid, ...(count > 0n ? { rate: Number(paid) / Number(count) } : {}) }
  })
}

function timesOf(times: readonly Times[]): readonly TimeToPaid[] {
  return [...Map.groupBy(times, ({ method }) => method)].flatMap(([method, days]) => {
    const counts = Array.from({ length: bucketCount }, () => 0)
    for (const day of days)
      for (const [bucket, count] of day.counts.entries()) counts[bucket] = (counts[bucket] ?? 0) + count
    const medianMs = medianOf(counts)
    const count = counts.reduce((sum, each) => sum + each, 0)
    return medianMs === undefined ? [] : [{ method, count, medianMs }]
  })
}

function dayFigure({
  day,
  figure,
  method,
  currency,
  count,
  minor,
}: Total & { readonly day: string }): DayFigure {
  return {
    date: day,
    figure,
    ...(method === '' ? {} : { method }),
    ...(currency === '' ? {} : { currency }),
    count,
    minor,
  }
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

// What of a merchant waits for a person: how many, and the first few.

/** Counted up to this number; then it says that there are more. */
export const countedMost = 100
const shownMost = 5

/** The most open disputes of a currency that are scanned for those whose evidence is due first. */
const disputesRead = 1_000

type Waiting<Item> = {
  readonly count: number
  /** There are more than `count`. */
  readonly isMore: boolean
  readonly first: readonly Item[]
}

type Attention = {
  readonly endpoints: Waiting<queries.BadEndpoint>
  readonly withdrawals: Waiting<queries.WaitingWithdrawal>
  readonly refunds: Waiting<queries.WaitingRefund>
  readonly disputes: Waiting<queries.OpenDispute>
  readonly underpaid: Waiting<queries.UnderpaidPayment>
  readonly suspended: Waiting<queries.SuspendedMoney>
}

/** Everything of a merchant that waits for a person, as it is now. */
async function attentionOf(sql: Sql, merchantId: MerchantId): Promise<Attention> {
  const limit = countedMost + 1
  const [endpoints, withdrawals, refunds, disputes, underpaid, suspended] = await Promise.all([
    queries.selectBadEndpoints(sql, merchantId, limit),
    queries.selectWaitingWithdrawals(sql, merchantId, limit),
    queries.selectWaitingRefunds(sql, merchantId, limit),
    queries.selectOpenDisputes(sql, merchantId, { limit, readMost: disputesRead }),
    queries.selectUnderpaid(sql, merchantId, limit),
    queries.selectSuspended(sql, merchantId, limit),
  ])
  return {
    endpoints: waiting(endpoints),
    withdrawals: waiting(withdrawals),
    refunds: waiting(refunds),
    disputes: waiting(disputes),
    underpaid: waiting(underpaid),
    suspended: waiting(suspended),
  }
}

function waiting<Item>(found: readonly Item[]): Waiting<Item> {
  return {
    count: Math.min(found.length, countedMost),
    isMore: found.length > countedMost,
    first: found.slice(0, shownMost),
  }
}
