// Bancontact: the payer confirms with the card or the app (https://docs.stripe.com/payments/bancontact).
import { euroLimits, redirectMs, type LocalMethod } from './method.ts'

export const bancontact: LocalMethod = {
  method: 'BANCONTACT',
  type: 'bancontact',
  currency: 'EUR',
  countries: ['BE'],
  needs: ['name'],
  limits: euroLimits,
  lifetimeMs: redirectMs,
  refunds: 'PART',
  isDelayed: false,
  flow: 'REDIRECT',
}
