// Giving card money back: POST /v1/refunds with our refund's id as its key and in its metadata, so the provider gives it back
// once, whatever happens to our calls and however old the key is.
import type { Receipt } from '#/rails/words.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { requireLeave, type Refunder, type RefundOrder } from '#/rails/rail.ts'
import { CardError, type Answered, type CardClient } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { NonsenseError } from './fields.ts'
import { receiptsOfRefund } from './receipts.ts'
import { underKey } from './replay.ts'
import type { Refund } from './wire.ts'

/** How this rail gives money back. The provider sets no end to it; a bank may still refuse an old one. */
export function createCardRefunder(deps: {
  readonly open: OpenConnections
  readonly clock: Clock
  readonly log: Log
}): Refunder {
  const { open, clock } = deps
  return {
    async send(order, again) {
      const { client } = open.refunding(order.connection)
      // Keys are forgotten after a day: what was asked for before is looked for by our own id.
      const known = again ? await find(client, order) : undefined
      if (known === undefined) await requireLeave(order)
      const answer = known ?? (await ask(client, order))
      return answer instanceof CardError
        ? [refusalOf(order, answer, deps)]
        : receiptsFrom(order, answer, clock)
    },
  }
}

async function find(client: CardClient, { id, paidRef }: RefundOrder): Promise<Answered<Refund> | undefined> {
  const refunds = await client.listRefunds(paidRef, false)
  return refunds.find(({ value }) => value.refund === id)
}

/** The refund, or its refusal, which is believed only when there is no such refund. */
async function ask(client: CardClient, order: RefundOrder): Promise<Answered<Refund> | CardError> {
  const { id, paidRef, amount, attempt } = order
  const form = {
    payment_intent: paidRef,
    amount: String(amount.minor),
    reason: 'requested_by_customer',
    'metadata[refund_id]': id,
    'metadata[attempt_id]': attempt.id,
  }
  const found = () => find(client, order)
  try {
    return await underKey(id, { ask: (key) => client.createRefund(form, key), find: found })
  } catch (error) {
    if (!(error instanceof CardError) || error.outcome !== 'refused') throw error
    return (await found()) ?? error
  }
}

function receiptsFrom(order: RefundOrder, { value, raw }: Answered<Refund>, clock: Clock) {
  const { id, attempt, connection, paidRef, amount } = order
  const isOrdered =
    value.refund === id && value.amount.minor === amount.minor && value.amount.currency === amount.currency
  if (!isOrdered) throw new NonsenseError('refund', 'is another than was asked for')
  const source = { connection, evidence: raw, readAt: clock.now() }
  return receiptsOfRefund(source, value, { attempt: attempt.id, intent: paidRef }).map((receipt) => ({
    ...receipt,
    attempt,
  }))
}

/** What the provider's codes mean to a merchant (https://docs.stripe.com/error-codes). */
const messages: ReadonlyMap<string, string> = new Map([
  ['balance_insufficient', 'The balance at the card provider did not hold enough.'],
  ['charge_already_refunded', 'The card provider has given the money back already.'],
  ['charge_disputed', 'The payer disputes the payment, so the card provider takes no refund of it.'],
])

function refusalOf(
  order: RefundOrder,
  error: CardError,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Receipt {
  log.warn({ refund: order.id, said: messageOf(error) }, 'the card provider refuses a refund')
  const { id, attempt, connection, paidRef, amount } = order
  return {
    method: 'CREDIT_CARD',
    attempt,
    connection,
    providerRef: `${paidRef}:${id}`,
    outcome: 'refund_failed',
    occurrence: 1,
    refund: id,
    amount,
    happenedAt: clock.now(),
    evidence: error.raw,
    failure: {
      code: 'refused_by_provider',
      message: messages.get(error.fault.code ?? '') ?? 'The card provider did not take the refund.',
    },
  }
}
