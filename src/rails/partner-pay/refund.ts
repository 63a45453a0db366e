// Giving money back: order/refund. The id is the refund's, so the provider knows it for ever and gives the money back once,
// whatever happens to our calls. An order can be refunded ten times, and the tenth refund gives back ALL that is left,
// whatever it asks for: such a refund is refused here unless that is what it asks for.
import type { Receipt } from '#/rails/words.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import { requireLeave, type Refunder, type RefundOrder } from '#/rails/rail.ts'
import { PartnerError, type Answered, type PartnerClient } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { receiptsOfRefund, refundRefOf, toReference } from './receipts.ts'
import { nonsense, toAmountText, type Refund } from './wire.ts'

/** So many can be sent at the same time without one of them being the last. */
const safeRefunds = 9

export function createPartnerRefunder(deps: {
  readonly open: OpenConnections
  readonly clock: Clock
  readonly log: Log
}): Refunder {
  const { open, clock, log } = deps
  return {
    async send(order: RefundOrder, again) {
      const { client } = open.refunding(order.connection)
      const requestId = toReference(order.id)
      const known = again ? await client.findRefund(requestId) : undefined
      if (known !== undefined) return receiptsFrom(order, known, clock)
      const room = await roomFor(client, order)
      if (room === 'later') return []
      if (room === 'none') return [failureOf(order, clock, exhausted)]
      await requireLeave(order)
      const refusal = await ask(client, order, log)
      const asked = await client.findRefund(requestId)
      if (asked !== undefined) return receiptsFrom(order, asked, clock)
      if (refusal === undefined) return []
      log.warn({ refund: order.id, said: messageOf(refusal) }, 'the wallet provider refuses a refund')
      const message = messages.get(refusal.code ?? '') ?? 'The wallet provider did not take the refund.'
      return [failureOf(order, clock, { code: 'refused_by_provider', message }, refusal.raw)]
    },
  }
}

/** What the provider's codes mean to a merchant. */
const messages: ReadonlyMap<string, string> = new Map([
  ['400302', 'The wallet provider takes no more refunds of this payment.'],
  ['400303', 'Less is left of the payment at the wallet provider.'],
  ['400304', 'The account at the wallet provider does not hold enough.'],
])

const exhausted = {
  code: 'refund_attempts_exhausted',
  message:
    'The wallet provider takes ten refunds of one payment, and the last one has to give back all that is left.',
}

/**
 * Whether this refund does at the provider what it asks for. The first nine do, in whatever order they arrive. Each later
 * one waits for all before it, and then the provider's own count decides.
 */
async function roomFor(client: PartnerClient, order: RefundOrder): Promise<'now' | 'later' | 'none'> {
  const { earlier = [], amount } = order
  if (earlier.length < safeRefunds) return 'now'
  if (earlier.some(({ status }) => status === 'PENDING')) return 'later'
  const asked = await Promise.all(earlier.map(({ id }) => client.findRefund(toReference(id))))
  const told = asked.flatMap((each) => each?.value ?? [])
  // Each tells how it was after itself: the least that is left is how it is now.
  const attemptsLeft = Math.min(...told.map((each) => each.attemptsLeft))
  if (attemptsLeft > 1) return 'now'
  const ours = told.reduce((sum, each) => (each.status === 'REFUND_FAIL' ? sum : sum + each.amount), 0n)
  // The provider's sum also has what was given back by hand at the provider. Both must leave the same.
  const isRest = told.every(({ orderAmount }) => orderAmount - ours === amount.minor)
  const isAll = told.some(({ orderAmount, refunded }) => orderAmount - refunded === amount.minor)
  return attemptsLeft === 1 && isRest && isAll ? 'now' : 'none'
}

/** Asks for it. Answers the provider's refusal, which may be of a refund that is there already. */
async function ask(client: PartnerClient, order: RefundOrder, log: Log): Promise<PartnerError | undefined> {
  const { id, paidRef, amount, reason } = order
  try {
    const { value } = await client.refund({
      requestId: toReference(id),
      prepayId: paidRef,
      amount: amount.minor,
      ...(reason === undefined ? {} : { reason }),
    })
    if (value.amount !== amount.minor) {
      const [wanted, given] = [toAmountText(amount.minor), toAmountText(value.amount)]
      log.error({ refund: id, wanted, given }, 'the wallet provider gives back another amount than asked for')
    }
    return undefined
  } catch (error) {
    if (error instanceof PartnerError && error.outcome === 'refused') return error
    throw error
  }
}

function receiptsFrom(
  order: RefundOrder,
  { value, raw }: Answered<Refund>,
  clock: Clock,
): readonly Receipt[] {
  const { attempt, connection, paidRef } = order
  const isIt = value.requestId === toReference(order.id) && value.prepayId === paidRef
  if (!isIt || value.amount !== order.amount.minor) throw nonsense('refund', 'is another one')
  return receiptsOfRefund({ attempt, connection, providerRef: paidRef }, value, {
    at: clock.now(),
    evidence: raw,
  })
}

function failureOf(
  { id, attempt, connection, paidRef, amount }: RefundOrder,
  clock: Clock,
  failure: NonNullable<Receipt['failure']>,
  evidence: Buffer = Buffer.from(JSON.stringify(failure)),
): Receipt {
  return {
    method: 'PARTNER_PAY',
    attempt,
    connection,
    providerRef: refundRefOf(paidRef, id),
    outcome: 'refund_failed',
    occurrence: 1,
    refund: id,
    amount,
    happenedAt: clock.now(),
    evidence,
    failure,
  }
}
