// The page's step of a payment. Everything that the payer sees depends on it.
import { maxOf } from '#/kernel/money.ts'
import { addMs, hourMs } from '#/kernel/time.ts'
import { choosesAgainUntil, missingMinor, type Payment } from '#/payments/payment.ts'
import { methodOf } from './methods/all.ts'
import type { PageStep } from './page-state.ts'

/** The payer's money, in minor units: arrived, on its way, and still to be sent. */
export type Sums = {
  /** Received and not refunded. */
  readonly kept: bigint
  /** `kept` and what is on its way. */
  readonly arriving: bigint
  readonly open: bigint
  readonly excess: bigint
}

export function sumsOf(payment: Payment): Sums {
  const kept = payment.receivedMinor - payment.refundedMinor
  return {
    kept,
    arriving: kept + payment.seenMinor,
    open: maxOf(missingMinor(payment) - payment.seenMinor, 0n),
    excess: maxOf(kept - payment.amountMinor, 0n),
  }
}

/** `canPay`: the payer has all that is needed to pay. `isRefused`: the provider refused. */
export function stepOf(
  payment: Payment,
  { canPay, isRefused, now }: { readonly canPay: boolean; readonly isRefused: boolean; readonly now: Date },
): PageStep {
  const { kept, arriving, open, excess } = sumsOf(payment)
  const isLate = payment.exceptions.includes('LATE')
  switch (payment.status) {
    case 'PAID':
      return excess > 0n ? 'overpaid' : isLate ? 'late' : 'paid'
    case 'APPROVED':
      return 'confirming'
    case 'EXPIRED':
      return arriving > kept ? 'confirming' : 'expired'
    case 'FAILED':
      return arriving > kept ? 'confirming' : 'failed'
    case 'CANCELED':
      return arriving > kept ? 'confirming' : 'canceled'
    case 'PENDING':
    case 'WAITING_PAYMENT':
      if (arriving > 0n) return open > 0n ? 'underpaid' : 'confirming'
      // It becomes EXPIRED soon: until then nothing is prepared, and nothing can be chosen. Or only its method is over.
      if (payment.expiresAt !== undefined && payment.expiresAt <= now)
        return choosesAgainUntil(payment, now) === undefined ? 'expired' : 'choose'
      if (payment.method === undefined) return 'choose'
      // All that came was refunded. The charge that was paid cannot be paid again.
      if (payment.receivedMinor > 0n && methodOf(payment)?.restCharge !== undefined) return 'underpaid'
      if (canPay) return 'waiting'
      if (!isRefused) return 'preparing'
      return hasOthers(payment) ? 'choose' : 'failed'
    default:
      return payment.status satisfies never
  }
}

function hasOthers({ request, methods }: Payment): boolean {
  return request.checkout !== undefined && methods.length > 1
}

/** A payer in another app may have paid in time while the money arrives after the end, mostly soon after. */
const watchedMs = hourMs

/** Whether the page has nothing more to wait for: no money is on its way to the payment, and none is likely to come any more. */
export function isOver(payment: Payment, now: Date): boolean {
  switch (payment.status) {
    case 'PAID':
      return (
        payment.seenMinor === 0n && (payment.paidAt === undefined || !mayCome(payment, payment.paidAt, now))
      )
    case 'CANCELED':
    case 'FAILED':
    case 'EXPIRED':
      // A payer may send until the deadline that the page gave, also after an earlier end.
      return payment.seenMinor === 0n && !mayCome(payment, payment.expiresAt, now)
    case 'PENDING':
    case 'WAITING_PAYMENT':
    case 'APPROVED':
      return false
    default:
      return payment.status satisfies never
  }
}

/** Whether a payer in another app may have sent money by this end, which is not seen yet. */
function mayCome(payment: Payment, endedAt: Date | undefined, now: Date): boolean {
  return methodOf(payment)?.isPaidElsewhere === true && now < addMs(endedAt ?? now, watchedMs)
}
