// Idempotency-Keys. The same body is sent with the same key, so the server does the work once when a button is pressed twice or an answer
// is lost. Another body is another request and gets another key.
import { useRef } from 'react'
import { writeJson } from './json.ts'

export type IdempotencyKeys = {
  /** The same for the same body, for as long as the form is shown. */
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
