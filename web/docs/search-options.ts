// How the search reads words: the build and the browser must do it alike.
import type { Query } from 'minisearch'

/** What one result shows. */
export type Found = {
  readonly title: string
  readonly heading: string
  readonly href: string
  /** The beginning of the part, in which the words are looked for. */
  readonly excerpt: string
}

/** What is kept of a part of a page. `weight`: how much a match in it counts, 1 in a guide. */
export type Stored = Found & { readonly weight: number }

export const searchOptions = {
  // `lead`: the words in bold with which the part begins, such as the status of an error.
  fields: ['title', 'heading', 'lead', 'text'],
  storeFields: ['title', 'heading', 'href', 'weight', 'excerpt'],
  searchOptions: {
    boost: { title: 5, heading: 5, lead: 4 },
    boostDocument: (_id: unknown, _term: string, stored?: Readonly<Record<string, unknown>>) =>
      Number(stored?.['weight'] ?? 1),
    prefix: true,
    // One letter in five may be wrong.
    fuzzy: 0.2,
    combineWith: 'AND' as const,
  },
}

/** What people type, and the words of the documents for it: other English words, and Portuguese and Spanish ones without their accents. */
const meanings: Readonly<Record<string, string>> = {
  estorno: 'refund',
  reembolso: 'refund',
  devolucao: 'refund',
  chargeback: 'dispute',
  contestacao: 'dispute',
  disputa: 'dispute',
  saque: 'withdrawal',
  retirada: 'withdrawal',
  retiro: 'withdrawal',
  transferencia: 'transfer',
  payout: 'withdrawal',
  cobranca: 'payment',
  pagamento: 'payment',
  pago: 'payment',
  charge: 'payment',
  boleto: 'boleto',
  cartao: 'card',
  tarjeta: 'card',
  carteira: 'wallet',
  saldo: 'balance',
  extrato: 'statement',
  chave: 'key',
  clave: 'key',
  token: 'key',
  assinatura: 'signature',
  firma: 'signature',
  notificacao: 'webhook',
  callback: 'webhook',
  erro: 'error',
  limite: 'limit',
  taxa: 'fee',
  tarifa: 'fee',
  loja: 'shop',
  lojista: 'merchant',
  pagador: 'payer',
  producao: 'live',
  producto: 'items',
  teste: 'testing',
  prueba: 'testing',
  senha: 'password',
  instalar: 'installing',
  backup: 'restore',
  vencimento: 'expiry',
  expiracao: 'expiry',
  divisao: 'split',
  marketplace: 'split',
}

/** All words must be found; for a word with a meaning here, the word itself or its meaning. */
export function queryOf(words: string): Query {
  const queries = words
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word): Query => {
      const plain = word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
      const meaning = Object.hasOwn(meanings, plain) ? meanings[plain] : undefined
      return meaning === undefined ? word : { combineWith: 'OR', queries: [word, meaning] }
    })
  return { combineWith: 'AND', queries }
}

/** The part of an excerpt around the first of the words that is in it; else its beginning. */
export function excerptAround(excerpt: string, terms: readonly string[]): string {
  const length = 120
  const small = excerpt.toLowerCase()
  const places = terms.map((term) => small.indexOf(term.toLowerCase())).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const start = first < length / 2 ? 0 : excerpt.indexOf(' ', first - length / 2) + 1
  const end = start + length
  return `${start > 0 ? '… ' : ''}${excerpt.slice(start, end)}${end < excerpt.length ? '…' : ''}`
}
