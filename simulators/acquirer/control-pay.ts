// `POST /_sim/pay`: acts as the payer on the page of a session, without the page.
import { now, seconds } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { asText, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import { controlProblem } from '../kit/refusal.ts'
import { type Acquirer, type KeptSession } from './acquirer.ts'
import { answerChallenge, tryCard } from './attempts.ts'
import { cardNames, isCardNumber } from './cards.ts'
import { acts, actOn, canAct, freshIntent, newIntent } from './intents.ts'
import { localMethods } from './local-methods.ts'
import { completeUnpaid, freshSession } from './sessions.ts'
import type { PaymentIntent } from './wire.ts'

const challenges = ['pass', 'fail', 'leave'] as const

/** Tries a card, and answers the 3-D Secure challenge. Without a card: answers a challenge that was left. */
export function pay(acquirer: Acquirer, body: Fields) {
  if (body['intent'] !== undefined) return payLocal(acquirer, body)
  const id = asText(body['session'], 200) ?? ''
  const session = freshSession(acquirer, id)
  if (session === undefined) throw controlProblem(404, 'not_found', 'There is no such session')
  if (session.wire.status !== 'open')
    throw controlProblem(409, session.wire.status, `The session is ${session.wire.status}`)
  if (body['method'] !== undefined) return chooseVoucher(acquirer, session, body['method'])
  const challenge = challenges.find((each) => each === (body['challenge'] ?? 'pass'))
  if (challenge === undefined)
    throw controlProblem(400, 'invalid_request', `challenge is one of ${challenges.join(', ')}`)
  if (!session.wire.payment_method_types.includes('card'))
    throw controlProblem(400, 'invalid_request', 'The session accepts no card')
  const tried = body['card'] === undefined ? undefined : tryOne(acquirer, session, body['card'])
  if (tried !== undefined && (tried.status !== 'requires_action' || challenge === 'leave'))
    return outcomeOf(acquirer, id, tried)
  const unanswered = present(acquirer.sessions.get(id))
  const answered = answerChallenge(acquirer, unanswered, challenge === 'pass')
  if (answered === undefined) throw controlProblem(400, 'invalid_request', 'card is the number of a card')
  return outcomeOf(acquirer, id, answered)
}

/** The payer of a session chooses a voucher instead of a card: the session is complete, and unpaid until the voucher's money came. */
function chooseVoucher(acquirer: Acquirer, session: KeptSession, type: unknown) {
  const { wire, account, intent } = session
  const method = localMethods.find((each) => each.type === type)
  if (method === undefined || !wire.payment_method_types.includes(method.type))
    throw controlProblem(
      400,
      'invalid_request',
      `method is one of ${wire.payment_method_types.filter((each) => each !== 'card').join(', ')}`,
    )
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
function payLocal(acquirer: Acquirer, body: Fields) {
  const intent = freshIntent(acquirer, asText(body['intent'], 100) ?? '')
  if (intent?.local === undefined) throw controlProblem(404, 'not_found', 'There is no such PaymentIntent')
  const act = acts.find((each) => each === body['act'])
  if (act === undefined) throw controlProblem(400, 'invalid_request', `act is one of ${acts.join(', ')}`)
  const { status } = intent.wire
  if (!canAct(intent, act)) throw controlProblem(409, status, `The PaymentIntent is ${status}`)
  const { status: now } = actOn(acquirer, intent, act)
  return { status: now, paymentIntent: intent.wire.id }
}

function tryOne(acquirer: Acquirer, unanswered: KeptSession, card: unknown): PaymentIntent {
  const text = asText(card, 40)?.replaceAll(' ', '') ?? ''
  const number = cardNames[text] ?? text
  if (!isCardNumber(number)) throw controlProblem(400, 'invalid_request', 'card is the number of a card')
  const expYear = new Date(now()).getUTCFullYear() + 3
  return tryCard(acquirer, unanswered, { number, expMonth: 12, expYear, name: 'Pessoa Simulada' })
}

function outcomeOf(acquirer: Acquirer, sessionId: string, intent: PaymentIntent) {
  const { last_payment_error: error } = intent
  return {
    status: intent.status,
    sessionStatus: present(acquirer.sessions.get(sessionId)).wire.status,
    paymentIntent: intent.id,
    charge: intent.latest_charge,
    ...(error === null
      ? {}
      : {
          error: {
            code: error.code,
            ...given({ declineCode: error.decline_code }),
            message: error.message,
          },
        }),
  }
}
