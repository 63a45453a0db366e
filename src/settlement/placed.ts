// A receipt with the attempt that it is about.
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Receipt } from '#/rails/receipt.ts'

/** A receipt whose attempt is one of ours. */
export type Placed = Receipt & {
  readonly attempt: { readonly id: AttemptId; readonly merchantId: MerchantId; readonly paymentId: PaymentId }
}

/** What a receipt of the batch adds to the record of its payment, before the receipt is stored. */
export type RecordAddition = Pick<Placed, 'attempt' | 'outcome' | 'providerRef' | 'means'>
