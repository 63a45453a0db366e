// Every state of the payer's page, as the server would send it, for the pictures and the tests.
import type { PageState } from '#/checkout/page-state.ts'
import { itemScenes } from './gallery-items.ts'
import { localScenes } from './gallery-local.ts'
import {
  type Scene,
  base,
  chosen,
  confirming,
  endsAt,
  merchant,
  over,
  preparing,
  scene,
  sums,
  texts,
  underpaid,
  waiting,
  wordsOf,
} from './gallery-parts.ts'

/** Each step of each method that can reach it, in Portuguese, and some in the other languages. */
export const scenes: readonly Scene[] = [
  scene('choose', chosen({ fields: [] })),
  scene('choose-fields', chosen({})),
  scene('choose-error', chosen({ email: 'ana.exemplo' })),
  scene('choose-over', { ...chosen({ fields: [] }), problem: texts('pt-BR').problems.over('MB WAY') }),
  scene('preparing', preparing()),
  scene('waiting-pix', waiting('PIX', 'BRL')),
  scene('waiting-crypto', waiting('CRYPTO', 'USDT')),
  scene('waiting-card', waiting('CREDIT_CARD', 'BRL')),
  scene('waiting-card-declined', {
    ...waiting('CREDIT_CARD', 'BRL'),
    problem: wordsOf('CREDIT_CARD', 'pt-BR').declines.insufficient_funds,
    isSaidInForm: true,
  }),
  scene('waiting-card-elsewhere', {
    ...waiting('CREDIT_CARD', 'BRL'),
    message: wordsOf('CREDIT_CARD', 'pt-BR').waiting.hosted,
    panel: { method: 'CREDIT_CARD', hostedUrl: '/c/example/provider' },
  }),
  scene('waiting-partner', waiting('PARTNER_PAY', 'USDT')),
  scene('waiting-cancel', {
    ...waiting('PIX', 'BRL'),
    links: { ...base('pt-BR', 'BRL').links, cancel: '/c/example/cancel' },
  }),
  scene('waiting-last-minute', {
    ...waiting('PIX', 'BRL'),
    now: new Date(endsAt.getTime() - 42_000).toISOString(),
  }),
  scene('confirming-crypto', confirming()),
  scene('confirming-card', {
    ...over('confirming', 'CREDIT_CARD', 'BRL', wordsOf('CREDIT_CARD', 'pt-BR').authorised.message(merchant)),
    headline: wordsOf('CREDIT_CARD', 'pt-BR').authorised.headline,
    isFinal: false,
  }),
  scene('underpaid-crypto', underpaid()),
  scene('paid-pix', {
    ...over('paid', 'PIX', 'BRL', texts('pt-BR').paid.message(merchant)),
    thanks: 'Seu pedido sai para entrega ainda hoje.',
    back: {
      label: texts('pt-BR').links.back(merchant),
      url: 'https://loja.example/obrigado',
      afterSeconds: 8,
    },
  }),
  scene('paid-card', over('paid', 'CREDIT_CARD', 'BRL', texts('pt-BR').paid.message(merchant))),
  scene('paid-crypto', over('paid', 'CRYPTO', 'USDT', texts('pt-BR').paid.message(merchant))),
  scene('paid-partner', over('paid', 'PARTNER_PAY', 'USDT', texts('pt-BR').paid.message(merchant))),
  scene(
    'overpaid-crypto',
    over(
      'overpaid',
      'CRYPTO',
      'USDT',
      texts('pt-BR').overpaid.message(sums('12,00', '10,00'), '2,00 USDT', merchant),
    ),
  ),
  scene('late-pix', over('late', 'PIX', 'BRL', texts('pt-BR').late.message(merchant))),
  scene('expired', {
    ...over('expired', 'PIX', 'BRL', texts('pt-BR').expired.message(merchant)),
    receipt: [],
  }),
  scene(
    'expired-part-paid',
    over('expired', 'CRYPTO', 'USDT', texts('pt-BR').expired.withMoney(sums('8,00', '10,00'), merchant)),
  ),
  scene('failed-card', {
    ...over('failed', 'CREDIT_CARD', 'BRL', texts('pt-BR').failed.message(merchant)),
    receipt: [],
  }),
  scene('canceled', {
    ...over('canceled', 'PIX', 'BRL', texts('pt-BR').canceled.message(merchant)),
    receipt: [],
  }),
  {
    name: 'brand',
    style: { accent: '#0b5cff', radius: 4, font: 'system', theme: 'auto' },
    state: {
      ...chosen({ name: 'Ana Souza' }),
      title: 'Assinatura anual',
      note: 'Você pode cancelar em até 7 dias.',
    },
  },
  scene('en-waiting-pix', waiting('PIX', 'BRL', 'en')),
  scene('en-waiting-crypto', waiting('CRYPTO', 'USDT', 'en')),
  scene('es-choose-fields', chosen({ locale: 'es' })),
  scene('es-waiting-partner', waiting('PARTNER_PAY', 'USDT', 'es')),
  ...itemScenes,
  ...localScenes,
]

/** Without the other languages: their layout and markup are the same. */
export const portugueseScenes = scenes.filter(({ name }) => !/^(?:en|es)-/.test(name))

/** The state of the scene of that name. */
export function stateOf(name: string): PageState {
  const found = scenes.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no scene is called ${name}`)
  return found.state
}
