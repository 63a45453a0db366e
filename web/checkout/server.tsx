// The view as text, for the server of the pages: bundled with all that it needs, so that it runs without a DOM.
import { renderToString } from 'preact-render-to-string'
import type { PageState } from '#/checkout/page-state.ts'
import { CheckoutPage } from './view.tsx'

/** The content of `<div id="page">`. Texts of the state are escaped: none of them can become markup. */
export function renderCheckout(state: PageState): string {
  return renderToString(<CheckoutPage state={state} />)
}
