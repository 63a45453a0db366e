// The links out of the page: back to the merchant when the payment is done, away from it when not.
import { useEffect, useState } from 'preact/hooks'
import type { PageState } from '#/checkout/page-state.ts'
import { fill } from '#/kernel/dictionary.ts'
import { wordsOf } from '../words.ts'
import { PostForm } from './post-form.tsx'
import { Said } from './said.tsx'

/** After the payment: back to the merchant, by itself where the template says so, and help where the money is unclear. */
export function Back({ state }: { readonly state: PageState }) {
  const { back, support } = state
  return (
    <div class="ways">
      {back !== undefined && (
        <a class="button" href={back.url}>
          <Said state={state} text={back.label} />
        </a>
      )}
      {support !== undefined && offersHelp(state) && (
        <a class={back === undefined ? 'button' : 'button secondary'} href={support.url}>
          <Said state={state} text={support.label} />
        </a>
      )}
      {back?.afterSeconds !== undefined && (
        <AutoReturn state={state} url={back.url} seconds={back.afterSeconds} />
      )}
    </div>
  )
}

/** Where the money needs the merchant's help, the contact is a button and not a line at the foot. */
export function offersHelp(state: PageState): boolean {
  return ['overpaid', 'late', 'expired', 'failed', 'canceled'].includes(state.step) || isStuck(state)
}

/** A part arrived, and there is no way to send the rest: only the merchant can help. */
export function isStuck({ step, panel, rest }: PageState): boolean {
  return step === 'underpaid' && panel === undefined && rest === undefined
}

/** While the payment is open. */
export function Leave({ state }: { readonly state: PageState }) {
  const { back, links } = state
  return (
    <div class="leave">
      <a class={isStalled(state) ? 'quiet' : 'quiet without-script'} href={links.page}>
        {wordsOf(state).refresh}
      </a>
      {back !== undefined && (
        <a class="quiet" href={back.url}>
          <Said state={state} text={back.label} />
        </a>
      )}
      {links.cancel !== undefined && <Cancel state={state} action={links.cancel} />}
    </div>
  )
}

/** The provider does not answer: the page tries again by itself, and so can the payer. */
function isStalled({ step, problem }: PageState): boolean {
  return step === 'preparing' && problem !== undefined
}

/** Canceling cannot be undone, so it asks first. */
function Cancel({ state, action }: { readonly state: PageState; readonly action: string }) {
  const words = wordsOf(state)
  return (
    <details class="cancel">
      <summary class="quiet">{words.cancel}</summary>
      <p>{words.cancelAsk}</p>
      <PostForm action={action}>
        {(pressed) => (
          <button type="submit" class="button secondary" aria-busy={pressed !== undefined}>
            <Said state={state} text={pressed === undefined ? words.cancelYes : words.opening} />
          </button>
        )}
      </PostForm>
    </details>
  )
}

type AutoReturnProps = { readonly state: PageState; readonly url: string; readonly seconds: number }

/**
 * Leads the payer to the shop after some seconds. A payer who came back by the browser's button, or who chooses to stay, stays on the
 * page.
 */
function AutoReturn({ state, url, seconds }: AutoReturnProps) {
  const words = wordsOf(state)
  const [left, setLeft] = useState<number | undefined>(seconds)
  const isOver = left === 0
  useEffect(() => {
    if (hasReturned()) setLeft(undefined)
  }, [])
  useEffect(() => {
    if (left === undefined) return undefined
    if (isOver) {
      history.replaceState({ hasReturned: true }, '')
      location.assign(url)
      return undefined
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  if (left === undefined) return null
  return (
    <p class="returning with-script">
      <Said state={state} text={fill(words.returning, { seconds: left })} />{' '}
      <button type="button" class="quiet" onClick={() => setLeft(undefined)}>
        {words.stay}
      </button>
    </p>
  )
}

function hasReturned(): boolean {
  const kept: unknown = history.state
  return typeof kept === 'object' && kept !== null && 'hasReturned' in kept
}
