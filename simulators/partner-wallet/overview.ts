// The page at `/`, for people: the last orders with their actions, the switches, the log.
import { join } from 'node:path'
import type { Markup } from '../../web/live/markup.ts'
import { state } from '../../web/live/parts.ts'
import { clockSections } from '../kit/account-clock.ts'
import type { Route } from '../kit/http.ts'
import { lastOf, logSection } from '../kit/log.ts'
import { action, actions, listSection, side, switches, when } from '../kit/page-parts.ts'
import { controlPage, pageRoutes } from '../kit/page.ts'
import { choicesOf } from './control.ts'
import { shownMerchants } from './merchant-time.ts'
import { fixed } from './money.ts'
import { logOf } from './overview-log.ts'
import { coins } from './pay-texts.ts'
import { statusOf, type Order, type Refund } from './state.ts'
import type { Wallet } from './wallet.ts'

const shown = 30

export function overviewRoutes(wallet: Wallet): readonly Route[] {
  const live = () => [ordersSection(wallet), sideOf(wallet)]
  return pageRoutes({
    icon: join(import.meta.dirname, 'page.svg'),
    page: () =>
      controlPage({
        title: 'Partner wallet simulator',
        brand: 'Partner wallet',
        heading: 'You are the payer, and the wallet',
        intro:
          'Orders arrive by the merchant API. Open one as the payer sees it, or let something happen to it.',
        live: live(),
      }),
    live,
    last: () => lastOf(wallet.eventStore.recent()),
  })
}

function ordersSection(wallet: Wallet): Markup {
  const orders = [...wallet.eventStore.state.orders.values()].slice(-shown).reverse()
  const empty = 'No order yet. Make a payment with PARTNER_PAY, open its page, and it appears here.'
  return listSection({ key: 'orders', title: 'Orders', empty }, orders.map(orderRow))
}

function orderRow(order: Order): Markup {
  const { prepayId, terms, merchant, createdAt } = order
  const path = `/_sim/orders/${prepayId}`
  const isOpen = order.stage === 'INITIAL' || order.stage === 'PENDING'
  const buttons = isOpen
    ? [
        action(`Pay ${coins('en', fixed(order.amount))}`, path, { action: 'confirm' }, 'first'),
        action('Refuse', path, { action: 'refuse' }),
        action('Too little money', path, { action: 'insufficient' }),
        ...(order.stage === 'INITIAL' ? [action('Begin, and wait', path, { action: 'begin' })] : []),
        action('Expire', path, { action: 'expire' }),
      ]
    : order.stage === 'PAID'
      ? []
      : [action('Pay all the same', path, { action: 'confirm', force: true })]
  return [
    'li',
    { 'data-key': prepayId },
    ['div', { class: 'line' }, ['h3', { class: 'amount' }, coins('en', fixed(order.amount))], stateOf(order)],
    [
      'div',
      { class: 'line soft' },
      ['span', {}, merchant.name, ' · ', when(createdAt)],
      [
        'a',
        { class: 'plain', href: `/pay/${prepayId}` },
        'Payer’s page',
        ['span', { class: 'aside' }, ` of order ${prepayId}`],
      ],
    ],
    ['code', { class: 'id' }, `${prepayId} · ${terms.merchantTradeNo}`],
    ...order.refunds.map(refundPart),
    ...actions(...buttons),
  ]
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

function refundPart({ refundId, refundRequestId, amount, status }: Refund): Markup {
  const words = { REFUND_PENDING: 'under way', REFUND_SUCCESS: 'went back', REFUND_FAIL: 'failed' }[status]
  const path = `/_sim/refunds/${refundId}`
  return [
    'div',
    { class: 'pix', 'data-key': refundId },
    ['p', {}, `Refund of ${coins('en', fixed(amount))}: ${words}`],
    ['code', { class: 'id' }, refundRequestId],
    ...(status === 'REFUND_PENDING'
      ? actions(action('Done', path, { outcome: 'succeed' }), action('Failed', path, { outcome: 'fail' }))
      : []),
  ]
}

function sideOf(wallet: Wallet): Markup {
  return side(
    ...choicesOf(wallet).map(({ section }) => section()),
    switches('Keys', [action('New webhook key', '/_sim/certificates', { action: 'rotate' })]),
    ...clockSections(wallet.eventStore, shownMerchants(wallet.eventStore.state)),
    logSection(logOf(wallet.eventStore)),
  )
}
