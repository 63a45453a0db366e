// Giving PIX money back: PUT /pix/{e2eid}/devolucao/{id}. The id is the refund's, so the PSP knows it for ever and gives the
// money back once, whatever happens to our calls.
import type { Receipt } from '#/rails/words.ts'
import { ProviderError, messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { hourMs } from '#/kernel/time.ts'
import { requireLeave, type Refunder, type RefundOrder } from '#/rails/rail.ts'
import { PixError, type Answered, type PixClient } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { receiptsOfReturn, toReference } from './receipts.ts'
import type { PixReturn } from './wire.ts'

/** The payer sees at most so much of the reason. */
const noteMax = 140

/** How this rail gives money back, within the 90 days that API Pix allows. */
export function createPixRefunder(deps: {
  readonly open: OpenConnections
  readonly clock: Clock
  readonly log: Log
}): Refunder {
  const { open, clock } = deps
  return {
    windowMs: 90 * 24 * hourMs,
    async send(order, again) {
      const { client } = open.refunding(order.connection)
      const known = again ? await find(client, order) : undefined
      if (known !== undefined) return receiptsFrom(order, known, clock)
      await requireLeave(order)
      const answer = await ask(client, order)
      return answer instanceof PixError
        ? [refusalOf(order, answer, deps)]
        : receiptsFrom(order, answer, clock)
    },
  }
}

function find(client: PixClient, { id, paidRef }: RefundOrder): Promise<Answered<PixReturn> | undefined> {
  return client.getReturn(paidRef, toReference(id))
}

/**
 * The return as the PSP has it now, or its refusal. A PSP also refuses an id that it has already, which may be ours of a
 * call that was cut off: it is believed only when it has no such return.
 */
async function ask(client: PixClient, order: RefundOrder): Promise<Answered<PixReturn> | PixError> {
  const { id, paidRef, amount, reason } = order
  const note = reason === undefined ? undefined : cut(reason, noteMax)
  try {
    return await client.putReturn({
      endToEndId: paidRef,
      id: toReference(id),
      amount: amount.minor,
      ...(note === undefined ? {} : { note }),
    })
  } catch (error) {
    if (!(error instanceof PixError) || error.outcome !== 'refused') throw error
    return (await find(client, order)) ?? error
  }
}

function receiptsFrom(
  order: RefundOrder,
  { value, raw }: Answered<PixReturn>,
  clock: Clock,
): readonly Receipt[] {
  if (value.id !== toReference(order.id) || value.amount !== order.amount.minor) {
    throw new ProviderError('unknown', "the PSP's answer makes no sense: it tells of another return")
  }
  const { attempt, connection, paidRef } = order
  return receiptsOfReturn(
    { attempt, connection, providerRef: paidRef, happenedAt: clock.now() },
    // It was we who asked for it, whatever nature the PSP gave it.
    { ...value, nature: 'ORIGINAL' },
    raw,
  )
}

function refusalOf(
  order: RefundOrder,
  error: PixError,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Receipt {
  log.warn({ refund: order.id, said: messageOf(error) }, 'a PSP refuses a refund')
  const { id, attempt, connection, paidRef, amount } = order
  return {
    method: 'PIX',
    attempt,
    connection,
    providerRef: `${paidRef}:${toReference(id)}`,
    outcome: 'refund_failed',
    occurrence: 1,
    refund: id,
    amount,
    happenedAt: clock.now(),
    evidence: error.raw,
    failure: { code: 'refused_by_provider', message: 'The bank did not take the refund.' },
  }
}

/** At most `max` characters, and none of them halved. */
export function cut(text: string, max: number): string {
  const whole = text.slice(0, max)
  return whole.isWellFormed() ? whole : whole.slice(0, -1)
}
