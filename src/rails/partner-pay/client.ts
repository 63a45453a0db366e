// The Merchant API, as far as taking money in and giving it back needs it: one function, one call. What each call's failure
// means is decided here; what to do about it, in open.ts, rail.ts and refund.ts.
import type { ProviderError } from '#/kernel/error.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import { createHttpClient, requestTo, type HttpAnswer, type Route, type Routes } from '#/rails/http.ts'
import { AnswerError } from '#/rails/kit/answer-error.ts'
import { signRequest, type Credentials } from './sign.ts'
import * as wire from './wire.ts'

/** What an answer says, and its exact bytes. */
export type Answered<T> = { readonly value: T; readonly raw: Buffer }

export type NewOrder = {
  /** At most 32 letters and digits, ours, for one order for ever. */
  readonly tradeNo: string
  /** Cents of USDT. */
  readonly amount: bigint
  /** At most an hour from now. */
  readonly expiresAt: Date
  /** What the payer reads. */
  readonly description: string
  /** Our name of what is paid; comes back with queries and callbacks. */
  readonly reference: string
  /** At most 32 characters, for the one item that the order has. */
  readonly goodsId: string
  /** Where the payer's page is. */
  readonly pageUrl?: string
  readonly subMerchantId?: string
}

export type NewRefund = {
  /** Ours, for one refund for ever. */
  readonly requestId: string
  readonly prepayId: string
  readonly amount: bigint
  readonly reason?: string
}

/** One of both. */
export type OrderName = { readonly prepayId: string } | { readonly tradeNo: string }

/** Every function rejects with ProviderError; with a PartnerError when the provider answered. */
export type PartnerClient = {
  placeOrder(order: NewOrder): Promise<Answered<wire.PlacedOrder>>
  /** Undefined when the provider has none. */
  findOrder(name: OrderName): Promise<Answered<wire.Order> | undefined>
  /** Asks that nobody can pay it any more; accepted, not done, when it resolves. */
  closeOrder(tradeNo: string): Promise<void>
  /** Accepted, not done, when it resolves. The same id again is the same refund. */
  refund(wish: NewRefund): Promise<Answered<wire.Refund>>
  findRefund(requestId: string): Promise<Answered<wire.Refund> | undefined>
  certificates(): Promise<ReturnType<typeof wire.parseCertificates>>
  close(): Promise<void>
}

export type PartnerClientOptions = {
  readonly apiUrl: string
  readonly credentials: Credentials
  readonly clock: Clock
  readonly timeouts?: Timeouts
}

export type Timeouts = { readonly connectMs: number; readonly totalMs: number }

/** The provider answered, and not with what was asked for. */
export class PartnerError extends AnswerError {
  override name = 'PartnerError'
  /** The provider's own, such as 400201. */
  readonly code: string | undefined

  constructor(
    outcome: ProviderError['outcome'],
    detail: string,
    { code, raw }: Pick<PartnerError, 'code' | 'raw'>,
  ) {
    super(outcome, detail, raw)
    this.code = code
  }
}

export const codes = {
  unknown: '400000',
  badTimestamp: '400003',
  /** Not well formed, or there already. */
  tradeNo: '400201',
  absent: '400202',
  /** Not possible in the order's present state. */
  orderStatus: '400204',
  prepayId: '400301',
} as const

export const usualTimeouts: Timeouts = { connectMs: 4 * secondMs, totalMs: 8 * secondMs }
/** A request that waits for a connection grows old, and the provider takes none that is older than a second. */
const connectionsMax = 64

/** Every call that this client makes. */
export const partnerRoutes = {
  placeOrder: 'POST /binancepay/openapi/v3/order',
  findOrder: 'POST /binancepay/openapi/v2/order/query',
  closeOrder: 'POST /binancepay/openapi/order/close',
  refund: 'POST /binancepay/openapi/order/refund',
  findRefund: 'POST /binancepay/openapi/order/refund/query',
  certificates: 'POST /binancepay/openapi/certificates',
} as const satisfies Routes
type PartnerRoute = keyof typeof partnerRoutes

/** A client for one merchant account. Connections are kept; `close` ends them. */
export function createPartnerClient(options: PartnerClientOptions): PartnerClient {
  const { apiUrl, credentials, clock, timeouts = usualTimeouts } = options
  const http = createHttpClient({ ...timeouts, maxConnections: connectionsMax })
  const base = apiUrl.replace(/\/+$/, '')

  async function send(to: PartnerRoute, body: string): Promise<Answered<unknown>> {
    const route = partnerRoutes[to]
    const { method, path } = requestTo(route)
    const answer = await http.request({
      method,
      url: base + path,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...signRequest(credentials, body, clock.now()),
      },
      body,
    })
    const envelope = wire.parseEnvelope(answer.body)
    if (envelope.ok && answer.status >= 200 && answer.status < 300)
      return { value: envelope.data, raw: answer.body }
    throw refusalOf(route, answer, envelope.ok ? {} : envelope)
  }
  async function call<T>(to: PartnerRoute, wish: unknown, parse: (data: unknown) => T): Promise<Answered<T>> {
    const body = JSON.stringify(wish)
    const { value, raw } = await send(to, body).catch((error: unknown) => {
      // It was too long on its way, and nothing happened: once more with the time of now.
      if (hasCode(error, codes.badTimestamp)) return send(to, body)
      throw error
    })
    return { value: parse(value), raw }
  }
  return {
    placeOrder: (order) => call('placeOrder', orderBody(order), wire.parsePlacedOrder),
    findOrder: (name) =>
      ignoreAbsent(
        call(
          'findOrder',
          'prepayId' in name ? { prepayId: name.prepayId } : { merchantTradeNo: name.tradeNo },
          wire.parseOrder,
        ),
      ),
    async closeOrder(tradeNo) {
      await call('closeOrder', { merchantTradeNo: tradeNo }, (data) => data)
    },
    refund: (wish) => call('refund', refundBody(wish), wire.parseRefund),
    findRefund: (requestId) =>
      ignoreAbsent(call('findRefund', { refundRequestId: requestId }, wire.parseRefund)),
    certificates: async () => (await call('certificates', {}, wire.parseCertificates)).value,
    close: http.close,
  }
}

/** Whether the provider answered with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof PartnerError && error.code === code
}

/** Signature, time, key, address, method, media type; the account and its sub-merchants; no right to do it. */
const aboutUs = /^4000(?:0[2-7])$|^40020[356]$|^400606$/

/**
 * What a code says of the call. Some speak of us and not of the order: nothing was done, and nothing will be before a
 * person has changed something. 400000 is the provider's own word for unknown. A code that is not the API's comes from the
 * gateway, and then the status decides.
 */
function refusalOf(
  route: Route,
  { status, body }: HttpAnswer,
  { code, message }: { readonly code?: string; readonly message?: string },
): PartnerError {
  const isOurs = code !== undefined && aboutUs.test(code)
  const isVerdict = code !== undefined && code !== codes.unknown && /^400[0-9]{3}$/.test(code)
  const isNotNow = [401, 403, 418, 429, 503].includes(status)
  const outcome = isOurs ? 'unavailable' : isVerdict ? 'refused' : isNotNow ? 'unavailable' : 'unknown'
  const detail = `${route}: HTTP ${status} ${code ?? ''} ${message ?? ''}`.replaceAll(/ +/g, ' ').trim()
  return new PartnerError(outcome, detail, { code, raw: body })
}

async function ignoreAbsent<T>(calling: Promise<T>): Promise<T | undefined> {
  try {
    return await calling
  } catch (error) {
    if (hasCode(error, codes.absent) || hasCode(error, codes.prepayId)) return undefined
    throw error
  }
}

/** URLs and most texts of an order have at most so many characters. */
const textMax = 256

function orderBody(order: NewOrder) {
  const { tradeNo, amount, expiresAt, reference, goodsId, pageUrl, subMerchantId } = order
  const description = plain(order.description) || reference
  return {
    env: { terminalType: 'WEB' },
    merchantTradeNo: tradeNo,
    orderAmount: wire.toAmountText(amount),
    currency: 'USDT',
    description,
    // One item that stands for the whole: we know the sum alone. 02: virtual, Z000: others.
    goodsDetails: [
      { goodsType: '02', goodsCategory: 'Z000', referenceGoodsId: goodsId, goodsName: description },
    ],
    orderExpireTime: expiresAt.getTime(),
    passThroughInfo: reference,
    ...(pageUrl === undefined || pageUrl.length > textMax ? {} : { returnUrl: pageUrl, cancelUrl: pageUrl }),
    ...(subMerchantId === undefined ? {} : { merchant: { subMerchantId } }),
  }
}

function refundBody({ requestId, prepayId, amount, reason }: NewRefund) {
  return {
    refundRequestId: requestId,
    prepayId,
    refundAmount: wire.toAmountText(amount),
    ...(reason === undefined ? {} : { refundReason: plain(reason) }),
  }
}

/** Without what the provider forbids in names of goods: quotation marks, backslashes, control characters, pictures. */
function plain(given: string): string {
  const clean = given.replaceAll(/["\\\p{Cc}\p{Extended_Pictographic}\u{10000}-\u{10ffff}]/gu, ' ')
  return clean.replaceAll(/\s+/g, ' ').trim().slice(0, textMax)
}
