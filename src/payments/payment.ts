// The payment: what a merchant asked for, and what became of it. The states are a table; no sequence of events leaves PAID.
import type { CaptureMode, Method } from '#/rails/words.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import { maxOf, type Currency } from '#/kernel/money.ts'
import type { StateTable } from '#/kernel/state.ts'
import { addMs, hourMs, secondMs } from '#/kernel/time.ts'
import type { PageLink } from './page-link.ts'

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

export const paymentEvents = [
  'opened',
  'authorised',
  'lapsed',
  'paid',
  'expired',
  'failed',
  'canceled',
] as const
export type PaymentEvent = (typeof paymentEvents)[number]

/**
 * - PENDING: nothing to pay with yet. - WAITING_PAYMENT: the payer can pay. - APPROVED: authorised, not captured.
 * - PAID: the full amount is final; nothing leads away from here, refunds and disputes are records of their own.
 * - EXPIRED, FAILED: over, but late money is still money: the full amount makes it PAID.
 * - CANCELED: over by the merchant's word; money that still comes is credited and the payment stays as it is.
 */
export const paymentStates: StateTable<PaymentStatus, PaymentEvent> = {
  PENDING: {
    opened: 'WAITING_PAYMENT',
    paid: 'PAID',
    expired: 'EXPIRED',
    failed: 'FAILED',
    canceled: 'CANCELED',
  },
  WAITING_PAYMENT: {
    authorised: 'APPROVED',
    paid: 'PAID',
    expired: 'EXPIRED',
    failed: 'FAILED',
    canceled: 'CANCELED',
  },
  APPROVED: { paid: 'PAID', lapsed: 'EXPIRED', canceled: 'CANCELED' },
  PAID: {},
  EXPIRED: { paid: 'PAID' },
  FAILED: { paid: 'PAID' },
  CANCELED: {},
}

/** What else is true of the money: less or more than asked for, after the end, or again. */
export const paymentExceptions = ['UNDERPAID', 'OVERPAID', 'LATE', 'DUPLICATE'] as const
export type PaymentException = (typeof paymentExceptions)[number]

/** What a payment has in one currency of the books. */
export type PaymentMoney = {
  readonly currency: Currency
  /** The wallet that the first word of money in this currency chose: all of it goes there. */
  readonly walletId: WalletId
  /** Paid, settlement delay running. */
  readonly unreleasedMinor: bigint
  /** Given back by refunds that are done or under way. */
  readonly refundedMinor: bigint
  readonly methods: readonly MethodMoney[]
}

/** What came by one method, and what we kept of it. */
export type MethodMoney = {
  readonly method: Method
  readonly receivedMinor: bigint
  readonly feeMinor: bigint
}

/** The fields of a creation that the record echoes, as the merchant sent them. */
export type PaymentRequest = {
  readonly amount: number
  readonly currency?: string
  readonly paymentMethods?: readonly string[]
  readonly customerName?: string
  readonly customerEmail?: string
  /** CPF or CNPJ, without its mask. */
  readonly customerTaxId?: string
  /** What the payer reads at the provider. */
  readonly description?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly webhookUrl?: string
  /** Slug of a checkout template. */
  readonly checkout?: string
  readonly expiresIn?: number
  /** Cards: whether the provider captures at once, or the merchant says when. */
  readonly captureMode?: CaptureMode
  /** Where the payer's page sends the payer afterwards. Proves nothing. */
  readonly returnUrl?: string
  readonly cancelUrl?: string
}

/** What a payer told of themselves on a page. The merchant's own word for it, where there is one, is in the request. */
export type Payer = {
  readonly name?: string
  readonly email?: string
  /** E.164. */
  readonly phone?: string
  /** A CPF or CNPJ without its mask, or another country's as it was written. */
  readonly taxId?: string
  readonly address?: PayerAddress
}

export type PayerAddress = {
  readonly line1: string
  readonly line2?: string
  /** In Brazil: bairro. */
  readonly district?: string
  readonly city: string
  readonly region?: string
  readonly postcode?: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** Of a payment for which nothing has come yet. */
export const unpaid = {
  receivedMinor: 0n,
  refundedMinor: 0n,
  disputedMinor: 0n,
  seenMinor: 0n,
  unreleasedMinor: 0n,
  feeMinor: 0n,
  money: [],
  exceptions: [],
  receipts: 0,
} as const satisfies Partial<Payment>

export type Payment = {
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly mode: Mode
  readonly request: PaymentRequest
  readonly status: PaymentStatus
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly methods: readonly Method[]
  readonly method?: Method
  /** Where the payer pays, when that is a page of ours. */
  readonly page?: PageLink
  /** Of a checkout: the revision of its template that this payment keeps to. */
  readonly templateRevision?: number
  readonly payer?: Payer
  readonly receivedMinor: bigint
  /** Given back by refunds that are done or under way. */
  readonly refundedMinor: bigint
  /** Taken back, or about to be, by disputes that are open or lost. */
  readonly disputedMinor: bigint
  /** Mined or authorised, not final. */
  readonly seenMinor: bigint
  readonly unreleasedMinor: bigint
  readonly feeMinor: bigint
  /** The same by currency of the books. The lane reads all of it; other reads leave out what came before it was kept. */
  readonly money: readonly PaymentMoney[]
  readonly exceptions: readonly PaymentException[]
  /** Where the receipt that completed it was credited; until then, the last one that brought money or announced it. */
  readonly walletId?: WalletId
  readonly completingTx?: string
  /** The provider's name of the money that completed the sum. Absent for payments of before it was kept. */
  readonly completingRef?: string
  /** What was last refused, and by which method's provider. One of before this was kept has no method. */
  readonly lastError?: { readonly code: string; readonly message: string; readonly method?: Method }
  /** How many receipts were booked. */
  readonly receipts: number
  readonly version: number
  readonly createdAt: Date
  readonly expiresAt?: Date
  readonly approvedAt?: Date
  readonly paidAt?: Date
}

/** How long the payer of a checkout has, unless the merchant says otherwise. */
const checkoutLifetimeMs = 24 * hourMs

/** When a payment with a checkout ends by itself, whatever method was chosen meanwhile. */
export function checkoutEnd(createdAt: Date, { expiresIn }: Pick<PaymentRequest, 'expiresIn'>): Date {
  return addMs(createdAt, expiresIn === undefined ? checkoutLifetimeMs : expiresIn * secondMs)
}

/** What still lacks of the amount asked for: received less refunds against it. Never negative. */
export function missingMinor(
  payment: Pick<Payment, 'amountMinor' | 'receivedMinor' | 'refundedMinor'>,
): bigint {
  return maxOf(payment.amountMinor - (payment.receivedMinor - payment.refundedMinor), 0n)
}

/** The ledger counts what the rail received: a USD payment by CRYPTO is USDT, one for one (interface §1). */
export function ledgerCurrency(currency: Currency, method: Method): Currency {
  return method === 'CRYPTO' && currency === 'USD' ? 'USDT' : currency
}

export function refundStatus({ receivedMinor, refundedMinor }: Payment): 'NONE' | 'PARTIAL' | 'FULL' {
  if (refundedMinor === 0n) return 'NONE'
  return refundedMinor >= receivedMinor ? 'FULL' : 'PARTIAL'
}
