// iDEAL: the payer confirms at the own bank (https://docs.stripe.com/payments/ideal).
import { euroLimits, redirectMs, type LocalMethod } from './method.ts'

export const ideal: LocalMethod = {
  method: 'IDEAL',
  type: 'ideal',
  currency: 'EUR',
  countries: ['NL'],
  needs: [],
  limits: euroLimits,
  lifetimeMs: redirectMs,
  refunds: 'PART',
  isDelayed: false,
  flow: 'REDIRECT',
}
