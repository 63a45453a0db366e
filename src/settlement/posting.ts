// By which steps the postings of a receipt are known in the books.
import { sha256 } from '#/kernel/secret.ts'
import type * as recipes from '#/ledger/recipes.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Placed } from './placed.ts'

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
