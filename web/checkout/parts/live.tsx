// Shows that the page is live, that it is cut off and tries again, and the time left in the last hour.
import { useEffect, useState } from 'preact/hooks'
import type { PageState } from '#/checkout/page-state.ts'
import { fill } from '#/kernel/dictionary.ts'
import { wordsOf } from '../words.ts'
import { Icon } from './icons.tsx'
import { asWritten, Said } from './said.tsx'

const minute = 60
/** A longer time needs no countdown: the message says until when. */
const shownBelow = 60 * minute

type Props = {
  readonly state: PageState
  readonly isCut: boolean
  /** False where the payer is busy with a form. */
  readonly showsListening: boolean
}

export function Live({ state, isCut, showsListening }: Props) {
  const words = wordsOf(state)
  return (
    <div class="live">
      {(isCut || showsListening) && (
        <p class="listening with-script" data-cut={isCut ? 'yes' : 'no'}>
          <span class="pulse" aria-hidden="true" />
          <span role="status">
            <Said state={state} text={isCut ? words.cutOff : words.listening} />
          </span>
        </p>
      )}
      <Countdown state={state} />
    </div>
  )
}

/** It runs by the server's clock: the browser's may be wrong. */
function Countdown({ state }: { readonly state: PageState }) {
  const now = useServerNow(state)
  const { expires } = state
  const left = expires === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(expires.at) - now) / 1_000))
  const isDue = state.step === 'waiting' || state.step === 'underpaid'
  if (expires === undefined || !isDue || left > shownBelow) return null
  const words = wordsOf(state)
  const until = fill(words.expiresAt, { time: expires.text })
  return (
    <div class="deadline" data-urgent={left <= minute ? 'yes' : 'no'}>
      <Icon name="clock" size={18} />
      <span class="with-script" title={until}>
        {words.expiresIn}{' '}
        <span class="left" role="timer" aria-live="off" {...asWritten}>
          {clockText(left)}
        </span>
      </span>
      <time class="without-script" dateTime={expires.at} key={until}>
        {until}
      </time>
      <span class="aside" role="status">
        <Said
          state={state}
          text={left <= minute ? words.oneMinuteLeft : left <= 5 * minute ? words.fiveMinutesLeft : ''}
        />
      </span>
    </div>
  )
}

/** Milliseconds since 1970 by the server's clock, updated each second. */
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

/** `4:05`. */
function clockText(seconds: number): string {
  return `${Math.floor(seconds / minute)}:${String(seconds % minute).padStart(2, '0')}`
}
