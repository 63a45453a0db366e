// Payment links.
import { Type as T } from 'typebox'
import { amountIn, count, instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { methods } from '#/rails/methods.ts'
import * as patterns from './patterns.ts'
import {
  about,
  currency,
  currencyIn,
  documented,
  idempotencyKey,
  metadata,
  mode,
  paymentMethod,
  text,
  url,
} from './words.ts'

export const linkStatuses = ['ACTIVE', 'USED_UP', 'EXPIRED', 'ARCHIVED'] as const

/** A link can be limited to at most so many uses, and its uses are counted up to this number. */
export const usesCountedMax = 10_000

const name = text(100, 'What is paid for. The payer reads it, also at the provider.')
const description = text(500, 'More about it, on the page of the link. Plain text.')
const checkout = text(100, 'Slug of a checkout template. Default: `default`.')
const expiresIn = whole(60, 2_592_000, 'Seconds that each payer has. Default: an hour.', [3600])
const usesMax = whole(
  1,
  usesCountedMax,
  'How many payments may be PAID. One that can still be paid counts too, until it ends. Absent: any number.',
  [50],
)

const amountFields = {
  amount: T.Optional(about(amountIn, 'What each payer pays, in minor units.')),
  minAmount: T.Optional(about(amountIn, 'The payer chooses the amount: at least this.')),
  maxAmount: T.Optional(about(amountIn, 'The payer chooses the amount: at most this.')),
}

export const paymentLinkRequest = documented(
  T.Object(
    {
      name,
      description: T.Optional(description),
      currency: currencyIn('Of the amounts.'),
      ...amountFields,
      checkout: T.Optional(checkout),
      paymentMethods: T.Optional(
        T.Array(paymentMethod, {
          minItems: 1,
          maxItems: methods.length,
          uniqueItems: true,
          description: 'Of the methods of the template, these alone.',
        }),
      ),
      usesMax: T.Optional(usesMax),
      expiresAt: T.Optional(
        documented(T.String({ maxLength: 40, description: 'From then on the link makes no payment.' }), {
          pattern: patterns.instant,
        }),
      ),
      expiresIn: T.Optional(expiresIn),
      metadata: T.Optional(about(metadata, 'Each payment of the link has it.')),
      webhookUrl: T.Optional(
        url('As of a payment: each payment of the link has it.', 'https://shop.example.com/webhooks'),
      ),
      returnUrl: T.Optional(
        url(
          'Where the page of a payment leads afterwards. An https address.',
          'https://shop.example.com/thanks',
        ),
      ),
      idempotencyKey: T.Optional(idempotencyKey),
    },
    { title: 'CreatePaymentLinkRequest', additionalProperties: false },
  ),
  {
    oneOf: [
      { required: ['amount'], not: { anyOf: [{ required: ['minAmount'] }, { required: ['maxAmount'] }] } },
      { required: ['minAmount', 'maxAmount'], not: { required: ['amount'] } },
    ],
  },
)

const paymentLinkStatus = oneOf(
  'PaymentLinkStatus',
  linkStatuses,
  'Only an ACTIVE link makes payments. USED_UP: active again when a payment that can still be paid ends without money.',
)

const uses = T.Object(
  {
    paid: count(`Payments that are PAID, counted up to ${usesCountedMax}.`),
    open: count(`Payments that can still be paid, counted up to ${usesCountedMax}.`),
  },
  { title: 'PaymentLinkUses', description: 'The payments of a link.' },
)

export const paymentLink = T.Object(
  {
    id: uuid(),
    mode,
    status: paymentLinkStatus,
    url: T.String({ description: 'The page to share. Opening it makes no payment; its form does.' }),
    qrCodeUrl: T.String({ description: 'The QR code of `url`, as an SVG for print.' }),
    name: T.String(),
    description: T.Optional(T.String()),
    currency,
    ...amountFields,
    checkout: T.String({ description: 'Slug of the checkout template.' }),
    paymentMethods: T.Optional(T.Array(paymentMethod)),
    usesMax: T.Optional(usesMax),
    uses,
    expiresAt: T.Optional(instant('From then on the link makes no payment.')),
    expiresIn,
    metadata: T.Optional(metadata),
    webhookUrl: T.Optional(T.String()),
    returnUrl: T.Optional(T.String()),
    createdAt: instant(),
    archivedAt: T.Optional(instant()),
  },
  { title: 'PaymentLink', description: 'A page to share; each use of it makes one payment.' },
)
