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
  hint: {
    en: 'With your Belgian card or app.',
    'pt-BR': 'Com o seu cartão ou app da Bélgica.',
    es: 'Con su tarjeta o app de Bélgica.',
  },
  page: {
    headline: { en: 'Pay with Bancontact', 'pt-BR': 'Pague com Bancontact', es: 'Pague con Bancontact' },
    message: {
      en: 'You’ll go to Bancontact to confirm, then come back here.',
      'pt-BR': 'Você vai para a página do Bancontact para confirmar e depois volta para cá.',
      es: 'Irá a la página de Bancontact para confirmar y luego volverá aquí.',
    },
  },
})
