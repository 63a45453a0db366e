// When a call needs a fresh second factor: asks for the factor in a dialog, and then lets the call repeat its request.
import { useEffect, useRef, useState, lazy, Suspense } from 'react'
import { handle } from '../api/client.ts'
import type { FactorMethod } from '../api/generated.ts'
import { Loading } from '../kit/loading.tsx'

const StepUpDialog = lazy(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }))

export function StepUp() {
  const [methods, setMethods] = useState<readonly FactorMethod[]>()
  const answer = useRef<((isGiven: boolean) => void) | undefined>(undefined)
  useEffect(() => {
    handle({
      stepUp: (accepted) => {
        // When two calls need a factor at once, one dialog is shown: the earlier call is refused.
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
