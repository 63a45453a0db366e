// The page in the browser: hydrates the server's HTML, and follows the payment from there.
import { hydrate, render } from 'preact'
import type { PageState } from '#/checkout/page-state.ts'
import { follow } from './follow.ts'
import { CheckoutPage } from './view.tsx'

const page = document.getElementById('page')
const text = document.getElementById('state')?.textContent
if (page !== null && text !== undefined && text !== '') start(page, JSON.parse(text) as PageState)

function start(page: Element, first: PageState): void {
  const { check } = follow(first, (state, isCut) => {
    render(<CheckoutPage state={state} check={check} isCut={isCut} />, page)
    // A payer in the bank's app sees by the tab's title that the money has arrived.
    document.title = `${state.headline} · ${state.merchant.name}`
  })
  hydrate(<CheckoutPage state={first} check={check} />, page)
}
