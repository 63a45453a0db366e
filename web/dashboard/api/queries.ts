// Queries of a merchant's records. Their keys begin with ['m', merchant, area], so that the live feed can tell which of them a change touches.
import { QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { get, type QueryValues } from './client.ts'
import { ProblemError } from './problem.ts'
import type { Page } from './records.ts'
import { useMerchant } from './session.ts'

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

/** A list by pages; while another query is on its way, the rows of the one before stay. */
export function usePages<Row>(
  area: string,
  path: string,
  query: QueryValues = {},
  enabled = true,
): Pages<Row> {
  const { id } = useMerchant()
  return usePagesAt(['m', id, area, 'list', path, query], `/m/${id}/${path}`, query, enabled)
}

/** The same for any path behind `/api`, with the key by which its pages are kept. */
export function usePagesAt<Row>(
  queryKey: readonly unknown[],
  path: string,
  query: QueryValues,
  enabled: boolean,
): Pages<Row> {
  const { data, ...result } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      get<Page<Row>>(path, { limit: pageSize, ...query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<Row>) => last.nextCursor,
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

/** One record, or what hangs on it. */
export function useOne<T>(
  area: string,
  recordId: string,
  path: string,
  query: QueryValues = {},
  enabled = true,
) {
  const { id } = useMerchant()
  return useQuery({
    queryKey: ['m', id, area, 'one', recordId, path, query],
    queryFn: ({ signal }) => get<T>(`/m/${id}/${path}`, query, signal),
    enabled,
  })
}
