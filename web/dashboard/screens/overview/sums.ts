// Sums of the overview's figures. Amounts are exact at any size; only shares of them are numbers with a fraction.
import type { BalanceDays, Overview, SpanFigures, Wallet } from '../../api/generated.ts'
import type { Minor } from '../../kit/format.ts'

export type Figures = SpanFigures
export type DayFigure = Overview['days'][number]
export type BalanceDay = BalanceDays['data'][number]
export type Attention = Overview['attention']
export type Waiting<Item> = Pick<Attention['refunds'], 'count' | 'isMore'> & {
  readonly first: readonly (Item & { readonly id: string })[]
}

export type Total = { readonly count: bigint; readonly amount: bigint }

type Countable = { readonly currency?: string; readonly count: Minor; readonly amount?: Minor }

/** The sum of what has this currency. */
export function totalOf(all: readonly Countable[], currency: string): Total {
  const inCurrency = all.filter((each) => each.currency === currency)
  return {
    count: inCurrency.reduce((sum, { count }) => sum + BigInt(count), 0n),
    amount: inCurrency.reduce((sum, { amount = 0n }) => sum + BigInt(amount), 0n),
  }
}

/** By how much a figure grew, as a part of what it was before. Undefined where there was nothing before. */
export function growthOf(present: bigint, before: bigint): number | undefined {
  return before === 0n ? undefined : Number(((present - before) * 10_000n) / before) / 10_000
}

/** The currencies that have a wallet, in their order, and those that have a figure. */
export function currenciesOf({ wallets, present, before }: Overview): readonly string[] {
  const used = [present, before].flatMap(({ created, paid, refunded, disputed, withdrawn }) =>
    [...created, ...paid, ...refunded, ...disputed, ...withdrawn].map(({ currency }) => currency),
  )
  return [...new Set([...(wallets ?? []).map(({ currency }) => currency), ...used])]
}

export type Balance = {
  readonly currency: string
  readonly available: bigint
  readonly pending: bigint
  readonly held: bigint
}

/** What the wallets of a currency hold together. */
export function balanceOf(wallets: readonly Wallet[], currency: string): Balance {
  const inCurrency = wallets.filter((each) => each.currency === currency)
  const sum = (of: (wallet: Wallet) => Minor) =>
    inCurrency.reduce((total, each) => total + BigInt(of(each)), 0n)
  return {
    currency,
    available: sum(({ balance }) => balance),
    pending: sum(({ pendingBalance }) => pendingBalance),
    held: sum(({ heldBalance }) => heldBalance),
  }
}

export type DayPoint = { readonly at: string; readonly value: bigint }

/** What was paid on each day, also on days on which nothing was. */
export function paidByDay(
  days: readonly DayFigure[],
  { from, to }: Figures,
  currency: string,
): readonly DayPoint[] {
  const paid = days.filter(({ figure }) => figure === 'PAID')
  return datesOf(from, to).map((at) => ({
    at,
    value: totalOf(
      paid.filter(({ date }) => date === at),
      currency,
    ).amount,
  }))
}

/** Of the days of one currency. */
export function closingByDay(history: readonly BalanceDay[]): readonly DayPoint[] {
  return history.map(({ date, closingBalance }) => ({ at: date, value: BigInt(closingBalance) }))
}

/** By how much the balance of one currency changed over these days. */
export function movedOver(history: readonly BalanceDay[]): bigint {
  return BigInt(history.at(-1)?.closingBalance ?? 0) - BigInt(history[0]?.openingBalance ?? 0)
}

const dayMs = 86_400_000

function datesOf(from: string, to: string): readonly string[] {
  const first = Date.parse(from)
  const count = Math.round((Date.parse(to) - first) / dayMs) + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * dayMs).toISOString().slice(0, 10),
  )
}

export type MethodRow = {
  readonly method: string
  readonly ended: bigint
  readonly paid: bigint
  readonly rate?: number
  readonly rateBefore?: number
  readonly medianMs?: number
  readonly medianMsBefore?: number
}

/** Each method that had attempts in one of the two spans, the most used first. */
export function methodRows({ present, before }: Pick<Overview, 'present' | 'before'>): readonly MethodRow[] {
  const methods = new Set(
    [present, before].flatMap(({ success, timeToPaid }) =>
      [...success, ...timeToPaid].map(({ method }) => method),
    ),
  )
  return [...methods]
    .map((method) => {
      const [now, then] = [present, before].map((figures) => ({
        success: figures.success.find((each) => each.method === method),
        time: figures.timeToPaid.find((each) => each.method === method)?.medianMs,
      }))
      return {
        method,
        ended: BigInt(now?.success?.ended ?? 0),
        paid: BigInt(now?.success?.paid ?? 0),
        ...optional('rate', now?.success?.rate),
        ...optional('rateBefore', then?.success?.rate),
        ...optional('medianMs', now?.time),
        ...optional('medianMsBefore', then?.time),
      }
    })
    .toSorted((a, b) => Number(b.ended - a.ended))
}

function optional<Name extends string>(
  name: Name,
  value: number | undefined,
): Partial<Readonly<Record<Name, number>>> {
  return value === undefined ? {} : ({ [name]: value } as Readonly<Record<Name, number>>)
}
