// The fields that rails add to a payment's record. A rail that adds fields has them here.
import { Type as T, type TObject } from 'typebox'
import { count, instant, whole } from '#/kernel/schema.ts'
import type { Of } from './record.ts'

/** A payment's record contains at most this many deposits, or other names of money. */
export const shownMax = 10

// ---- PIX

/** Available as soon as the payment is. */
const pixFieldsAtCreation = {
  pixCopyPaste: T.Optional(
    T.String({ description: 'The BR Code that the payer pastes into the bank’s app.' }),
  ),
  pixQrCode: T.Optional(
    T.String({
      description: 'The same as a picture: `data:image/png;base64,…`. Not in lists and webhooks.',
    }),
  ),
}

const pixFields = {
  ...pixFieldsAtCreation,
  endToEndIds: T.Optional(
    T.Array(T.String(), {
      maxItems: shownMax,
      description:
        'The names that the PIX system gave to what was paid: at most ten, the newest and the one that completed the sum.',
    }),
  ),
}

// ---- CREDIT_CARD

const cardFields = {
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

// ---- Local methods

/** Available as soon as the payment is. */
const localFieldsAtCreation = {
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
        description: 'What the payer takes to a bank (MULTIBANCO, BOLETO). Not on a payment with a checkout.',
      },
    ),
  ),
}

// ---- CRYPTO

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

const cryptoFields = {
  cryptoAddress: T.Optional(T.String({ description: 'The address to pay to; this payment’s alone.' })),
  cryptoAmount: T.Optional(
    T.String({
      description:
        'What to send there, in base units with 18 decimals, whatever the token: divide by 10^18. A contract takes `cryptoAmountToken`.',
    }),
  ),
  cryptoAmountToken: T.Optional(
    T.String({
      description: 'The same amount as the token’s contract counts it: what a wallet passes to `transfer`.',
    }),
  ),
  cryptoDecimals: T.Optional(whole(0, 18, 'The decimals of `cryptoAmountToken`.', [18])),
  cryptoContract: T.Optional(T.String({ description: 'The token’s contract, with its checksum (EIP-55).' })),
  cryptoChainId: T.Optional(
    whole(1, Number.MAX_SAFE_INTEGER, 'The chain id of the network (EIP-155).', [56]),
  ),
  cryptoNetwork: T.Optional(T.String({ description: 'The only network to send on.', examples: ['BSC'] })),
  cryptoCurrency: T.Optional(T.String({ description: 'The only token to send.', examples: ['USDT'] })),
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

// ---- SEPA_TRANSFER

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
const sepaFieldsAtCreation = { sepa: T.Optional(sepa) }

/** The fields that the answer to a payment's creation contains. */
export const recordFieldsAtCreation = {
  ...pixFieldsAtCreation,
  ...localFieldsAtCreation,
  ...sepaFieldsAtCreation,
}

export const recordFields = {
  ...pixFields,
  ...cardFields,
  ...localFieldsAtCreation,
  ...cryptoFields,
  ...sepaFieldsAtCreation,
}

/** What the rails add to the record of one payment. */
export type RailFields = Of<TObject<typeof recordFields>>
export type RailFieldsAtCreation = Of<TObject<typeof recordFieldsAtCreation>>
