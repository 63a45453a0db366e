// Which methods take a payment, and what is said where none does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import type { Authorisations, Rail } from '#/rails/rail.ts'
import type { CheckoutPlan } from '#/templates/store.ts'
import type { TemplateMethod } from '#/templates/template.ts'
import { ours } from '../../test/bare-attempts.ts'
import { testRail } from '../../test/contract/rail.ts'
import { partly } from '../../test/partly.ts'
import type { PaymentRequest } from './payment.ts'
import { checkoutRouteOf, routeOf } from './routing.ts'

const merchant = { id: ours, mode: 'SANDBOX' } as const
const bank = 'bank' as ConnectionId
/** It takes every payment, in EUR. */
const rail = (method: Method, more: Partial<Rail> = {}): Rail => ({
  ...testRail(),
  method,
  route: () => ({ ok: true, connection: bank, currency: 'EUR' }),
  ...more,
})
const railsOf = (...rails: readonly Rail[]) => new Map(rails.map((each) => [each.method, each]))

/** The code of the problem, and where it is; or what is answered. */
function told(ask: () => string): string {
  try {
    return ask()
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return [error.code, ...(error.faults ?? []).map(({ pointer }) => pointer)].join(' ')
  }
}

type Asked = Partial<PaymentRequest>
const route = (request: Asked, ...rails: readonly Rail[]) =>
  told(() => {
    const { method, currency, connection } = routeOf(railsOf(...rails), merchant, {
      amount: 100,
      ...request,
    })
    return `${method} ${currency} ${connection}`
  })

const by = (...paymentMethods: readonly Method[]) => ({ paymentMethods })
const pix = by('PIX')

test('without a checkout a payment has one method, which is known and available', () => {
  assert.equal(route({}, rail('PIX')), 'invalid_request /paymentMethods')
  assert.equal(route(pix, rail('PIX')), 'PIX EUR bank')
  assert.equal(route(by('PIX', 'BOLETO'), rail('PIX')), 'method_not_available /paymentMethods')
  assert.equal(route(by('CASH' as string as Method), rail('PIX')), 'method_not_available /paymentMethods/0')
  assert.equal(route(by('BOLETO'), rail('PIX')), 'method_not_available /paymentMethods')
})

test('coins and partners need a currency', () => {
  for (const method of ['CRYPTO', 'PARTNER_PAY'] as const) {
    assert.equal(route(by(method), rail(method)), 'invalid_request /currency')
    assert.equal(route({ ...by(method), currency: 'EUR' }, rail(method)), `${method} EUR bank`)
  }
})

test('a method needs what its rail needs of the payer, and an address with region and postcode', () => {
  const needy = rail('PIX', { needs: ['name', 'address'] })
  const part = { line1: 'Rua A', city: 'Lisboa', country: 'PT' }
  const address = { ...part, region: '11', postcode: '1000-001' }
  const cases: readonly (readonly [request: Asked, answer: string])[] = [
    [{}, 'invalid_request /customerName /customerAddress'],
    [{ customerName: 'Zélia' }, 'invalid_request /customerAddress'],
    [{ customerName: 'Zélia', customerAddress: part }, 'invalid_request /customerAddress/postcode'],
    [
      { customerName: 'Zélia', customerAddress: { ...part, region: '11' } },
      'invalid_request /customerAddress/postcode',
    ],
    [
      { customerName: 'Zélia', customerAddress: { ...part, postcode: '1000-001' } },
      'invalid_request /customerAddress/postcode',
    ],
    [{ customerAddress: address }, 'invalid_request /customerName'],
    [{ customerName: 'Zélia', customerAddress: address }, 'PIX EUR bank'],
  ]
  for (const [request, answer] of cases) assert.equal(route({ ...pix, ...request }, needy), answer)
})

test('a payment waits at most as long as its one method', () => {
  const short = rail('PIX', { lifetimeMaxMs: minuteMs })
  assert.equal(route(pix, short), 'PIX EUR bank')
  assert.equal(route({ ...pix, expiresIn: 60 }, short), 'PIX EUR bank')
  assert.equal(route({ ...pix, expiresIn: 61 }, short), 'invalid_request /expiresIn')
  assert.equal(route({ ...pix, expiresIn: 61 }, rail('PIX')), 'PIX EUR bank')
})

test('only a method with authorisations is captured later', () => {
  const card = rail('CREDIT_CARD', { authorisations: partly<Authorisations>({}) })
  const manual = { captureMode: 'MANUAL' } as const
  assert.equal(route({ ...by('CREDIT_CARD'), ...manual }, card), 'CREDIT_CARD EUR bank')
  assert.equal(route({ ...pix, ...manual }, rail('PIX')), 'method_not_available /captureMode')
  assert.equal(route({ ...pix, captureMode: 'AUTOMATIC' }, rail('PIX')), 'PIX EUR bank')
})

test('what a rail refuses is told with its code and place', () => {
  const refuses = (pointer?: string) =>
    rail('PIX', {
      route: () => ({
        ok: false,
        code: 'limit_exceeded',
        detail: 'x',
        ...given({ pointer }),
      }),
    })
  assert.equal(route(pix, refuses('/amount')), 'limit_exceeded /amount')
  assert.equal(route(pix, refuses()), 'limit_exceeded /paymentMethods')
})

const enabled = (method: Method, more: Partial<TemplateMethod> = {}): TemplateMethod => ({
  method,
  highlight: false,
  ...more,
})
const plan = (more: Partial<CheckoutPlan> = {}) =>
  partly<CheckoutPlan>({
    currencies: ['EUR', 'USD'],
    methods: [enabled('PIX'), enabled('BOLETO')],
    ...more,
  })
const all = [rail('PIX'), rail('BOLETO')]
const checkout = (request: Asked, of: Partial<CheckoutPlan> = {}, rails: readonly Rail[] = all) =>
  told(() => {
    const { currency, methods } = checkoutRouteOf(
      railsOf(...rails),
      merchant,
      { amount: 100, ...request },
      plan(of),
    )
    return [currency, ...methods].join(' ')
  })

test('a checkout offers what its template enables, the request allows, and a connection takes', () => {
  const none = 'method_not_available /paymentMethods'
  const dollars = rail('PIX', { route: () => ({ ok: true, connection: bank, currency: 'USD' }) })
  const away = rail('PIX', {
    route: () => ({ ok: false, code: 'method_not_available', detail: 'no connection' }),
  })
  assert.equal(checkout({}), 'EUR PIX BOLETO')
  assert.equal(checkout(by('BOLETO')), 'EUR BOLETO')
  assert.equal(checkout(by('BIZUM')), none)
  assert.equal(checkout({}, {}, [rail('BOLETO')]), 'EUR BOLETO')
  assert.equal(checkout({}, {}, [away, rail('BOLETO')]), 'EUR BOLETO')
  assert.equal(checkout({}, {}, [dollars, rail('BOLETO')]), 'EUR BOLETO')
  assert.equal(checkout({ captureMode: 'MANUAL' }), none)
})

test('a checkout’s limits include both ends, and those of another currency do not count', () => {
  const limited = (limits: TemplateMethod['limits'], amount: number) =>
    checkout({ amount }, { methods: [enabled('PIX', limits === undefined ? {} : { limits })] })
  const none = 'method_not_available /paymentMethods'
  const both = { EUR: { min: 50, max: 500 } }
  assert.deepEqual(
    [49, 50, 500, 501].map((amount) => limited(both, amount)),
    [none, 'EUR PIX', 'EUR PIX', none],
  )
  assert.equal(limited({ USD: { min: 50 } }, 1), 'EUR PIX')
  assert.equal(limited(undefined, 1), 'EUR PIX')
})

test('a checkout’s payment has one of its currencies, the first unless it names one', () => {
  const dollars = [rail('PIX', { route: () => ({ ok: true, connection: bank, currency: 'USD' }) })]
  assert.equal(checkout({ currency: 'USD' }, {}, dollars), 'USD PIX')
  assert.equal(checkout({ currency: 'BRL' }), 'currency_not_supported /currency')
  assert.equal(checkout({ currency: 'XXX' }), 'currency_not_supported /currency')
})

test('methods of the payer’s country come first where the template has no order of its own', () => {
  const rails = [rail('PIX'), rail('BOLETO', { countries: ['BR'] })]
  const local = { localFirst: true } as const
  const address = { line1: 'Rua A', city: 'Recife', country: 'BR' }
  assert.equal(checkout({ customerCountry: 'BR' }, local, rails), 'EUR BOLETO PIX')
  assert.equal(checkout({ customerAddress: address }, local, rails), 'EUR BOLETO PIX')
  assert.equal(checkout({ customerCountry: 'PT', customerAddress: address }, local, rails), 'EUR PIX BOLETO')
  assert.equal(checkout({}, local, rails), 'EUR PIX BOLETO')
  assert.equal(checkout({ customerCountry: 'BR' }, {}, rails), 'EUR PIX BOLETO')
})

test('a payment’s own links lead only to hosts of the template', () => {
  const hosts = { allowedHosts: ['shop.example'] }
  const refused = (name: string) => `destination_not_allowed /${name}`
  for (const name of ['returnUrl', 'cancelUrl']) {
    assert.equal(checkout({ [name]: 'https://shop.example/done' }, hosts), 'EUR PIX BOLETO')
    assert.equal(checkout({ [name]: 'https://evil.example/' }, hosts), refused(name))
    assert.equal(checkout({ [name]: 'shop.example' }, hosts), refused(name))
    assert.equal(checkout({ [name]: 'https://evil.example/' }), 'EUR PIX BOLETO')
  }
})
