// Boleto: a line or a bar code, paid at a bank or in its app (https://docs.stripe.com/payments/boleto).
import { dayMs } from '#/kernel/time.ts'
import { inAll } from '#/rails/descriptor.ts'
import { localMethod } from './method.ts'

export const boleto = localMethod({
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
  mark: 'boleto',
  docs: 'boleto.md',
  label: inAll('Boleto'),
  by: inAll('boleto'),
  hint: [
    'Em qualquer banco, confirmado em até 2 dias úteis.',
    'At any bank in Brazil, confirmed within 2 business days.',
    'En cualquier banco de Brasil, confirmado en hasta 2 días hábiles.',
  ],
  noRefund: [
    'Um boleto não pode ser reembolsado: o banco não sabe de qual conta veio o dinheiro. Pague o cliente com um saque.',
    'A boleto cannot be refunded: the bank does not know which account the money came from. Pay the customer with a withdrawal.',
    'Un boleto no se puede reembolsar: el banco no sabe de qué cuenta vino el dinero. Pague al cliente con un retiro.',
  ],
  page: {
    headline: ['Pague o boleto', 'Pay the boleto', 'Pague el boleto'],
    message: (until) => [
      `Copie a linha digitável no app do seu banco ou escaneie o código de barras. Válido ${until}.`,
      `Copy the line into your bank’s app, or scan the bar code. Pay ${until}.`,
      `Copie la línea en la app de su banco o escanee el código de barras. Páguelo ${until}.`,
    ],
  },
})
