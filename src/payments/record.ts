// The payment as the API shows it. Webhooks, lists and GET show the same object, with the exceptions that are named here.
import { amountToJson } from '#/kernel/money.ts'
import type { Payment } from './payment.ts'
import { refundStatus } from './payment.ts'

/** Fields that a payment's rail adds, by name. */
export type RailFields = Readonly<Record<string, unknown>>

/** The answer to a creation, and to its replays: what the payer needs at once, without what arrives later. */
export function creationRecord(payment: Payment, rail: RailFields = {}): Readonly<Record<string, unknown>> {
  return {
    id: payment.id,
    mode: payment.mode,
    status: payment.status,
    amount: amountToJson(payment.amountMinor),
    currency: payment.currency,
    paymentMethods: payment.methods,
    ...pageFields(payment),
    ...rail,
    ...present({
      lastError: errorOf(payment),
      metadata: payment.request.metadata,
      items: payment.request.items,
      expiresAt: payment.expiresAt?.toISOString(),
    }),
    createdAt: payment.createdAt.toISOString(),
  }
}

/**
 * The whole record, for GET, lists and webhooks. Fields that do not apply are absent. `rail`: the fields that are not in the
 * payment's own row, including pending refunds.
 */
export function paymentRecord(payment: Payment, rail: RailFields = {}): Readonly<Record<string, unknown>> {
  const { request, payer } = payment
  return {
    id: payment.id,
    mode: payment.mode,
    status: payment.status,
    amount: amountToJson(payment.amountMinor),
    currency: payment.currency,
    paymentMethods: payment.methods,
    ...present({ paymentMethod: payment.method }),
    amountReceived: amountToJson(payment.receivedMinor),
    amountRefunded: amountToJson(payment.refundedMinor),
    amountRefundPending: 0,
    refundStatus: refundStatus(payment),
    exceptions: payment.exceptions,
    fee: amountToJson(payment.feeMinor),
    netAmount: amountToJson(payment.receivedMinor - payment.feeMinor),
    ...present({
      paymentLinkId: payment.linkId,
      walletId: payment.walletId,
      // The merchant's data counts first; the payer's data from the page completes it.
      customerName: request.customerName ?? payer?.name,
      customerEmail: request.customerEmail ?? payer?.email,
      customerTaxId: request.customerTaxId ?? payer?.taxId,
      customerPhone: request.customerPhone ?? payer?.phone,
      customerAddress: request.customerAddress ?? payer?.address,
      customerCountry: request.customerCountry,
      payerErasedAt: payment.payerErasedAt?.toISOString(),
      description: request.description,
      metadata: request.metadata,
      items: request.items,
      webhookUrl: request.webhookUrl,
      captureMode: request.captureMode,
      returnUrl: request.returnUrl,
      cancelUrl: request.cancelUrl,
      splits: request.splits,
      feePayer: request.feePayer,
    }),
    ...pageFields(payment),
    ...rail,
    ...present({
      lastError: errorOf(payment),
      createdAt: payment.createdAt.toISOString(),
      expiresAt: payment.expiresAt?.toISOString(),
      approvedAt: payment.approvedAt?.toISOString(),
      paidAt: payment.paidAt?.toISOString(),
    }),
    version: payment.version,
  }
}

/** The record of an event: adds the tx that completed the sum. */
export function paymentEventRecord(
  payment: Payment,
  rail: RailFields = {},
): Readonly<Record<string, unknown>> {
  return { ...paymentRecord(payment, rail), ...present({ onchainTxHash: payment.completingTx }) }
}

/** Where the merchant sends the payer (interface §2.1): to a checkout, or to the page of the payment's one method. */
function pageFields({ page, request }: Payment): Readonly<Record<string, unknown>> {
  if (page === undefined) return {}
  return request.checkout === undefined ? { cardRedirectUrl: page.url } : { checkoutUrl: page.url }
}

/** The error as the interface defines it. Only the page uses its method. */
function errorOf({ lastError }: Payment) {
  return lastError && { code: lastError.code, message: lastError.message }
}

/** The object without the fields that are undefined. */
function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {}
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name]
  return kept
}
