// Gives money back: order/refund. The call has our refund's id, which the provider keeps for good, so it refunds once, even when
// calls fail. An order can be refunded ten times, and the tenth refund gives back ALL that is left, whatever amount it requests.
// The rail refuses such a refund unless it requests exactly the rest.
import { given } from '#/kernel/given.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { AnswerError } from '#/rails/kit/answer-error.ts'
import { refundFailed, sendRefund } from '#/rails/kit/refund.ts'
import type { Refunder, RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { PartnerError, type Answered, type PartnerClient } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { receiptsOfRefund, refundRefOf, toReference } from './receipts.ts'
import { nonsense, toAmountText, type Refund } from './wire.ts'

/** The number of refunds that can be sent at the same time without any of them being the last. */
const safeRefunds = 9

export function createPartnerRefunder(deps: {
  readonly open: OpenConnections
  readonly clock: Clock
  readonly log: Log
}): Refunder {
  const { open, clock, log } = deps
  return {
    async send(order, again) {
      const { client } = open.refunding(order.connection)
      const steps = {
        find: () => client.findRefund(toReference(order.id)),
        async insteadOfAsking() {
          const room = await roomFor(client, order)
          if (room === 'later') return []
          return room === 'none' ? [failureOf(order, clock, exhausted)] : undefined
        },
        async ask() {
          await ask(client, order, log)
          // The answer has fewer fields than the refund itself.
          return undefined
        },
        isRefusal: (error: AnswerError) => error instanceof PartnerError,
        receiptsOf: (found: Answered<Refund>) => receiptsFrom(order, found, clock),
        failed({ code, raw }: PartnerError) {
          const message = messages.get(code ?? '') ?? 'The wallet provider did not take the refund.'
          return failureOf(order, clock, { code: 'refused_by_provider', message }, raw)
        },
      }
      return sendRefund(order, again, steps, log)
    },
  }
}

/** The provider's codes, in words for a merchant. */
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
 * Whether the provider would refund exactly the requested amount. It does so for the first nine refunds, in any order. Each later
 * one waits until all before it have ended, and then the provider's own count decides.
 */
async function roomFor(client: PartnerClient, order: RefundOrder): Promise<'now' | 'later' | 'none'> {
  const { earlier = [], amount } = order
  if (earlier.length < safeRefunds) return 'now'
  if (earlier.some(({ status }) => status === 'PENDING')) return 'later'
  const answers = await Promise.all(earlier.map(({ id }) => client.findRefund(toReference(id))))
  const refunds = answers.flatMap((each) => each?.value ?? [])
  // Each answer has the count right after its own refund: the lowest one is the current count.
  const attemptsLeft = Math.min(...refunds.map((each) => each.attemptsLeft))
  if (attemptsLeft > 1) return 'now'
  const ours = refunds.reduce((sum, each) => (each.status === 'REFUND_FAIL' ? sum : sum + each.amount), 0n)
  // The provider's sum includes refunds that a person made at the provider. Both sums must leave the same rest.
  const isRest = refunds.every(({ orderAmount }) => orderAmount - ours === amount.minor)
  const isAll = refunds.some(({ orderAmount, refunded }) => orderAmount - refunded === amount.minor)
  return attemptsLeft === 1 && isRest && isAll ? 'now' : 'none'
}

async function ask(client: PartnerClient, order: RefundOrder, log: Log): Promise<void> {
  const { id, paidRef, amount, reason } = order
  const { value } = await client.refund({
    requestId: toReference(id),
    prepayId: paidRef,
    amount: amount.minor,
    ...given({ reason }),
  })
  if (value.amount === amount.minor) return
  const [requested, returned] = [toAmountText(amount.minor), toAmountText(value.amount)]
  log.error(
    { refund: id, requested, given: returned },
    'the wallet provider refunds another amount than requested',
  )
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
  order: RefundOrder,
  clock: Clock,
  failure: NonNullable<Receipt['failure']>,
  evidence: Buffer = Buffer.from(JSON.stringify(failure)),
): Receipt {
  const providerRef = refundRefOf(order.paidRef, order.id)
  return refundFailed(order, clock, { method: 'PARTNER_PAY', providerRef, failure, evidence })
}
