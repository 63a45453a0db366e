// Bancontact: the payer confirms with the card or the app (https://docs.stripe.com/payments/bancontact).
import { inAll } from '#/rails/descriptor.ts'
import { euroLimits, redirectMs, localMethod } from './method.ts'

export const bancontact = localMethod({
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
  mark: 'bancontact',
  docs: 'bancontact.md',
  label: inAll('Bancontact'),
  hint: [
    'Com o seu cartão ou app da Bélgica.',
    'With your Belgian card or app.',
    'Con su tarjeta o app de Bélgica.',
  ],
  page: {
    headline: ['Pague com Bancontact', 'Pay with Bancontact', 'Pague con Bancontact'],
    message: [
      'Você vai para a página do Bancontact para confirmar e depois volta para cá.',
      'You’ll go to Bancontact to confirm, then come back here.',
      'Irá a la página de Bancontact para confirmar y luego volverá aquí.',
    ],
  },
})
