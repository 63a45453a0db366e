// The scenes of what a payment is for, and of the rest of an underpaid PIX, in three languages.
import { formatFor } from '#/checkout/format.ts'
import { pageItemsOf } from '#/checkout/items.ts'
import { pix } from '#/checkout/methods/pix.ts'
import type { PageState } from '#/checkout/page-state.ts'
import { given } from '#/kernel/given.ts'
import type { Locale } from '#/kernel/language.ts'
import type { PaymentItem } from '#/payments/payment.ts'
import { base, chosen, endsAt, now, over, scene, texts, waiting, type Scene } from './gallery-parts.ts'

/** They add up to the 124.90 of the scenes. */
const few: readonly PaymentItem[] = [
  { name: 'Café em grãos Serra Azul, 1 kg, torra média', quantity: 2, amount: 5_990 },
  { name: 'Frete', quantity: 1, amount: 1_010 },
  { name: 'Desconto de primeira compra', quantity: 1, amount: -500 },
]

/** A hundred lines, with names as merchants send them. */
const many: readonly PaymentItem[] = [
  { name: 'Filtro de papel 103', quantity: 1_000, amount: 12 },
  { name: `Kit_${'sem-espaço-'.repeat(9)}`, quantity: 1, amount: 392 },
  { name: 'قهوة عربية <b>x</b>', quantity: 1, amount: 1 },
  ...Array.from({ length: 97 }, (_, index) => ({ name: `Brinde ${index + 1}`, quantity: 1, amount: 1 })),
]

const zone = 'America/Sao_Paulo'

function withItems(state: PageState, items: readonly PaymentItem[], locale: Locale = 'pt-BR'): PageState {
  const payment = { request: { amount: 12_490, items }, currency: 'BRL' as const }
  const shown = pageItemsOf(payment, formatFor(locale, zone), texts(locale))
  return { ...state, ...given({ items: shown }) }
}

type Underpaid = { readonly isOpen: boolean; readonly problem?: 'away' | 'refused' }

/** 100.00 of 124.90 came. */
function underpaidPix(locale: Locale, { isOpen, problem }: Underpaid): PageState {
  const format = formatFor(locale, zone)
  const { headline } = texts(locale).underpaid
  const { text, isToday } = format.instant(endsAt, now)
  const missing = format.money(2_490n, 'BRL')
  const words = pix.restCharge?.({
    sent: { received: format.money(10_000n, 'BRL').text, amount: format.figure(12_490n, 'BRL') },
    missing: missing.text,
    until: texts(locale).until(text, isToday),
    isOpen,
    isReturned: false,
    locale,
  })
  if (words === undefined) throw new Error('PIX has a charge for the rest')
  const { panel, methods: _, ...state } = waiting('PIX', 'BRL', locale)
  if (panel?.method !== 'PIX') throw new Error('another panel')
  return {
    ...state,
    methods: [],
    step: 'underpaid',
    headline,
    message: words.message,
    ...(isOpen
      ? { panel: { ...panel, amount: missing } }
      : { rest: { label: words.button, url: '/c/example/rest' } }),
    ...(problem === undefined ? {} : { problem: words[problem] }),
  }
}

const paid = over('paid', 'PIX', 'BRL', texts('pt-BR').paid.message('Café Serra Azul'))

export const itemScenes: readonly Scene[] = [
  scene('items', withItems(waiting('PIX', 'BRL'), few)),
  scene('items-folded', withItems(chosen({ fields: [] }), many)),
  scene('paid-items', withItems(paid, few)),
  scene('paid-items-folded', withItems(paid, many)),
  scene('underpaid-pix', underpaidPix('pt-BR', { isOpen: false })),
  scene('underpaid-pix-away', underpaidPix('pt-BR', { isOpen: false, problem: 'away' })),
  scene('underpaid-pix-refused', underpaidPix('pt-BR', { isOpen: false, problem: 'refused' })),
  scene('underpaid-pix-open', underpaidPix('pt-BR', { isOpen: true })),
  scene('en-items-folded', withItems(base('en', 'BRL'), many, 'en')),
  scene('es-items-folded', withItems(base('es', 'BRL'), many, 'es')),
  ...(['en', 'es'] as const).flatMap((locale) => [
    scene(`${locale}-underpaid-pix`, underpaidPix(locale, { isOpen: false })),
    scene(`${locale}-underpaid-pix-away`, underpaidPix(locale, { isOpen: false, problem: 'away' })),
    scene(`${locale}-underpaid-pix-open`, underpaidPix(locale, { isOpen: true })),
  ]),
]
