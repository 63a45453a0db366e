// The wire forms of a new PaymentIntent, and of a charge whose card was accepted.
import { seconds } from '../kit/clock.ts'
import { newId, type Acquirer, type KeptIntent, type UsedCard } from './acquirer.ts'
import { nulls, type Charge, type PaymentIntent } from './wire.ts'

type IntentTerms = Pick<
  PaymentIntent,
  'amount' | 'capture_method' | 'currency' | 'description' | 'metadata' | 'payment_method_types'
>

/** A PaymentIntent whose payer has done nothing yet, with what of it is otherwise. */
export function newPaymentIntent(
  acquirer: Acquirer,
  id: string,
  terms: IntentTerms & Partial<PaymentIntent>,
): PaymentIntent {
  return {
    ...nothingOfIntent,
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${acquirer.store.name('pi-secret', 25)}`,
    created: seconds(),
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    ...terms,
  }
}

/** The fields that are always the same or empty in this acquirer's PaymentIntents. */
const nothingOfIntent = {
  ...nulls(
    'allowed_payment_method_types application application_fee_amount customer customer_account ' +
      'excluded_payment_method_types managed_payments on_behalf_of payment_method_configuration_details ' +
      'payment_record processing receipt_email review setup_future_usage shipping source statement_descriptor ' +
      'statement_descriptor_suffix transfer_data transfer_group',
  ),
  amount_details: { tip: {} },
  automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
  confirmation_method: 'automatic',
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
} as const

/** How long the merchant may wait with the capture. */
export const lapseSeconds = 7 * 86_400

export type Authorising = { readonly card: UsedCard; readonly isAuthenticated: boolean }

/** Authorised by a card, and not captured yet; with what of it is otherwise. */
export function newCharge(
  acquirer: Acquirer,
  intent: KeptIntent,
  { card, isAuthenticated }: Authorising,
  otherwise: Partial<Charge> = {},
): Charge {
  const { wire } = intent
  const isManual = wire.capture_method === 'manual'
  const { brand, country = 'US', funding = 'credit' } = card.plan
  return chargeOf(acquirer, intent, {
    amount_captured: 0,
    billing_details: { ...nobody, name: card.name },
    captured: false,
    payment_method_details: {
      type: 'card',
      card: {
        ...nulls('authorization_code installments mandate network_transaction_id wallet'),
        amount_authorized: wire.amount,
        brand,
        ...(isManual ? { capture_before: seconds() + lapseSeconds } : {}),
        checks: { ...nulls('address_line1_check address_postal_code_check'), cvc_check: 'pass' },
        country,
        exp_month: card.expMonth,
        exp_year: card.expYear,
        extended_authorization: { status: 'disabled' },
        fingerprint: card.fingerprint,
        funding,
        incremental_authorization: { status: 'unavailable' },
        last4: card.last4,
        multicapture: { status: 'unavailable' },
        network: brand,
        network_token: { used: false },
        overcapture: { maximum_amount_capturable: wire.amount, status: 'unavailable' },
        three_d_secure: isAuthenticated ? authenticated : null,
      },
    },
    ...otherwise,
  })
}

/** Of a local method whose payer paid. */
export function newLocalCharge(acquirer: Acquirer, intent: KeptIntent): Charge {
  const { type = '', email = null } = intent.local ?? {}
  return chargeOf(acquirer, intent, {
    amount_captured: intent.wire.amount,
    billing_details: { ...nobody, email },
    captured: true,
    payment_method_details: { type, [type]: {} },
  })
}

type Paid = Pick<Charge, 'amount_captured' | 'billing_details' | 'captured' | 'payment_method_details'>

function chargeOf(acquirer: Acquirer, { wire }: KeptIntent, paid: Paid & Partial<Charge>): Charge {
  const { amount, currency, description, metadata, id: payment_intent } = wire
  const common = {
    ...nothingOfCharge,
    id: newId(acquirer, 'ch'),
    object: 'charge',
    amount,
    amount_refunded: 0,
    balance_transaction: null,
    created: seconds(),
    currency,
    description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata,
    outcome: approved,
    paid: true,
    payment_intent,
    payment_method: wire.payment_method ?? newId(acquirer, 'pm'),
    refunded: false,
    status: 'succeeded',
  } as const
  return { ...common, ...paid }
}

const nobody = {
  email: null,
  ...nulls('name phone tax_id'),
  address: nulls('city country line1 line2 postal_code state'),
}

const approved = {
  ...nulls('advice_code network_advice_code network_decline_code reason'),
  network_status: 'approved_by_network',
  risk_level: 'normal',
  risk_score: 12,
  seller_message: 'Payment complete.',
  type: 'authorized',
} as const

const authenticated = {
  ...nulls('exemption_indicator result_reason'),
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  result: 'authenticated',
  version: '2.2.0',
} as const

/** The fields that are always the same or empty in this acquirer's charges. */
const nothingOfCharge = {
  ...nulls(
    'application application_fee application_fee_amount customer failure_balance_transaction on_behalf_of ' +
      'receipt_email receipt_number receipt_url review shipping source source_transfer statement_descriptor ' +
      'statement_descriptor_suffix transfer_data transfer_group',
  ),
  calculated_statement_descriptor: 'VINTEM SANDBOX',
  fraud_details: {},
  radar_options: {},
} as const
