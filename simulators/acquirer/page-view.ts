// The acquirer's page for people: the last sessions with their actions, the modes of webhooks and faults, and the log.
import { join } from 'node:path'
import type { Markup } from '../../web/live/markup.ts'
import { state } from '../../web/live/parts.ts'
import { clockSections } from '../kit/account-clock.ts'
import type { Route } from '../kit/http.ts'
import { lastOf, logSection } from '../kit/log.ts'
import { action, listSection, side, when } from '../kit/page-parts.ts'
import { controlPage, pageRoutes } from '../kit/page.ts'
import type { Acquirer, KeptIntent, KeptSession } from './acquirer.ts'
import { choicesOf } from './control.ts'
import { localSection } from './local-page.ts'
import { moneyOf } from './page-words.ts'
import { paidParts } from './paid-parts.ts'

const shown = 25

export function acquirerPage(acquirer: Acquirer): readonly Route[] {
  return pageRoutes({
    icon: join(import.meta.dirname, 'page.svg'),
    page: () =>
      controlPage({
        title: 'Card acquirer simulator',
        brand: 'Card acquirer',
        heading: 'You are the payer, and the bank of the card',
        intro: 'Checkout Sessions arrive by the API. Pay them, dispute them, or let something go wrong.',
        live: live(acquirer),
      }),
    live: () => live(acquirer),
    last: () => lastOf(acquirer.log.recent()),
  })
}

function live(acquirer: Acquirer): readonly Markup[] {
  const sessions = [...acquirer.sessions.all()].slice(-shown).reverse()
  const empty = 'No session yet. Open the page of a card payment, and it appears here.'
  const rows = sessions.map((session) => sessionRow(acquirer, session))
  return [
    listSection({ key: 'sessions', title: 'Sessions', empty }, rows),
    ...localSection(acquirer),
    side(...settings(acquirer), logSection(acquirer.log.recent())),
  ]
}

function sessionRow(acquirer: Acquirer, session: KeptSession): Markup {
  const { wire, account, label } = session
  const intent = acquirer.intents.get(wire.payment_intent ?? '')
  const created = wire.created * 1000
  const place = wire.ui_mode === 'hosted_page' ? 'pay' : 'embed'
  return [
    'li',
    { 'data-key': wire.id },
    [
      'div',
      { class: 'line' },
      ['h3', { class: 'amount' }, moneyOf('en', wire.amount_total, wire.currency)],
      stateOf(session, intent),
    ],
    [
      'div',
      { class: 'line soft' },
      ['span', {}, `${acquirer.accounts.get(account)?.name ?? account} · ${label} · `, when(created)],
      ['a', { href: `/c/${place}/${wire.id}` }, 'Card page'],
    ],
    ['code', { class: 'id' }, intent?.wire.id ?? wire.id],
    ...(wire.status === 'open' ? [payActions(wire.id, intent)] : []),
    ...(intent?.wire.status === 'succeeded' ? paidParts(acquirer, intent) : []),
  ]
}

function stateOf({ wire }: KeptSession, intent: KeptIntent | undefined): Markup {
  if (wire.status === 'expired') return state('over', 'Expired', 'wait')
  switch (intent?.wire.status) {
    case 'succeeded':
      return state('good', 'Paid')
    case 'requires_capture':
      return state('wait', 'Authorised')
    case 'requires_action':
      return state('wait', '3-D Secure')
    case 'canceled':
      return state('over', 'Canceled', 'bad')
    case 'requires_payment_method':
      return state('bad', 'Declined')
    case 'processing':
    case undefined:
      return state('wait', 'Open')
  }
}

function payActions(session: string, intent: KeptIntent | undefined): Markup {
  const pay = (words: string, body: Readonly<Record<string, unknown>>, style = 'second') =>
    action(words, '/_sim/pay', { session, ...body }, style)
  const buttons =
    intent?.wire.status === 'requires_action'
      ? [pay('Pass the challenge', { challenge: 'pass' }, 'first'), pay('Fail it', { challenge: 'fail' })]
      : [
          pay('Pay', { card: 'success' }, 'first'),
          pay('Decline', { card: 'decline' }),
          pay('No funds', { card: 'insufficient_funds' }),
          pay('3-D Secure', { card: 'challenge', challenge: 'leave' }),
          pay('Pay, dispute later', { card: 'dispute' }),
          pay('Pay, refunds fail', { card: 'refund_fails' }),
        ]
  return ['div', { class: 'actions' }, ...buttons]
}

function settings(acquirer: Acquirer): readonly Markup[] {
  const { store, accounts } = acquirer
  return [
    ...choicesOf(acquirer).map(({ section }) => section()),
    ...clockSections(
      store,
      [...accounts.all()].map(({ id, name }) => ({ account: id, credentials: id, name })),
    ),
  ]
}
