// The payment as the API shows it. Webhooks, lists and GET show the same object, with the exceptions that are named here.
import type { RailFields, RailFieldsAtCreation } from '#/contract/payment-rail-fields.ts'
import type { createdPayment, payment as shown, sentFields } from '#/contract/payments.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import { given } from '#/kernel/given.ts'
import { amountToJson } from '#/kernel/money.ts'
import { type Payment, refundStatus } from './payment.ts'

export type PaymentRecord = Of<typeof shown>

/** The fields that are not in the payment's own row: those of its rail, and the sum of its pending refunds. */
export type Described = RailFields & Partial<Pick<PaymentRecord, 'amountRefundPending'>>

/** The answer to a creation, and to its replays: what the payer needs at once, without what arrives later. */
export function creationRecord(payment: Payment, rail: RailFieldsAtCreation = {}): Of<typeof createdPayment> {
  return {
    ...recordOf<typeof createdPayment, keyof RailFieldsAtCreation>({
      id: payment.id,
      mode: payment.mode,
      status: payment.status,
      amount: amountToJson(payment.amountMinor),
      currency: payment.currency,
      paymentMethods: payment.methods,
      cardRedirectUrl: pageOf(payment).cardRedirectUrl,
      checkoutUrl: pageOf(payment).checkoutUrl,
      lastError: errorOf(payment),
      ...sent(payment),
      expiresAt: payment.expiresAt?.toISOString(),
      createdAt: payment.createdAt.toISOString(),
    }),
    ...rail,
  }
}

/** The whole record, for GET, lists and webhooks. Fields that do not apply are absent. */
export function paymentRecord(payment: Payment, described: Described = {}): PaymentRecord {
  const { amountRefundPending = 0, ...rail } = described
  return {
    ...recordOf<typeof shown, keyof RailFields | 'onchainTxHash'>({
      id: payment.id,
      mode: payment.mode,
      status: payment.status,
      amount: amountToJson(payment.amountMinor),
      currency: payment.currency,
      paymentMethods: payment.methods,
      paymentMethod: payment.method,
      amountReceived: amountToJson(payment.receivedMinor),
      amountRefunded: amountToJson(payment.refundedMinor),
      amountRefundPending,
      refundStatus: refundStatus(payment),
      exceptions: payment.exceptions,
      fee: amountToJson(payment.feeMinor),
      netAmount: amountToJson(payment.receivedMinor - payment.feeMinor),
      paymentLinkId: payment.linkId,
      walletId: payment.walletId,
      ...sent(payment),
      payerErasedAt: payment.payerErasedAt?.toISOString(),
      cardRedirectUrl: pageOf(payment).cardRedirectUrl,
      checkoutUrl: pageOf(payment).checkoutUrl,
      lastError: errorOf(payment),
      createdAt: payment.createdAt.toISOString(),
      expiresAt: payment.expiresAt?.toISOString(),
      approvedAt: payment.approvedAt?.toISOString(),
      paidAt: payment.paidAt?.toISOString(),
      version: payment.version,
    }),
    ...rail,
  }
}

type Sent = {
  readonly [Name in keyof typeof sentFields]: Of<typeof shown>[Name] | undefined
}

/** The merchant's data counts first; what the payer entered on a page completes it. */
function sent({ request, payer, idempotencyKey, linkId }: Payment): Sent {
  return {
    // The key of a use of a payment link is ours.
    idempotencyKey: linkId === undefined ? idempotencyKey : undefined,
    checkout: request.checkout,
    customerName: request.customerName ?? payer?.name,
    customerEmail: request.customerEmail ?? payer?.email,
    customerTaxId: request.customerTaxId ?? payer?.taxId,
    customerPhone: request.customerPhone ?? payer?.phone,
    customerAddress: request.customerAddress ?? payer?.address,
    customerCountry: request.customerCountry,
    description: request.description,
    metadata: request.metadata,
    captureMode: request.captureMode,
    items: request.items,
    webhookUrl: request.webhookUrl,
    returnUrl: request.returnUrl,
    cancelUrl: request.cancelUrl,
    splits: request.splits,
    feePayer: request.feePayer,
  }
}

/** The record of an event: adds the tx that completed the sum. */
export function paymentEventRecord(payment: Payment, described: Described = {}): PaymentRecord {
  return { ...paymentRecord(payment, described), ...given({ onchainTxHash: payment.completingTx }) }
}

/** Where the merchant sends the payer (interface §2.1): to a checkout, or to the page of the payment's one method. */
function pageOf({ page, request }: Payment) {
  const isCheckout = request.checkout !== undefined
  return {
    cardRedirectUrl: isCheckout ? undefined : page?.url,
    checkoutUrl: isCheckout ? page?.url : undefined,
  }
}

/** The error as the interface defines it. Only the page uses its method. */
function errorOf({ lastError }: Payment) {
  return lastError && { code: lastError.code, message: lastError.message }
}
