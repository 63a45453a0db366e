// MB WAY: the payer confirms in the app on the phone (https://docs.stripe.com/payments/mb-way).
import { inAll } from '#/rails/descriptor.ts'
import { euroLimits, pushMs, localMethod } from './method.ts'

export const mbWay = localMethod({
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
  mark: 'mbway',
  docs: 'mb-way.md',
  label: inAll('MB WAY'),
  hint: {
    en: 'Confirm in the app on your phone.',
    'pt-BR': 'Confirme no app do celular.',
    es: 'Confirme en la app de su teléfono.',
  },
  page: {
    headline: {
      en: 'Confirm in the MB WAY app',
      'pt-BR': 'Confirme no app MB WAY',
      es: 'Confirme en la app MB WAY',
    },
    message: {
      en: (until, phone) =>
        `We sent the payment to your phone ending in ${phone}. Open the app and confirm ${until}.`,
      'pt-BR': (until, phone) =>
        `Enviamos o pagamento para o seu celular de final ${phone}. Abra o app e confirme. Válido ${until}.`,
      es: (until, phone) =>
        `Enviamos el pago a su teléfono terminado en ${phone}. Abra la app y confirme ${until}.`,
    },
  },
})
