// Refunds that the account makes to the holder of a card, or to the payer of a local method.
import { seconds } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { newId, span, type Acquirer, type Kept, type KeptCharge, type RefundOutcome } from './acquirer.ts'
import { badParam, badState, missing } from './api-error.ts'
import { move } from './balance.ts'
import { closeInquiries } from './disputes.ts'
import { change, emit } from './events.ts'
import { choiceOf, integerOf, metadataOf, only, textOf, type Params } from './params.ts'
import { nulls, type Refund } from './wire.ts'

/** How long a refund takes that does not end at once. */
const endsAfterSeconds = 3
/** How long the payer takes to name a bank account, and how long the payer may take. */
const answersAfterSeconds = 1
const answerMaxSeconds = 45 * 86_400
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
    ...destinationOf(wire.payment_method_details.type),
    metadata,
    payment_intent: wire.payment_intent,
    reason,
    ...beginning(charge, plan),
  }
  acquirer.refunds.put(id, { account, wire: made })
  emit(acquirer, account, 'refund.created', made)
  const refunded = wire.amount_refunded + amount
  const { amount_refunded, refunded: wasRefunded } = wire
  const to = { amount_refunded: refunded, refunded: refunded === wire.amount }
  const previous = { amount_refunded, refunded: wasRefunded }
  change(acquirer, acquirer.charges, charge, to, 'charge.refunded', previous)
  if (asksPayer(charge))
    if (plan === 'pending') later(acquirer, id, 'expire', answerMaxSeconds * 1000)
    else later(acquirer, id, 'answer', span(acquirer.options, answersAfterSeconds))
  else if (plan === 'pending_first' || plan === 'fail_later') endLater(acquirer, id, plan)
  if (refunded === wire.amount) closeInquiries(acquirer, wire.id)
  return made
}

function endLater(acquirer: Acquirer, id: string, plan: RefundPlan): void {
  const outcome = plan === 'fail_later' ? 'fail' : 'succeed'
  later(acquirer, id, outcome, span(acquirer.options, endsAfterSeconds))
}

function later({ store }: Acquirer, id: string, outcome: RefundOutcome, afterMs: number): void {
  store.schedule(afterMs, { do: 'end-refund', refund: id, outcome }, `refund ${id}`)
}

/** The fields that are always the same or empty in this acquirer's refunds. */
const nothing = nulls('receipt_number source_transfer_reversal transfer_reversal')

/** Where the money goes. Absent for a method for which the API does not say it. */
function destinationOf(type: string): Readonly<Record<string, unknown>> {
  if (type === 'card') {
    const card = {
      reference_status: 'pending',
      reference_type: 'acquirer_reference_number',
      type: 'refund',
    }
    return { destination_details: { type, card } }
  }
  if (type !== 'mb_way' && type !== 'multibanco') return {}
  return { destination_details: { type, [type]: { reference: null, reference_status: 'pending' } } }
}

/** A voucher was paid from an account that the acquirer does not know: it asks the payer for one by e-mail. */
function asksPayer({ wire }: KeptCharge): boolean {
  return wire.payment_method_details.type === 'multibanco'
}

function beginning(
  charge: KeptCharge,
  plan: RefundPlan,
): Pick<Refund, 'status' | 'pending_reason' | 'next_action'> {
  if (asksPayer(charge)) {
    const at = seconds()
    const email = { email_sent_at: at, email_sent_to: charge.wire.billing_details.email }
    const details = { email_sent: email, expires_at: at + answerMaxSeconds }
    return {
      status: 'requires_action',
      next_action: { type: 'display_details', display_details: details },
    }
  }
  const isPending = plan === 'pending' || plan === 'pending_first'
  return isPending ? { status: 'pending', pending_reason: 'processing' } : { status: 'succeeded' }
}

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

type RefundPlan = 'succeed' | 'pending' | 'pending_first' | 'fail_later'

/** The card decides how its refunds go, or else the control mode. */
function planOf(acquirer: Acquirer, { plan }: KeptCharge): RefundPlan {
  if (plan.refunds !== undefined) return plan.refunds
  const mode = acquirer.refundModes.get('mode') ?? 'succeed'
  return mode === 'fail' ? 'fail_later' : mode
}

/** Whether the refund can end so. One that succeeded can still fail. */
export function canEnd({ wire: { status } }: Kept<Refund>, outcome: RefundOutcome): boolean {
  if (outcome === 'answer' || outcome === 'expire') return status === 'requires_action'
  if (status === 'failed' || status === 'canceled') return false
  return status !== 'succeeded' || outcome === 'fail'
}

/** Ends a refund, or brings it closer to its end. Money that could not be delivered comes back, also after the refund had succeeded. */
export function endRefund(acquirer: Acquirer, refund: Kept<Refund>, outcome: RefundOutcome): Refund {
  const { wire, account } = refund
  const { pending_reason: _, next_action: __, ...rest } = wire
  const end = (to: Partial<Refund>) =>
    change(acquirer, acquirer.refunds, { account, wire: rest }, to, 'refund.updated', { status: wire.status })
  acquirer.store.cancel(`refund ${wire.id}`)
  if (outcome === 'answer') {
    const plan = planOf(acquirer, present(acquirer.charges.get(wire.charge)))
    const sent = end({ pending_reason: 'processing', status: 'pending' })
    if (plan !== 'pending') endLater(acquirer, wire.id, plan)
    return sent
  }
  if (outcome === 'succeed') return end({ status: 'succeeded' })
  const isCanceled = outcome === 'expire'
  const ended = end({
    failure_balance_transaction: move(acquirer, account, {
      amount: wire.amount,
      currency: wire.currency,
      reporting_category: 'refund_failure',
      source: wire.id,
      type: 'refund_failure',
    }).id,
    ...(isCanceled ? {} : { failure_reason: reasonOf(acquirer, wire) }),
    status: isCanceled ? 'canceled' : 'failed',
  })
  if (!isCanceled) emit(acquirer, account, 'refund.failed', ended)
  const charge = present(acquirer.charges.get(wire.charge))
  const amount_refunded = charge.wire.amount_refunded - wire.amount
  acquirer.charges.put(wire.charge, { ...charge, wire: { ...charge.wire, amount_refunded, refunded: false } })
  return ended
}

function reasonOf(acquirer: Acquirer, { charge }: Refund): string {
  const { type } = present(acquirer.charges.get(charge)).wire.payment_method_details
  return type === 'card' ? 'expired_or_canceled_card' : 'declined'
}
