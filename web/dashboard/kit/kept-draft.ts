// A draft of a form that survives a reload: it is kept in the tab, for this user and merchant, until it is sent. With it the Idempotency-Key
// of what was sent last, so that a form that is sent again after a lost answer is the same request.
import { useEffect, useState } from 'react'
import { writeJson } from '../api/json.ts'
import { useMerchant, useSession } from '../api/session.ts'
import type { Draft } from './form.tsx'

type Texts = Readonly<Record<string, string>>

export type KeptDraft<Values> = Draft<Values> & {
  /** The same for the same body, also after a reload. */
  readonly keyOf: (body: unknown) => string
}

/** `name`: of the form. Fields that the form no longer has are left out. */
export function useKeptDraft<Values extends Texts>(name: string, first: Values): KeptDraft<Values> {
  const { id } = useMerchant()
  const { user } = useSession()
  const place = `vintem-draft:${user.id}:${id}:${name}`
  const [values, setValues] = useState<Values>(() => ({ ...first, ...fieldsOf(first, read(place)) }))
  const isFirst = Object.entries(first).every(([field, value]) => values[field] === value)
  useEffect(() => {
    if (isFirst) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(values))
  }, [place, values, isFirst])
  return {
    values,
    put: (changes) => setValues((before) => ({ ...before, ...changes })),
    reset: () => {
      sessionStorage.removeItem(place)
      sessionStorage.removeItem(`${place}:key`)
      setValues(first)
    },
    keyOf: (body) => {
      const text = writeJson(body ?? null)
      const kept = read(`${place}:key`)
      if (kept['body'] === text && kept['key'] !== undefined) return kept['key']
      const key = crypto.randomUUID()
      sessionStorage.setItem(`${place}:key`, JSON.stringify({ body: text, key }))
      return key
    },
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
