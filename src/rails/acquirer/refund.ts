// Refunds card money: POST /v1/refunds with our refund's id as its key and in its metadata. So the provider refunds once, even
// when calls fail or the key has expired.
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { AnswerError } from '#/rails/kit/answer-error.ts'
import { refundFailed, sendRefund } from '#/rails/kit/refund.ts'
import type { Method } from '#/rails/method.ts'
import type { Refunder, RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { CardError, type Answered, type CardClient } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { NonsenseError } from './fields.ts'
import { receiptsOfRefund } from './receipts.ts'
import { underKey } from './replay.ts'
import type { Refund } from './wire.ts'

/** How this rail gives money back. The provider sets no time limit; a bank may still refuse an old refund. */
export function createCardRefunder(deps: {
  readonly open: OpenConnections
  readonly clock: Clock
  readonly log: Log
  /** The method whose money it gives back. */
  readonly method: Method
}): Refunder {
  const { open, clock, log, method } = deps
  return {
    async send(order, again) {
      const { client } = open.refunding(order.connection)
      const steps = {
        // Keys are forgotten after a day: an earlier refund is found by our own id.
        find: () => find(client, order),
        ask: () => create(client, order),
        isRefusal: (error: AnswerError) => error instanceof CardError,
        receiptsOf: (found: Answered<Refund>) => receiptsFrom(order, found, clock, method),
        failed: (refusal: CardError) => failureOf(order, refusal, clock, method),
      }
      return sendRefund(order, again, steps, log)
    },
  }
}

async function find(client: CardClient, { id, paidRef }: RefundOrder): Promise<Answered<Refund> | undefined> {
  const refunds = await client.listRefunds(paidRef, false)
  return refunds.find(({ value }) => value.refund === id)
}

function create(client: CardClient, order: RefundOrder): Promise<Answered<Refund>> {
  const { id, paidRef, amount, attempt } = order
  const form = {
    payment_intent: paidRef,
    amount: String(amount.minor),
    reason: 'requested_by_customer',
    'metadata[refund_id]': id,
    'metadata[attempt_id]': attempt.id,
  }
  return underKey(id, { ask: (key) => client.createRefund(form, key), find: () => find(client, order) })
}

function receiptsFrom(order: RefundOrder, { value, raw }: Answered<Refund>, clock: Clock, method: Method) {
  const { id, attempt, connection, paidRef, amount } = order
  const isOrdered =
    value.refund === id && value.amount.minor === amount.minor && value.amount.currency === amount.currency
  if (!isOrdered) throw new NonsenseError('refund', 'is not the one that was requested')
  const source = { connection, evidence: raw, readAt: clock.now() }
  return receiptsOfRefund(source, value, { attempt: attempt.id, intent: paidRef, method }).map((receipt) => ({
    ...receipt,
    attempt,
  }))
}

/** The provider's codes, in words for a merchant (https://docs.stripe.com/error-codes). */
const messages: ReadonlyMap<string, string> = new Map([
  ['balance_insufficient', 'The balance at the card provider did not hold enough.'],
  ['charge_already_refunded', 'The card provider has given the money back already.'],
  ['charge_disputed', 'The payer disputes the payment, so the card provider takes no refund of it.'],
])

function failureOf(order: RefundOrder, { fault, raw }: CardError, clock: Clock, method: Method): Receipt {
  return refundFailed(order, clock, {
    method,
    providerRef: `${order.paidRef}:${order.id}`,
    failure: {
      code: 'refused_by_provider',
      message: messages.get(fault.code ?? '') ?? 'The card provider did not take the refund.',
    },
    evidence: raw,
  })
}
