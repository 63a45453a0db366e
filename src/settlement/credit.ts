// How final money changes a payment: its sums, its state, its exceptions, and the event for the merchant. Pure.
// The rules for money that is too little, too much, late or paid twice are here; incoming.ts has the rules for authorisations.
import { given } from '#/kernel/given.ts'
import { next } from '#/kernel/state.ts'
import { paymentStates, type Payment, type PaymentException, type PaymentStatus } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { EventType } from '#/webhooks/event.ts'

export type Arrived = {
  readonly arrived: bigint
  readonly fee: bigint
  readonly receipt: Pick<Receipt, 'happenedAt' | 'txHash' | 'authorised' | 'providerRef'>
  readonly at: Date
}

/**
 * The payment after the money, and the event that reports it. An arrival of less than one minor unit changes nothing and causes
 * no event.
 */
export function judged(
  payment: Payment,
  money: Arrived,
): { readonly payment: Payment; readonly event?: EventType } {
  if (money.arrived === 0n) return { payment }
  const sums: Payment = {
    ...payment,
    receivedMinor: payment.receivedMinor + money.arrived,
    feeMinor: payment.feeMinor + money.fee,
  }
  if (payment.status === 'PAID') return noted(sums, ['DUPLICATE'], 'payment.received_after_close')
  const late: readonly PaymentException[] = isLate(payment, money) ? ['LATE'] : []
  if (payment.status === 'CANCELED') return noted(sums, late, 'payment.received_after_close')
  const kept = sums.receivedMinor - sums.refundedMinor
  // A captured authorisation is never UNDERPAID: the merchant chose how much to capture.
  if (kept < payment.amountMinor && money.receipt.authorised === undefined) {
    const event = isOpen(payment.status) ? 'payment.underpaid' : 'payment.received_after_close'
    return noted(sums, ['UNDERPAID', ...late], event)
  }
  return completed(sums, kept > payment.amountMinor ? ['OVERPAID', ...late] : late, money)
}

function completed(payment: Payment, exceptions: readonly PaymentException[], { receipt, at }: Arrived) {
  const status = next(paymentStates, payment.status, 'paid') ?? payment.status
  const paid: Payment = {
    ...payment,
    status,
    paidAt: at,
    exceptions: payment.exceptions.filter((each) => each !== 'UNDERPAID'),
    completingRef: receipt.providerRef,
    ...given({ completingTx: receipt.txHash }),
  }
  return noted(paid, exceptions, 'payment.completed')
}

function noted(payment: Payment, exceptions: readonly PaymentException[], event: EventType) {
  return { payment: { ...payment, exceptions: [...new Set([...payment.exceptions, ...exceptions])] }, event }
}

function isOpen(status: PaymentStatus): boolean {
  return status === 'PENDING' || status === 'WAITING_PAYMENT' || status === 'APPROVED'
}

/**
 * Whether the money is late by the time at which the payer paid, not by our clock. Money that was sent in time and detected
 * later is not late, and neither is money that was authorised in time and captured later.
 */
function isLate({ expiresAt, status }: Payment, { receipt }: Arrived): boolean {
  return status !== 'APPROVED' && expiresAt !== undefined && receipt.happenedAt >= expiresAt
}
