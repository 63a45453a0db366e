// What came in and went out of wallets: over a span of time (the summary), and day by day (the balance history). Each total is
// the difference of the running totals at two instants, so the cost of a report does not depend on how much moved in between.
import type { Of } from '#/contract/record.ts'
import { statementKinds } from '#/contract/wallets.ts'
import type * as shapes from '#/contract/wallets.ts'
import { walletCurrencies } from '#/contract/words.ts'
import type { Sql } from '#/db/client.ts'
import { inSnapshot } from '#/db/inspection.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import { walletAvailable } from '#/ledger/chart.ts'
import { spansBefore, spansOf, type CalendarSpan, type Interval } from './calendar.ts'
import { selectWallets } from './queries.ts'
import * as flows from './statement-queries.ts'
import { selectAccounts } from './statement-queries.ts'
import { positionsBefore, settleInstants, shownKind, type StatementKind } from './statement.ts'
import { type Wallet } from './wallet.ts'

type Owner = { readonly id: MerchantId; readonly mode: Mode }

/** The default length of a summary. */
const summaryMs = 30 * 24 * hourMs

/**
 * What came in and went out of each currency's wallets, from one instant (inclusive) to another (exclusive); default: the last
 * 30 days. Movements between the merchant's own wallets are shown by kind, on both sides, and are neither inflow nor outflow.
 */
export async function summary(
  sql: Sql,
  owner: Owner,
  request: { readonly from?: Date; readonly to?: Date },
): Promise<Of<typeof shapes.summary> | 'backwards'> {
  const now = await settleInstants(
    sql,
    [request.from, request.to].filter((each) => each !== undefined),
  )
  const to = request.to ?? now
  const from = request.from ?? addMs(to, -summaryMs)
  if (from > to) return 'backwards'
  // Without a given end it includes the newest movement, even of this millisecond.
  const span = { from, to: request.to ?? addMs(to, 1) }
  const positions = await positionsBefore(sql, [span.from, span.to])
  // Not before the clock was read: every wallet that had moved by then must be among them.
  const wallets = await selectWallets(sql, owner.id)
  const [opening, closing] = await standingsAt(sql, owner, wallets, positions, currencyOf)
  const data = walletCurrencies
    .filter((currency) => wallets.some((wallet) => wallet.currency === currency))
    .map((currency) => {
      const before = must(opening, 'an opening')(currency)
      const after = must(closing, 'a closing')(currency)
      const { inflow, outflow } = between(before, after, 'currency')
      const byKind = changesByKind(before, after)
      const [openingBalance, closingBalance] = [before.minor, after.minor]
      return { currency, openingBalance, inflow, outflow, net: inflow - outflow, closingBalance, byKind }
    })
  return { from: from.toISOString(), to: to.toISOString(), data }
}

/** What moved on one wallet. */
export type WalletMovement = {
  readonly wallet: Wallet
  readonly openingBalance: bigint
  readonly closingBalance: bigint
  /** As the statement names them; together they make the difference of the balances. */
  readonly byKind: readonly (Flow & { readonly kind: StatementKind })[]
}

/** The same wallet by wallet, oldest wallet first, with what moved between own wallets on both sides. */
export async function movementsByWallet(
  sql: Sql,
  owner: Owner,
  span: { readonly from: Date; readonly to: Date },
): Promise<readonly WalletMovement[]> {
  await settleInstants(sql, [span.from, span.to])
  const positions = await positionsBefore(sql, [span.from, span.to])
  const wallets = await selectWallets(sql, owner.id)
  const [opening, closing] = await standingsAt(sql, owner, wallets, positions, ({ id }) => id)
  return wallets.map((wallet) => {
    const before = must(opening, 'an opening')(wallet.id)
    const after = must(closing, 'a closing')(wallet.id)
    return {
      wallet,
      openingBalance: before.minor,
      closingBalance: after.minor,
      byKind: changesByKind(before, after),
    }
  })
}

export type HistoryRequest = {
  readonly interval: Interval
  readonly zone: string
  readonly currency?: string
  readonly walletId?: WalletId
  readonly from?: Date
  readonly to?: Date
  /** Balances alone, without what came in and went out: that is read entry by entry up to the next mark of the tally. */
  readonly isBrief?: boolean
}

type Whole = Of<typeof shapes.balanceHistory>
type WholeRow = Whole['data'][number]
type FlowName = 'inflow' | 'outflow'

/** A brief one has no flows. */
export type HistoryReport = Omit<Whole, 'data'> & {
  readonly data: readonly (Omit<WholeRow, FlowName> & Partial<Pick<WholeRow, FlowName>>)[]
}

type HistoryRefusal = 'unknown_wallet' | 'backwards' | 'too_many'

/** The most rows of one answer. */
export const historyRowsMax = 400

/** The default number of spans of a history: about a month, a quarter, a year. */
const defaultSpans = { DAY: 30, WEEK: 13, MONTH: 12 } as const satisfies Record<Interval, number>

/**
 * One row for each day, week or month and each currency (or for one wallet), oldest first, also where nothing moved. Future
 * spans are left out; the present one ends with the newest movement.
 */
export async function balanceHistory(
  sql: Sql,
  owner: Owner,
  request: Omit<HistoryRequest, 'isBrief'>,
): Promise<Whole | HistoryRefusal>
export async function balanceHistory(
  sql: Sql,
  owner: Owner,
  request: HistoryRequest,
): Promise<HistoryReport | HistoryRefusal>
export async function balanceHistory(
  sql: Sql,
  owner: Owner,
  request: HistoryRequest,
): Promise<HistoryReport | HistoryRefusal> {
  const { interval, zone, currency, walletId, isBrief = false } = request
  const present = await settleInstants(sql, [])
  const to = request.to === undefined || request.to > present ? addMs(present, 1) : request.to
  const from = request.from ?? spansBefore({ interval, zone }, addMs(to, -1), defaultSpans[interval] - 1)
  if (request.to !== undefined && from > request.to) return 'backwards'

  const spans = spansOf({ interval, zone }, { from, to }, historyRowsMax + 1)
  const edges = edgesOf(spans)
  await settleInstants(sql, edges)
  const positions = await positionsBefore(sql, edges)
  const wallets = await selectWallets(sql, owner.id, walletId === undefined ? {} : { id: walletId })
  // Every merchant has wallets: none is found where the named one is not the merchant's.
  if (wallets.length === 0) return 'unknown_wallet'
  const reported = wallets.filter((wallet) => currency === undefined || wallet.currency === currency)
  const currencies = walletCurrencies.filter((each) => reported.some((wallet) => wallet.currency === each))
  if (spans.length * Math.max(1, currencies.length) > historyRowsMax) return 'too_many'
  const standings = await standingsAt(sql, owner, reported, positions, currencyOf, isBrief)
  const scope = walletId === undefined ? 'currency' : 'wallet'
  const data = spans.flatMap(({ date }, nth) =>
    currencies.map((each) => {
      const before = must(standings[nth], 'every span has a start')(each)
      const after = must(standings[nth + 1], 'every span has an end')(each)
      return {
        date,
        currency: each,
        ...given({ walletId }),
        openingBalance: before.minor,
        ...(isBrief ? {} : between(before, after, scope)),
        closingBalance: after.minor,
      }
    }),
  )
  return { interval, timeZone: zone, data }
}

/** The edges of the spans: each span ends where the next begins. */
function edgesOf(spans: readonly CalendarSpan[]): readonly Date[] {
  const last = spans.at(-1)
  return last === undefined ? [] : [...spans.map(({ from }) => from), last.to]
}

type Flow = { readonly count: bigint; readonly inflow: bigint; readonly outflow: bigint }

/** The balance before an instant, and what ever moved until then, by kind. */
type Standing = { readonly minor: bigint; readonly flows: readonly (Flow & { readonly kind: string })[] }

/**
 * For each position, a number of a transfer: the balance after it, and the flows up to it, of each sum of these wallets.
 * `sumOf`: the name of the sum to which a wallet adds. Equal positions are read once. `isBrief`: without flows.
 */
async function standingsAt(
  sql: Sql,
  owner: Owner,
  wallets: readonly Wallet[],
  positions: readonly bigint[],
  sumOf: (wallet: Wallet) => string,
  isBrief = false,
): Promise<readonly ((sum: string) => Standing)[]> {
  const sums = new Map<string, string>(
    wallets.map((wallet) => [walletAvailable(owner.mode, wallet.id, wallet.currency).name, sumOf(wallet)]),
  )
  return inSnapshot(sql, async (tx) => {
    const [accounts] = await Promise.all([
      selectAccounts(tx, owner.mode, [...sums.keys()]),
      flows.readFew(tx),
    ])
    const summands = accounts.map(({ id, name }) => ({
      id,
      sum: must(sums.get(name), `the sum of ${name}`),
    }))
    const distinct = [...new Set(positions)]
    const [balances, moved] = await Promise.all([
      flows.selectBalancesAt(tx, summands, distinct),
      isBrief ? [] : flows.selectFlowsAt(tx, summands, distinct),
    ])
    const keyOf = ({ sum, number }: { readonly sum: string; readonly number: bigint }) => `${number}/${sum}`
    const minors = new Map(balances.map((each) => [keyOf(each), each.minor]))
    const flowsOf = Map.groupBy(moved, keyOf)
    return positions.map((number) => (sum: string) => ({
      minor: minors.get(keyOf({ sum, number })) ?? 0n,
      flows: flowsOf.get(keyOf({ sum, number })) ?? [],
    }))
  })
}

function currencyOf({ currency }: Wallet): Currency {
  return currency
}

/** What moved between two standings, by the kinds of the statement. */
function changesByKind(before: Standing, after: Standing): WalletMovement['byKind'] {
  return statementKinds
    .map((kind) => ({ kind, ...less(shownFlowOf(after, kind), shownFlowOf(before, kind)) }))
    .filter(({ count }) => count > 0n)
}

const none: Flow = { count: 0n, inflow: 0n, outflow: 0n }

function flowOf({ flows: all }: Standing, kind: string): Flow {
  return all.find((each) => each.kind === kind) ?? none
}

/** The sum of all kinds of the books that the statement shows as this kind. */
function shownFlowOf({ flows: all }: Standing, kind: StatementKind): Flow {
  return all.filter((each) => shownKind(each.kind) === kind).reduce<Flow>(plus, none)
}

function plus(one: Flow, other: Flow): Flow {
  return {
    count: one.count + other.count,
    inflow: one.inflow + other.inflow,
    outflow: one.outflow + other.outflow,
  }
}

function less(after: Flow, before: Flow): Flow {
  return {
    count: after.count - before.count,
    inflow: after.inflow - before.inflow,
    outflow: after.outflow - before.outflow,
  }
}

/** In and out of one wallet; or of all wallets of a currency, where movements between them count as neither. */
function between(
  before: Standing,
  after: Standing,
  scope: 'wallet' | 'currency',
): { readonly inflow: bigint; readonly outflow: bigint } {
  const kinds = after.flows.filter(({ kind }) => scope === 'wallet' || kind !== 'TRANSFER')
  const changes = kinds.map((each) => less(each, flowOf(before, each.kind)))
  return {
    inflow: changes.reduce((sum, { inflow }) => sum + inflow, 0n),
    outflow: changes.reduce((sum, { outflow }) => sum + outflow, 0n),
  }
}
