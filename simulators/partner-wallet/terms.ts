// Reads a new order: required fields, lengths, values.
import { now } from '../kit/clock.ts'
import { asFields, type Fields } from '../kit/fields.ts'
import { fail } from './errors.ts'
import type { Terms } from './events.ts'
import { unitsOf } from './money.ts'

const terminalTypes = ['APP', 'WEB', 'WAP', 'MINI_PROGRAM', 'OTHERS'] as const
const hourMs = 3_600_000
/** The longest life of an order, which is also the default. `lenienceMs`: clocks differ. */
const lifeMs = hourMs
const lenienceMs = 1000
const currency = 'USDT'

/** Throws a Refusal that names the field. */
export function readTerms(body: Fields): Terms {
  const env = object(body, 'env')
  const terminalType = terminalTypes.find((each) => each === env['terminalType'])
  if (terminalType === undefined)
    throw fail(env['terminalType'] === undefined ? '400100' : '400102', 'env.terminalType')
  const merchantTradeNo = tradeNo(body)
  // Sub-merchants and prices in ordinary money are left out.
  if (body['merchant'] !== undefined && body['merchant'] !== null) throw fail('400206')
  if (body['currency'] === undefined) throw fail('400100', 'currency')
  if (body['currency'] !== currency) throw fail('400102', 'currency')
  const goods = goodsOf(body)
  return {
    merchantTradeNo,
    amount: amountField(body, 'orderAmount').toString(),
    currency,
    description: required(body, 'description', 256),
    terminalType,
    ...goods,
    expireTime: expiryOf(body),
    ...optional('returnUrl', url(body, 'returnUrl')),
    ...optional('cancelUrl', url(body, 'cancelUrl')),
    ...optional('webhookUrl', url(body, 'webhookUrl')),
    ...optional('passThroughInfo', text(body, 'passThroughInfo', 512)),
  }
}

/** Exactly one of the two names of an order; `prepayId` wins. */
export function readOrderName(body: Fields): { readonly prepayId: string } | { readonly tradeNo: string } {
  const prepayId = text(body, 'prepayId', 19)
  if (prepayId !== undefined) return { prepayId }
  if (text(body, 'merchantTradeNo', 1000) === undefined) throw fail('400100', 'prepayId or merchantTradeNo')
  return { tradeNo: tradeNo(body) }
}

/** A positive amount. */
export function amountField(body: Fields, name: string): bigint {
  const value = body[name]
  if (value === undefined || value === null || value === '') throw fail('400100', name)
  const units = unitsOf(value)
  if (units === undefined || units === 0n) throw fail('400102', name)
  return units
}

export function required(body: Fields, name: string, max: number): string {
  const value = text(body, name, max)
  if (value === undefined) throw fail('400100', name)
  return value
}

/** An address that begins with http or https. */
export function url(body: Fields, name: string): string | undefined {
  const value = text(body, name, 256)
  if (value !== undefined && !(/^https?:\/\//.test(value) && URL.canParse(value))) throw fail('400102', name)
  return value
}

export function optional<K extends string>(name: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]: string })
}

/** Empty and null count as absent. */
export function text(body: Fields, name: string, max: number): string | undefined {
  const value = body[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw fail('400100', name)
  if (value.length > max) throw fail('400101', name)
  return value
}

function object(body: Fields, name: string): Fields {
  const value = asFields(body[name])
  if (value === undefined) throw fail('400100', name)
  return value
}

function tradeNo(body: Fields): string {
  const value = required(body, 'merchantTradeNo', 32)
  if (!/^[A-Za-z0-9]+$/.test(value)) throw fail('400103', 'merchantTradeNo')
  return value
}

function goodsOf(body: Fields): { readonly goodsName: string; readonly goodsType: string } {
  const list: unknown = body['goodsDetails']
  if (!Array.isArray(list) || list.length === 0) throw fail('400100', 'goodsDetails')
  const [first] = list.map((each: unknown) => {
    const goods = asFields(each)
    if (goods === undefined) throw fail('400100', 'goodsDetails')
    const goodsType = required(goods, 'goodsType', 2)
    if (goodsType !== '01' && goodsType !== '02') throw fail('400102', 'goodsType')
    if (!/^(?:\d000|[A-Z]000)$/.test(required(goods, 'goodsCategory', 4)))
      throw fail('400102', 'goodsCategory')
    required(goods, 'referenceGoodsId', 32)
    const goodsName = required(goods, 'goodsName', 256)
    // Characters that a payer's screen may not show (quotation marks, and those beyond the basic plane).
    if (/["\u{10000}-\u{10ffff}]/u.test(goodsName)) throw fail('400103', 'goodsName')
    text(goods, 'goodsDetail', 256)
    return { goodsName, goodsType }
  })
  if (first === undefined) throw fail('400100', 'goodsDetails')
  return first
}

function expiryOf(body: Fields): number {
  const value = body['orderExpireTime']
  const at = now()
  if (value === undefined || value === null) return at + lifeMs
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw fail('400100', 'orderExpireTime')
  if (value <= at || value > at + lifeMs + lenienceMs) throw fail('400102', 'orderExpireTime')
  return value
}
