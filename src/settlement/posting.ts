// How settlement posts to the books: by recipes, under the occasion of a receipt.
import { must } from '#/kernel/check.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Batch } from '#/ledger/kind.ts'
import type * as recipes from '#/ledger/recipes.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Placed } from './placed.ts'

/** The occasion of a payment's receipt: its steps in the books carry the receipt's number. */
export function occasionOf(receipt: Placed, payment: Payment): recipes.Occasion {
  return { subject: payment.id, ordinal: payment.receipts, cause: sha256(receipt.evidence) }
}

/** Posts what the accounts always cover: if the books refuse it, the error is ours, and the item is isolated. */
export function postAll(
  { books }: Pick<Batch, 'books'>,
  postings: Parameters<Batch['books']['post']>[0],
): void {
  const result = books.post(postings)
  must(
    result.ok || undefined,
    result.ok ? '' : `the books refused what a provider reported: ${result.refusal.reason}`,
  )
}
