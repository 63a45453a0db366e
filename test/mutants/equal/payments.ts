import type { EqualMutant } from './equal-mutant.ts'

const ofIndex =
  'The comparison with the four digits is not true of null either; the condition is that of the partial index, which the planner needs.'

export const payments: readonly EqualMutant[] = [
  {
    file: 'src/payments/find-queries.ts',
    find: "${merchantId} and receipt.means ->> 'last4' is not null\n         ",
    put: '${merchantId} ',
    why: ofIndex,
  },
  {
    file: 'src/payments/find-queries.ts',
    find: "payment.merchant_id and receipt.means ->> 'last4' is not null\n         ",
    put: 'payment.merchant_id ',
    why: ofIndex,
  },
  {
    file: 'src/payments/find-queries.ts',
    find: 'length: 1 << paymentExceptions.length',
    put: 'length: 2 << paymentExceptions.length',
    why: 'The sets beyond are those of no payment, so more values are looked up and none of them is found.',
  },
]
