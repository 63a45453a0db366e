// The records of /v1 that screens show, as openapi.json describes them. What does not apply is absent.
import type { Minor } from '../kit/format.ts'

export type Page<Row> = { readonly data: readonly Row[]; readonly nextCursor?: string }

export const currencies = ['BRL', 'EUR', 'USD', 'USDT'] as const
export type Currency = (typeof currencies)[number]
export const paymentStatuses = [
  'PENDING',
  'WAITING_PAYMENT',
  'APPROVED',
  'PAID',
  'EXPIRED',
  'FAILED',
  'CANCELED',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]
export const paymentMethods = [
  'PIX',
  'CREDIT_CARD',
  'CRYPTO',
  'PARTNER_PAY',
  'MULTIBANCO',
  'MB_WAY',
  'IDEAL',
  'BANCONTACT',
  'BIZUM',
  'BOLETO',
  'SEPA_TRANSFER',
] as const
export type PaymentMethod = (typeof paymentMethods)[number]
export const paymentExceptions = ['UNDERPAID', 'OVERPAID', 'LATE', 'DUPLICATE'] as const
export type PaymentException = (typeof paymentExceptions)[number]

export type Deposit = {
  readonly txHash: string
  /** Base units with 18 decimals. */
  readonly amount: string
  readonly confirmations: number
  readonly final: boolean
  readonly at: string
}

export type Payment = {
  readonly id: string
  readonly mode: 'LIVE' | 'SANDBOX'
  readonly status: PaymentStatus
  readonly amount: number
  readonly currency: Currency
  readonly paymentMethods: readonly PaymentMethod[]
  readonly paymentMethod?: PaymentMethod
  readonly amountReceived: Minor
  readonly amountRefunded: Minor
  readonly amountRefundPending: Minor
  readonly refundStatus: 'NONE' | 'PARTIAL' | 'FULL'
  readonly exceptions: readonly PaymentException[]
  readonly fee: Minor
  readonly netAmount: Minor
  readonly walletId?: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
  readonly customerPhone?: string
  readonly payerErasedAt?: string
  readonly description?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly items?: readonly { readonly name: string; readonly quantity: number; readonly amount: number }[]
  readonly webhookUrl?: string
  readonly captureMode?: 'AUTOMATIC' | 'MANUAL'
  readonly checkoutUrl?: string
  /** The payer's page, where the payment has one method and no checkout. */
  readonly cardRedirectUrl?: string
  readonly pixCopyPaste?: string
  readonly endToEndIds?: readonly string[]
  readonly card?: { readonly brand?: string; readonly last4?: string; readonly threeDSecure?: string }
  readonly sepa?: {
    readonly iban: string
    readonly bic?: string
    readonly beneficiary: string
    readonly reference: string
  }
  readonly voucher?: {
    readonly entity?: string
    readonly reference?: string
    readonly line?: string
    readonly expiresAt?: string
  }
  readonly cryptoAddress?: string
  readonly cryptoAmount?: string
  readonly cryptoNetwork?: string
  readonly depositCount?: number
  readonly deposits?: readonly Deposit[]
  readonly lastError?: { readonly code: string; readonly message: string }
  readonly createdAt: string
  readonly expiresAt?: string
  readonly approvedAt?: string
  readonly paidAt?: string
  readonly version: number
}

/** Money of a payment that can still go back, and who sent it: as src/dashboard/sender-routes.ts describes it. */
export type Sender = {
  readonly method: PaymentMethod
  readonly refundable: Minor
  readonly iban?: string
  readonly beneficiary?: string
}

export type Refund = {
  readonly id: string
  readonly paymentId: string
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED'
  readonly amount: Minor
  readonly currency: Currency
  readonly cryptoAddress?: string
  readonly iban?: string
  readonly beneficiary?: string
  readonly txHash?: string
  readonly reason?: string
  readonly approvalRequired?: boolean
  readonly failureCode?: string
  readonly failureMessage?: string
  readonly createdAt: string
  readonly completedAt?: string
}

export type Dispute = {
  readonly id: string
  readonly paymentId?: string
  readonly status: 'OPEN' | 'WON' | 'LOST'
  readonly kind: 'CHARGEBACK' | 'MED' | 'RECALL'
  readonly amount: Minor
  readonly currency: Currency
  readonly fee: Minor
  readonly reason?: string
  readonly evidenceDueAt?: string
  readonly createdAt: string
  readonly closedAt?: string
}

export type EvidenceFile = {
  readonly kind: string
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** What a merchant says against a dispute. */
export type Evidence = {
  readonly status: 'NONE' | 'DRAFT' | 'SENDING' | 'SENT' | 'REFUSED'
  readonly canChange: boolean
  readonly texts: Readonly<Record<string, string>>
  readonly files: readonly EvidenceFile[]
  readonly changedAt?: string
  readonly submittedAt?: string
  readonly submittedBy?: string
  readonly sentAt?: string
  readonly version: number
}

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'CANCELED'

export type StepEntry = { readonly account: string; readonly walletId?: string; readonly amount: Minor }

export type Step = {
  readonly at: string
  readonly kind: 'OBSERVATION' | 'PROVIDER_ANSWER' | 'STATE_CHANGE' | 'LEDGER' | 'DELIVERY'
  readonly cause: string
  readonly text: string
  readonly amount?: Minor
  readonly currency?: Currency
  readonly txHash?: string
  readonly endToEndId?: string
  readonly providerRef?: string
  readonly happenedAt?: string
  readonly code?: string
  readonly message?: string
  readonly method?: PaymentMethod
  readonly refundId?: string
  readonly disputeId?: string
  readonly eventId?: string
  readonly eventType?: string
  readonly from?: string
  readonly to?: string
  readonly entries?: readonly StepEntry[]
  readonly delivery?: {
    readonly id: string
    readonly url: string
    readonly status: DeliveryStatus
    readonly attempts: number
    readonly responseStatus?: number
    readonly error?: string
  }
}

export type Explanation = {
  readonly id: string
  readonly status: string
  readonly summary: string
  readonly steps: readonly Step[]
  readonly truncated?: boolean
  readonly nextCursor?: string
}

export type DeliveryAttempt = {
  readonly at: string
  readonly durationMs: number
  readonly responseStatus?: number
  readonly responseBody?: string
  readonly error?: string
}

export type Delivery = {
  readonly id: string
  readonly eventId: string
  readonly endpointId?: string
  readonly url: string
  readonly status: DeliveryStatus
  readonly nextAttemptAt?: string
  readonly attempts: readonly DeliveryAttempt[]
}

/** Whether the last attempt was not accepted. */
export function hasFailed({ attempts }: Pick<Delivery, 'attempts'>): boolean {
  const last = attempts.at(-1)
  return last !== undefined && !isAccepted(last.responseStatus)
}

/** Only a 2xx is. */
export function isAccepted(responseStatus: number | undefined): boolean {
  return responseStatus !== undefined && responseStatus >= 200 && responseStatus < 300
}

/** An event: the body that its deliveries send. */
export type Event = {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}
