// A mutation of a form: sends one request at a time, keeps its Idempotency-Key, and refetches what it changed.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './client.ts'
import { useIdempotencyKeys } from './idempotency.ts'
import { useMerchant } from './session.ts'

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What the server answered; a body of an answer without one is undefined. */
type Answered<T> = { readonly answer: T }

export type MerchantMutation = {
  readonly isBusy: boolean
  readonly error: unknown
  /** Sends the body; true when it was done. */
  readonly send: (path: string, body: unknown, method?: Method) => Promise<boolean>
  /** Sends the body and returns what was answered; undefined when it was refused. */
  readonly ask: <T>(path: string, body: unknown, method?: Method) => Promise<Answered<T> | undefined>
  /** The same, for what is made: the record itself. */
  readonly make: <Made>(path: string, body: unknown, method?: Method) => Promise<Made | undefined>
}

/** `path` of `send` and `ask` is behind `/api/m/{merchant}/`. */
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
