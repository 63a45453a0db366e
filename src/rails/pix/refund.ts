// Gives PIX money back: PUT /pix/{e2eid}/devolucao/{id}. `id` is our refund's id, which the PSP keeps for good, so it returns the
// money once, even when calls fail.
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { hourMs } from '#/kernel/time.ts'
import type { AnswerError } from '#/rails/kit/answer-error.ts'
import { cut } from '#/rails/kit/cut.ts'
import { refundFailed, sendRefund } from '#/rails/kit/refund.ts'
import type { Refunder, RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { PixError, type Answered, type PixClient } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { receiptsOfReturn, toReference } from './receipts.ts'
import type { PixReturn } from './wire.ts'

/** The limit of the reason that the payer sees. */
const noteMax = 140

/** How this rail gives money back, within the 90 days that API Pix allows. */
export function createPixRefunder(deps: {
  readonly open: OpenConnections
  readonly clock: Clock
  readonly log: Log
}): Refunder {
  const { open, clock, log } = deps
  return {
    windowMs: 90 * 24 * hourMs,
    async send(order, again) {
      const { client } = open.refunding(order.connection)
      const steps = {
        find: () => client.getReturn(order.paidRef, toReference(order.id)),
        ask: () => putReturn(client, order),
        isRefusal: (error: AnswerError) => error instanceof PixError,
        receiptsOf: (found: Answered<PixReturn>) => receiptsFrom(order, found, clock),
        failed: (refusal: PixError) => failureOf(order, refusal, clock),
      }
      return sendRefund(order, again, steps, log)
    },
  }
}

function putReturn(
  client: PixClient,
  { id, paidRef, amount, reason }: RefundOrder,
): Promise<Answered<PixReturn>> {
  const note = reason === undefined ? undefined : cut(reason, noteMax)
  return client.putReturn({
    endToEndId: paidRef,
    id: toReference(id),
    amount: amount.minor,
    ...given({ note }),
  })
}

function receiptsFrom(
  order: RefundOrder,
  { value, raw }: Answered<PixReturn>,
  clock: Clock,
): readonly Receipt[] {
  if (value.id !== toReference(order.id) || value.amount !== order.amount.minor) {
    throw new ProviderError('unknown', "the PSP's answer makes no sense: it is about another return")
  }
  const { attempt, connection, paidRef } = order
  return receiptsOfReturn(
    { attempt, connection, providerRef: paidRef, happenedAt: clock.now() },
    // We requested this return, so the PSP's nature does not count.
    { ...value, nature: 'ORIGINAL' },
    raw,
  )
}

function failureOf(order: RefundOrder, { raw }: PixError, clock: Clock): Receipt {
  return refundFailed(order, clock, {
    method: 'PIX',
    providerRef: `${order.paidRef}:${toReference(order.id)}`,
    failure: { code: 'refused_by_provider', message: 'The bank did not take the refund.' },
    evidence: raw,
  })
}
