// For tests: objects as the provider's reference shows them, written out by hand.
type Json = Readonly<Record<string, unknown>>

export const attemptId = '0199c1a2-0000-7000-8000-000000000001'
export const refundId = '0199c1a2-0000-7000-8000-0000000000f1'

const card = (more: Json = {}) => ({
  brand: 'visa',
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  country: 'US',
  exp_month: 12,
  exp_year: 2034,
  fingerprint: 'Xt5EWLLDS7FJjR1c',
  funding: 'credit',
  last4: '4242',
  network: 'visa',
  three_d_secure: null,
  wallet: null,
  ...more,
})

export const charge = (more: Json = {}, cardMore: Json = {}) => ({
  id: 'ch_3Q0PsIJvEtkwdCNY1',
  object: 'charge',
  amount: 1990,
  amount_captured: 1990,
  amount_refunded: 0,
  captured: true,
  created: 1794556800,
  currency: 'eur',
  disputed: false,
  livemode: false,
  paid: true,
  payment_intent: 'pi_3Q0PsIJvEtkwdCNY1',
  payment_method_details: { card: card(cardMore), type: 'card' },
  refunded: false,
  status: 'succeeded',
  ...more,
})

export const intent = (more: Json = {}) => ({
  id: 'pi_3Q0PsIJvEtkwdCNY1',
  object: 'payment_intent',
  amount: 1990,
  amount_capturable: 0,
  amount_received: 1990,
  canceled_at: null,
  capture_method: 'automatic',
  created: 1794556700,
  currency: 'eur',
  last_payment_error: null,
  latest_charge: charge(),
  livemode: false,
  metadata: { attempt_id: attemptId, payment_id: '0199c1a2-0000-7000-8000-00000000000a' },
  status: 'succeeded',
  ...more,
})

export const session = (more: Json = {}) => ({
  id: 'cs_test_a1b2c3',
  object: 'checkout.session',
  amount_total: 1990,
  client_reference_id: attemptId,
  client_secret: 'cs_test_a1b2c3_secret_fid',
  currency: 'eur',
  expires_at: 1794643100,
  livemode: false,
  metadata: { attempt_id: attemptId },
  payment_intent: null,
  payment_status: 'unpaid',
  status: 'open',
  ui_mode: 'embedded_page',
  url: null,
  ...more,
})

export const refund = (more: Json = {}) => ({
  id: 're_1Nispe2eZvKYlo2C',
  object: 'refund',
  amount: 1000,
  balance_transaction: 'txn_1Nispe2eZvKYlo2C',
  charge: 'ch_3Q0PsIJvEtkwdCNY1',
  created: 1794560000,
  currency: 'eur',
  metadata: { refund_id: refundId, attempt_id: attemptId },
  payment_intent: intent(),
  reason: 'requested_by_customer',
  status: 'succeeded',
  ...more,
})

export const move = (more: Json = {}) => ({
  id: 'txn_1MyIkMJvEtkwdCNY',
  object: 'balance_transaction',
  amount: -1990,
  created: 1794600000,
  currency: 'eur',
  fee: 1500,
  net: -3490,
  reporting_category: 'dispute',
  type: 'adjustment',
  ...more,
})

export const dispute = (more: Json = {}) => ({
  id: 'dp_1MtJUT2eZvKYlo2C',
  object: 'dispute',
  amount: 1990,
  balance_transactions: [move()],
  charge: 'ch_3Q0PsIJvEtkwdCNY1',
  created: 1794599999,
  currency: 'eur',
  evidence_details: { due_by: 1795400000, has_evidence: false, past_due: false, submission_count: 0 },
  is_charge_refundable: false,
  livemode: false,
  payment_intent: intent(),
  reason: 'fraudulent',
  status: 'needs_response',
  ...more,
})

export const event = (type: string, object: unknown, more: Json = {}) => ({
  id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
  object: 'event',
  api_version: '2026-10-28.endive',
  created: 1794556801,
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: 'req_1', idempotency_key: null },
  type,
  ...more,
})
