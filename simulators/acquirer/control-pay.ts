// `POST /_sim/pay`: acts as the payer on the page of a session, or of a local method, without the page.
import { now, seconds } from '../kit/clock.ts'
import { bad, name, oneOf, optional, text, usually, type Values } from '../kit/control-fields.ts'
import { control, type Button } from '../kit/control.ts'
import { present } from '../kit/event-store.ts'
import { given } from '../kit/given.ts'
import { controlProblem, found } from '../kit/refusal.ts'
import { type Acquirer, type KeptIntent, type KeptSession } from './acquirer.ts'
import { answerChallenge, tryCard } from './attempts.ts'
import { cardNames, isCardNumber } from './cards.ts'
import { acts, actOn, canAct, freshIntent, newIntent } from './intents.ts'
import { localMethodOf, localMethods } from './local-methods.ts'
import { completeUnpaid, freshSession } from './sessions.ts'
import type { PaymentIntent } from './wire.ts'

/** Of a session: `card` is tried, and `challenge` is how 3-D Secure is answered; `method` is a voucher instead. Of an intent: `act`. */
const fields = {
  session: optional(name),
  intent: optional(name),
  card: optional(text(40)),
  challenge: usually('pass', oneOf(['pass', 'fail', 'leave'])),
  method: optional(text(40)),
  act: optional(oneOf(acts)),
}
type Paying = Values<typeof fields>
type Payable = KeptSession | KeptIntent

export function payControl(acquirer: Acquirer) {
  return control(acquirer.store, {
    path: 'pay',
    fields,
    run: (paying) =>
      paying.intent === undefined ? paySession(acquirer, paying) : payLocal(acquirer, paying),
    names: ({ wire }: Payable) => ({
      [wire.object === 'checkout.session' ? 'session' : 'intent']: wire.id,
    }),
    buttons: (of) => ('label' in of ? sessionButtons(acquirer, of) : localButtons(of)),
    leads: true,
  })
}

function sessionButtons(acquirer: Acquirer, { wire }: KeptSession): readonly Button<Paying>[] {
  if (wire.status !== 'open') return []
  if (acquirer.intents.get(wire.payment_intent ?? '')?.wire.status === 'requires_action')
    return [
      ['Pass the challenge', { challenge: 'pass' }],
      ['Fail it', { challenge: 'fail' }],
    ]
  return [
    ['Pay', { card: 'success' }],
    ['Decline', { card: 'decline' }],
    ['No funds', { card: 'insufficient_funds' }],
    ['3-D Secure', { card: 'challenge', challenge: 'leave' }],
    ['Pay, dispute later', { card: 'dispute' }],
    ['Pay, refunds fail', { card: 'refund_fails' }],
  ]
}

function localButtons({ wire, local }: KeptIntent): readonly Button<Paying>[] {
  if (wire.status === 'processing')
    return [
      ['Let the money arrive', { act: 'arrive' }],
      ['It never arrives', { act: 'fail' }],
    ]
  if (wire.status !== 'requires_action') return []
  if (localMethodOf(local?.type)?.flow === 'voucher')
    return [
      ['Pay', { act: 'approve' }],
      ['Pay, money takes long', { act: 'slow' }],
      ['Pay, money never arrives', { act: 'fail' }],
    ]
  return [
    ['Approve', { act: 'approve' }],
    ['Decline', { act: 'decline' }],
  ]
}

/** Tries a card, and answers the 3-D Secure challenge. Without a card: answers a challenge that was left. */
function paySession(acquirer: Acquirer, { session: id = '', card, challenge, method }: Paying) {
  const session = found(freshSession(acquirer, id), 'There is no such session')
  const { status, payment_method_types: types } = session.wire
  if (status !== 'open') throw controlProblem(409, status, `The session is ${status}`)
  if (method !== undefined) return chooseVoucher(acquirer, session, method)
  if (!types.includes('card')) throw bad('The session accepts no card')
  const tried = card === undefined ? undefined : tryOne(acquirer, session, card)
  if (tried !== undefined && (tried.status !== 'requires_action' || challenge === 'leave'))
    return outcomeOf(acquirer, id, tried)
  const unanswered = present(acquirer.sessions.get(id))
  const answered = answerChallenge(acquirer, unanswered, challenge === 'pass')
  if (answered === undefined) throw bad('card is the number of a card')
  return outcomeOf(acquirer, id, answered)
}

/** The payer of a session chooses a voucher instead of a card: the session is complete, and unpaid until the voucher's money came. */
function chooseVoucher(acquirer: Acquirer, session: KeptSession, type: string) {
  const { wire, account, intent } = session
  const types = wire.payment_method_types.filter((each) => each !== 'card')
  const method = localMethods.find((each) => each.type === type)
  if (method === undefined || !types.includes(type)) throw bad(`method is one of ${types.join(', ')}`)
  const made = newIntent(acquirer, account, {
    method,
    amount: wire.amount_total,
    description: intent.description,
    metadata: intent.metadata,
    expiresAt: seconds() + method.seconds,
    email: wire.customer_email ?? 'payer@example.com',
    session: wire.id,
  })
  completeUnpaid(acquirer, session, made.id)
  return outcomeOf(acquirer, wire.id, made)
}

/** The payer of a local method acts. */
function payLocal(acquirer: Acquirer, { intent: id = '', act }: Paying) {
  const intent = freshIntent(acquirer, id)
  if (intent?.local === undefined) throw controlProblem(404, 'not_found', 'There is no such PaymentIntent')
  if (act === undefined) throw bad(`act is one of ${acts.join(', ')}`)
  const { status } = intent.wire
  if (!canAct(intent, act)) throw controlProblem(409, status, `The PaymentIntent is ${status}`)
  return { status: actOn(acquirer, intent, act).status, paymentIntent: id }
}

function tryOne(acquirer: Acquirer, unanswered: KeptSession, card: string): PaymentIntent {
  const text = card.replaceAll(' ', '')
  const number = cardNames[text] ?? text
  if (!isCardNumber(number)) throw bad('card is the number of a card')
  const expYear = new Date(now()).getUTCFullYear() + 3
  return tryCard(acquirer, unanswered, { number, expMonth: 12, expYear, name: 'Pessoa Simulada' })
}

function outcomeOf(acquirer: Acquirer, sessionId: string, intent: PaymentIntent) {
  const { status, id, latest_charge: charge, last_payment_error: failed } = intent
  const sessionStatus = present(acquirer.sessions.get(sessionId)).wire.status
  const error = failed && {
    code: failed.code,
    ...given({ declineCode: failed.decline_code }),
    message: failed.message,
  }
  return { status, sessionStatus, paymentIntent: id, charge, ...given({ error: error ?? undefined }) }
}
