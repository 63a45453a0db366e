// iDEAL: the payer confirms at the own bank (https://docs.stripe.com/payments/ideal).
import { inAll } from '#/rails/descriptor.ts'
import { euroLimits, redirectMs, localMethod } from './method.ts'

export const ideal = localMethod({
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
  mark: 'ideal',
  docs: 'ideal.md',
  label: inAll('iDEAL'),
  hint: ['Com o seu banco holandês.', 'With your Dutch bank.', 'Con su banco neerlandés.'],
  page: {
    headline: ['Pague com iDEAL', 'Pay with iDEAL', 'Pague con iDEAL'],
    message: [
      'Você vai para a página do seu banco para confirmar e depois volta para cá.',
      'You’ll go to your bank to confirm, then come back here.',
      'Irá a la página de su banco para confirmar y luego volverá aquí.',
    ],
  },
})
