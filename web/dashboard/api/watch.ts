// Work under way that announces nothing: it is looked at again until it has ended.
import { useEffect, useEffectEvent } from 'react'

const everyMs = 3_000

/** Calls `look` every few seconds for as long as `isOn`, while the page is seen. */
export function useWatch(isOn: boolean, look: () => void): void {
  const onTick = useEffectEvent(look)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') onTick()
    }, everyMs)
    return () => clearInterval(timer)
  }, [isOn])
}
