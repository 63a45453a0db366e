// The methods of the view. One with a panel of its own is a file beside this one, and its line here.
import type { Panel } from '#/checkout/methods/panels.ts'
import { cardView } from './card.tsx'
import { cryptoView } from './crypto.tsx'
import { flowView } from './flow.tsx'
import type { MethodView, MethodViews } from './method-view.ts'
import { partnerPayView } from './partner-pay.tsx'
import { pixView } from './pix.tsx'
import { sepaView } from './sepa.tsx'

const views: MethodViews = {
  PIX: pixView,
  CRYPTO: cryptoView,
  CREDIT_CARD: cardView,
  PARTNER_PAY: partnerPayView,
  SEPA_TRANSFER: sepaView,
}

/** The view of the panel's method. The map gives each panel the view of its own type, which the compiler cannot follow here. */
export function viewOf(panel: Panel): MethodView<Panel> {
  return ('kind' in panel ? flowView : views[panel.method]) as MethodView<Panel>
}
