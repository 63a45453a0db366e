// What the operator's console reads and does: paths behind `/api/operator/`. The server refuses everybody but operators.
import { useQuery, useQueryClient, type Query } from '@tanstack/react-query'
import { useState } from 'react'
import { call, get, type QueryValues } from './client.ts'
import { usePagesAt, type Pages } from './queries.ts'
import { useSession } from './session.ts'

const root = 'operator'

/** Whether the user may `read`, `write` or `approve` in the console. */
export function useMayOperate(): (what: 'read' | 'write' | 'approve') => boolean {
  const { operatorPermissions } = useSession()
  return (what) => operatorPermissions.includes(`operator:${what}`)
}

/** A list by pages. */
export function useOperatorPages<Row>(path: string, query: QueryValues = {}, enabled = true): Pages<Row> {
  return usePagesAt([root, path, 'list', query], `/${root}/${path}`, query, enabled)
}

/** One record, or a list without pages. `everyMs`: the time until the next fetch; 0 ends the polling. */
export function useOperatorOne<T>(
  path: string,
  options: {
    readonly query?: QueryValues
    readonly enabled?: boolean
    readonly everyMs?: (data: T | undefined) => number
  } = {},
) {
  const { query = {}, enabled = true, everyMs } = options
  return useQuery({
    queryKey: [root, path, 'one', query],
    queryFn: ({ signal }) => get<T>(`/${root}/${path}`, query, signal),
    enabled,
    ...(everyMs === undefined
      ? {}
      : { refetchInterval: ({ state }: Query<T>) => everyMs(state.data) || false }),
  })
}

export type OperatorMutation = {
  readonly isBusy: boolean
  readonly error: unknown
  /** Sends the body. Resolves to the answer; undefined when the server refused it, null when the answer has no body. */
  readonly send: <T>(
    path: string,
    body?: unknown,
    method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  ) => Promise<T | null | undefined>
}

/** A request of the console that changes something. One request at a time; afterwards the console's queries are fetched again. */
export function useOperatorMutation(): OperatorMutation {
  const client = useQueryClient()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  return {
    isBusy: state.isBusy,
    error: state.error,
    async send<T>(path: string, body: unknown = {}, method: 'POST' | 'PATCH' | 'PUT' | 'DELETE' = 'POST') {
      setState({ isBusy: true })
      try {
        const answer = await call<T | undefined>(method, `/${root}/${path}`, { body })
        setState({ isBusy: false })
        void client.invalidateQueries({ queryKey: [root] })
        return answer ?? null
      } catch (error) {
        setState({ isBusy: false, error })
        return undefined
      }
    },
  }
}
