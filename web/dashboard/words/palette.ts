import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** The command palette, and what a search understands. */
export const paletteWords = dictionary({
  title: ['Ir e buscar', 'Go to and search', 'Ir y buscar'],
  placeholder: [
    'Vá a uma página ou busque qualquer registro…',
    'Go to a page or search for any record…',
    'Vaya a una página o busque cualquier registro…',
  ],
  placeholderPages: ['Vá a uma página…', 'Go to a page…', 'Vaya a una página…'],
  pages: ['Páginas', 'Pages', 'Páginas'],
  found: ['Resultados', 'Results', 'Resultados'],
  searching: ['Buscando…', 'Searching…', 'Buscando…'],
  none: ['Nenhum resultado', 'No results', 'Sin resultados'],
  noneLead: [
    'Busque por: ID de um pagamento, saque, reembolso ou contestação; nome, e-mail ou CPF do cliente; valor; final do cartão; endereço ou hash; identificador do Pix (E…), txid ou referência (RF…); link do pagador; ou um valor de metadados.',
    'Search by: the id of a payment, withdrawal, refund or dispute; the customer’s name, email or tax id; amount; last digits of a card; address or hash; Pix end-to-end id (E…), txid or reference (RF…); the payer’s link; or a value of metadata.',
    'Busque por: ID de un pago, retiro, reembolso o disputa; nombre, correo o documento del cliente; importe; final de la tarjeta; dirección o hash; identificador de Pix (E…), txid o referencia (RF…); enlace del pagador; o un valor de metadatos.',
  ],
  kinds: {
    PAYMENT: commonWords.payment,
    REFUND: commonWords.refund,
    WITHDRAWAL: commonWords.withdrawal,
    DISPUTE: commonWords.dispute,
    PAYMENT_LINK: ['Link de pagamento', 'Payment link', 'Enlace de pago'],
    WALLET: commonWords.wallet,
    WITHDRAWAL_BATCH: ['Lote de saques', 'Batch of withdrawals', 'Lote de retiros'],
    EVENT: commonWords.event,
    DELIVERY: ['Entrega de webhook', 'Webhook delivery', 'Entrega de webhook'],
  },
  more: ['Ver na lista de pagamentos', 'View in the list of payments', 'Ver en la lista de pagos'],
  hint: [
    '↑ ↓ para escolher · Enter para abrir · Esc para fechar',
    '↑ ↓ to choose · Enter to open · Esc to close',
    '↑ ↓ para elegir · Enter para abrir · Esc para cerrar',
  ],
})
