import { describe } from '#/rails/descriptor.ts'

export const card = describe({
  method: 'CREDIT_CARD',
  currencies: ['BRL', 'EUR', 'USD'],
  refunds: 'PART',
  mark: 'card',
  label: { en: 'Card', 'pt-BR': 'Cartão', es: 'Tarjeta' },
  by: { en: 'card', 'pt-BR': 'cartão', es: 'tarjeta' },
  who: { en: 'The card provider', 'pt-BR': 'O provedor do cartão', es: 'El proveedor de la tarjeta' },
  hint: {
    en: 'Credit or debit card.',
    'pt-BR': 'Cartão de crédito ou débito.',
    es: 'Tarjeta de crédito o débito.',
  },
  /**
   * - `success`: the card is accepted.
   * - `decline`, `insufficient_funds`: the card is declined, which the payment's `lastError` shows.
   * - `challenge`: the card's bank asks for authentication (3-D Secure), which the payer passes.
   * - `dispute`: the card is accepted, and its holder disputes the charge a moment after the capture.
   */
  sandbox: {
    scenarios: ['success', 'decline', 'insufficient_funds', 'challenge', 'dispute'],
    meaning:
      'success, decline, insufficient_funds; challenge: with 3-D Secure; dispute: its holder wants the money back.',
  },
  audit: 'PAGE',
  docs: 'card.md',
})
