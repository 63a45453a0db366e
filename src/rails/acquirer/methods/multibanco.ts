// Multibanco: entity, reference and amount, for an ATM or the bank's app (https://docs.stripe.com/payments/multibanco).
import { dayMs } from '#/kernel/time.ts'
import { euroLimits, type LocalMethod } from './method.ts'

export const multibanco: LocalMethod = {
  method: 'MULTIBANCO',
  type: 'multibanco',
  currency: 'EUR',
  countries: ['PT'],
  needs: ['email'],
  // The amount has eight digits in what the check digits cover.
  limits: euroLimits,
  lifetimeMs: 7 * dayMs,
  refunds: 'PART',
  isDelayed: true,
  flow: 'VOUCHER',
}
