// An attempt at a payment, and the names of a payment and of its money.
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Money } from '#/kernel/money.ts'
import type { Method } from './method.ts'

/** One method tried for one payment. Its id is our reference at the provider, chosen before the first call. */
export type Attempt = {
  readonly id: AttemptId
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly method: Method
  readonly connection: ConnectionId
  readonly amount: Money
}

/** An attempt as it is shown: its artifacts, the provider's names of the money that came, and the means in the latest receipt. */
export type ShownAttempt = {
  readonly id: AttemptId
  readonly artifacts?: Readonly<Record<string, unknown>>
  readonly paidRefs: readonly string[]
  readonly means?: Readonly<Record<string, unknown>>
}

/**
 * Writes down, outside of the database, an attempt that is about to be payable. Resolves when that is on the disk. `name`: the
 * provider's name of the attempt. Throws AppError `unavailable`: then nothing may be handed out.
 */
export type Issue = (attempt: Attempt, name?: string) => Promise<void>

export type PaymentRef = { readonly merchantId: MerchantId; readonly paymentId: PaymentId }

/** One arrival of money for a payment, by the provider's name of it. */
export type PieceRef = PaymentRef & { readonly connection: ConnectionId; readonly paidRef: string }
