// Bancontact: the payer confirms with the card or the app (https://docs.stripe.com/payments/bancontact).
import { redirectMs, type LocalMethod } from './method.ts'

export const bancontact: LocalMethod = {
  method: 'BANCONTACT',
  type: 'bancontact',
  currency: 'EUR',
  countries: ['BE'],
  needs: ['name'],
  limits: { min: 50n, max: 99_999_999n },
  lifetimeMs: redirectMs,
  refunds: 'PART',
  isDelayed: false,
  flow: 'REDIRECT',
}
