// The acquirer's page for people: the last sessions and payments of local methods with their actions, the modes of webhooks and
// faults, and the log.
import type { Markup } from '../../web/live/markup.ts'
import { state } from '../../web/live/parts.ts'
import { clockSections } from '../kit/account-clock.ts'
import type { Route } from '../kit/http.ts'
import { actions, listSection, part, row, when } from '../kit/page-parts.ts'
import { pageRoutes } from '../kit/page.ts'
import type { Acquirer, KeptIntent, KeptSession } from './acquirer.ts'
import type { Controls } from './control.ts'
import { moneyOf } from './page-words.ts'
import type { Dispute, Refund } from './wire.ts'

const shown = 25

export function acquirerPage(acquirer: Acquirer, controls: Controls): readonly Route[] {
  const { webhooks, faults, refunds, clock } = controls
  const last = <T>(all: readonly T[]) => all.slice(-shown).reverse()
  return pageRoutes({
    folder: import.meta.dirname,
    brand: 'Card acquirer',
    heading: 'You are the payer, and the bank of the card',
    intro: 'Checkout Sessions arrive by the API. Pay them, dispute them, or let something go wrong.',
    lists: () => {
      const locals = [...acquirer.intents.all()].filter(({ local }) => local !== undefined)
      return [
        listSection(
          {
            key: 'sessions',
            title: 'Sessions',
            empty: 'No session yet. Open the page of a card payment, and it appears here.',
          },
          last([...acquirer.sessions.all()]).map((each) => sessionRow(acquirer, controls, each)),
        ),
        listSection(
          { key: 'local', title: 'Local methods', empty: 'No payment by a local method yet.' },
          last(locals).map((each) => localRow(acquirer, controls, each)),
        ),
      ]
    },
    side: () => {
      const accounts = [...acquirer.accounts.all()]
      return [
        ...[webhooks, faults, refunds].map((each) => each.section()),
        ...clockSections(
          clock,
          accounts.map(({ id, name }) => ({ account: id, credentials: id, name })),
        ),
      ]
    },
    log: acquirer.log.recent,
  })
}

function sessionRow(acquirer: Acquirer, controls: Controls, session: KeptSession): Markup {
  const { wire, account, label } = session
  const intent = acquirer.intents.get(wire.payment_intent ?? '')
  const place = wire.ui_mode === 'hosted_page' ? 'pay' : 'embed'
  const name = acquirer.accounts.get(account)?.name ?? account
  return row({
    key: wire.id,
    amount: moneyOf('en', wire.amount_total, wire.currency),
    beside: wire.status === 'expired' ? state('over', 'Expired', 'wait') : sessionStates[statusOf(intent)],
    about: [`${name} · ${label} · `, when(wire.created * 1000)],
    link: ['a', { href: `/c/${place}/${wire.id}` }, 'Card page'],
    id: intent?.wire.id ?? wire.id,
    parts: [...actions(controls.pay.buttons(session)), ...paidParts(acquirer, controls, intent)],
  })
}

const statusOf = (intent: KeptIntent | undefined) => intent?.wire.status ?? 'none'

const sessionStates = {
  succeeded: state('good', 'Paid'),
  requires_capture: state('wait', 'Authorised'),
  requires_action: state('wait', '3-D Secure'),
  canceled: state('over', 'Canceled', 'bad'),
  requires_payment_method: state('bad', 'Declined'),
  processing: state('wait', 'Open'),
  none: state('wait', 'Open'),
} as const

const localStates = {
  ...sessionStates,
  processing: state('wait', 'On its way'),
  requires_payment_method: state('bad', 'Failed'),
  requires_action: state('wait', 'Open'),
} as const

function localRow(acquirer: Acquirer, controls: Controls, intent: KeptIntent): Markup {
  const { wire, account, local } = intent
  const name = acquirer.accounts.get(account)?.name ?? account
  return row({
    key: wire.id,
    amount: moneyOf('en', wire.amount, wire.currency),
    beside: localStates[wire.status],
    about: [`${name} · ${local?.type} · `, when(wire.created * 1000)],
    link: ['a', { href: `/c/local/${wire.id}` }, 'Page'],
    id: wire.id,
    parts: [...actions(controls.pay.buttons(intent)), ...paidParts(acquirer, controls, intent)],
  })
}

/** The refunds and disputes of a paid PaymentIntent. */
function paidParts(
  acquirer: Acquirer,
  controls: Controls,
  intent: KeptIntent | undefined,
): readonly Markup[] {
  if (intent?.wire.status !== 'succeeded') return []
  const isOfIntent = (each: { readonly wire: Dispute | Refund }) =>
    each.wire.payment_intent === intent.wire.id
  const refunds = [...acquirer.refunds.all()].filter(isOfIntent)
  const disputes = [...acquirer.disputes.all()].filter(isOfIntent)
  return [
    ...refunds.map((each) => moneyPart(each.wire, controls.refund.buttons(each))),
    ...disputes.map((each) => moneyPart(each.wire, controls.decision.buttons(each))),
    ...actions(controls.dispute.buttons(intent)),
  ]
}

function moneyPart(of: Refund | Dispute, buttons: readonly Markup[]): Markup {
  const { id, object, amount, currency, created, status } = of
  const words = `${moneyOf('en', amount, currency)} ${object}: ${status.replaceAll('_', ' ')}`
  return part({ key: id, words, at: created * 1000, id, parts: actions(buttons) })
}
