// The search of the built site: what people type finds the page that they look for first.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import MiniSearch from 'minisearch'
import { buildDocsIfStale } from '../../web/build-docs.ts'
import { excerptAround, meanings, queryOf, searchOptions } from '../../web/docs/search-options.ts'
import { root } from './page.ts'

let index: MiniSearch

before(async () => {
  await buildDocsIfStale(root)
  const packed = await readFile(join(root, 'web', 'dist-docs', 'site', 'search.json.gz'))
  index = MiniSearch.loadJSON(gunzipSync(packed).toString(), searchOptions)
})

const addressesOf = (words: string) => index.search(queryOf(words)).map(({ href }) => String(href))

/** What people type, and the page on which they expect the first result. */
const firstPages: Readonly<Record<string, string>> = {
  // English
  refund: 'integrating',
  payout: 'withdrawals',
  charge: 'payment-links',
  'create payment': 'integrating',
  chargeback: 'integrating',
  webhook: 'webhooks',
  'webhook secret': 'webhooks',
  'verify signature': 'samples',
  checkout: 'checkout',
  template: 'checkout',
  idempotency: 'idempotency',
  '401': 'problems',
  '429': 'problems',
  'test card': 'testing',
  clock: 'sandbox-clock',
  port: 'start',
  'install sdk': 'sdk',
  python: 'sdk-python',
  woocommerce: 'woocommerce',
  docker: 'containers',
  grafana: 'metrics',
  nginx: 'first-payment',
  backup: 'operating',
  restore: 'operating',
  upgrade: 'operating',
  signer: 'signer',
  'hot wallet': 'treasury',
  password: 'dashboard',
  gdpr: 'personal-data',
  'delete data': 'personal-data',
  'rotate key': 'keys',
  marketplace: 'splits',
  search: 'finding',
  metadata: 'finding',
  status: 'integrating',
  expired: 'integrating',
  ngrok: 'events',
  performance: 'performance',
  stripe: 'stripe',
  installments: 'quick-answers',
  // Portuguese, with and without accents, in the singular and the plural
  estorno: 'integrating',
  estornar: 'integrating',
  reembolso: 'integrating',
  devolução: 'integrating',
  devoluções: 'integrating',
  saque: 'withdrawals',
  saques: 'withdrawals',
  sacar: 'withdrawals',
  'saque pix': 'withdrawals',
  cobrança: 'integrating',
  cobranças: 'integrating',
  cobranca: 'integrating',
  'criar cobrança': 'integrating',
  pagamento: 'integrating',
  'link de pagamento': 'payment-links',
  chave: 'keys',
  'chave pix': 'withdrawals',
  boleto: 'methods/boleto',
  boletos: 'methods/boleto',
  cartão: 'methods/card',
  cartões: 'methods/card',
  'cartão de teste': 'testing',
  pix: 'methods/pix',
  'pix copia e cola': 'methods/pix',
  cripto: 'methods/usdt',
  assinatura: 'samples',
  notificação: 'webhooks',
  contestação: 'integrating',
  idempotência: 'idempotency',
  'erro 409': 'problems',
  limite: 'withdrawals',
  extrato: 'integrating',
  saldo: 'integrating',
  vencimento: 'integrating',
  dividir: 'splits',
  'segunda pessoa': 'keys',
  senha: 'dashboard',
  painel: 'dashboard',
  planilha: 'dashboard',
  relatório: 'dashboard',
  loja: 'example-shop',
  lgpd: 'personal-data',
  começar: 'guia',
  produção: 'guia',
  homologação: 'testing',
  instalar: 'operating',
  restaurar: 'operating',
  'carteira quente': 'treasury',
  parcelas: 'quick-answers',
  'nota fiscal': 'quick-answers',
  // Spanish
  retiro: 'withdrawals',
  cobro: 'integrating',
  devolución: 'integrating',
  tarjeta: 'methods/card',
  clave: 'keys',
  firma: 'samples',
  prueba: 'testing',
}

test('the first result of what people type is on the page that they look for', () => {
  const found = Object.keys(firstPages).map((words) => {
    const [first = ''] = addressesOf(words)
    return [words, first.replace('/docs/', '').replace(/#.*/, '')]
  })
  assert.deepEqual(Object.fromEntries(found), firstPages)
})

/** The parts that are the answer. */
const firstParts: Readonly<Record<string, string>> = {
  estorno: '/docs/integrating#refund-a-payment',
  cobrança: '/docs/integrating#create-a-payment',
  saque: '/docs/withdrawals',
  '401': '/docs/problems#unauthenticated',
  'test card': '/docs/testing#card',
  'webhook secret': '/docs/webhooks#the-webhook-secret',
  port: '/docs/start#another-port-or-folder',
  senha: '/docs/dashboard#signing-in',
  status: '/docs/integrating#states',
  assinatura: '/docs/samples#verify-a-webhook',
}

for (const [words, address] of Object.entries(firstParts))
  test(`"${words}" finds ${address} first`, () => {
    assert.equal(addressesOf(words)[0], address, addressesOf(words).slice(0, 4).join(' '))
  })

test('every word that has a meaning for the search finds something', () => {
  const lost = [...meanings.keys()].filter((word) => addressesOf(word).length === 0)
  assert.deepEqual(lost, [])
})

test('a short word finds no other short word, and a long one with a wrong letter is found', () => {
  assert.ok(addressesOf('gas').every((href) => !href.startsWith('/docs/how-it-was-tested')))
  assert.equal(addressesOf('idempotensy')[0]?.replace(/#.*/, ''), '/docs/idempotency')
})

test('decisions are found, and come behind the pages for users', () => {
  const found = addressesOf('refund')
  const at = found.findIndex((href) => href.startsWith('/docs/decisions/'))
  assert.ok(at >= 10, `a decision is number ${at + 1} of ${found.length}`)
})

test('a result shows the text around the first word that was found', () => {
  const text = `${'one two three four five six '.repeat(6)}refund ${'seven eight nine ten '.repeat(9)}`
  const shown = excerptAround(text, ['nothing', 'refund'])
  assert.match(shown, /^… .*refund.*…$/)
  assert.ok(shown.length < 130)
  assert.match(excerptAround(text, ['nothing']), /^one two/)
  const [first] = index.search(queryOf('estorno'))
  assert.match(excerptAround(String(first?.['excerpt']), first?.terms ?? []), /refund/i)
  // Found without the accent, shown with it.
  assert.match(excerptAround(`${'um dois três '.repeat(12)}Cobrança paga`, ['cobranca']), /^… .*Cobrança/)
})
