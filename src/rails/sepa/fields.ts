// The field that SEPA_TRANSFER adds to a payment's record, as the API publishes it.
import { Type as T } from 'typebox'

const sepa = T.Object(
  {
    iban: T.String({ description: 'The account to pay to.', examples: ['PT50000201231234567890154'] }),
    bic: T.Optional(T.String({ description: 'The bank of the account, where it is known.' })),
    beneficiary: T.String({
      description: 'The holder of the account: the payer’s bank compares the name that the payer enters.',
    }),
    reference: T.String({
      description: 'The creditor reference (ISO 11649) that the payer has to quote. This payment’s alone.',
      examples: ['RF18539007547034'],
    }),
    epcQrCode: T.Optional(
      T.String({
        description:
          'A code that fills in the transfer in a bank’s app (EPC069-12): `data:image/png;base64,…`. Not in lists and webhooks.',
      }),
    ),
  },
  { title: 'SepaTransfer', description: 'SEPA_TRANSFER: where to send the money, and what to quote.' },
)

/** Available as soon as the payment is. */
export const sepaFieldsAtCreation = { sepa: T.Optional(sepa) }
