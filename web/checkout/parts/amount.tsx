// The amount, in the largest type of the page.
import type { PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'
import { asWritten } from './said.tsx'

/** A number is never broken: longer ones are smaller. Characters that fit a narrow phone in each size. */
const sizes = { usual: 11, long: 15 } as const

export function Amount({ state }: { readonly state: PageState }) {
  const { text } = state.amount
  const caption = state.title ?? captionOf(state)
  return (
    <h1>
      <span class="caption" key={caption}>
        {caption}
      </span>{' '}
      <span
        class={
          text.length <= sizes.usual ? 'amount' : text.length <= sizes.long ? 'amount long' : 'amount longest'
        }
        {...asWritten}
      >
        {text}
      </span>
    </h1>
  )
}

function captionOf(state: PageState): string {
  const words = wordsOf(state)
  switch (state.step) {
    case 'choose':
    case 'preparing':
    case 'waiting':
      return words.amountDue
    case 'paid':
      return words.amountPaid
    case 'confirming':
    case 'underpaid':
    case 'overpaid':
    case 'late':
    case 'expired':
    case 'failed':
    case 'canceled':
      return words.amount
  }
}
