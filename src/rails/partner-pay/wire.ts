// The provider's objects (Binance Pay Merchant API, orders v3, queries v2), and how they are read. Numbers are read as their
// exact text: a float cannot hold ids of 19 digits and amounts. Unknown fields and values are ignored; a required field that
// cannot be read throws with its name.
import { ProviderError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { currencies, isCurrency, toDecimal, type Currency, type Money } from '#/kernel/money.ts'
import { addMs, unixSeconds } from '#/kernel/time.ts'

const orderStatuses = [
  'INITIAL',
  'PENDING',
  'PAID',
  'CANCELED',
  'ERROR',
  'REFUNDING',
  'REFUNDED',
  'FULL_REFUNDED',
  'EXPIRED',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** The links of a new order: anyone who has them can pay it, and the provider returns them only once. */
export type PlacedOrder = {
  readonly prepayId: string
  /** The text that the app's camera reads. */
  readonly qrContent: string
  /** Starts the app on a phone that has it, else opens a page. */
  readonly universalUrl: string
  readonly checkoutUrl?: string
  readonly expiresAt?: Date
}

/** An order in the answer to a query. */
export type Order = {
  readonly prepayId: string
  readonly tradeNo: string
  /** Absent for a status that we do not know. */
  readonly status?: OrderStatus
  /** Absent when its currency is not ours, or the amount is finer than the smallest unit. */
  readonly amount?: Money
  readonly createdAt?: Date
  readonly paidAt?: Date
}

/** A refund, in the answers to its request and to a query. */
export type Refund = {
  readonly requestId: string
  readonly prepayId: string
  readonly amount: bigint
  /** The total of the order's refunds, this one included. */
  readonly refunded: bigint
  readonly orderAmount: bigint
  /** How often the order can still be refunded. At 1 the next refund gives back all that is left, whatever amount it requests. */
  readonly attemptsLeft: number
  /** Only a query returns it. Also absent for a status that we do not know. */
  readonly status?: 'REFUND_SUCCESS' | 'REFUND_FAIL' | 'REFUND_PENDING'
}

/** The ids in a callback: enough to query the order; its other content is not trusted. */
export type Hint = {
  readonly bizType: string
  readonly bizId: string
  readonly bizStatus: string
  readonly tradeNo?: string
  readonly refundRequestId?: string
}

/** Reads a new order. */
export function parsePlacedOrder(data: unknown): PlacedOrder {
  const at = fieldsOf(data, 'order')
  const expiresAt = instant(at, 'expireTime')
  const checkoutUrl = text(at, 'checkoutUrl')
  const universalUrl = text(at, 'universalUrl') ?? checkoutUrl
  const qrContent = text(at, 'qrContent') ?? universalUrl
  if (universalUrl === undefined || qrContent === undefined) throw nonsense('order', 'has no link')
  return {
    prepayId: id(at, 'prepayId'),
    qrContent,
    universalUrl,
    ...given({ checkoutUrl, expiresAt }),
  }
}

/** Reads an order from a query. */
export function parseOrder(data: unknown): Order {
  const at = fieldsOf(data, 'order')
  const status = orderStatuses.find((each) => each === text(at, 'status'))
  const amount = money(text(at, 'orderAmount'), text(at, 'currency'))
  const [createdAt, paidAt] = [instant(at, 'createTime'), instant(at, 'transactTime')]
  return {
    prepayId: id(at, 'prepayId'),
    tradeNo: id(at, 'merchantTradeNo'),
    ...given({ status, amount, createdAt, paidAt }),
  }
}

/** Reads a refund from its request or a query. Its amounts are in the currency of the order, which is USDT. */
export function parseRefund(data: unknown): Refund {
  const at = fieldsOf(data, 'refund')
  const status = refundStatuses.find((each) => each === text(at, 'refundStatus'))
  const remaining = text(at, 'remainingAttempts') ?? ''
  if (!/^\d{1,3}$/.test(remaining)) throw nonsense('refund.remainingAttempts', 'is no count')
  return {
    requestId: id(at, 'refundRequestId'),
    prepayId: id(at, 'prepayId'),
    amount: usdt(at, 'refundAmount'),
    refunded: usdt(at, 'refundedAmount'),
    orderAmount: usdt(at, 'orderAmount'),
    attemptsLeft: Number(remaining),
    ...given({ status }),
  }
}

const refundStatuses = ['REFUND_SUCCESS', 'REFUND_FAIL', 'REFUND_PENDING'] as const

/** Reads the keys that sign callbacks: serial number, and the public key in PEM. */
export function parseCertificates(
  data: unknown,
): readonly { readonly serial: string; readonly publicKey: string }[] {
  if (!Array.isArray(data)) throw nonsense('certificates', 'are no list')
  return data.map((each) => {
    const at = fieldsOf(each, 'certificate')
    const publicKey = text(at, 'certPublic')
    if (publicKey === undefined) throw nonsense('certificate.certPublic', 'is missing')
    return { serial: id(at, 'certSerial'), publicKey }
  })
}

/**
 * Returns the hint of a callback; undefined if it is not one. `data` is a text that contains JSON, and so may its part about a
 * refund.
 */
export function parseHint(body: Buffer): Hint | undefined {
  const sent = jsonOf(body.toString('utf8'))
  if (!isObject(sent)) return undefined
  const at = { name: 'callback', fields: sent }
  const [bizType, bizId] = [text(at, 'bizType'), text(at, 'bizIdStr') ?? text(at, 'bizId')]
  const bizStatus = text(at, 'bizStatus')
  if (bizType === undefined || bizId === undefined || bizStatus === undefined || !isId(bizId))
    return undefined
  const data = nested(sent['data'])
  const tradeNo = text(data, 'merchantTradeNo')
  const refundRequestId = text(nested(data.fields['refundInfo']), 'refundRequestId')
  return {
    bizType,
    bizId,
    bizStatus,
    ...(tradeNo !== undefined && isId(tradeNo) ? { tradeNo } : {}),
    ...(refundRequestId !== undefined && isId(refundRequestId) ? { refundRequestId } : {}),
  }
}

/** An answer, before its data is read. */
export type Envelope =
  | { readonly ok: true; readonly data: unknown }
  /** The provider's code and words, as far as it sent any. */
  | { readonly ok: false; readonly code?: string; readonly message?: string }

/**
 * Reads the envelope of every answer. Faults have three forms: `{status: "FAIL", code, errorMessage}` of the API, `{status:
 * "ERROR", type: "SYS", code, errorData}` of the gateway in front of it, and `{code, msg}`.
 */
export function parseEnvelope(body: Buffer): Envelope {
  const sent = jsonOf(body.toString('utf8'))
  if (!isObject(sent)) return { ok: false }
  const at = { name: 'answer', fields: sent }
  const code = text(at, 'code')
  if (text(at, 'status') === 'SUCCESS' && (code === undefined || code === successCode))
    return { ok: true, data: sent['data'] }
  const message = ['errorMessage', 'msg', 'errorData', 'message']
    .map((field) => text(at, field))
    .find((each) => each !== undefined)
  return {
    ok: false,
    ...given({ code }),
    ...(message === undefined ? {} : { message: message.slice(0, messageMax) }),
  }
}

const successCode = '000000'
const messageMax = 300

/** Cents in the provider's form, `12.34`. */
export function toAmountText(minor: bigint): string {
  return toDecimal({ minor, currency: 'USDT' })
}

/** Returns the minor units of a decimal text; undefined if it is not valid, or finer than they are. Never converts through a number. */
function parseAmount(sent: string, currency: Currency): bigint | undefined {
  const digits = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(sent)
  if (digits === null) return undefined
  const { exponent } = currencies[currency]
  const [, whole = '', fraction = ''] = digits
  if (/[1-9]/.test(fraction.slice(exponent))) return undefined
  return BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'))
}

/** The call arrived, but its result is unknown: the answer cannot be read. */
export function nonsense(name: string, what: string): ProviderError {
  return new ProviderError('unknown', `the wallet provider's answer makes no sense: ${name} ${what}`)
}

type Fields = { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }

/** Parses JSON and keeps every number as its exact text; undefined if it is not JSON. */
function jsonOf(sent: string): unknown {
  const keepNumbers = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  try {
    return JSON.parse(sent, keepNumbers)
  } catch {
    return undefined
  }
}

function isObject(sent: unknown): sent is Readonly<Record<string, unknown>> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent)
}

function fieldsOf(sent: unknown, name: string): Fields {
  if (!isObject(sent)) throw nonsense(name, 'is no object')
  return { name, fields: sent }
}

/** Returns an object, or the object in a text; without fields when it is neither. */
function nested(sent: unknown): Fields {
  const read = typeof sent === 'string' ? jsonOf(sent) : sent
  return { name: 'data', fields: isObject(read) ? read : {} }
}

/** Returns a text that is not empty, or a number as text. */
function text({ fields }: Fields, field: string): string | undefined {
  const sent = fields[field]
  return typeof sent === 'string' && sent !== '' ? sent : undefined
}

function id(at: Fields, field: string): string {
  const sent = text(at, field)
  if (sent === undefined || !isId(sent)) throw nonsense(`${at.name}.${field}`, 'is no id')
  return sent
}

function isId(sent: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(sent)
}

/** Milliseconds since 1970. */
function instant(at: Fields, field: string): Date | undefined {
  const sent = text(at, field)
  if (sent === undefined || !/^[1-9]\d{0,14}$/.test(sent)) return undefined
  return addMs(unixSeconds(0n), Number(sent))
}

function usdt(at: Fields, field: string): bigint {
  const minor = parseAmount(text(at, field) ?? '', 'USDT')
  if (minor === undefined) throw nonsense(`${at.name}.${field}`, 'is no amount')
  return minor
}

function money(amount: string | undefined, currency: string | undefined): Money | undefined {
  if (amount === undefined || currency === undefined || !isCurrency(currency)) return undefined
  const minor = parseAmount(amount, currency)
  return minor === undefined ? undefined : { minor, currency }
}
