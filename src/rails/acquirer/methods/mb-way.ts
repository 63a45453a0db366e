// MB WAY: the payer confirms in the app on the phone (https://docs.stripe.com/payments/mb-way).
import { euroLimits, pushMs, type LocalMethod } from './method.ts'

export const mbWay: LocalMethod = {
  method: 'MB_WAY',
  type: 'mb_way',
  currency: 'EUR',
  countries: ['PT'],
  needs: ['phone'],
  limits: { ...euroLimits, max: 500_000n },
  lifetimeMs: pushMs,
  lifetimeMaxMs: pushMs,
  refunds: 'PART',
  isDelayed: false,
  flow: 'PUSH',
}
