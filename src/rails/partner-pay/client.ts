// The Merchant API, as far as receiving money and refunding it needs it: one function, one call. This file decides what each
// call's failure means; open.ts, rail.ts and refund.ts decide what to do about it.
import type { ProviderError } from '#/kernel/error.ts'
import { secondMs, type Clock } from '#/kernel/time.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  requestTo,
  type HttpAnswer,
  type Route,
  type Routes,
} from '#/rails/http.ts'
import { AnswerError } from '#/rails/kit/answer-error.ts'
import { signRequest, type Credentials } from './sign.ts'
import * as wire from './wire.ts'

/** The value of an answer, and its exact bytes. */
export type Answered<T> = { readonly value: T; readonly raw: Buffer }

export type NewOrder = {
  /** Ours: at most 32 letters and digits, for one order only. */
  readonly tradeNo: string
  /** Cents of USDT. */
  readonly amount: bigint
  /** At most an hour from now. */
  readonly expiresAt: Date
  /** The text that the payer reads. */
  readonly description: string
  /** Our name of the payment; queries and callbacks return it. */
  readonly reference: string
  /** At most 32 characters, for the one item that the order has. */
  readonly goodsId: string
  /** The URL of the payer's page. */
  readonly pageUrl?: string
  readonly subMerchantId?: string
}

export type NewRefund = {
  /** Ours, for one refund only. */
  readonly requestId: string
  readonly prepayId: string
  readonly amount: bigint
  readonly reason?: string
}

/** Either name. */
export type OrderName = { readonly prepayId: string } | { readonly tradeNo: string }

/** Every function rejects with ProviderError; with a PartnerError when the provider answered. */
export type PartnerClient = {
  placeOrder(order: NewOrder): Promise<Answered<wire.PlacedOrder>>
  /** Undefined when the provider does not have it. */
  findOrder(name: OrderName): Promise<Answered<wire.Order> | undefined>
  /** Asks the provider to close the order to payments. When it resolves, this is accepted, not yet done. */
  closeOrder(tradeNo: string): Promise<void>
  /** When it resolves, the refund is accepted, not yet done. The same id is always the same refund. */
  refund(order: NewRefund): Promise<Answered<wire.Refund>>
  findRefund(requestId: string): Promise<Answered<wire.Refund> | undefined>
  certificates(): Promise<ReturnType<typeof wire.parseCertificates>>
  close(): Promise<void>
}

export type PartnerClientOptions = {
  readonly apiUrl: string
  readonly credentials: Credentials
  readonly clock: Clock
  readonly timeouts?: Timeouts
  readonly observe?: HttpClientOptions['observe']
}

export type Timeouts = { readonly connectMs: number; readonly totalMs: number }

/** The provider answered, but not with what was requested. */
export class PartnerError extends AnswerError {
  override name = 'PartnerError'
  /** The provider's own code, such as 400201. */
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
  /** Not well formed, or already in use. */
  tradeNo: '400201',
  absent: '400202',
  /** Not possible in the order's present state. */
  orderStatus: '400204',
  prepayId: '400301',
} as const

export const defaultTimeouts: Timeouts = { connectMs: 4 * secondMs, totalMs: 8 * secondMs }
/** A request that waits for a connection gets old, and the provider accepts only requests younger than a second. */
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
  const { apiUrl, credentials, clock, timeouts = defaultTimeouts } = options
  const http = createHttpClient({ ...timeouts, observe: options.observe, maxConnections: connectionsMax })
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
  async function call<T>(
    to: PartnerRoute,
    request: unknown,
    parse: (data: unknown) => T,
  ): Promise<Answered<T>> {
    const body = JSON.stringify(request)
    const { value, raw } = await send(to, body).catch((error: unknown) => {
      // The request took too long to arrive, and nothing happened: repeated once with the current time.
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
    refund: (order) => call('refund', refundBody(order), wire.parseRefund),
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

/** Signature, time, key, address, method, media type; the account and its sub-merchants; missing permission. */
const aboutUs = /^4000(?:0[2-7])$|^40020[356]$|^400606$/

/**
 * Returns what a code means for the call.
 * - Some codes concern us and not the order: nothing was done, and nothing will be done until a person has changed something.
 * - 400000 is the provider's own code for unknown.
 * - A code that the API does not have comes from the gateway; then the status decides.
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

/** The limit of URLs and of most texts of an order, in characters. */
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
    // One item that stands for the whole: we know only the sum. 02: virtual, Z000: others.
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

/** Removes what the provider forbids in names of goods: quotation marks, backslashes, control characters, pictures. */
function plain(given: string): string {
  const clean = given.replaceAll(/["\\\p{Cc}\p{Extended_Pictographic}\u{10000}-\u{10ffff}]/gu, ' ')
  return clean.replaceAll(/\s+/g, ' ').trim().slice(0, textMax)
}
