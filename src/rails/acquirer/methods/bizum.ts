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
  hint: [
    'Com o app do seu banco espanhol.',
    'With your Spanish bank’s app.',
    'Con la app de su banco español.',
  ],
  page: {
    headline: ['Pague com Bizum', 'Pay with Bizum', 'Pague con Bizum'],
    message: [
      'Você vai para a página do Bizum para confirmar e depois volta para cá.',
      'You’ll go to Bizum to confirm, then come back here.',
      'Irá a la página de Bizum para confirmar y luego volverá aquí.',
    ],
  },
})
