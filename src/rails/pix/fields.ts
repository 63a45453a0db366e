// The fields that PIX adds to a payment's record, as the API publishes them.
import { Type as T } from 'typebox'
import { shownMax } from '#/rails/shown.ts'

/** Available as soon as the payment is. */
export const pixFieldsAtCreation = {
  pixCopyPaste: T.Optional(
    T.String({ description: 'The BR Code that the payer pastes into the bank’s app.' }),
  ),
  pixQrCode: T.Optional(
    T.String({
      description: 'The same as a picture: `data:image/png;base64,…`. Not in lists and webhooks.',
    }),
  ),
}

export const pixFields = {
  ...pixFieldsAtCreation,
  endToEndIds: T.Optional(
    T.Array(T.String(), {
      maxItems: shownMax,
      description:
        'The names that the PIX system gave to what was paid: at most ten, the newest and the one that completed the sum.',
    }),
  ),
}
