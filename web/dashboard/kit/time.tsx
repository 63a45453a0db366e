// An instant: relative within a day, and the exact one on hover and focus.
import { useEffect, useState } from 'react'
import { useFormat } from '../words/reader.ts'

const tickMs = 30_000

/** In rows that are links the exact instant shows on hover of the row's time; elsewhere it can be reached by Tab. */
export function Time({
  at,
  inRow = false,
  className = '',
}: {
  readonly at: string
  readonly inRow?: boolean
  readonly className?: string
}) {
  const format = useFormat()
  const now = useNow()
  const exact = format.exact(at)
  return (
    <time
      dateTime={at}
      tabIndex={inRow ? undefined : 0}
      aria-label={inRow ? undefined : exact}
      className={`group/time figures relative z-1 whitespace-nowrap ${className}`}
    >
      <span key={format.relative(at, now)}>{format.relative(at, now)}</span>
      <span
        aria-hidden={inRow ? undefined : true}
        className="pointer-events-none absolute right-0 bottom-full z-20 mb-1 hidden rounded-small bg-ink px-2 py-1 text-13 whitespace-nowrap text-paper group-hover/time:block group-focus-visible/time:block"
      >
        {exact}
      </span>
    </time>
  )
}

/** The present, renewed while the component is shown. */
export function useNow(everyMs = tickMs): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
