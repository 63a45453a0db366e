// How a payment's record shows money that came more than once: a part of it, and where the rest can be read.
import type { deposit } from '#/contract/payment-rail-fields.ts'
import type { Of } from '#/contract/record.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'

/** `completing`: the `providerRef` of the money that completed the sum, or the beginning of it. The record always shows it. */
export type DescribedRef = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly completing?: string
}

/** A page of deposits in the form of the records, newest first, and the key of its last one if there are more. */
export type DepositPage = {
  readonly data: readonly Of<typeof deposit>[]
  readonly next?: readonly string[]
}
