// Refunds that the account makes to the holder of a card.
import { seconds } from '../kit/clock.ts'
import { newId, span, type Acquirer, type Kept, type KeptCharge } from './acquirer.ts'
import { present } from '../kit/event-store.ts'
import { badParam, badState, missing } from './api-error.ts'
import { move } from './balance.ts'
import { closeInquiries } from './disputes.ts'
import { emit } from './events.ts'
import { choiceOf, integerOf, metadataOf, only, textOf, type Params } from './params.ts'
import type { Charge, Refund } from './wire.ts'

/** How long a refund takes that does not end at once. */
const endsAfterSeconds = 3
const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

/** POST /v1/refunds. */
export function createRefund(acquirer: Acquirer, account: string, params: Params): Refund {
  only(params, ['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason'])
  const reason = choiceOf(params, 'reason', reasons) ?? null
  const metadata = metadataOf(params)
  const charge = chargeOf(acquirer, account, params)
  const { wire } = charge
  const left = wire.amount - wire.amount_refunded
  const amount = integerOf(params, 'amount', 1, 99_999_999) ?? left
  mustBeRefundable(acquirer, charge, amount, left)
  const plan = planOf(acquirer, charge)
  const id = newId(acquirer, 're')
  const made: Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: move(acquirer, account, {
      amount: -amount,
      currency: wire.currency,
      reporting_category: 'refund',
      source: id,
      type: 'refund',
    }).id,
    charge: wire.id,
    created: seconds(),
    currency: wire.currency,
    ...nothing,
    metadata,
    payment_intent: wire.payment_intent,
    ...(plan === 'pending' || plan === 'pending_first' ? { pending_reason: 'processing' } : {}),
    reason,
    status: plan === 'pending' || plan === 'pending_first' ? 'pending' : 'succeeded',
  }
  acquirer.refunds.put(id, { account, wire: made })
  emit(acquirer, account, 'refund.created', made)
  const refunded = wire.amount_refunded + amount
  changeCharge(acquirer, charge, { amount_refunded: refunded, refunded: refunded === wire.amount })
  if (plan === 'pending_first' || plan === 'fail_later') {
    const outcome = plan === 'pending_first' ? 'succeed' : 'fail'
    const endsAfterMs = span(acquirer.options, endsAfterSeconds)
    acquirer.store.schedule(endsAfterMs, { do: 'end-refund', refund: id, outcome }, `refund ${id}`)
  }
  if (refunded === wire.amount) closeInquiries(acquirer, wire.id)
  return made
}

/** The fields that are always the same or empty in this acquirer's refunds. */
const nothing = {
  destination_details: {
    type: 'card',
    card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
  },
  receipt_number: null,
  source_transfer_reversal: null,
  transfer_reversal: null,
} as const

function chargeOf(acquirer: Acquirer, account: string, params: Params): KeptCharge {
  const intentId = textOf(params, 'payment_intent')
  const chargeId = textOf(params, 'charge')
  if ((intentId === undefined) === (chargeId === undefined))
    throw badParam(
      'payment_intent',
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    )
  if (chargeId !== undefined) {
    const charge = acquirer.charges.get(chargeId)
    if (charge?.account !== account) throw missing('charge', chargeId, 'charge')
    return charge
  }
  const intent = acquirer.intents.get(intentId ?? '')
  if (intent?.account !== account) throw missing('payment_intent', intentId ?? '', 'payment_intent')
  if (intent.wire.status !== 'succeeded')
    throw badState(
      'payment_intent_unexpected_state',
      `This PaymentIntent (${intent.wire.id}) does not have a successful charge to refund.`,
      { param: 'payment_intent' },
    )
  return present(acquirer.charges.get(intent.wire.latest_charge ?? ''))
}

function mustBeRefundable(acquirer: Acquirer, { wire }: KeptCharge, amount: number, left: number): void {
  if (!wire.paid || !wire.captured)
    throw badState('charge_not_refundable', `Charge ${wire.id} cannot be refunded.`, { charge: wire.id })
  if (wire.payment_method_details.type === 'boleto')
    throw badState('charge_not_refundable', 'Boleto payments cannot be refunded.', { charge: wire.id })
  const isDisputed = [...acquirer.disputes.all()].some(
    (each) => each.wire.charge === wire.id && !each.wire.is_charge_refundable,
  )
  if (isDisputed)
    throw badState('charge_disputed', `Charge ${wire.id} has been charged back; cannot issue a refund.`, {
      charge: wire.id,
    })
  if (left === 0)
    throw badState('charge_already_refunded', `Charge ${wire.id} has already been refunded.`, {
      charge: wire.id,
    })
  if (amount > left)
    throw badState(
      undefined,
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      { param: 'amount' },
    )
}

/** The card decides how its refunds go, or else the control mode. */
function planOf(acquirer: Acquirer, { plan }: KeptCharge) {
  if (plan.refunds !== undefined) return plan.refunds
  const mode = acquirer.refundModes.get('mode') ?? 'succeed'
  return mode === 'fail' ? 'fail_later' : mode
}

export type RefundOutcome = 'succeed' | 'fail'

/** Ends a refund. Money that could not be delivered comes back, also after the refund had succeeded. */
export function endRefund(acquirer: Acquirer, refund: Kept<Refund>, outcome: RefundOutcome): Refund {
  const { wire, account } = refund
  const { pending_reason: _, ...rest } = wire
  acquirer.store.cancel(`refund ${wire.id}`)
  if (outcome === 'succeed') {
    const ended: Refund = { ...rest, status: 'succeeded' }
    acquirer.refunds.put(wire.id, { account, wire: ended })
    emit(acquirer, account, 'refund.updated', ended, { status: wire.status })
    return ended
  }
  const ended: Refund = {
    ...rest,
    failure_balance_transaction: move(acquirer, account, {
      amount: wire.amount,
      currency: wire.currency,
      reporting_category: 'refund_failure',
      source: wire.id,
      type: 'refund_failure',
    }).id,
    failure_reason: 'expired_or_canceled_card',
    status: 'failed',
  }
  acquirer.refunds.put(wire.id, { account, wire: ended })
  emit(acquirer, account, 'refund.updated', ended, { status: wire.status })
  emit(acquirer, account, 'refund.failed', ended)
  const charge = present(acquirer.charges.get(wire.charge))
  const { amount_refunded: refunded } = charge.wire
  acquirer.charges.put(wire.charge, {
    ...charge,
    wire: { ...charge.wire, amount_refunded: refunded - wire.amount, refunded: false },
  })
  return ended
}

function changeCharge(
  acquirer: Acquirer,
  charge: KeptCharge,
  change: Pick<Charge, 'amount_refunded' | 'refunded'>,
): void {
  const { amount_refunded, refunded } = charge.wire
  const wire: Charge = { ...charge.wire, ...change }
  acquirer.charges.put(wire.id, { ...charge, wire })
  emit(acquirer, charge.account, 'charge.refunded', wire, { amount_refunded, refunded })
}
