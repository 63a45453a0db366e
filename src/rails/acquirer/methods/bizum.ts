// Bizum: the payer confirms in the bank's app (https://docs.stripe.com/payments/bizum).
import { inAll } from '#/rails/descriptor.ts'
import { euroLimits, redirectMs, localMethod } from './method.ts'

export const bizum = localMethod({
  method: 'BIZUM',
  type: 'bizum',
  currency: 'EUR',
  countries: ['ES'],
  needs: [],
  limits: euroLimits,
  lifetimeMs: redirectMs,
  refunds: 'PART',
  isDelayed: false,
  flow: 'REDIRECT',
  mark: 'bizum',
  docs: 'bizum.md',
  label: inAll('Bizum'),
  hint: {
    en: 'With your Spanish bank’s app.',
    'pt-BR': 'Com o app do seu banco espanhol.',
    es: 'Con la app de su banco español.',
  },
  page: {
    headline: { en: 'Pay with Bizum', 'pt-BR': 'Pague com Bizum', es: 'Pague con Bizum' },
    message: {
      en: 'You’ll go to Bizum to confirm, then come back here.',
      'pt-BR': 'Você vai para a página do Bizum para confirmar e depois volta para cá.',
      es: 'Irá a la página de Bizum para confirmar y luego volverá aquí.',
    },
  },
})
