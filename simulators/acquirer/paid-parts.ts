// What people can do with a paid PaymentIntent on the acquirer's page: its refunds and disputes.
import type { Markup } from '../../web/live/markup.ts'
import { action, actions, when } from '../kit/page-parts.ts'
import type { Acquirer, KeptIntent } from './acquirer.ts'
import { isInquiry, isOpen } from './disputes.ts'
import { moneyOf } from './page-words.ts'
import type { Dispute, Refund } from './wire.ts'

export function paidParts(acquirer: Acquirer, { wire }: KeptIntent): readonly Markup[] {
  const refunds = [...acquirer.refunds.all()].filter((each) => each.wire.payment_intent === wire.id)
  const disputes = [...acquirer.disputes.all()].filter((each) => each.wire.payment_intent === wire.id)
  const isFree = disputes.every((each) => !isOpen(each.wire.status))
  const dispute = (words: string, inquiry: boolean) =>
    action(words, '/_sim/disputes', { paymentIntent: wire.id, inquiry })
  return [
    ...refunds.map((each) => refundPart(each.wire)),
    ...disputes.map((each) => disputePart(each.wire)),
    ...(isFree ? actions(dispute('Dispute', false), dispute('Inquiry', true)) : []),
  ]
}

function refundPart(refund: Refund): Markup {
  const end = (words: string, outcome: string) => action(words, `/_sim/refunds/${refund.id}`, { outcome })
  return part(refund, 'refund', [
    ...(refund.status === 'requires_action'
      ? [end('Payer names an account', 'answer'), end('Payer never does', 'expire')]
      : []),
    ...(refund.status === 'pending' ? [end('Let it succeed', 'succeed')] : []),
    ...(refund.status === 'pending' || refund.status === 'succeeded' ? [end('Let it fail', 'fail')] : []),
  ])
}

function disputePart(dispute: Dispute): Markup {
  const end = (words: string, outcome: string) => action(words, `/_sim/disputes/${dispute.id}`, { outcome })
  const buttons = !isOpen(dispute.status)
    ? []
    : isInquiry(dispute.status)
      ? [end('Close it', 'warning'), end('Make it a dispute', 'escalate')]
      : [end('Won', 'won'), end('Lost', 'lost')]
  return part(dispute, 'dispute', buttons)
}

function part(
  {
    id,
    amount,
    currency,
    created,
    status,
  }: Pick<Refund | Dispute, 'id' | 'amount' | 'currency' | 'created' | 'status'>,
  kind: string,
  buttons: readonly Markup[],
): Markup {
  const at = created * 1000
  return [
    'div',
    { class: 'pix', 'data-key': id },
    [
      'p',
      { class: 'line' },
      ['strong', {}, `${moneyOf('en', amount, currency)} ${kind}: ${status.replaceAll('_', ' ')}`],
      when(at),
    ],
    ['code', { class: 'id' }, id],
    ...actions(...buttons),
  ]
}
