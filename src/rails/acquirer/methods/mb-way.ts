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
  hint: [
    'Confirme no app do celular.',
    'Confirm in the app on your phone.',
    'Confirme en la app de su teléfono.',
  ],
  page: {
    headline: ['Confirme no app MB WAY', 'Confirm in the MB WAY app', 'Confirme en la app MB WAY'],
    message: (until, phone) => [
      `Enviamos o pagamento para o seu celular de final ${phone}. Abra o app e confirme. Válido ${until}.`,
      `We sent the payment to your phone ending in ${phone}. Open the app and confirm ${until}.`,
      `Enviamos el pago a su teléfono terminado en ${phone}. Abra la app y confirme ${until}.`,
    ],
  },
})
