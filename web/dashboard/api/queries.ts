// Queries of a merchant's records. Their keys begin with ['m', merchant, area], so that the live feed can tell which of them a change touches.
import { QueryClient, useInfiniteQuery, useQuery, type Query } from '@tanstack/react-query'
import { useMemo, useEffect, useEffectEvent } from 'react'
import {
  callAny,
  type Answer,
  type Args,
  type ListName,
  type OwnInput,
  type Page,
  type Parts,
  type ReadName,
  type Row,
} from './call.ts'
import { places } from './generated.ts'
import { ProblemError } from './problem.ts'
import { useMembership } from './session.ts'

const pageSize = 50

/** Refusals are answers: only what failed on the way is tried again. */
export function createQueryClient(): QueryClient {
  const isTransient = (error: unknown) =>
    !(error instanceof ProblemError) || error.problem.status === 0 || error.problem.status >= 500
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
        retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 8_000),
      },
      mutations: { retry: false },
    },
  })
}

/** A list as far as it was fetched. */
export type Pages<Row> = {
  /** Undefined until the first page has come. */
  readonly rows: readonly Row[] | undefined
  readonly error: unknown
  readonly isFetching: boolean
  readonly hasMore: boolean
  readonly more: () => void
  readonly retry: () => void
}

export type ListOptions = {
  readonly enabled?: boolean
  /** The area whose changes this list is about, where it is not the first word of the path. */
  readonly area?: string
}

/** A list by pages; while another query is on its way, the rows of the one before stay. */
export function useList<Name extends ListName>(
  name: Name,
  ...[input]: Args<OwnInput<Name> & ListOptions>
): Pages<Row<Name>> {
  return useAnyList(name, (input ?? {}) as Parts & ListOptions)
}

/** The same where the caller has checked what the call needs. */
export function useAnyList<Of>(name: ListName, input: Parts & ListOptions): Pages<Of> {
  const { enabled = true, area, ...own } = input
  const merchant = useMembership()?.id
  const { data, ...result } = useInfiniteQuery({
    queryKey: [...rootOf(name, merchant, area), 'list', name, own],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...own.query, cursor: pageParam }
      return callAny<Page<Of>>(name, { merchant, ...own, query }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<Of>) => last.nextCursor,
    placeholderData: (previous) => previous,
    enabled,
  })
  return {
    rows: useMemo(() => data?.pages.flatMap((page) => page.data), [data]),
    error: result.error,
    isFetching: result.isFetching,
    hasMore: result.hasNextPage,
    more: () => void result.fetchNextPage(),
    retry: () => void result.refetch(),
  }
}

export type ReadOptions<Name extends ReadName> = {
  readonly enabled?: boolean
  /** The area and the record whose changes this is about, where they are not the first word of the path and its id. */
  readonly of?: readonly [area: string, recordId: string]
  /** The time until the next fetch; 0 ends the polling. */
  readonly everyMs?: (data: Answer<Name> | undefined) => number
}

/** One record, or what hangs on it. */
export function useRead<Name extends ReadName>(
  name: Name,
  ...[input]: Args<OwnInput<Name> & ReadOptions<Name>>
) {
  const { enabled = true, of, everyMs, ...own } = (input ?? {}) as Parts & ReadOptions<Name>
  const merchant = useMembership()?.id
  return useQuery({
    queryKey: [...rootOf(name, merchant, of?.[0]), 'one', of?.[1] ?? own.id ?? name, name, own],
    queryFn: ({ signal }) => callAny<Answer<Name>>(name, { merchant, ...own }, { signal }),
    enabled,
    ...(everyMs === undefined
      ? {}
      : { refetchInterval: ({ state }: Query<Answer<Name>>) => everyMs(state.data) || false }),
  })
}

/** The beginning of a query's key: the merchant and the area, or the first word of the path. */
function rootOf(name: ReadName, merchant: string | undefined, area: string | undefined): readonly unknown[] {
  const [, root, , first] = places[name].split('/')
  return root === 'm' ? ['m', merchant, area ?? first] : [root]
}

// Polls work that sends no events, until it has ended.

const everyMs = 3_000

/** Calls `poll` every 3 s while `isOn` and while the browser shows the page. */
export function useWatch(isOn: boolean, poll: () => void): void {
  const onTick = useEffectEvent(poll)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') onTick()
    }, everyMs)
    return () => clearInterval(timer)
  }, [isOn])
}
