// The figures of the overview, as `GET /overview` of the dashboard's server answers them.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import type { BalanceDays, Overview, OverviewSpan, SpanFigures } from './generated.ts'
import { useMerchant } from './session.ts'

export type Figures = SpanFigures
export type DayFigure = Overview['days'][number]
export type BalanceDay = BalanceDays['data'][number]
export type Attention = Overview['attention']
export type Waiting<Item> = Pick<Attention['refunds'], 'count' | 'isMore'> & {
  readonly first: readonly (Item & { readonly id: string })[]
}

const followMs = 2_000
const usualMs = 60_000

/** The figures of a span. They are counted behind the events, so while some are not counted yet they are fetched again soon. */
export function useOverview(span: OverviewSpan) {
  const { id } = useMerchant()
  return useQuery({
    queryKey: ['m', id, 'overview', 'figures', span],
    queryFn: ({ signal }) => call('getOverview', { merchant: id, query: { span } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.lagMs > 0 ? followMs : usualMs),
  })
}
