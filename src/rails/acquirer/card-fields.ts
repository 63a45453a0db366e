// The fields that a card adds to a payment's record, as the API publishes them.
import { Type as T } from 'typebox'

export const cardFields = {
  card: T.Optional(
    T.Object(
      {
        brand: T.Optional(T.String({ examples: ['visa'] })),
        last4: T.Optional(T.String({ examples: ['4242'] })),
        threeDSecure: T.Optional(T.String({ examples: ['AUTHENTICATED'] })),
      },
      { title: 'PaymentCard', description: 'The card, as its provider tells it.' },
    ),
  ),
}
