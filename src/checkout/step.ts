// Which of the page's steps a payment is at. Everything that the payer reads hangs on it.
import { addMs, hourMs } from '#/kernel/time.ts'
import { maxOf } from '#/kernel/money.ts'
import { missingMinor, type Payment } from '#/payments/payment.ts'
import { methodOf } from './methods/all.ts'
import type { PageStep } from './page-state.ts'

/** What the payer's money came to, in minor units: here, on its way, and what is still to be sent. */
export type Sums = {
  /** Received and not given back. */
  readonly kept: bigint
  /** The same with what is on its way. */
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

/** `canPay`: what the payer needs to pay is there. `isRefused`: its provider does not give it. */
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
      return 'canceled'
    case 'PENDING':
    case 'WAITING_PAYMENT':
      if (arriving > 0n) return open > 0n ? 'underpaid' : 'confirming'
      // Soon it is EXPIRED: until then nothing is being prepared, and nothing can be chosen.
      if (payment.expiresAt !== undefined && payment.expiresAt <= now) return 'expired'
      if (payment.method === undefined) return 'choose'
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

/** Who pays in another app may have paid in time, and the money comes when it is over, most of it soon after. */
const watchedMs = hourMs

/** Whether the page has nothing more to wait for. */
export function isOver(payment: Payment, now: Date): boolean {
  switch (payment.status) {
    case 'PAID':
    case 'CANCELED':
      return true
    case 'FAILED':
      return payment.seenMinor === 0n
    case 'EXPIRED': {
      const endedAt = payment.expiresAt ?? now
      const isPaidElsewhere = methodOf(payment)?.isPaidElsewhere === true
      const mayCome = isPaidElsewhere && now < addMs(endedAt, watchedMs)
      return payment.seenMinor === 0n && !mayCome
    }
    case 'PENDING':
    case 'WAITING_PAYMENT':
    case 'APPROVED':
      return false
    default:
      return payment.status satisfies never
  }
}
