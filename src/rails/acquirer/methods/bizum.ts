// Bizum: the payer confirms in the bank's app (https://docs.stripe.com/payments/bizum).
import { euroLimits, redirectMs, type LocalMethod } from './method.ts'

export const bizum: LocalMethod = {
  method: 'BIZUM',
  type: 'bizum',
  currency: 'EUR',
  countries: ['ES'],
  needs: [],
  limits: euroLimits,
  lifetimeMs: redirectMs,
  refunds: 'PART',
  isDelayed: false,
  flow: 'REDIRECT',
}
