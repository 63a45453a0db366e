// Which method takes a payment: what the merchant asked for, against what is built and connected.
import { AppError, type FieldFault } from '#/kernel/error.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import { methods, type Method, type Mode, type Rail, type Rails } from '#/rails/rail.ts'
import type { PaymentRequest } from './payment.ts'

export type Route = {
  readonly rail: Rail
  readonly method: Method
  readonly currency: Currency
  readonly connection: ConnectionId
}

/**
 * The one route of a payment without a checkout. 400 when something is missing that the method needs; 422 when the
 * method, the currency or the network is not to be had.
 */
export function routeOf(
  rails: Rails,
  merchant: { readonly id: MerchantId; readonly mode: Mode },
  request: PaymentRequest,
): Route {
  if (request.checkout !== undefined) {
    throw new AppError('checkout_not_found', `There is no checkout ${request.checkout}.`, at('/checkout'))
  }
  const method = methodOf(request)
  const missing = missingFields(method, request)
  if (missing.length > 0) throw new AppError('invalid_request', `${method} needs more.`, { errors: missing })
  const rail = rails.get(method)
  if (rail === undefined)
    throw new AppError('method_not_available', `${method} is not available here.`, at('/paymentMethods'))
  const { currency, metadata } = request
  const offer = rail.offer({
    mode: merchant.mode,
    merchantId: merchant.id,
    ...(currency === undefined ? {} : { currency }),
    ...(metadata === undefined ? {} : { metadata }),
  })
  if (!offer.ok) throw new AppError(offer.code, offer.detail, at(offer.pointer ?? '/paymentMethods'))
  return { rail, method, currency: offer.currency, connection: offer.connection }
}

function methodOf({ paymentMethods }: PaymentRequest): Method {
  const [first, ...others] = paymentMethods ?? []
  if (first === undefined) {
    const fault = { pointer: '/paymentMethods', code: 'required', message: 'name one method, or a checkout' }
    throw new AppError('invalid_request', 'paymentMethods is required without a checkout.', {
      errors: [fault],
    })
  }
  if (others.length > 0) {
    const detail = 'Without a checkout a payment has one method; several are offered on a checkout page.'
    throw new AppError('method_not_available', detail, at('/paymentMethods'))
  }
  const method = methods.find((each) => each === first)
  if (method === undefined)
    throw new AppError('method_not_available', `${first} is not a method.`, at('/paymentMethods/0'))
  return method
}

/** What the interface requires for one method and not for another, so no schema can say it. */
function missingFields(method: Method, request: PaymentRequest): readonly FieldFault[] {
  const needsCurrency = method === 'CRYPTO' || method === 'PARTNER_PAY'
  if (!needsCurrency || request.currency !== undefined) return []
  return [{ pointer: '/currency', code: 'required', message: `is required for ${method}` }]
}

function at(pointer: string): { readonly errors: readonly FieldFault[] } {
  return { errors: [{ pointer, code: 'not_available', message: 'is not available' }] }
}
