import { dictionary } from './dictionary.ts'

/** The command palette, and what a search understands. */
export const paletteWords = dictionary({
  'pt-BR': {
    title: 'Ir e buscar',
    placeholder: 'Vá a uma página ou busque qualquer registro…',
    pages: 'Páginas',
    found: 'Encontrados',
    searching: 'Buscando…',
    none: 'Nada encontrado',
    noneLead:
      'Busque por: número de um pagamento, saque, devolução ou disputa; nome, e-mail ou CPF do cliente; valor; final do cartão; endereço ou hash; identificador do Pix (E…), txid ou referência (RF…); link do pagador; ou um valor de metadados.',
    kinds: {
      PAYMENT: 'Pagamento',
      REFUND: 'Devolução',
      WITHDRAWAL: 'Saque',
      DISPUTE: 'Disputa',
      PAYMENT_LINK: 'Link de pagamento',
      WALLET: 'Carteira',
      WITHDRAWAL_BATCH: 'Lote de saques',
      EVENT: 'Evento',
      DELIVERY: 'Envio de webhook',
    },
    more: 'Ver na lista de pagamentos',
    hint: '↑ ↓ para escolher · Enter para abrir · Esc para fechar',
  },
  en: {
    title: 'Go and find',
    placeholder: 'Go to a page or find any record…',
    pages: 'Pages',
    found: 'Found',
    searching: 'Searching…',
    none: 'Nothing found',
    noneLead:
      'Search by: the id of a payment, withdrawal, refund or dispute; the customer’s name, e-mail or tax id; amount; last digits of a card; address or hash; Pix end-to-end id (E…), txid or reference (RF…); the payer’s link; or a value of metadata.',
    kinds: {
      PAYMENT: 'Payment',
      REFUND: 'Refund',
      WITHDRAWAL: 'Withdrawal',
      DISPUTE: 'Dispute',
      PAYMENT_LINK: 'Payment link',
      WALLET: 'Wallet',
      WITHDRAWAL_BATCH: 'Batch of withdrawals',
      EVENT: 'Event',
      DELIVERY: 'Webhook delivery',
    },
    more: 'See in the list of payments',
    hint: '↑ ↓ to choose · Enter to open · Esc to close',
  },
  es: {
    title: 'Ir y buscar',
    placeholder: 'Vaya a una página o busque cualquier registro…',
    pages: 'Páginas',
    found: 'Encontrados',
    searching: 'Buscando…',
    none: 'No se encontró nada',
    noneLead:
      'Busque por: número de un pago, retiro, devolución o disputa; nombre, correo o documento del cliente; importe; final de la tarjeta; dirección o hash; identificador de Pix (E…), txid o referencia (RF…); enlace del pagador; o un valor de metadatos.',
    kinds: {
      PAYMENT: 'Pago',
      REFUND: 'Devolución',
      WITHDRAWAL: 'Retiro',
      DISPUTE: 'Disputa',
      PAYMENT_LINK: 'Enlace de pago',
      WALLET: 'Billetera',
      WITHDRAWAL_BATCH: 'Lote de retiros',
      EVENT: 'Evento',
      DELIVERY: 'Envío de webhook',
    },
    more: 'Ver en la lista de pagos',
    hint: '↑ ↓ para elegir · Enter para abrir · Esc para cerrar',
  },
})
