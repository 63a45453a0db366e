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

/** A word as it is compared: small letters without accents, in the singular. English and Portuguese plurals are enough. */
function termOf(word: string): string {
  const plain = withoutAccents(word)
  if (plain.length < 4 || /(?:ss|us|is)$/.test(plain)) return plain
  return plain.replace(/oes$/, 'ao').replace(/ies$/, 'y').replace(/s$/, '')
}

/** Each letter stays at its place. */
function withoutAccents(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\u00e0-\u00ff]/g, (letter) => letter.normalize('NFD')[0] ?? letter)
}

export const searchOptions = {
  // `lead`: the words in bold with which the part begins, such as the status of an error.
  fields: ['title', 'heading', 'lead', 'text'],
  storeFields: ['title', 'heading', 'href', 'weight', 'excerpt'],
  processTerm: termOf,
  searchOptions: {
    boost: { title: 5, heading: 5, lead: 4 },
    boostDocument: (_id: unknown, _term: string, stored?: Readonly<Record<string, unknown>>) =>
      Number(stored?.['weight'] ?? 1),
    prefix: true,
    // One letter in five may be wrong, in a word that is long enough to be no other one.
    fuzzy: (term: string) => (term.length < 5 ? false : 0.2),
    weights: { prefix: 0.3, fuzzy: 0.1 },
    combineWith: 'AND' as const,
  },
}

/** The words of the documents, and what people type for them: other English words, and Portuguese and Spanish ones. */
const synonyms: Readonly<Record<string, string>> = {
  refund: 'estorno estornar reembolso reembolsar devolucao devolver devolucion',
  dispute: 'chargeback contestacao disputa disputar med',
  withdrawal: 'saque sacar retirada retirar retiro payout',
  transfer: 'transferencia transferir',
  'create payment': 'cobranca cobrar cobro charge pagamento pagar pago',
  link: 'compartilhar enlace',
  card: 'cartao tarjeta credito',
  usdt: 'cripto criptomoeda crypto stablecoin tether',
  wallet: 'carteira cartera',
  'balance wallet': 'saldo',
  'statement wallet': 'extrato extracto conciliacao conciliacion reconciliation',
  key: 'chave clave token',
  signature: 'assinatura firma assinar hmac',
  subscription: 'recorrencia recorrente mensalidade suscripcion',
  webhook: 'notificacao notificacion callback',
  event: 'evento',
  error: 'erro falha',
  limit: 'limite',
  fee: 'taxa tarifa tarifas comissao comision',
  shop: 'loja tienda ecommerce',
  merchant: 'lojista comerciante',
  payer: 'pagador comprador customer cliente',
  live: 'producao produccion production',
  testing: 'teste testar prueba homologacao',
  items: 'produto producto itens',
  'signing password': 'password senha contrasena',
  signing: 'login entrar logar acessar',
  installing: 'instalar instalacao instalacion',
  server: 'servidor',
  upgrades: 'atualizar atualizacao actualizar update',
  restore: 'restaurar',
  backups: 'copia respaldo',
  expired: 'vencimento expiracao expirar validade vencimiento expiry expiration',
  split: 'divisao dividir repasse marketplace',
  idempotency: 'idempotencia duplicidade retry timeout',
  'second approval': 'aprovacao aprovar aprobacion',
  person: 'pessoa persona',
  second: 'segunda segundo',
  members: 'usuario equipe membro equipo',
  'month file': 'relatorio informe',
  csv: 'planilha exportar exportacao export spreadsheet',
  receipt: 'recibo comprovante comprobante',
  address: 'endereco direccion',
  deposit: 'deposito',
  hot: 'quente',
  sdk: 'biblioteca libreria library client',
  dashboard: 'painel panel',
  start: 'comecar empezar begin quickstart',
  create: 'criar crear',
  receive: 'receber recibir',
  invoice: 'factura fatura',
  late: 'atrasado atraso',
  capture: 'captura capturar authorize authorise autorizar',
  personal: 'lgpd gdpr privacy privacidade',
  erase: 'apagar borrar delete',
  roll: 'rotate girar',
  revoke: 'revogar revocar',
  finding: 'search buscar busca pesquisar',
  state: 'status estado',
  certificate: 'certificado',
  factor: '2fa mfa',
  containers: 'docker kubernetes',
  clock: 'relogio',
  sandbox: 'ambiente',
  catalogue: 'type types tipo',
  secure: '3ds',
  'public address': 'ngrok tunnel',
  guia: 'portuguese portugues brasil',
  instalments: 'parcela parcelado parcelamento installments cuotas',
  'tax invoice': 'nota nfe',
}

/** What a word that is typed means in the words of the documents, by its term. */
export const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries(synonyms).flatMap(([meaning, words]) =>
    words.split(' ').map((word) => [termOf(word), meaning]),
  ),
)

/** All words must be found; for a word with a meaning here, the word itself or its meaning. */
export function queryOf(words: string): Query {
  const queries = words
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word): Query => {
      const meaning = meanings.get(termOf(word))
      return meaning === undefined
        ? word
        : { combineWith: 'OR', queries: [word, { combineWith: 'AND', queries: meaning.split(' ') }] }
    })
  return { combineWith: 'AND', queries }
}

/** The part of an excerpt around the first of the words that is in it; else its beginning. */
export function excerptAround(excerpt: string, terms: readonly string[]): string {
  const length = 120
  const small = withoutAccents(excerpt)
  const places = terms.map((term) => small.indexOf(termOf(term))).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const start = first < length / 2 ? 0 : excerpt.indexOf(' ', first - length / 2) + 1
  const end = start + length
  return `${start > 0 ? '… ' : ''}${excerpt.slice(start, end)}${end < excerpt.length ? '…' : ''}`
}
