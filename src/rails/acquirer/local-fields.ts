// The fields that local methods add to a payment's record, as the API publishes them.
import { Type as T } from 'typebox'

export const localFields = {
  voucher: T.Optional(
    T.Object(
      {
        entity: T.Optional(T.String({ description: 'MULTIBANCO.', examples: ['90150'] })),
        reference: T.Optional(T.String({ description: 'MULTIBANCO.', examples: ['123123451'] })),
        line: T.Optional(T.String({ description: 'BOLETO: 47 digits.' })),
        barcode: T.Optional(T.String({ description: 'BOLETO: 44 digits, to be drawn as ITF.' })),
        pdfUrl: T.Optional(T.String({ description: 'BOLETO: its PDF at the provider.' })),
        expiresAt: T.Optional(T.String({ format: 'date-time' })),
      },
      {
        title: 'Voucher',
        description:
          'What the payer takes to a bank (MULTIBANCO, BOLETO), once the page was opened. Not on a payment with a checkout.',
      },
    ),
  ),
}
