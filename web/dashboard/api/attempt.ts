// Work that may fail, such as calls before the sign-in: whether it is under way, and how it failed.
import { useState } from 'react'

export type Attempt = {
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
