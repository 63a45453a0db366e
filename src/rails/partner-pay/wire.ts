// What the provider sends (Binance Pay Merchant API, orders v3, queries v2), and its reading into ours. Numbers are read as
// the text that they are: ids of 19 digits and amounts do not survive being made floats. Fields and values that we do not
// know are passed over; what we need and cannot read is nonsense, with the field named.
import { ProviderError } from '#/kernel/error.ts'
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

/** What a new order gives: who has its links can pay it, and nothing tells them again. */
export type PlacedOrder = {
  readonly prepayId: string
  /** What the camera of the app reads. */
  readonly qrContent: string
  /** Opens the app on a phone that has it, else a page. */
  readonly universalUrl: string
  readonly checkoutUrl?: string
  readonly expiresAt?: Date
}

/** An order as a query tells it. */
export type Order = {
  readonly prepayId: string
  readonly tradeNo: string
  /** Absent for a status that we do not know. */
  readonly status?: OrderStatus
  /** Absent when it is in no currency of ours, or finer than its smallest unit. */
  readonly amount?: Money
  readonly createdAt?: Date
  readonly paidAt?: Date
}

/** A refund, as the call that asks for it and the query both tell it. */
export type Refund = {
  readonly requestId: string
  readonly prepayId: string
  readonly amount: bigint
  /** Of the order, this refund included. */
  readonly refunded: bigint
  readonly orderAmount: bigint
  /** How often the order can still be refunded. At 1 the next refund gives back all that is left, whatever it asks for. */
  readonly attemptsLeft: number
  /** A query alone tells it. Absent for a status that we do not know, too. */
  readonly status?: 'REFUND_SUCCESS' | 'REFUND_FAIL' | 'REFUND_PENDING'
}

/** What a callback claims. Enough to ask, and never believed. */
export type Hint = {
  readonly bizType: string
  readonly bizId: string
  readonly bizStatus: string
  readonly tradeNo?: string
  readonly refundRequestId?: string
}

/** A new order. */
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
    ...(checkoutUrl === undefined ? {} : { checkoutUrl }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}

/** An order that was asked for. */
export function parseOrder(data: unknown): Order {
  const at = fieldsOf(data, 'order')
  const status = orderStatuses.find((each) => each === text(at, 'status'))
  const amount = money(text(at, 'orderAmount'), text(at, 'currency'))
  const [createdAt, paidAt] = [instant(at, 'createTime'), instant(at, 'transactTime')]
  return {
    prepayId: id(at, 'prepayId'),
    tradeNo: id(at, 'merchantTradeNo'),
    ...(status === undefined ? {} : { status }),
    ...(amount === undefined ? {} : { amount }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(paidAt === undefined ? {} : { paidAt }),
  }
}

/** A refund that was asked for, or is asked about. Its amounts are in the currency of the order, which is USDT. */
export function parseRefund(data: unknown): Refund {
  const at = fieldsOf(data, 'refund')
  const status = refundStatuses.find((each) => each === text(at, 'refundStatus'))
  const left = text(at, 'remainingAttempts') ?? ''
  if (!/^\d{1,3}$/.test(left)) throw nonsense('refund.remainingAttempts', 'is no count')
  return {
    requestId: id(at, 'refundRequestId'),
    prepayId: id(at, 'prepayId'),
    amount: usdt(at, 'refundAmount'),
    refunded: usdt(at, 'refundedAmount'),
    orderAmount: usdt(at, 'orderAmount'),
    attemptsLeft: Number(left),
    ...(status === undefined ? {} : { status }),
  }
}

const refundStatuses = ['REFUND_SUCCESS', 'REFUND_FAIL', 'REFUND_PENDING'] as const

/** The keys that callbacks are signed with: serial number, and the public key in PEM. */
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

/** The hint of a callback; undefined when it is none. `data` is JSON in a text, and a refund's part of it may be so again. */
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

/** What came back from a call, before anything is known of its data. */
export type Envelope =
  | { readonly ok: true; readonly data: unknown }
  /** The provider's code and words, as far as it gave any. */
  | { readonly ok: false; readonly code?: string; readonly message?: string }

/**
 * Reads the frame of every answer. Faults come in three shapes: `{status: "FAIL", code, errorMessage}` of the API,
 * `{status: "ERROR", type: "SYS", code, errorData}` of the gateway in front of it, and `{code, msg}`.
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
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message: message.slice(0, messageMax) }),
  }
}

const successCode = '000000'
const messageMax = 300

/** Cents as the provider reads them, `12.34`. */
export function toAmountText(minor: bigint): string {
  return toDecimal({ minor, currency: 'USDT' })
}

/** The minor units of a decimal text; undefined when it is none, or is finer than they are. Never through a number. */
function parseAmount(sent: string, currency: Currency): bigint | undefined {
  const digits = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(sent)
  if (digits === null) return undefined
  const { exponent } = currencies[currency]
  const [, whole = '', fraction = ''] = digits
  if (/[1-9]/.test(fraction.slice(exponent))) return undefined
  return BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'))
}

/** The call arrived and what it did is not known: the answer cannot be read. */
export function nonsense(name: string, what: string): ProviderError {
  return new ProviderError('unknown', `the wallet provider's answer makes no sense: ${name} ${what}`)
}

type Fields = { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }

/** JSON in which every number is the text that stood there; undefined when it is none. */
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

/** An object, or the text of one; without fields when it is neither. */
function nested(sent: unknown): Fields {
  const read = typeof sent === 'string' ? jsonOf(sent) : sent
  return { name: 'data', fields: isObject(read) ? read : {} }
}

/** A text that says something, or a number as text. */
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
