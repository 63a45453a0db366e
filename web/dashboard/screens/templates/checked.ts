// The faults of the draft. The server checks the draft while the user types.
import { useEffect, useRef, useState } from 'react'
import { fill } from '#/kernel/dictionary.ts'
import { call, type Body } from '../../api/call.ts'
import type { ContrastWarning } from '../../api/generated.ts'
import type { FieldFault } from '../../api/problem.ts'
import { useWords } from '../../words/reader.ts'
import { templateFaultWords } from '../../words/template-faults.ts'
import { sentOf, type Draft } from './model.ts'

export type Checked = {
  readonly faults: readonly FieldFault[]
  readonly warnings: readonly ContrastWarning[]
  /** Whether the faults are of the draft as it is now. */
  readonly isNow: boolean
}

const askAfterMs = 250

const nothing = { faults: [], warnings: [], of: undefined } as const

export function useChecked(merchantId: string, draft: Draft): Checked {
  const [answer, setAnswer] = useState<{
    readonly faults: readonly FieldFault[]
    readonly warnings: readonly ContrastWarning[]
    readonly of: string | undefined
  }>(nothing)
  const sent = JSON.stringify(sentOf(draft))
  useEffect(() => {
    const asking = new AbortController()
    const ask = async () => {
      try {
        const { faults, warnings } = await call(
          'checkTemplate',
          { merchant: merchantId, body: JSON.parse(sent) as Body<'checkTemplate'> },
          { signal: asking.signal },
        )
        setAnswer({ faults, warnings, of: sent })
      } catch {
        // Publishing checks again, and says why it fails.
      }
    }
    const timer = setTimeout(() => void ask(), askAfterMs)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [merchantId, sent])
  const { faults, warnings, of } = answer
  return { faults, warnings, isNow: of === sent }
}

/** A fault in the reader's language. The server's own sentence stands where we have none. */
export function useFaultSentence(): (fault: FieldFault) => string {
  const words: Readonly<Record<string, string>> = useWords(templateFaultWords)
  return ({ code, message }) => {
    const [number = ''] = /\d+/.exec(message) ?? []
    const sentence = words[code]
    return sentence === undefined ? message : fill(sentence, { number })
  }
}

/**
 * The last draft without faults, so that the preview does not disappear while the user types. A draft that always had faults is shown as
 * it is.
 */
export function useLastValid(draft: Draft, { isNow, faults }: Checked): Draft {
  const last = useRef<Draft>(undefined)
  if (isNow && faults.length === 0) last.current = draft
  return last.current ?? draft
}
