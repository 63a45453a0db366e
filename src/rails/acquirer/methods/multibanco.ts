// Multibanco: entity, reference and amount, for an ATM or the bank's app (https://docs.stripe.com/payments/multibanco).
import { dayMs } from '#/kernel/time.ts'
import { inAll } from '#/rails/descriptor.ts'
import { euroLimits, localMethod } from './method.ts'

export const multibanco = localMethod({
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
  mark: 'multibanco',
  docs: 'multibanco.md',
  label: inAll('Multibanco'),
  hint: [
    'No caixa eletrônico ou no app do banco, confirmado em alguns dias.',
    'At an ATM or in your bank’s app, confirmed within days.',
    'En un cajero o en la app de su banco, confirmado en unos días.',
  ],
  page: {
    headline: ['Pague com Multibanco', 'Pay with Multibanco', 'Pague con Multibanco'],
    message: (until) => [
      `No caixa eletrônico ou no app do banco, escolha pagamento de serviços e informe estas três linhas. Válido ${until}.`,
      `At an ATM or in your bank’s app, choose payment of services and enter these three lines ${until}.`,
      `En un cajero o en la app de su banco, elija pago de servicios e ingrese estas tres líneas ${until}.`,
    ],
  },
})
