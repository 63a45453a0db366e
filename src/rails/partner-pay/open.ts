// Places an order. The provider returns the order's links only once, in the answer to the call that creates it. So an order whose
// answer was lost is closed, and its attempt is given up; another attempt gets another order.
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { addMs, hourMs, minuteMs, secondMs, type Clock } from '#/kernel/time.ts'
import type { Opened, Opening } from '#/rails/rail.ts'
import { refusedFor } from '#/rails/refusal.ts'
import { codes, hasCode, type NewOrder, type PartnerClient, type Timeouts } from './client.ts'
import type { OpenConnection } from './connections.ts'
import { isOpen, toReference } from './receipts.ts'
import type { Order, PlacedOrder } from './wire.ts'

/** The provider refuses an order with a longer lifetime, by its own clock; the margin is for the difference of the clocks. */
const lifetimeMaxMs = hourMs - 5 * secondMs

/**
 * How long another process that has just created an order may still need to store its links, for example for the same payer in
 * another tab. By then its call has ended, and it had a quarter of that time more to store the links. So if an older order has no
 * stored links, they are lost.
 */
const storingMs = ({ totalMs }: Timeouts) => (totalMs * 5) / 4

/**
 * Returns the links of the attempt's order. If they were lost, closes the order and returns artifacts without links that have
 * already expired. Throws ProviderError while it is not known whether there is an order.
 */
export async function openOrder(
  { client, settings }: OpenConnection,
  opening: Opening,
  deps: { readonly clock: Clock; readonly timeouts: Timeouts },
): Promise<Opened> {
  const order = orderOf(opening, settings.subMerchantId, deps.clock)
  try {
    return { ok: true, artifacts: artifactsOf((await client.placeOrder(order)).value, order) }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.outcome === 'unavailable') throw error
    if (error.outcome === 'unknown' || hasCode(error, codes.tradeNo))
      return await abandonLost(client, order, deps, error)
    return refusedFor('refused_by_provider', error.message)
  }
}

function orderOf(opening: Opening, subMerchantId: string | undefined, clock: Clock): NewOrder {
  const { id, paymentId, amount, expiresAt, description, pageUrl } = opening
  const latest = addMs(clock.now(), lifetimeMaxMs)
  return {
    tradeNo: toReference(id),
    amount: amount.minor,
    expiresAt: expiresAt < latest ? expiresAt : latest,
    description: description ?? `Payment ${paymentId}`,
    reference: paymentId,
    goodsId: toReference(paymentId),
    ...given({ pageUrl, subMerchantId }),
  }
}

function artifactsOf(answer: PlacedOrder, order: NewOrder) {
  const { prepayId, qrContent, universalUrl, checkoutUrl, expiresAt } = answer
  return {
    prepayId,
    code: qrContent,
    appUrl: universalUrl,
    ...given({ checkoutUrl }),
    expiresAt: (expiresAt ?? order.expiresAt).toISOString(),
  }
}

/** Handles a call that may have created the order, or found it existing. Afterwards that order cannot be paid any more. */
async function abandonLost(
  client: PartnerClient,
  { tradeNo }: NewOrder,
  { clock, timeouts }: { readonly clock: Clock; readonly timeouts: Timeouts },
  error: ProviderError,
): Promise<Opened> {
  const kept = await client.findOrder({ tradeNo })
  // A call that was cut off may still arrive; the next call with this number finds out.
  if (kept === undefined) throw new ProviderError('unknown', error.message, error)
  const order = kept.value
  if (isOpen(order)) {
    const freeAt = addMs(order.createdAt ?? clock.now(), storingMs(timeouts))
    if (freeAt > clock.now())
      throw new ProviderError(
        'unknown',
        'the order was made just now, and its links may be on their way',
        error,
      )
    await endOrder(client, order)
  }
  // Expired by every clock, also by one that is a little behind ours.
  const expiresAt = addMs(clock.now(), -minuteMs).toISOString()
  return { ok: true, artifacts: { prepayId: order.prepayId, expiresAt } }
}

/**
 * Closes an order unless it is over. Throws ProviderError while its payer is paying it: then the order cannot be closed, and no
 * other order may replace it.
 */
export async function endOrder(client: PartnerClient, { tradeNo }: Pick<Order, 'tradeNo'>): Promise<void> {
  try {
    await client.closeOrder(tradeNo)
  } catch (error) {
    if (hasCode(error, codes.absent)) return
    if (!hasCode(error, codes.orderStatus)) throw error
    const now = await client.findOrder({ tradeNo })
    if (now !== undefined && isOpen(now.value))
      throw new ProviderError('unknown', 'the order cannot be closed: its payer may be paying it', error)
  }
}
