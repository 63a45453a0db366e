// Which methods accept a payment: what the merchant requested, against the available rails and connections.
import { AppError, type Fault, type FieldFault } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { amountFromJson, isCurrency, type Currency } from '#/kernel/money.ts'
import { secondMs } from '#/kernel/time.ts'
import type { PayerNeed } from '#/rails/descriptor.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf, methods } from '#/rails/methods.ts'
import { type Rail, type Rails } from '#/rails/rail.ts'
import type { Routing, Unroutable } from '#/rails/routing.ts'
import type { CheckoutPlan } from '#/templates/store.ts'
import { leadsTo, type TemplateMethod } from '#/templates/template.ts'
import { lackingNeeds, payerDetailsOf } from './payer-choice.ts'
import type { PaymentRequest } from './payment.ts'

type Merchant = { readonly id: MerchantId; readonly mode: Mode }

export type Route = {
  readonly rail: Rail
  readonly method: Method
  readonly currency: Currency
  readonly connection: ConnectionId
}

/**
 * The one route of a payment without a checkout. Errors:
 * - 400: a field is missing that the method needs
 * - 422: the method, the currency or the network is not available
 */
export function routeOf(rails: Rails, merchant: Merchant, request: PaymentRequest): Route {
  const method = methodOf(request)
  const rail = rails.get(method)
  const missing = [...missingFields(method, request), ...missingNeeds(rail, request)]
  if (missing.length > 0) throw new AppError('invalid_request', `${method} needs more.`, { faults: missing })
  if (rail === undefined)
    throw new AppError('method_not_available', `${method} is not available here.`, at('/paymentMethods'))
  const tooLong = lifetimeFault(rail, request)
  if (tooLong !== undefined)
    throw new AppError('invalid_request', `expiresIn ${tooLong.message}.`, { faults: [tooLong] })
  const routing = routingOf(rail, merchant, request, request.currency)
  if (!routing.ok) throw refusalOf(routing)
  return { rail, method, currency: routing.currency, connection: routing.connection }
}

function refusalOf({ code, detail, pointer = '/paymentMethods', fault }: Unroutable): AppError {
  return new AppError(code, detail, at(pointer, fault))
}

function routingOf(
  rail: Rail,
  merchant: Merchant,
  { amount, metadata, captureMode }: PaymentRequest,
  currency: string | undefined,
): Routing {
  if (captureMode === 'MANUAL' && rail.authorisations === undefined) {
    const detail = `${rail.method} has no authorisation that could be captured later.`
    return { ok: false, code: 'method_not_available', detail, pointer: '/captureMode' }
  }
  return rail.route({
    mode: merchant.mode,
    merchantId: merchant.id,
    amountMinor: amountFromJson(amount),
    ...given({ currency, metadata }),
  })
}

/** The currency of a payment with a checkout, and the methods that its payer can choose from, in the template's order. */
export type CheckoutRoute = { readonly currency: Currency; readonly methods: readonly Method[] }

/**
 * The methods that the payer of a checkout can choose from: those that the template enables, the request allows and a connection accepts.
 * Errors:
 * - 422 when no method is left, with the obstacle of each
 * - 422 when the request names a network or token that is not available
 * - 422 when the template's hosts do not allow the request's own links
 */
export function checkoutRouteOf(
  rails: Rails,
  merchant: Merchant,
  request: PaymentRequest,
  plan: CheckoutPlan,
): CheckoutRoute {
  checkLinks(request, plan)
  const currency = currencyOf(request, plan)
  const candidates = plan.methods.filter(({ method }) => request.paymentMethods?.includes(method) ?? true)
  const choices = candidates.map((candidate) => ({
    method: candidate.method,
    obstacle: obstacleOf(rails, merchant, request, { ...candidate, currency }),
  }))
  const available = choices.filter(({ obstacle }) => obstacle === undefined)
  if (available.length > 0) {
    const offered = available.map(({ method }) => method)
    return { currency, methods: plan.localFirst === true ? localFirst(rails, request, offered) : offered }
  }
  const obstacles = choices.flatMap(({ obstacle }) => obstacle ?? [])
  const detail = `No method of the checkout accepts this payment. ${obstacles.join(' ')}`.trim()
  throw new AppError('method_not_available', detail, at('/paymentMethods'))
}

/** Those that are local in the payer's country first; else in their order. */
function localFirst(
  rails: Rails,
  { customerCountry, customerAddress }: PaymentRequest,
  available: readonly Method[],
): readonly Method[] {
  const country = customerCountry ?? customerAddress?.country
  if (country === undefined) return available
  const rank = (method: Method) => (rails.get(method)?.countries?.includes(country) === true ? 0 : 1)
  return available.toSorted((a, b) => rank(a) - rank(b))
}

/** Default: the first currency of the template. */
function currencyOf({ currency }: PaymentRequest, { currencies }: CheckoutPlan): Currency {
  const [first] = currencies
  const requested = currency ?? first
  const found = requested !== undefined && isCurrency(requested) ? requested : undefined
  if (found !== undefined && currencies.some((each) => each === found)) return found
  const detail = `The checkout accepts ${currencies.join(', ')}, not ${requested}.`
  throw new AppError('currency_not_supported', detail, at('/currency'))
}

/** Why this method cannot be shown, as a sentence. */
function obstacleOf(
  rails: Rails,
  merchant: Merchant,
  request: PaymentRequest,
  { method, limits, currency }: TemplateMethod & { readonly currency: Currency },
): string | undefined {
  const { amount } = request
  const rail = rails.get(method)
  if (rail === undefined) return `${method} is not available here.`
  const { min = 1, max = Infinity } = currency === 'BNB' ? {} : (limits?.[currency] ?? {})
  if (amount < min || amount > max) return `${method} is not offered for this amount.`
  const routing = routingOf(rail, merchant, request, currency)
  // The merchant named a network or token: a checkout without it would not be the one that was requested.
  if (!routing.ok && routing.code === 'network_not_supported') throw refusalOf(routing)
  if (!routing.ok) return routing.detail
  return routing.currency === currency ? undefined : `${method} accepts ${routing.currency}, not ${currency}.`
}

function checkLinks(request: PaymentRequest, { allowedHosts }: CheckoutPlan): void {
  if (allowedHosts === undefined) return
  for (const name of ['returnUrl', 'cancelUrl'] as const) {
    const url = request[name]
    if (url === undefined || (URL.canParse(url) && leadsTo(new URL(url), allowedHosts))) continue
    const detail = `The checkout leads only to ${allowedHosts.join(', ')}.`
    throw new AppError('destination_not_allowed', detail, at(`/${name}`))
  }
}

function methodOf({ paymentMethods }: PaymentRequest): Method {
  const [first, ...others] = paymentMethods ?? []
  if (first === undefined) {
    const detail = 'paymentMethods is required without a checkout.'
    const fault = { code: 'required', message: 'name one method, or a checkout' }
    throw new AppError('invalid_request', detail, at('/paymentMethods', fault))
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

/** Fields that the interface requires for some methods only, so that no schema can require them. */
function missingFields(method: Method, request: PaymentRequest): readonly FieldFault[] {
  if (descriptorOf[method].namesCurrency !== true || request.currency !== undefined) return []
  return [{ pointer: '/currency', code: 'required', message: `is required for ${method}` }]
}

/** What the method needs of the payer: without a checkout, no page asks for it. */
function missingNeeds(rail: Rail | undefined, request: PaymentRequest): readonly FieldFault[] {
  const payer = payerDetailsOf({ request })
  const lacking = lackingNeeds(rail?.needs ?? [], payer)
  return lacking.map((need) => {
    const isPart = need === 'address' && payer.address !== undefined
    const pointer = isPart ? '/customerAddress/postcode' : customerPointers[need]
    const why = need === 'iban' ? ': its page asks the payer for the account and the mandate' : ''
    const message = `is required for ${rail?.method}${isPart ? ', with region and postcode' : why}`
    return { pointer, code: 'required', message }
  })
}

const customerPointers: Readonly<Record<PayerNeed, string>> = {
  name: '/customerName',
  email: '/customerEmail',
  phone: '/customerPhone',
  taxId: '/customerTaxId',
  address: '/customerAddress',
  // Only its holder accepts a mandate, on the page of a checkout.
  iban: '/checkout',
}

/** The fault of an `expiresIn` above the rail's maximum. Not for checkouts, which may wait longer than any of their methods. */
function lifetimeFault(
  { method, lifetimeMaxMs }: Rail,
  { expiresIn }: Pick<PaymentRequest, 'expiresIn'>,
): FieldFault | undefined {
  if (lifetimeMaxMs === undefined || expiresIn === undefined || expiresIn * secondMs <= lifetimeMaxMs)
    return undefined
  const message = `is at most ${lifetimeMaxMs / secondMs} for ${method}`
  return { pointer: '/expiresIn', code: 'too_large', message }
}

function at(
  pointer: string,
  fault: Fault = { code: 'not_available', message: 'is not available' },
): { readonly faults: readonly FieldFault[] } {
  return { faults: [{ pointer, ...fault }] }
}
