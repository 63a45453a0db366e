// The fields that rails add to a payment's record, as the API publishes them. This file imports shapes only, never a rail. A rail
// that adds fields has its line here.
import { cardFields } from './acquirer/card-fields.ts'
import { localFields } from './acquirer/local-fields.ts'
import { cryptoFields } from './crypto/fields.ts'
import { pixFields, pixFieldsAtCreation } from './pix/fields.ts'
import { sepaFieldsAtCreation } from './sepa/fields.ts'

/** The fields that the answer to a payment's creation contains. */
export const recordFieldsAtCreation = { ...pixFieldsAtCreation, ...sepaFieldsAtCreation }

export const recordFields = {
  ...pixFields,
  ...cardFields,
  ...localFields,
  ...cryptoFields,
  ...sepaFieldsAtCreation,
}
