// Boleto: a line or a bar code, paid at a bank or in its app (https://docs.stripe.com/payments/boleto).
import { dayMs } from '#/kernel/time.ts'
import type { LocalMethod } from './method.ts'

export const boleto: LocalMethod = {
  method: 'BOLETO',
  type: 'boleto',
  currency: 'BRL',
  countries: ['BR'],
  accountIn: 'BR',
  needs: ['name', 'email', 'taxId', 'address'],
  limits: { min: 500n, max: 4_999_999n },
  lifetimeMs: 3 * dayMs,
  daysMax: 60,
  refunds: 'NONE',
  isDelayed: true,
  flow: 'VOUCHER',
}
