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
  hint: { en: 'With your Dutch bank.', 'pt-BR': 'Com o seu banco holandês.', es: 'Con su banco neerlandés.' },
  page: {
    headline: { en: 'Pay with iDEAL', 'pt-BR': 'Pague com iDEAL', es: 'Pague con iDEAL' },
    message: {
      en: 'You’ll go to your bank to confirm, then come back here.',
      'pt-BR': 'Você vai para a página do seu banco para confirmar e depois volta para cá.',
      es: 'Irá a la página de su banco para confirmar y luego volverá aquí.',
    },
  },
})
