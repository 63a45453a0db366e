// A request that changes what belongs to the user and to no merchant: profile, factors, sessions.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './client.ts'

/** Runs one mutation at a time. `changed`: the queries to fetch again after it. */
export function useUserMutation(changed: readonly string[]): {
  readonly isBusy: boolean
  readonly error: unknown
  /** Resolves to the answer; undefined when the server refused the request, null when the answer has no body. */
  readonly run: <T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ) => Promise<T | null | undefined>
  /** Shows an error that came from elsewhere, or none. */
  readonly setError: (error: unknown) => void
} {
  const client = useQueryClient()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  return {
    isBusy: state.isBusy,
    error: state.error,
    setError: (error) => setState({ isBusy: false, error }),
    async run<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
      setState({ isBusy: true })
      try {
        const answer = await call<T | undefined>(method, path, { body })
        await Promise.all(changed.map((key) => client.invalidateQueries({ queryKey: [key] })))
        setState({ isBusy: false })
        return answer ?? null
      } catch (error) {
        setState({ isBusy: false, error })
        return undefined
      }
    },
  }
}
