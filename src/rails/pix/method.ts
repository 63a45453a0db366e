import { describe, inAll } from '#/rails/descriptor.ts'

export const pix = describe({
  method: 'PIX',
  currencies: ['BRL'],
  countries: ['BR'],
  refunds: 'PART',
  mark: 'pix',
  label: inAll('Pix'),
  who: ['O banco', 'The bank', 'El banco'],
  hint: [
    'Pelo app do seu banco, com aprovação na hora.',
    'With your bank’s app, approved instantly.',
    'Con la app de su banco, aprobación al instante.',
  ],
  /**
   * - `exact`, `under`, `over`, `twice`: the amount, less, more, two payments of it.
   * - `late`: after the payment expired.
   * - `lost_webhook`: the bank's callback is lost.
   * - `repeated_webhook`: the callback comes three times.
   * - `med`: paid, and then returned to the payer's bank because of fraud.
   */
  sandbox: {
    scenarios: ['exact', 'under', 'over', 'twice', 'late', 'lost_webhook', 'repeated_webhook', 'med'],
    meaning:
      'lost_webhook, repeated_webhook: the bank’s callback is lost, or comes three times. med: the payer’s bank takes it back.',
  },
  audit: 'OWN',
  docs: 'pix.md',
})
