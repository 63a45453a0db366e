// Polls work that sends no events, until it has ended.
import { useEffect, useEffectEvent } from 'react'

const everyMs = 3_000

/** Calls `poll` every 3 s while `isOn` and while the browser shows the page. */
export function useWatch(isOn: boolean, poll: () => void): void {
  const onTick = useEffectEvent(poll)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') onTick()
    }, everyMs)
    return () => clearInterval(timer)
  }, [isOn])
}
