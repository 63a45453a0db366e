// The largest thing on the page.
import type { PageState } from '#/checkout/page-state.ts'
import { wordsOf } from '../words.ts'

export function Amount({ state }: { readonly state: PageState }) {
  return (
    <h1>
      <span class="caption">{state.title ?? captionOf(state)}</span>{' '}
      <span class="amount">{state.amount.text}</span>
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
