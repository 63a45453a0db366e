// For tests: shops at the acquirer that have enabled local methods, and their payers.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, dayMs, systemClock } from '#/kernel/time.ts'
import { acquirerModule } from '#/rails/acquirer/module.ts'
import type { Method } from '#/rails/method.ts'
import { pageOf, type OpenedAttempt, type Opening, type Rail } from '#/rails/rail.ts'
import { bookOf, merchantId } from '../rail.ts'
import { connectionOf, openingOf, type TestAcquirer } from './acquirer.ts'

export const europe = {
  country: 'PT',
  currencies: ['EUR'],
  methods: ['MULTIBANCO', 'MB_WAY', 'IDEAL', 'BANCONTACT', 'BIZUM'],
}
export const brazil = { country: 'BR', currencies: ['BRL'], methods: ['BOLETO'] }

/** Knows everything that any method needs. */
export const payer = {
  customerName: 'Ana Souza',
  customerEmail: 'ana@example.com',
  customerPhone: '+351912345678',
  customerTaxId: '52998224725',
  customerAddress: {
    line1: 'Rua das Flores, 10',
    district: 'Centro',
    city: 'São Paulo',
    region: 'SP',
    postcode: '01310-100',
    country: 'BR',
  },
}

/** The rails of these connections, cards among them. */
export function railsOf(
  t: TestContext,
  connections: Parameters<typeof bookOf>[0],
): ReadonlyMap<Method, Rail> {
  const deps = { connections: bookOf(connections), clock: systemClock, log: silentLog }
  const { rails, stop } = acquirerModule.open(deps)
  t.after(stop)
  return new Map(rails.map((rail) => [rail.method, rail]))
}

/** An account of the acquirer, connected. `enabled`: what the account has, where that differs from what the connection says. */
export async function shopIn(
  acquirer: TestAcquirer,
  t: TestContext,
  place: typeof europe | typeof brazil,
  enabled?: readonly string[],
) {
  const { secretKey, refundKey, publishableKey } = await acquirer.control('accounts', {
    country: place.country,
    ...given({ methods: enabled }),
  })
  const settings = { apiUrl: acquirer.apiUrl, publishableKey, ...place }
  const connection = connectionOf(settings, { secretKey }, { refundSecrets: { secretKey: refundKey } })
  const rails = railsOf(t, [connection])
  const opening = (method: Method, more: Partial<Opening> = {}) =>
    openingOf(connection.id, {
      method,
      amount: { minor: 43_211n, currency: method === 'BOLETO' ? 'BRL' : 'EUR' },
      expiresAt: addMs(systemClock.now(), 3 * dayMs),
      ...payer,
      ...more,
    })
  const railOf = (method: Method) => must(rails.get(method), `there is a rail for ${method}`)
  const pagesOf = (method: Method) => must(pageOf(railOf(method)), 'it opens with the page')
  return {
    connection,
    railOf,
    async opened(method: Method, more: Partial<Opening> = {}): Promise<OpenedAttempt> {
      const order = opening(method, more)
      const answer = await pagesOf(method).open(order)
      assert.ok(answer.ok, JSON.stringify(answer))
      const { id, paymentId, connection: at, amount } = order
      return { id, merchantId, paymentId, method, connection: at, amount, artifacts: answer.artifacts }
    },
    refused: async (method: Method) => pagesOf(method).open(opening(method)),
    act: (attempt: OpenedAttempt, act: string) =>
      acquirer.control('pay', { intent: attempt.artifacts['intentId'], act }),
    check: (attempt: OpenedAttempt) => pagesOf(attempt.method).check(attempt),
    cancel: (attempt: OpenedAttempt) => pagesOf(attempt.method).cancel(attempt),
    present: (attempt: OpenedAttempt) => pagesOf(attempt.method).present(attempt),
  }
}
