// What rails report of a payment, for the page of its payer.
import type { RailFields } from '#/contract/payment-rail-fields.ts'
import type { Coin, Presentation } from '#/rails/rail.ts'

export type Proof = {
  /** The fields of the attempts that were paid. */
  readonly fields: RailFields
  /** The provider's names of the money, oldest first, at most `shownMax`. */
  readonly refs: readonly string[]
}

/** What the rail of the payment's method reports of it. */
export type Means = {
  /** The fields that the rail adds to the payment's record. */
  readonly fields: RailFields
  /** What proves that the money came, of the method by which it came last. */
  readonly proof?: Proof
  /** For CRYPTO. */
  readonly coin?: Coin
  /** For rails that open an attempt with the page, once the attempt is open. */
  readonly presentation?: Presentation
  /** The attempt that is shown is for exactly the rest. */
  readonly isForRest?: true
  /** The provider refused the last attempt, and there is no other. */
  readonly isRefused?: true
}
