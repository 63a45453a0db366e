// The fields that rails add to a payment's record, as the API publishes them. Shapes alone: no rail is dragged in. A rail that
// adds fields has its line here.
import { cardFields } from './acquirer/card-fields.ts'
import { cryptoFields } from './crypto/fields.ts'
import { pixFields, pixFieldsAtCreation } from './pix/fields.ts'

/** Those that the answer to a payment's creation has. */
export const recordFieldsAtCreation = { ...pixFieldsAtCreation }

export const recordFields = { ...pixFields, ...cardFields, ...cryptoFields }
