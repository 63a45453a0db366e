// Until when the payer can pay. It runs by the server's clock: the browser's may be wrong.
import { useEffect, useState } from 'preact/hooks'
import type { PageState } from '#/checkout/page-state.ts'
import { fill, wordsOf } from '../words.ts'
import { Icon } from './icons.tsx'

const minute = 60
/** Longer spans are told by the instant alone. */
const longest = 24 * 60 * minute

export function Countdown({ state }: { readonly state: PageState }) {
  const now = useServerNow(state)
  const { expires } = state
  if (expires === undefined) return null
  const words = wordsOf(state)
  const until = fill(words.expiresAt, { time: expires.text })
  const left = Math.max(0, Math.ceil((Date.parse(expires.at) - now) / 1_000))
  return (
    <div class="deadline" data-urgent={left <= minute ? 'yes' : 'no'}>
      <Icon name="clock" size={18} />
      {left <= longest && (
        <span class="with-script" title={until}>
          {words.expiresIn}{' '}
          <span class="left" role="timer" aria-live="off">
            {clockText(left)}
          </span>
        </span>
      )}
      <time class={left <= longest ? 'without-script' : ''} dateTime={expires.at}>
        {until}
      </time>
      <span class="aside" role="status">
        {left <= minute ? words.oneMinuteLeft : left <= 5 * minute ? words.fiveMinutesLeft : ''}
      </span>
    </div>
  )
}

/** Milliseconds since 1970 by the server's clock, anew each second. */
function useServerNow(state: PageState): number {
  const written = Date.parse(state.now)
  const [now, setNow] = useState(written)
  useEffect(() => {
    if (state.expires === undefined) return undefined
    const offset = written - Date.now()
    const tick = () => setNow(Date.now() + offset)
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [written, state.expires?.at])
  return now
}

/** `4:05`, `1:04:05`. */
function clockText(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / minute) % 60
  const start = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)
  return `${start}:${two(seconds % minute)}`
}
