// The wallet's view of one order: the store and the amount, the payer's actions, the end.
import type { Child, Markup } from '../../web/live/markup.ts'
import { headOf, icon } from '../../web/live/parts.ts'
import { fixed } from './money.ts'
import { coins, textsOf, type Language, type Texts } from './pay-texts.ts'
import { refundedOf, statusOf, type Order } from './state.ts'

export type View = {
  readonly language: Language
  readonly order: Order
  readonly balance: bigint
  /** Milliseconds until it expires. */
  readonly leftMs: number
}

export function payPage(view: View): Markup {
  const { language, order } = view
  const texts = textsOf(language)
  const isOpen = order.stage === 'INITIAL' || order.stage === 'PENDING'
  const title = isOpen ? texts.confirmTitle : endingOf(order, texts).title
  const attributes = { 'data-status': `${statusOf(order)} ${order.short}`, 'data-order': order.prepayId }
  return document(language, `${title} · ${order.merchant.name}`, isOpen, [
    ['section', attributes, ...(isOpen ? openPart(view, texts) : endPart(view, texts))],
    ...(isOpen ? [tool(texts)] : []),
  ])
}

export function unknownPage(language: Language): Markup {
  const texts = textsOf(language)
  return document(language, texts.unknown, false, [
    ['section', {}, ['h1', {}, texts.unknown], ['p', { class: 'more' }, texts.unknownMore]],
  ])
}

function openPart({ language, order, balance, leftMs }: View, texts: Texts): readonly Child[] {
  const { terms, merchant, short } = order
  const amount = coins(language, fixed(order.amount))
  const [title, more] = short ? [texts.short, texts.shortMore] : [texts.pending, texts.pendingMore]
  return [
    ['h1', {}, ['span', { class: 'soft' }, texts.payTo], ' ', merchant.name],
    ['p', { class: 'sum' }, amount],
    ['p', { class: 'more' }, terms.description],
    ...(short || order.stage === 'PENDING'
      ? [
          [
            'div',
            { class: `notice ${short ? 'bad' : 'wait'}`, role: 'status' },
            icon(short ? 'bad' : 'wait'),
            ['p', {}, ['strong', {}, title], ' ', more],
          ] as const,
        ]
      : []),
    [
      'dl',
      {},
      // The last attempt was from an empty wallet: shows 0, even if the balance would suffice.
      ...fact(texts.balance, coins(language, fixed(short && balance >= order.amount ? 0n : balance))),
      ...goodsFact(order, texts),
      ...(order.stage === 'INITIAL'
        ? fact(texts.expires, [
            'span',
            { id: 'left', role: 'timer', 'data-left': `${leftMs}` },
            clockOf(leftMs),
          ])
        : []),
    ],
    [
      'form',
      { method: 'post' },
      submit('confirm', `${texts.confirm} ${amount}`, 'first'),
      submit('refuse', texts.refuse, 'second'),
    ],
  ]
}

function endPart(view: View, texts: Texts): readonly Child[] {
  const { language, order } = view
  const { payment, terms } = order
  const { title, more, isGood } = endingOf(order, texts)
  const link = payment === undefined ? terms.cancelUrl : terms.returnUrl
  const back = refundedOf(order)
  return [
    ['div', { class: `sign ${isGood ? 'good' : 'over'}` }, icon(isGood ? 'good' : 'bad')],
    ['h1', {}, title],
    ['p', { class: 'sum' }, coins(language, fixed(order.amount))],
    ['p', { class: 'more' }, back === 0n ? more : `${more} ${coins(language, fixed(back))}.`],
    [
      'dl',
      {},
      ...fact(texts.payTo, order.merchant.name),
      ...(payment === undefined
        ? []
        : [...fact(texts.transaction, ['code', {}, payment.transactionId]), ...goodsFact(order, texts)]),
    ],
    ...(link === undefined ? [] : [['a', { class: 'first', href: link }, texts.back] as const]),
  ]
}

function endingOf(order: Order, texts: Texts) {
  const paid = { isGood: true, more: texts.paidMore }
  const back = { isGood: true, more: texts.refundedMore }
  const none = { isGood: false, more: texts.nothing }
  switch (statusOf(order)) {
    case 'REFUNDING':
      return { ...back, title: texts.refunding, more: texts.refunding }
    case 'REFUNDED':
      return { ...back, title: texts.refunded }
    case 'FULL_REFUNDED':
      return { ...back, title: texts.fullyRefunded }
    case 'CANCELED':
      return { ...none, title: order.endedBy === 'payer' ? texts.refused : texts.closed }
    case 'EXPIRED':
      return { ...none, title: texts.expired }
    case 'PAID':
    case 'INITIAL':
    case 'PENDING':
      return { ...paid, title: texts.paid }
  }
}

/** For the person who tries the simulator out. */
function tool(texts: Texts): Markup {
  return ['form', { method: 'post', class: 'tool' }, submit('insufficient', texts.tryShort, 'second')]
}

function submit(action: string, words: string, style: string): Markup {
  return ['button', { class: style, name: 'action', value: action }, words]
}

/** Omitted when the description contains it already. */
function goodsFact({ terms }: Order, texts: Texts): readonly Markup[] {
  return terms.goodsName === terms.description ? [] : fact(texts.order, terms.goodsName)
}

function fact(name: string, value: Child): readonly Markup[] {
  return [['div', {}, ['dt', {}, name], ['dd', {}, value]]]
}

/** "59:03". */
function clockOf(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toString().padStart(2, '0')}`
}

/** Without JavaScript the page of an open order reloads itself. */
function document(language: Language, title: string, isOpen: boolean, main: readonly Child[]): Markup {
  const refresh: readonly Markup[] = isOpen
    ? [['noscript', {}, ['meta', { 'http-equiv': 'refresh', content: '15' }]]]
    : []
  const styles = ['/live.css', '/page.css', '/wallet.css']
  return [
    'html',
    { lang: language },
    headOf(title, { icon: '/page.svg', styles, ...(isOpen ? { script: '/wallet.js' } : {}) }, refresh),
    [
      'body',
      { class: 'wallet' },
      ['header', {}, ['p', { class: 'brand' }, 'Partner wallet'], ['p', { class: 'tag' }, 'Simulator']],
      ['main', {}, ...main],
      ['footer', {}, ['p', {}, textsOf(language).simulated]],
    ],
  ]
}
