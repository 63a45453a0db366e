import { describe } from '#/rails/descriptor.ts'

export const card = describe({
  method: 'CREDIT_CARD',
  currencies: ['BRL', 'EUR', 'USD'],
  refunds: 'PART',
  mark: 'card',
  label: ['Cartão', 'Card', 'Tarjeta'],
  by: ['cartão', 'card', 'tarjeta'],
  who: ['O provedor do cartão', 'The card provider', 'El proveedor de la tarjeta'],
  hint: ['Cartão de crédito ou débito.', 'Credit or debit card.', 'Tarjeta de crédito o débito.'],
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
