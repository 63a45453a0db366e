// The objects of the API, as they go over the wire (Stripe's API 2026-10-28.endive): the fields that are used here. All
// instants are seconds since 1970, all amounts integers in the currency's smallest unit.

export const apiVersion = '2026-10-28.endive'

/** Fields that are always empty here. */
export function nulls(names: string): Readonly<Record<string, null>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, null]))
}

export type Metadata = Readonly<Record<string, string>>

export type Session = {
  readonly id: string
  readonly object: 'checkout.session'
  readonly amount_subtotal: number
  readonly amount_total: number
  readonly cancel_url: string | null
  readonly client_reference_id: string | null
  readonly client_secret: string | null
  readonly created: number
  readonly currency: string
  readonly customer_details: CustomerDetails | null
  readonly customer_email: string | null
  readonly expires_at: number
  readonly livemode: false
  readonly locale: string | null
  readonly metadata: Metadata
  readonly mode: 'payment'
  readonly payment_intent: string | null
  readonly payment_method_types: readonly string[]
  readonly payment_status: 'paid' | 'unpaid'
  readonly redirect_on_completion?: 'always' | 'if_required' | 'never'
  readonly return_url?: string
  readonly status: 'open' | 'complete' | 'expired'
  readonly success_url: string | null
  readonly ui_mode: 'hosted_page' | 'embedded_page'
  readonly url: string | null
}

export type LineItem = {
  readonly id: string
  readonly object: 'item'
  readonly adjustable_quantity: null
  readonly amount_discount: number
  readonly amount_subtotal: number
  readonly amount_tax: number
  readonly amount_total: number
  readonly currency: string
  readonly description: string
  readonly metadata: Metadata
  readonly price: Readonly<Record<string, unknown>>
  readonly quantity: number
}

export type CustomerDetails = {
  readonly address: null
  readonly email: string | null
  readonly name: string | null
  readonly phone: null
  readonly tax_exempt: 'none'
  readonly tax_ids: readonly never[]
}

export type PaymentIntent = {
  readonly id: string
  readonly object: 'payment_intent'
  readonly amount: number
  readonly amount_capturable: number
  readonly amount_received: number
  readonly canceled_at: number | null
  readonly cancellation_reason: string | null
  readonly capture_method: 'automatic' | 'automatic_async' | 'manual'
  readonly client_secret: string
  readonly created: number
  readonly currency: string
  readonly description: string | null
  readonly last_payment_error: PaymentError | null
  readonly latest_charge: string | null
  readonly livemode: false
  readonly metadata: Metadata
  readonly next_action: Readonly<Record<string, unknown>> | null
  readonly payment_method: string | null
  readonly payment_method_types: readonly string[]
  readonly status:
    | 'requires_payment_method'
    | 'requires_action'
    | 'requires_capture'
    | 'processing'
    | 'canceled'
    | 'succeeded'
}

export type PaymentError = {
  readonly type: 'card_error' | 'invalid_request_error'
  readonly code: string
  readonly decline_code?: string
  readonly advice_code?: string
  readonly message: string
  readonly doc_url: string
  readonly charge?: string
}

export type Charge = {
  readonly id: string
  readonly object: 'charge'
  readonly amount: number
  readonly amount_captured: number
  readonly amount_refunded: number
  readonly balance_transaction: string | null
  readonly billing_details: { readonly email: string | null; readonly [name: string]: unknown }
  readonly captured: boolean
  readonly created: number
  readonly currency: string
  readonly disputed: boolean
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly livemode: false
  readonly metadata: Metadata
  readonly outcome: Readonly<Record<string, unknown>>
  readonly paid: boolean
  readonly payment_intent: string
  readonly payment_method: string
  readonly payment_method_details: {
    readonly type: string
    readonly card?: Readonly<Record<string, unknown>>
  }
  readonly refunded: boolean
  readonly status: 'succeeded' | 'failed'
}

export type Refund = {
  readonly id: string
  readonly object: 'refund'
  readonly amount: number
  readonly balance_transaction: string | null
  readonly charge: string
  readonly created: number
  readonly currency: string
  readonly failure_reason?: string
  readonly failure_balance_transaction?: string
  readonly metadata: Metadata
  readonly next_action?: RefundAction
  readonly payment_intent: string
  readonly pending_reason?: string
  readonly reason: string | null
  readonly status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
}

/** The payer names a bank account, as an e-mail asks. */
export type RefundAction = {
  readonly type: 'display_details'
  readonly display_details: {
    readonly email_sent: { readonly email_sent_at: number; readonly email_sent_to: string | null }
    readonly expires_at: number
  }
}

export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'

/** Texts, and names of files, each null until it is given. */
export type Evidence = { readonly [Name in EvidenceField]: string | null } & {
  readonly enhanced_evidence: EnhancedEvidence
}

export const evidenceFields = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const
export type EvidenceField = (typeof evidenceFields)[number]

/** The fields of evidence that name an uploaded file. */
export const fileFields = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const satisfies readonly EvidenceField[]

export type FileObject = {
  readonly id: string
  readonly object: 'file'
  readonly created: number
  readonly expires_at: number
  readonly filename: string
  readonly purpose: 'dispute_evidence'
  readonly size: number
  readonly title: null
  readonly type: 'pdf' | 'jpg' | 'png'
  readonly url: string
}

/** Further evidence that the card networks' programs require. */
export type EnhancedEvidence = {
  readonly mastercard_compliance?: { readonly fee_acknowledged: boolean }
  readonly visa_compelling_evidence_3?: {
    readonly disputed_transaction: Readonly<Record<string, unknown>> | null
    readonly prior_undisputed_transactions: readonly Readonly<Record<string, unknown>>[]
  }
  readonly visa_compliance?: { readonly fee_acknowledged: boolean }
}

export type Dispute = {
  readonly id: string
  readonly object: 'dispute'
  readonly amount: number
  readonly balance_transactions: readonly BalanceTransaction[]
  readonly charge: string
  readonly created: number
  readonly currency: string
  readonly evidence: Evidence
  readonly evidence_details: {
    readonly due_by: number
    readonly enhanced_eligibility: Readonly<Record<string, never>>
    readonly has_evidence: boolean
    readonly past_due: boolean
    readonly submission_count: number
    readonly submission_method: 'manual' | 'not_submitted'
  }
  readonly is_charge_refundable: boolean
  readonly livemode: false
  readonly metadata: Metadata
  readonly payment_intent: string
  readonly reason: string
  readonly status: DisputeStatus
}

export type BalanceTransaction = {
  readonly id: string
  readonly object: 'balance_transaction'
  readonly amount: number
  readonly available_on: number
  readonly balance_type: 'payments'
  readonly created: number
  readonly currency: string
  readonly description: string | null
  readonly exchange_rate: null
  readonly fee: number
  readonly fee_details: readonly Readonly<Record<string, unknown>>[]
  readonly net: number
  readonly reporting_category: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal'
  readonly source: string
  readonly status: 'available' | 'pending'
  readonly type: 'charge' | 'refund' | 'refund_failure' | 'adjustment'
}

export type Event = {
  readonly id: string
  readonly object: 'event'
  readonly api_version: string
  readonly created: number
  readonly data: {
    readonly object: Thing
    readonly previous_attributes?: Readonly<Record<string, unknown>>
  }
  readonly livemode: false
  readonly pending_webhooks: number
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null }
  readonly type: string
}

export type WebhookEndpoint = {
  readonly id: string
  readonly object: 'webhook_endpoint'
  readonly api_version: string
  readonly application: null
  readonly created: number
  readonly description: string | null
  readonly enabled_events: readonly string[]
  readonly livemode: false
  readonly metadata: Metadata
  readonly status: 'enabled' | 'disabled'
  readonly url: string
}

/** The objects of events. */
export type Thing = Session | PaymentIntent | Charge | Refund | Dispute
