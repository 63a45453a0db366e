import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** The command palette, and what a search understands. */
export const paletteWords = dictionary({
  title: ['Ir e buscar', 'Go to and search', 'Ir y buscar'],
  placeholder: [
    'Ir a uma página, ou buscar ID, pedido, nome, e-mail ou referência…',
    'Go to a page, or search by ID, order, name, email or reference…',
    'Ir a una página, o buscar por ID, pedido, nombre, correo o referencia…',
  ],
  placeholderPages: ['Vá a uma página…', 'Go to a page…', 'Vaya a una página…'],
  pages: ['Páginas', 'Pages', 'Páginas'],
  found: ['Resultados', 'Results', 'Resultados'],
  searching: ['Buscando…', 'Searching…', 'Buscando…'],
  none: ['Nenhum resultado', 'No results', 'Sin resultados'],
  noneLead: [
    'Pelo começo se encontram: ID de qualquer registro; pedido nos metadados (orderId, order_id, order, orderNumber); nome e e-mail do cliente; referência do provedor. Só por inteiro: CPF/CNPJ; valor; final do cartão; endereço ou hash; chave Pix; identificador do Pix (E…); referência (RF…); IBAN; link do pagador; valor de outros metadados.',
    'Found by their beginning: the ID of any record; the order in metadata (orderId, order_id, order, orderNumber); the customer’s name and email; the provider’s reference. Found only whole: tax ID; amount; last digits of a card; address or hash; Pix key; Pix end-to-end ID (E…); reference (RF…); IBAN; the payer’s link; a value of other metadata.',
    'Por el comienzo se encuentran: ID de cualquier registro; pedido en los metadatos (orderId, order_id, order, orderNumber); nombre y correo del cliente; referencia del proveedor. Solo enteros: documento; importe; final de la tarjeta; dirección o hash; clave Pix; identificador de Pix (E…); referencia (RF…); IBAN; enlace del pagador; valor de otros metadatos.',
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
