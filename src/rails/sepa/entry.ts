// Stored movements: what a file says of a movement, and how the movement was matched.
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { EntryFact } from './fact.ts'
import type { OurPayout } from './payout-queries.ts'
import type { ReferenceOwner } from './queries.ts'

/** A credit that a debit may take back. */
export type Credit = {
  readonly reference: string
  readonly part: number
  readonly minor: bigint
  readonly currency: string
  readonly bookedOn: string
  readonly kind: 'PAID' | 'UNATTRIBUTED' | 'PROPOSED'
  readonly fact: EntryFact
  readonly names: readonly string[]
  readonly merchantId: MerchantId | null
  readonly paymentId: PaymentId | null
  readonly attemptId: AttemptId | null
  /** What was not taken back yet. */
  readonly leftMinor: bigint
}

/**
 * - `PAID`: it quotes one reference of ours.
 * - `PROPOSED`: it quotes none, and exactly one of ours differs by a typo from what it quotes. A person decides.
 * - `UNATTRIBUTED`: it quotes none, or several; it waits in suspense.
 * - `SENT`, `RETURNED`: a payout of ours left, or came back.
 * - `RECALL`: the bank took back a credit.
 * - `UNCLEAR`: the bank says that it took back a credit, but not clearly which one. A person decides.
 * - `OTHER`: any other money that left.
 * - `HELD`: it has the name of another movement, or contradicts itself, and is in no book until a person decides. `like`: that movement.
 * - `UNDONE`: the correction of a statement takes back the debit `like`, which moved nothing in the books.
 * - `SAME`: it was held, and a person decided that it is that movement, told in other words. It moves nothing.
 */
export type Matched =
  | { readonly kind: 'PAID' | 'PROPOSED'; readonly owner: ReferenceOwner; readonly quoted: string }
  | { readonly kind: 'RECALL'; readonly credit: Credit }
  | { readonly kind: 'SENT' | 'RETURNED'; readonly payout: OurPayout }
  /** All payouts of a file left by one debit. */
  | { readonly kind: 'SENT'; readonly payouts: readonly OurPayout[] }
  | { readonly kind: 'UNATTRIBUTED' | 'UNCLEAR' | 'OTHER' }
  | { readonly kind: 'HELD' | 'UNDONE'; readonly like: Pick<Credit, 'reference' | 'part'> | undefined }
