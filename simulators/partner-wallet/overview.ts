// The page at `/`, for people: the last orders with their actions, the switches, the log.
import type { Markup } from '../../web/live/markup.ts'
import { state } from '../../web/live/parts.ts'
import { clockSections } from '../kit/account-clock.ts'
import type { Route } from '../kit/http.ts'
import { actions, listSection, part, row, switches, when } from '../kit/page-parts.ts'
import { pageRoutes } from '../kit/page.ts'
import type { Controls } from './control.ts'
import { shownMerchants } from './merchant-time.ts'
import { fixed } from './money.ts'
import { logOf } from './overview-log.ts'
import { coins } from './pay-texts.ts'
import { statusOf, type Order, type Refund } from './state.ts'
import type { Wallet } from './wallet.ts'

const shown = 30

export function overviewRoutes({ eventStore }: Wallet, controls: Controls): readonly Route[] {
  const empty = 'No order yet. Make a payment with PARTNER_PAY, open its page, and it appears here.'
  const { webhooks, faults, refunds, keys, clock } = controls
  return pageRoutes({
    folder: import.meta.dirname,
    brand: 'Partner wallet',
    heading: 'You are the payer, and the wallet',
    intro: 'Orders arrive by the merchant API. Open one as the payer sees it, or let something happen to it.',
    lists: () => {
      const orders = [...eventStore.state.orders.values()].slice(-shown).reverse()
      const rows = orders.map((order) => orderRow(controls, order))
      return [listSection({ key: 'orders', title: 'Orders', empty }, rows)]
    },
    side: () => [
      ...[webhooks, faults, refunds].map((each) => each.section()),
      switches('Keys', keys.buttons(undefined)),
      ...clockSections(clock, shownMerchants(eventStore.state)),
    ],
    log: () => logOf(eventStore),
    recent: eventStore.recent,
  })
}

function orderRow(controls: Controls, order: Order): Markup {
  const { prepayId, terms, merchant, createdAt } = order
  return row({
    key: prepayId,
    amount: coins('en', fixed(order.amount)),
    beside: stateOf(order),
    about: [merchant.name, ' · ', when(createdAt)],
    link: [
      'a',
      { class: 'plain', href: `/pay/${prepayId}` },
      'Payer’s page',
      ['span', { class: 'aside' }, ` of order ${prepayId}`],
    ],
    id: `${prepayId} · ${terms.merchantTradeNo}`,
    parts: [
      ...order.refunds.map((refund) => refundPart(controls, refund)),
      ...actions(controls.order.buttons(order)),
    ],
  })
}

function stateOf(order: Order): Markup {
  const status = statusOf(order)
  switch (status) {
    case 'INITIAL':
      return order.short ? state('bad', 'Too little money') : state('wait', 'Waiting')
    case 'PENDING':
      return state('wait', 'Under way')
    case 'PAID':
      return state('good', 'Paid')
    case 'REFUNDING':
      return state('wait', 'Refunding')
    case 'REFUNDED':
      return state('good', 'Partly refunded')
    case 'FULL_REFUNDED':
      return state('over', 'Refunded', 'good')
    case 'CANCELED':
      return state('over', order.endedBy === 'payer' ? 'Refused' : 'Closed', 'bad')
    case 'EXPIRED':
      return state('bad', 'Expired', 'wait')
  }
}

function refundPart(controls: Controls, refund: Refund): Markup {
  const { refundId, refundRequestId, amount, status } = refund
  const words = { REFUND_PENDING: 'under way', REFUND_SUCCESS: 'went back', REFUND_FAIL: 'failed' }[status]
  return part({
    key: refundId,
    words: `Refund of ${coins('en', fixed(amount))}: ${words}`,
    id: refundRequestId,
    parts: actions(controls.refund.buttons(refund)),
  })
}
