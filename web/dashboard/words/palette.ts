import { dictionary } from './dictionary.ts'

/** The command palette, and what a search understands. */
export const paletteWords = dictionary({
  'pt-BR': {
    title: 'Ir e buscar',
    placeholder: 'Vá a uma página ou busque um pagamento…',
    placeholderPages: 'Vá a uma página…',
    pages: 'Páginas',
    found: 'Encontrados',
    searching: 'Buscando…',
    none: 'Nada encontrado',
    noneLead:
      'Busque por: número do pagamento, e-mail ou CPF do cliente, valor, hash da transação, identificador do Pix (E…) ou um valor de metadados.',
    more: 'Ver na lista de pagamentos',
    hint: '↑ ↓ para escolher · Enter para abrir · Esc para fechar',
  },
  en: {
    title: 'Go and find',
    placeholder: 'Go to a page or find a payment…',
    placeholderPages: 'Go to a page…',
    pages: 'Pages',
    found: 'Found',
    searching: 'Searching…',
    none: 'Nothing found',
    noneLead:
      'Search by: payment id, the customer’s e-mail or tax id, amount, transaction hash, Pix end-to-end id (E…) or a value of metadata.',
    more: 'See in the list of payments',
    hint: '↑ ↓ to choose · Enter to open · Esc to close',
  },
  es: {
    title: 'Ir y buscar',
    placeholder: 'Vaya a una página o busque un pago…',
    placeholderPages: 'Vaya a una página…',
    pages: 'Páginas',
    found: 'Encontrados',
    searching: 'Buscando…',
    none: 'No se encontró nada',
    noneLead:
      'Busque por: número del pago, correo o documento del cliente, importe, hash de la transacción, identificador de Pix (E…) o un valor de metadatos.',
    more: 'Ver en la lista de pagos',
    hint: '↑ ↓ para elegir · Enter para abrir · Esc para cerrar',
  },
})
