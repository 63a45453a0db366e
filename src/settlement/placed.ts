// A receipt with the attempt that it is about, and by which steps its postings are known in the books.
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import type * as recipes from '#/ledger/recipes.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'

/** A receipt whose attempt is one of ours. */
export type Placed = Receipt & {
  readonly attempt: { readonly id: AttemptId; readonly merchantId: MerchantId; readonly paymentId: PaymentId }
}

/** What a receipt of the batch adds to the record of its payment, before the receipt is stored. */
export type RecordAddition = Pick<Placed, 'attempt' | 'outcome' | 'providerRef' | 'means'>

/** The occasion of a payment's receipt: its steps in the books carry the receipt's number. */
export function occasionOf(receipt: Placed, payment: Payment): recipes.Occasion {
  return { subject: payment.id, ordinal: payment.receipts, cause: sha256(receipt.evidence) }
}

/** The occasion of a report of a refund or a dispute: its steps carry the version that the report makes. */
export function occasionOfVersion(
  { evidence }: Receipt,
  { id, version }: { readonly id: string; readonly version: number },
): recipes.Occasion {
  return { subject: id, ordinal: version, cause: sha256(evidence) }
}
