// Waits for calls that need a fresh second factor, asks for it in a dialog, and lets the same request go on.
import { useEffect, useRef, useState, lazy, Suspense } from 'react'
import { handle } from '../api/client.ts'
import type { FactorMethod } from '../api/problem.ts'
import { Loading } from '../kit/loading.tsx'

const StepUpDialog = lazy(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }))

export function StepUp() {
  const [methods, setMethods] = useState<readonly FactorMethod[]>()
  const answer = useRef<((isGiven: boolean) => void) | undefined>(undefined)
  useEffect(() => {
    handle({
      stepUp: (accepted) => {
        // Two calls at once are one question.
        answer.current?.(false)
        setMethods(accepted)
        return new Promise((resolve) => {
          answer.current = resolve
        })
      },
    })
    return () => handle({ stepUp: () => Promise.resolve(false) })
  }, [])
  const close = (isGiven: boolean) => {
    answer.current?.(isGiven)
    answer.current = undefined
    setMethods(undefined)
  }
  if (methods === undefined) return null
  return (
    <Suspense fallback={<Loading />}>
      <StepUpDialog methods={methods} onDone={() => close(true)} onClose={() => close(false)} />
    </Suspense>
  )
}
