// A request that changes something. One request at a time; one about a merchant keeps its Idempotency-Key. Afterwards what it may have
// changed is fetched again.
import { useQueryClient } from '@tanstack/react-query'
import { useState, useRef } from 'react'
import { callAny, type ActName, type Answer, type Args, type OwnInput, type Parts } from './call.ts'
import { places } from './generated.ts'
import { writeJson } from './json.ts'
import { useMembership } from './session.ts'

export type Act = {
  readonly isBusy: boolean
  readonly error: unknown
  /** Resolves to true when the server accepted it. */
  readonly send: <Name extends ActName>(name: Name, ...input: Args<OwnInput<Name>>) => Promise<boolean>
  /** Resolves to the answer; undefined when the server refused it. */
  readonly ask: <Name extends ActName>(
    name: Name,
    ...input: Args<OwnInput<Name>>
  ) => Promise<Answer<Name> | undefined>
  /** The same for a form that is given the call, and checks what the call needs. */
  readonly attempt: <Name extends ActName>(
    name: Name,
    input: Parts,
  ) => Promise<{ readonly answer: Answer<Name> } | undefined>
  /** Shows an error that came from elsewhere, or none. */
  readonly setError: (error: unknown) => void
}

/** A call's review, which changes nothing, has the call's Idempotency-Key: so it says when the call was made before. */
const callOfReview = {
  reviewWithdrawal: 'createWithdrawal',
  reviewWithdrawalBatch: 'createWithdrawalBatch',
  reviewRefund: 'createRefund',
  reviewPayoutSchedule: 'createPayoutSchedule',
} as const satisfies Partial<Record<ActName, ActName>>

export type ReviewName = keyof typeof callOfReview

function isReview(name: ActName): name is ReviewName {
  return Object.hasOwn(callOfReview, name)
}

/**
 * After a request about a merchant, all that is shown of the merchant is fetched again; after one of the console, all of the console; after
 * one about the user, the queries of `changed`, before the act ends. `keys`: of a draft that is kept; default: of this form while it is shown.
 */
export function useAct(changed: readonly string[] = [], keys?: IdempotencyKeys): Act {
  const merchant = useMembership()?.id
  const client = useQueryClient()
  const ownKeys = useIdempotencyKeys()
  const { keyOf, renew } = keys ?? ownKeys
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const attempt = async <Name extends ActName>(name: Name, input: Parts = {}) => {
    const [, root] = places[name].split('/')
    setState({ isBusy: true })
    try {
      const key = root === 'm' ? keyOf([isReview(name) ? callOfReview[name] : name, input]) : undefined
      const answer = await callAny<Answer<Name>>(name, { merchant, ...input }, { key })
      if (isReview(name)) {
        setState({ isBusy: false })
        return { answer }
      }
      renew()
      await Promise.all(changed.map((key) => client.invalidateQueries({ queryKey: [key] })))
      setState({ isBusy: false })
      if (root === 'm') void client.invalidateQueries({ queryKey: ['m', merchant] })
      if (root === 'operator') void client.invalidateQueries({ queryKey: ['operator'] })
      return { answer }
    } catch (error) {
      setState({ isBusy: false, error })
      return undefined
    }
  }
  return {
    isBusy: state.isBusy,
    error: state.error,
    attempt,
    setError: (error) => setState({ isBusy: false, error }),
    ask: async (name, ...[input]) => (await attempt(name, input))?.answer,
    send: async (name, ...[input]) => (await attempt(name, input)) !== undefined,
  }
}

// Idempotency-Keys. The same body is sent with the same key, so the server does the work once when a button is pressed twice or an answer
// is lost. Another body is another request and gets another key.

export type IdempotencyKeys = {
  /** The same for the same body, for as long as the form is shown; of a kept draft, also after a reload. */
  readonly keyOf: (body: unknown) => string
  /** The request was done: the same body again is another request. */
  readonly renew: () => void
}

export function useIdempotencyKeys(): IdempotencyKeys {
  const made = useRef<{ readonly body: string; readonly key: string }>(undefined)
  return {
    keyOf(body) {
      const text = writeJson(body ?? null)
      if (made.current?.body !== text) made.current = { body: text, key: crypto.randomUUID() }
      return made.current.key
    },
    renew() {
      made.current = undefined
    },
  }
}

// Work that may fail, such as calls before the sign-in: whether it is under way, and how it failed.

type Attempt = {
  readonly isBusy: boolean
  readonly error: unknown
  /** Does the work; what it throws is the error. Resolves to true when it succeeded. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>
}

export function useAttempt(): Attempt {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({
    isBusy: false,
  })
  const attempt = async (work: () => Promise<unknown>) => {
    setState({ isBusy: true })
    try {
      await work()
      setState({ isBusy: false })
      return true
    } catch (error) {
      setState({ isBusy: false, error })
      return false
    }
  }
  return { isBusy: state.isBusy, error: state.error, attempt }
}
