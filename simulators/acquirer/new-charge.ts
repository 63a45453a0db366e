// The wire form of a charge whose card was accepted.
import { seconds } from '../kit/clock.ts'
import { newId, type Acquirer, type KeptIntent, type UsedCard } from './acquirer.ts'
import type { Charge } from './wire.ts'

/** How long the merchant may wait with the capture. */
export const lapseSeconds = 7 * 86_400

export type Authorising = { readonly card: UsedCard; readonly isAuthenticated: boolean }

/** Authorised, and not captured yet. */
export function newCharge(
  acquirer: Acquirer,
  { wire }: KeptIntent,
  { card, isAuthenticated }: Authorising,
): Charge {
  const isManual = wire.capture_method === 'manual'
  const created = seconds()
  return {
    ...nothingOfCharge,
    id: newId(acquirer, 'ch'),
    object: 'charge',
    amount: wire.amount,
    amount_captured: 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: { address: noAddress, email: null, name: card.name, phone: null, tax_id: null },
    captured: false,
    created,
    currency: wire.currency,
    description: wire.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: wire.metadata,
    outcome: approved,
    paid: true,
    payment_intent: wire.id,
    payment_method: wire.payment_method ?? newId(acquirer, 'pm'),
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: wire.amount,
        authorization_code: null,
        brand: card.plan.brand,
        ...(isManual ? { capture_before: created + lapseSeconds } : {}),
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
        country: card.plan.country ?? 'US',
        exp_month: card.expMonth,
        exp_year: card.expYear,
        extended_authorization: { status: 'disabled' },
        fingerprint: card.fingerprint,
        funding: card.plan.funding ?? 'credit',
        incremental_authorization: { status: 'unavailable' },
        installments: null,
        last4: card.last4,
        mandate: null,
        multicapture: { status: 'unavailable' },
        network: card.plan.brand,
        network_token: { used: false },
        network_transaction_id: null,
        overcapture: { maximum_amount_capturable: wire.amount, status: 'unavailable' },
        three_d_secure: isAuthenticated ? authenticated : null,
        wallet: null,
      },
    },
    refunded: false,
    status: 'succeeded',
  } as Charge
}

/** Of a local method whose payer paid. */
export function newLocalCharge(acquirer: Acquirer, { wire, local }: KeptIntent): Charge {
  const type = local?.type ?? ''
  return {
    ...nothingOfCharge,
    id: newId(acquirer, 'ch'),
    object: 'charge',
    amount: wire.amount,
    amount_captured: wire.amount,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: {
      address: noAddress,
      email: local?.email ?? null,
      name: null,
      phone: null,
      tax_id: null,
    },
    captured: true,
    created: seconds(),
    currency: wire.currency,
    description: wire.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: wire.metadata,
    outcome: approved,
    paid: true,
    payment_intent: wire.id,
    payment_method: wire.payment_method ?? newId(acquirer, 'pm'),
    payment_method_details: { type, [type]: {} },
    refunded: false,
    status: 'succeeded',
  } as Charge
}

const noAddress = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
} as const

const approved = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  risk_score: 12,
  seller_message: 'Payment complete.',
  type: 'authorized',
} as const

const authenticated = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  version: '2.2.0',
} as const

/** The fields that are always the same or empty in this acquirer's charges. */
const nothingOfCharge = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  calculated_statement_descriptor: 'VINTEM SANDBOX',
  customer: null,
  failure_balance_transaction: null,
  fraud_details: {},
  on_behalf_of: null,
  radar_options: {},
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} as const
