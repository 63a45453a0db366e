// What a payment's record shows of money that came more than once: some of it, and where the rest is.
import type { MerchantId, PaymentId } from '#/kernel/id.ts'

/** At most so many deposits, or other names of money, are in a payment's record, however many came. */
export const shownMax = 10

/** `completing`: the `providerRef` of the money that completed the sum, or what it begins with. It is always shown. */
export type DescribedRef = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly completing?: string
}

/** A page of deposits as records show them, newest first, and the key of its last one if there are more. */
export type DepositPage = {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly next?: readonly string[]
}
