// Payments: what callers send.
import { Type as T } from 'typebox'
import { amountIn, uuid, whole } from '#/kernel/schema.ts'
import type { Descriptor, PayerNeed } from '#/rails/descriptor.ts'
import { descriptors, methods } from '#/rails/methods.ts'
import * as patterns from './patterns.ts'
import { echoedFields, itemFields, itemsOf, splitFields, splitsOf } from './payments.ts'
import {
  currencyIn,
  documented,
  emptyIsAbsent,
  idempotencyKey,
  pageUrl,
  paymentMethod,
  text,
  url,
} from './words.ts'

/** The methods of which this is true, as a sentence names them. */
function methodsThat(fits: (descriptor: Descriptor) => boolean): string {
  return descriptors
    .filter(fits)
    .map(({ method }) => method)
    .join(' and ')
}

const needing = (need: PayerNeed) => methodsThat(({ needs }) => needs?.includes(need) === true)

export const captureRequest = T.Object(
  { amount: T.Optional(amountIn) },
  {
    title: 'CapturePaymentRequest',
    additionalProperties: false,
    description: 'No amount: all that is authorised.',
  },
)

const itemRequest = T.Object(itemFields, {
  title: 'PaymentItemRequest',
  additionalProperties: false,
  description: 'One line of what a payment is for. Shipping and discounts are items of their own.',
})

/** A text that may be left out, or empty. */
const optionalText = (lengthMax: number, meaning: string) =>
  T.Optional(emptyIsAbsent(text(lengthMax, meaning)))

const addressRequest = T.Object(
  {
    line1: text(200, 'Street and number.'),
    line2: optionalText(200, 'Apartment, floor.'),
    district: optionalText(200, 'In Brazil: bairro.'),
    city: text(200, 'City.'),
    region: optionalText(200, 'State or province; in Brazil the two letters of the state.'),
    postcode: optionalText(20, 'Postal code; in Brazil: CEP.'),
    country: T.String({
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166-1 alpha-2: any country that there is, and XK for Kosovo.',
      examples: ['BR'],
    }),
  },
  {
    title: 'PayerAddressRequest',
    additionalProperties: false,
    description: `The payer’s address. Required, with region and postcode, for ${needing('address')} without a checkout.`,
  },
)

/** Methods that are paid in one currency, which is the default. */
const ownCurrency = descriptors
  .filter(({ currencies, namesCurrency }) => currencies.length === 1 && namesCurrency !== true)
  .map(({ method }) => ({ const: method }))

const splitRequest = documented(
  T.Object(splitFields, {
    title: 'PaymentSplitRequest',
    additionalProperties: false,
    description: 'What a sub-account gets: `amount` or `percent`, not both.',
  }),
  { oneOf: [{ required: ['amount'] }, { required: ['percent'] }] },
)

/**
 * The fields that only some methods need: checked by routing.ts and payments.ts (decision 4). The key is required, and the header can
 * replace it, which no schema of a body can express.
 */
const byMethod = {
  required: ['amount', 'idempotencyKey'],
  dependentRequired: { feePayer: ['splits'] },
  if: { required: ['checkout'], properties: { checkout: { minLength: 1 } } },
  else: {
    required: ['paymentMethods'],
    properties: { paymentMethods: { maxItems: 1 } },
    if: { properties: { paymentMethods: { contains: { const: 'CREDIT_CARD' } } } },
    else: {
      not: { required: ['captureMode'] },
      if: { properties: { paymentMethods: { contains: { anyOf: ownCurrency } } } },
      else: { required: ['currency'] },
    },
  },
}

export const paymentRequest = documented(
  T.Object(
    {
      amount: amountIn,
      currency: T.Optional(
        currencyIn(`Required for ${methodsThat(({ namesCurrency }) => namesCurrency === true)}.`),
      ),
      paymentMethods: T.Optional(
        T.Array(paymentMethod, {
          minItems: 1,
          maxItems: methods.length,
          uniqueItems: true,
          description: 'One method; required without a checkout, a filter with one.',
          examples: [['CRYPTO']],
        }),
      ),
      idempotencyKey: T.Optional(idempotencyKey),
      customerName: T.Optional(text(200, 'The payer’s name.', 0)),
      customerEmail: T.Optional(
        emptyIsAbsent(
          documented(
            T.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['ana@example.com'] }),
            { pattern: patterns.email },
          ),
        ),
      ),
      customerTaxId: T.Optional(
        emptyIsAbsent(
          documented(
            T.String({
              minLength: 4,
              maxLength: 30,
              description:
                'The tax id of the payer’s country, with or without its mask: that of `customerAddress` or `customerCountry`, and in BRL also a CPF or CNPJ. Without a country: CPF or CNPJ; a CNPJ may have letters.',
              examples: ['529.982.247-25'],
            }),
            { pattern: patterns.taxId },
          ),
        ),
      ),
      customerPhone: T.Optional(
        emptyIsAbsent(
          documented(
            T.String({
              minLength: 5,
              maxLength: 30,
              description: `The payer’s phone: with its country code, or as the payer’s country writes it, where the method, the country or the currency says which that is. Shown as E.164. Required for ${needing('phone')} without a checkout.`,
              examples: ['+351912345678'],
            }),
            { pattern: patterns.phone },
          ),
        ),
      ),
      customerAddress: T.Optional(addressRequest),
      customerCountry: T.Optional(
        emptyIsAbsent(
          T.String({
            pattern: '^[A-Z]{2}$',
            description:
              'The payer’s country (ISO 3166-1 alpha-2, and XK for Kosovo). A checkout whose template lists no methods shows those of this country first. Default: that of the address.',
            examples: ['PT'],
          }),
        ),
      ),
      description: optionalText(140, 'What the payer reads when paying (PIX).'),
      ...echoedFields,
      items: T.Optional(itemsOf(itemRequest)),
      webhookUrl: T.Optional(
        emptyIsAbsent(
          url(
            'Receives payment.*, refund.* and dispute.* of this payment. A public https address.',
            'https://shop.example.com/webhooks',
          ),
        ),
      ),
      checkout: optionalText(100, 'Slug of a checkout template.'),
      returnUrl: T.Optional(pageUrl('Where the payer’s page leads when the payer is done. Proves nothing.')),
      cancelUrl: T.Optional(pageUrl('Where the payer’s page leads when the payer gives up.')),
      splits: T.Optional(splitsOf(splitRequest)),
      feePayer: T.Optional(
        uuid('The sub-account of the splits that pays our fee from its share. Default: you.'),
      ),
      expiresIn: T.Optional(whole(60, 2_592_000, 'Seconds that the payer has.', [3600])),
    },
    { title: 'CreatePaymentRequest', additionalProperties: false },
  ),
  byMethod,
)
