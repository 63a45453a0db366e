// How a payment's record shows money that came more than once: a part of it, and where the rest can be read.
import type { MerchantId, PaymentId } from '#/kernel/id.ts'

/** A payment's record contains at most this many deposits, or other names of money. */
export const shownMax = 10

/** `completing`: the `providerRef` of the money that completed the sum, or the beginning of it. The record always shows it. */
export type DescribedRef = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly completing?: string
}

/** A page of deposits in the form of the records, newest first, and the key of its last one if there are more. */
export type DepositPage = {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly next?: readonly string[]
}
