// The payment: what a merchant requested, and its state. The states are a table; no sequence of events leaves PAID.
import { randomBytes } from 'node:crypto'
import type { paymentRequest } from '#/contract/payment-requests.ts'
import type { paymentExceptions, paymentStatuses } from '#/contract/payments.ts'
import type { Sent } from '#/contract/record.ts'
import type { FieldFault } from '#/kernel/error.ts'
import type { MerchantId, PaymentId, PaymentLinkId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { maxOf, type Currency, amountFromJson } from '#/kernel/money.ts'
import type { StateTable } from '#/kernel/state.ts'
import { addMs, hourMs, secondMs } from '#/kernel/time.ts'
import type { Method, Mandate } from '#/rails/method.ts'
import type { PayerAddress } from '#/rails/rail.ts'

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
 * - PENDING: there is nothing to pay with yet.
 * - WAITING_PAYMENT: the payer can pay.
 * - APPROVED: authorised, not captured.
 * - PAID: the full amount is final. The state never changes again; refunds and disputes are records of their own.
 * - EXPIRED, FAILED: ended, but late money counts: the full amount makes it PAID.
 * - CANCELED: ended by the merchant. Money that still comes is credited and the payment stays as it is.
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

/** Exceptions of the money: less or more than requested, after the end, or a second time. */
export type PaymentException = (typeof paymentExceptions)[number]

/** What a payment has in one currency of the books. */
export type PaymentMoney = {
  readonly currency: Currency
  /** The wallet for all money in this currency, chosen with its first receipt. */
  readonly walletId: WalletId
  /** Paid, and still waiting for the end of the settlement delay. */
  readonly unreleasedMinor: bigint
  /** The sum of refunds that are done or under way. */
  readonly refundedMinor: bigint
  readonly methods: readonly MethodMoney[]
}

/** What came by one method, and our fee on it. */
export type MethodMoney = {
  readonly method: Method
  readonly receivedMinor: bigint
  readonly feeMinor: bigint
}

/** A creation, as the merchant sent it, with a tax id without its mask. The record echoes most of it. */
export type PaymentRequest = Omit<Sent<typeof paymentRequest>, 'idempotencyKey'>

/** A share that a merchant requests for a sub-account: `amount` in minor units, or `percent`. */
export type SplitRequest = NonNullable<PaymentRequest['splits']>[number]

/** The data that a payer entered on a page. What the merchant provided is in the request. */
export type Payer = {
  readonly name?: string
  readonly email?: string
  /** E.164. */
  readonly phone?: string
  /** A CPF or CNPJ without its mask, or another country's as it was written. */
  readonly taxId?: string
  readonly address?: PayerAddress
  /** The account that a debit takes the money from, and how the payer accepted that. */
  readonly iban?: string
  readonly mandate?: Mandate
}

/** The sums of a payment that has received nothing. */
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
  /** The key of the call that made it; of a use of a payment link, ours. Examples that are not stored have none. */
  readonly idempotencyKey?: string
  readonly status: PaymentStatus
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly methods: readonly Method[]
  readonly method?: Method
  /** Where the payer pays, when that is a page of ours. */
  readonly page?: PageLink
  /** The payment link that made it. */
  readonly linkId?: PaymentLinkId
  /** For a checkout: the revision of its template that this payment pins. */
  readonly templateRevision?: number
  readonly payer?: Payer
  /** What was known of its payer was erased then. */
  readonly payerErasedAt?: Date
  readonly receivedMinor: bigint
  /** The sum of refunds that are done or under way. */
  readonly refundedMinor: bigint
  /** The sum of disputes that are OPEN or LOST. */
  readonly disputedMinor: bigint
  /** Mined or authorised, not final. */
  readonly seenMinor: bigint
  readonly unreleasedMinor: bigint
  readonly feeMinor: bigint
  /** The same by currency of the books. Only the lane's reads derive it for payments from before this column. */
  readonly money: readonly PaymentMoney[]
  readonly exceptions: readonly PaymentException[]
  /** The wallet of the receipt that completed it; before that, of the last receipt that brought or announced money. */
  readonly walletId?: WalletId
  readonly completingTx?: string
  /** The provider's name of the money that completed the sum. Absent for payments from before this column. */
  readonly completingRef?: string
  /** The last refusal, and its method. Payments from before this column have no method. */
  readonly lastError?: { readonly code: string; readonly message: string; readonly method?: Method }
  /** How many receipts were booked. */
  readonly receipts: number
  readonly version: number
  readonly createdAt: Date
  readonly expiresAt?: Date
  readonly approvedAt?: Date
  readonly paidAt?: Date
}

/** How long the payer of a checkout can pay. Default of `expiresIn`. */
const checkoutLifetimeMs = 24 * hourMs

/** When a payment with a checkout expires, whatever method was chosen. */
export function checkoutEnd(createdAt: Date, { expiresIn }: Pick<PaymentRequest, 'expiresIn'>): Date {
  return addMs(createdAt, expiresIn === undefined ? checkoutLifetimeMs : expiresIn * secondMs)
}

/**
 * Until when the payer can choose a method again when the time of the chosen one is over: the checkout's own end, if it has other methods
 * and no money came. `movedMs`: how far a sandbox's clock was moved since the payment was created.
 */
export function choosesAgainUntil(payment: Payment, now: Date, movedMs = 0): Date | undefined {
  const { request, methods, method, receivedMinor, seenMinor, createdAt } = payment
  const hasOthers = request.checkout !== undefined && methods.length > 1
  if (!hasOthers || method === undefined || receivedMinor + seenMinor > 0n) return undefined
  const end = checkoutEnd(addMs(createdAt, -movedMs), request)
  return end > now ? end : undefined
}

/** The code of `lastError` after that. */
export const methodOverCode = 'method_expired'

/** The requested amount minus what was received and not refunded. Never negative. */
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

// The link of a payer's page. Anyone who has the link sees what the payer sees, so it cannot be guessed. It contains the code of
// its cell, so that an installation with several cells finds the payment.

type PageLink = { readonly token: string; readonly url: string }

/** The hosts of our pages, without a slash at their end. */
export type PageHosts = { readonly cell: string; readonly checkout: string; readonly partner: string }

/** A new link on one of our hosts, with 192 random bits. */
export function newPageLink(hosts: PageHosts, host: 'CHECKOUT' | 'PARTNER'): PageLink {
  const token = newToken(hosts)
  return { token, url: `${host === 'PARTNER' ? hosts.partner : hosts.checkout}/c/${token}` }
}

/** The page of a new payment link, with as many random bits. */
export function newLinkUrl(hosts: PageHosts): PageLink {
  const token = newToken(hosts)
  return { token, url: `${hosts.checkout}/l/${token}` }
}

function newToken({ cell }: PageHosts): string {
  return `${cell}${randomBytes(24).toString('base64url')}`
}

/** Whether the text has the format of a token, so that nothing else is looked up. */
export function isPageToken(text: string): boolean {
  return /^[a-z0-9]{2}[A-Za-z0-9_-]{32}$/.test(text)
}

// What a payment is for: its items, as the merchant sent them. They are part of the request and never change.

/** `amount`: the price of one unit, in minor units. A discount is an item with a negative one. */
export type PaymentItem = { readonly name: string; readonly quantity: number; readonly amount: number }

/** Each webhook and each row of a list carries all items, so their size is limited as that of metadata is. */
const itemsBytesMax = 16_384

/** The price of all units of the item. */
export function itemMinor({ quantity, amount }: Pick<PaymentItem, 'quantity' | 'amount'>): bigint {
  return BigInt(quantity) * amountFromJson(amount)
}

/** What is wrong with the items of a payment of `amount`, beyond the shape of each. No items have no faults. */
export function itemFaults(items: readonly PaymentItem[] | undefined, amount: number): readonly FieldFault[] {
  if (items === undefined) return []
  if (Buffer.byteLength(JSON.stringify(items)) > itemsBytesMax)
    return [{ pointer: '/items', code: 'too_large', message: 'have more than 16 KiB' }]
  const sum = items.reduce((all, item) => all + itemMinor(item), 0n)
  if (sum === amountFromJson(amount)) return []
  const message = `add up to ${sum}, and amount is ${amount}`
  return [{ pointer: '/items', code: 'differs', message }]
}
