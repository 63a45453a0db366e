// Turns the current state of an order, or of a refund, into receipts of our attempts and refunds. Pure functions: the same answer
// always gives the same receipts, and each receipt counts once, so it may be reported repeatedly.
import { given } from '#/kernel/given.ts'
import {
  hexOfUuid,
  uuidOfHex,
  type AttemptId,
  type ConnectionId,
  type PaymentId,
  type RefundId,
} from '#/kernel/id.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { nonsense, type Order, type OrderStatus, type Refund } from './wire.ts'

/** Whether the payer has paid; refunds report what went back since. */
const isPaid: Readonly<Record<OrderStatus, boolean>> = {
  INITIAL: false,
  PENDING: false,
  PAID: true,
  CANCELED: false,
  ERROR: false,
  REFUNDING: true,
  REFUNDED: true,
  FULL_REFUNDED: true,
  EXPIRED: false,
}

/** Whether the order can still be paid, as far as is known. */
export function isOpen({ status }: Order): boolean {
  return status === undefined || status === 'INITIAL' || status === 'PENDING'
}

/** Ends without money, other than by time. The provider does not say who canceled an order: the payer, or we. */
const failures: Readonly<Partial<Record<OrderStatus, NonNullable<Receipt['failure']>>>> = {
  CANCELED: { code: 'order_canceled', message: 'The order was canceled.' },
  ERROR: { code: 'order_failed', message: 'The wallet provider could not carry the order out.' },
}

/**
 * Returns one `paid` after the order was paid, one `declined` after it was canceled. Both are named by the order and not by the
 * transaction, which the provider may report later: a name that changes would count the same money twice. Throws ProviderError when
 * the paid amount cannot be read.
 */
export function receiptsOfOrder(
  connection: ConnectionId,
  order: Order,
  evidence: Buffer,
): readonly Receipt[] {
  const { prepayId, tradeNo, status, amount, paidAt, createdAt } = order
  const failure = status === undefined ? undefined : failures[status]
  const attempt = attemptOf(tradeNo)
  if (status === undefined || (failure === undefined && !isPaid[status])) return []
  // An unpaid order of another program at the same account is ignored.
  if (failure !== undefined && attempt.attempt === undefined) return []
  // The provider does not say when an order was canceled.
  const happenedAt = paidAt ?? createdAt
  if (amount === undefined || amount.minor === 0n) throw nonsense('order.orderAmount', 'is no amount of ours')
  if (happenedAt === undefined) throw nonsense('order.transactTime', 'is no instant')
  const named = {
    method: 'PARTNER_PAY',
    ...attempt,
    connection,
    providerRef: prepayId,
    occurrence: 1,
    amount,
    happenedAt,
    evidence,
  } as const
  return [failure === undefined ? { ...named, outcome: 'paid' } : { ...named, outcome: 'declined', failure }]
}

/** Returns how a refund of ours ended, if it has. `paid` needs only the fields that name the money. */
export function receiptsOfRefund(
  paid: Pick<Receipt, 'attempt' | 'connection' | 'providerRef'>,
  refund: Refund,
  answer: { readonly at: Date; readonly evidence: Buffer },
): readonly Receipt[] {
  const { requestId, amount, status } = refund
  const id = uuidOfHex(requestId)
  if (id === undefined || status === undefined || status === 'REFUND_PENDING') return []
  const base = {
    method: 'PARTNER_PAY' as const,
    ...given({ attempt: paid.attempt }),
    connection: paid.connection,
    providerRef: refundRefOf(paid.providerRef, id as RefundId),
    occurrence: 1,
    refund: id as RefundId,
    amount: { minor: amount, currency: 'USDT' as const },
    // The provider does not say when.
    happenedAt: answer.at,
    evidence: answer.evidence,
  }
  if (status === 'REFUND_SUCCESS') return [{ ...base, outcome: 'refunded' }]
  const failure = { code: 'refused_by_wallet', message: 'The wallet provider did not carry the refund out.' }
  return [{ ...base, outcome: 'refund_failed', failure }]
}

/** The name of a refund in receipts. */
export function refundRefOf(paidRef: string, id: RefundId): string {
  return `${paidRef}:${toReference(id)}`
}

/** Returns a UUID in the form that the provider accepts: its 32 hex digits. */
export function toReference(id: AttemptId | PaymentId | RefundId): string {
  return hexOfUuid(id)
}

/** Absent for an order that another program created at the same account. */
function attemptOf(tradeNo: string): { readonly attempt?: { readonly id: AttemptId } } {
  const id = uuidOfHex(tradeNo)
  return id === undefined ? {} : { attempt: { id: id as AttemptId } }
}
