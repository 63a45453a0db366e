// A draft of a form that survives a reload: it is kept in the tab, for this user and merchant, until it is sent. With it the Idempotency-Key
// of what was sent last, so that a form that is sent again after a lost answer is the same request.
import { useEffect, useRef, useState } from 'react'
import type { IdempotencyKeys } from '../api/act.ts'
import { writeJson } from '../api/json.ts'
import { useMerchant, useSession } from '../api/session.ts'
import type { Draft } from './form.tsx'

type Texts = Readonly<Record<string, string>>

/** It is over with `renew`, which the act does when the server has done it, and with `reset`. */
export type KeptDraft<Values> = Draft<Values> & IdempotencyKeys

/** `name`: of the form, and of the record that it is about. Fields that the form no longer has are left out. */
export function useKeptDraft<Values extends Texts>(name: string, first: Values): KeptDraft<Values> {
  const { id } = useMerchant()
  const { user } = useSession()
  const place = `vintem-draft:${user.id}:${id}:${name}`
  const [values, setValues] = useState<Values>(() => ({ ...first, ...fieldsOf(first, read(place)) }))
  const isFirst = Object.entries(first).every(([field, value]) => values[field] === value)
  useEffect(() => {
    if (isFirst) sessionStorage.removeItem(place)
    else keep(place, values)
  }, [place, values, isFirst])
  // Of a body that is too large to be kept, too.
  const last = useRef<Texts>({})
  const reset = () => {
    last.current = {}
    sessionStorage.removeItem(place)
    sessionStorage.removeItem(`${place}:key`)
    setValues(first)
  }
  return {
    values,
    put: (changes) => setValues((before) => ({ ...before, ...changes })),
    reset,
    renew: reset,
    keyOf: (body) => {
      const text = writeJson(body ?? null)
      const kept = last.current['body'] === text ? last.current : read(`${place}:key`)
      if (kept['body'] === text && kept['key'] !== undefined) return kept['key']
      const key = crypto.randomUUID()
      last.current = { body: text, key }
      keep(`${place}:key`, last.current)
      return key
    },
  }
}

/** What does not fit is not kept: the form goes on without. */
function keep(place: string, texts: Texts): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(texts))
  } catch {
    sessionStorage.removeItem(place)
  }
}

function read(place: string): Texts {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value === 'string'))
  } catch {
    // Another program wrote there: the form begins anew.
    return {}
  }
}

function fieldsOf(first: Texts, kept: Texts): Texts {
  return Object.fromEntries(Object.entries(kept).filter(([field]) => field in first))
}
