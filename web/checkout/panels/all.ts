// The methods of the view. A new one is a file beside this one, and its line here.
import type { Panel } from '#/checkout/methods/panels.ts'
import { cardView } from './card.tsx'
import { cryptoView } from './crypto.tsx'
import { localView } from './local.tsx'
import type { MethodView, MethodViews } from './method-view.ts'
import { partnerPayView } from './partner-pay.tsx'
import { pixView } from './pix.tsx'
import { sepaView } from './sepa.tsx'

const views: MethodViews = {
  PIX: pixView,
  CRYPTO: cryptoView,
  CREDIT_CARD: cardView,
  PARTNER_PAY: partnerPayView,
  MULTIBANCO: localView,
  MB_WAY: localView,
  IDEAL: localView,
  BANCONTACT: localView,
  BIZUM: localView,
  BOLETO: localView,
  SEPA_TRANSFER: sepaView,
}

/** The view of the panel's method. The map gives each panel the view of its own type, which the compiler cannot follow here. */
export function viewOf(panel: Panel): MethodView<Panel> {
  return views[panel.method] as MethodView<Panel>
}
