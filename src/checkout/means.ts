// What rails say of a payment, for the page of its payer.
import type { RailFields } from '#/payments/record.ts'
import type { Coin, Presentation } from '#/rails/rail.ts'

/** What the rails say of a payment, of its method alone. */
export type Means = {
  /** The fields that the rail adds to the payment's record. */
  readonly fields: RailFields
  /** For CRYPTO. */
  readonly coin?: Coin
  /** For rails that open with the page, when the attempt is open. */
  readonly presentation?: Presentation
  /** Its provider does not take the last attempt, and there is no other. */
  readonly isRefused?: true
}
