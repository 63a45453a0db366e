// Bizum: the payer confirms in the bank's app (https://docs.stripe.com/payments/bizum).
import { redirectMs, type LocalMethod } from './method.ts'

export const bizum: LocalMethod = {
  method: 'BIZUM',
  type: 'bizum',
  currency: 'EUR',
  countries: ['ES'],
  needs: [],
  limits: { min: 50n, max: 99_999_999n },
  lifetimeMs: redirectMs,
  refunds: 'PART',
  isDelayed: false,
  flow: 'REDIRECT',
}
