// The fields that CRYPTO adds to a payment's record, as the API publishes them.
import { Type as T } from 'typebox'
import { count, instant } from '#/kernel/schema.ts'
import { shownMax } from '#/rails/shown.ts'

export const deposit = T.Object(
  {
    txHash: T.String(),
    amount: T.String({ description: 'Base units with 18 decimals.' }),
    confirmations: count('Blocks that hold it, its own included.'),
    final: T.Boolean({ description: 'Whether it counts as money.' }),
    at: instant(),
  },
  { title: 'Deposit', description: 'One transfer to the payment’s address.' },
)

export const cryptoFields = {
  cryptoAddress: T.Optional(T.String({ description: 'The address to pay to; this payment’s alone.' })),
  cryptoAmount: T.Optional(T.String({ description: 'What to send there, in base units with 18 decimals.' })),
  cryptoNetwork: T.Optional(T.String({ description: 'The only network to send on.', examples: ['BSC'] })),
  cryptoCurrency: T.Optional(T.String({ examples: ['USDT'] })),
  cryptoReceived: T.Optional(
    T.String({
      description:
        'What counts as money at the address, in base units with 18 decimals. Present while that is no whole number of cents: `amountReceived` has the whole cents alone.',
    }),
  ),
  depositCount: T.Optional(count('How many transfers reached the address, in all.')),
  deposits: T.Optional(
    T.Array(deposit, {
      maxItems: shownMax,
      description:
        'At most ten, oldest first: the newest, and always the one that completed the sum. All of them: `GET /v1/payments/{id}/deposits`.',
    }),
  ),
}
