// A mutation: a request that changes something of a merchant. One request at a time; it keeps its Idempotency-Key, and afterwards the
// merchant's queries are fetched again.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './client.ts'
import { useIdempotencyKeys } from './idempotency.ts'
import { useMerchant } from './session.ts'

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The server's answer; undefined when the answer has no body. */
type Answered<T> = { readonly answer: T }

export type MerchantMutation = {
  readonly isBusy: boolean
  readonly error: unknown
  /** Sends the body; resolves to true when the server accepted it. */
  readonly send: (path: string, body: unknown, method?: Method) => Promise<boolean>
  /** Sends the body and resolves to the answer; undefined when the server refused it. */
  readonly ask: <T>(path: string, body: unknown, method?: Method) => Promise<Answered<T> | undefined>
  /** Like `ask`, for a call that creates a record: resolves to the record. */
  readonly make: <Made>(path: string, body: unknown, method?: Method) => Promise<Made | undefined>
}

/** `path` of `send`, `ask` and `make` continues `/api/m/{merchant}/`. */
export function useMerchantMutation(): MerchantMutation {
  const { id } = useMerchant()
  const client = useQueryClient()
  const { keyOf, renew } = useIdempotencyKeys()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const ask = async <T>(path: string, body: unknown, method: Method = 'POST') => {
    setState({ isBusy: true })
    try {
      const answer = await call<T>(method, `/m/${id}/${path}`, { body, key: keyOf([method, path, body]) })
      renew()
      setState({ isBusy: false })
      void client.invalidateQueries({ queryKey: ['m', id] })
      return { answer }
    } catch (error) {
      setState({ isBusy: false, error })
      return undefined
    }
  }
  return {
    isBusy: state.isBusy,
    error: state.error,
    ask,
    make: async <Made>(path: string, body: unknown, method?: Method) =>
      (await ask<Made>(path, body, method))?.answer,
    send: async (path, body, method) => (await ask(path, body, method)) !== undefined,
  }
}
