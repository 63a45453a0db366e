// The figures of the overview, as `GET /overview` of the dashboard's server answers them.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Minor } from '../kit/format.ts'
import { get } from './client.ts'
import type { Page } from './records.ts'
import { useMerchant } from './session.ts'

export const spans = ['today', '7d', '30d', '90d'] as const
export type Span = (typeof spans)[number]

export type Amounts = { readonly count: Minor; readonly amount: Minor }
export type ByCurrency = Amounts & { readonly currency: string }
export type ByMethod = ByCurrency & { readonly method: string }
export type Success = {
  readonly method: string
  readonly ended: Minor
  readonly paid: Minor
  readonly rate?: number
}
export type TimeToPaid = { readonly method: string; readonly count: number; readonly medianMs: number }

export type Figures = {
  /** Dates, both inclusive. */
  readonly from: string
  readonly to: string
  readonly created: readonly { readonly currency: string; readonly count: Minor }[]
  readonly paid: readonly ByMethod[]
  readonly success: readonly Success[]
  readonly timeToPaid: readonly TimeToPaid[]
  readonly refunded: readonly ByMethod[]
  readonly disputed: readonly ByCurrency[]
  readonly disputesWon: readonly ByCurrency[]
  readonly disputesLost: readonly ByCurrency[]
  readonly withdrawn: readonly ByMethod[]
}

export type DayFigure = Amounts & {
  readonly date: string
  readonly figure: string
  readonly method?: string
  readonly currency?: string
}

export type WalletBalance = {
  readonly id: string
  readonly currency: string
  readonly label: string
  readonly balance: Minor
  readonly pendingBalance: Minor
  readonly heldBalance: Minor
}

export type BalanceDay = {
  readonly date: string
  readonly currency: string
  readonly openingBalance: Minor
  /** Where the span is one day. */
  readonly inflow?: Minor
  readonly outflow?: Minor
  readonly closingBalance: Minor
}

export type Waiting<Item> = {
  readonly count: number
  /** There are more than `count`. */
  readonly isMore: boolean
  readonly first: readonly (Item & { readonly id: string })[]
}

type Sum = { readonly currency: string; readonly amount: Minor }

export type Attention = {
  readonly endpoints?: Waiting<{ readonly url: string; readonly state: string; readonly since: string }>
  readonly withdrawals?: Waiting<Sum & { readonly type: string; readonly createdAt: string }>
  readonly refunds: Waiting<Sum & { readonly createdAt: string }>
  readonly disputes: Waiting<Sum & { readonly evidenceDueAt: string }>
  readonly underpaid: Waiting<Sum & { readonly status: string; readonly received: Minor }>
  readonly suspended?: Waiting<Sum & { readonly connection: string; readonly recordedAt: string }>
}

/** What the role may not see is absent. */
export type Overview = {
  readonly span: Span
  readonly asOf: string
  readonly lagMs: number
  readonly createdFrom?: string
  readonly present: Figures
  readonly before: Figures
  readonly days: readonly DayFigure[]
  readonly wallets?: readonly WalletBalance[]
  readonly balanceHistory?: Page<BalanceDay>
  readonly attention: Attention
}

const followMs = 2_000
const usualMs = 60_000

/** The figures of a span. They are counted behind the events, so while some are not counted yet they are fetched again soon. */
export function useOverview(span: Span) {
  const { id } = useMerchant()
  return useQuery({
    queryKey: ['m', id, 'overview', 'figures', span],
    queryFn: ({ signal }) => get<Overview>(`/m/${id}/overview`, { span }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.lagMs > 0 ? followMs : usualMs),
  })
}
