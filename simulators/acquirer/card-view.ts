// The HTML of the card page: the form, the 3-D Secure challenge, the end. Plain HTML forms: no part needs a script.
import type { Child, Markup } from '../../web/live/markup.ts'
import { headOf } from '../../web/live/parts.ts'
import { given } from '../kit/given.ts'
import type { CardField, FormErrors, Typed } from './card-form.ts'
import { moneyOf, say, wordsOf, type Language, type Words } from './page-words.ts'

export type CardPage = {
  readonly language: Language
  /** Where the forms of this page go. */
  readonly action: string
  readonly store: string
  readonly amount: number
  readonly currency: string
  readonly label: string
  /** The address of the style sheet with the account's own colours. */
  readonly colours?: string
  /** The payer's email from the account: shown, and not to be changed. */
  readonly email?: string
  /** The account's text next to the button. */
  readonly note?: string
  /** For the script that reports the frame's height to the page around it. */
  readonly frame?: FrameData
  readonly show: Shown
}

export type FrameData = Readonly<Record<`data-${string}`, string>>

export type Shown =
  | {
      readonly state: 'form'
      readonly isHeld: boolean
      readonly errors: FormErrors
      readonly typed: Typed
      /** The reason why the last card was declined. */
      readonly problem?: string
      readonly cancelUrl?: string
    }
  | { readonly state: 'challenged'; readonly last4: string }
  | {
      readonly state: 'done'
      readonly isHeld: boolean
      readonly last4: string
      readonly returnUrl?: string
      /** Whether the payer is sent on at once, without a click. */
      readonly goesOn: boolean
    }
  | { readonly state: 'over'; readonly cancelUrl?: string }

export function cardPage(page: CardPage): Markup {
  const words = wordsOf(page.language)
  return frameOf(page.language, words.title, bodyOf(page, words), page)
}

/** For an invalid link. */
export function gonePage(language: Language): Markup {
  const words = wordsOf(language)
  return frameOf(
    language,
    words.goneTitle,
    [
      ['h1', {}, words.goneTitle],
      ['p', { class: 'soft' }, words.gone],
    ],
    {},
  )
}

function frameOf(
  language: Language,
  title: string,
  body: readonly Child[],
  { show, frame, colours }: Partial<Pick<CardPage, 'show' | 'frame' | 'colours'>>,
): Markup {
  const goesOn = show?.state === 'done' && show.goesOn ? show.returnUrl : undefined
  return [
    'html',
    { lang: language },
    headOf(
      title,
      {
        icon: '/page.svg',
        styles: ['/c/card.css', ...(colours === undefined ? [] : [colours])],
        script: '/c/frame.js',
      },
      goesOn === undefined ? [] : [['meta', { 'http-equiv': 'refresh', content: `0;url=${goesOn}` }]],
    ),
    [
      'body',
      frame === undefined ? { class: 'alone' } : { ...frame },
      // The page around the frame has a main part too.
      ['main', frame === undefined ? {} : { 'aria-label': title }, ...body],
    ],
  ]
}

function bodyOf(page: CardPage, words: Words): readonly Child[] {
  const { show } = page
  switch (show.state) {
    case 'form':
      return [...summary(page, words), ...cardForm(page, show, words), testCards(words)]
    case 'challenged':
      return question(page, show.last4, words)
    case 'done':
      return ending(page, show, words)
    case 'over':
      return [
        ['h1', {}, words.overTitle],
        ['p', { class: 'soft' }, words.over],
        ...(show.cancelUrl === undefined ? [] : [link(show.cancelUrl, words.back)]),
      ]
  }
}

function amountOf({ language, amount, currency }: CardPage): string {
  return moneyOf(language, amount, currency)
}

/** The page around a frame says what is paid, and how much. */
function summary(page: CardPage, words: Words): readonly Markup[] {
  const store: Markup = ['span', { class: 'soft' }, `${words.to} ${page.store}`]
  return [
    [
      'header',
      {},
      ['p', { class: 'line' }, store, tag(words)],
      ...(page.frame === undefined
        ? [
            ['h1', { class: 'amount' }, amountOf(page)] as const,
            ['p', { class: 'soft' }, page.label] as const,
          ]
        : []),
    ],
  ]
}

function tag(words: Words): Markup {
  return ['span', { class: 'tag', title: words.testNote }, words.testTag]
}

function cardForm(
  page: CardPage,
  show: Extract<Shown, { readonly state: 'form' }>,
  words: Words,
): readonly Markup[] {
  const { errors, typed, problem } = show
  const message = Object.keys(errors).length > 0 ? words.fix : problem
  const field = (
    name: CardField,
    label: string,
    attributes: Readonly<Record<string, string>>,
    hint?: string,
  ) => fieldOf({ name, label, attributes, hint, error: errors[name], value: typed[name] })
  const digits = { inputmode: 'numeric', spellcheck: 'false' }
  return [
    ...(message === undefined ? [] : [['p', { class: 'problem', role: 'alert' }, message] as const]),
    [
      'form',
      { method: 'post', action: page.action, novalidate: '' },
      ...(page.email === undefined ? [] : [fixedEmail(page.email, words)]),
      field('number', words.number, { autocomplete: 'cc-number', ...digits }),
      [
        'div',
        { class: 'pair' },
        field('expiry', words.expiry, { autocomplete: 'cc-exp', ...digits, inputmode: 'text' }),
        field('cvc', words.cvc, { autocomplete: 'cc-csc', ...digits, maxlength: '4' }, words.cvcHint),
      ],
      field('name', words.name, { autocomplete: 'cc-name' }),
      ['button', { class: 'first', type: 'submit', 'data-busy': words.busy }, words.pay],
      ...(page.note === undefined ? [] : [['p', { class: 'soft small' }, page.note] as const]),
      ...(show.isHeld ? [['p', { class: 'soft small' }, words.held] as const] : []),
    ],
    ...(show.cancelUrl === undefined ? [] : [link(show.cancelUrl, words.cancel)]),
  ]
}

/** The input has no name, so that it is not sent. */
function fixedEmail(email: string, words: Words): Markup {
  return [
    'div',
    { class: 'field' },
    ['label', { for: 'email' }, words.email],
    ['input', { id: 'email', type: 'email', autocomplete: 'email', readonly: '', value: email }],
  ]
}

type Field = {
  readonly name: CardField
  readonly label: string
  readonly attributes: Readonly<Record<string, string>>
  readonly hint: string | undefined
  readonly error: string | undefined
  readonly value: string | undefined
}

function fieldOf({ name, label, attributes, hint, error, value }: Field): Markup {
  const notes = [
    ...(error === undefined ? [] : [`${name}-error`]),
    ...(hint === undefined ? [] : [`${name}-hint`]),
  ]
  return [
    'div',
    { class: 'field' },
    ['label', { for: name }, label],
    [
      'input',
      {
        id: name,
        name,
        type: 'text',
        required: '',
        ...attributes,
        ...given({ value }),
        ...(error === undefined ? {} : { 'aria-invalid': 'true' }),
        ...(notes.length === 0 ? {} : { 'aria-describedby': notes.join(' ') }),
      },
    ],
    ...(error === undefined ? [] : [['p', { id: `${name}-error`, class: 'error' }, error] as const]),
    ...(hint === undefined ? [] : [['p', { id: `${name}-hint`, class: 'soft small' }, hint] as const]),
  ]
}

function testCards(words: Words): Markup {
  const card = (number: string, meaning: string): Markup => [
    'li',
    {},
    ['code', {}, number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')],
    ` ${meaning}`,
  ]
  return [
    'details',
    {},
    ['summary', {}, words.testCards],
    ['p', { class: 'soft small' }, words.testNote],
    [
      'ul',
      {},
      card('4242424242424242', words.testSuccess),
      card('4000002760003184', words.testChallenge),
      card('4000000000000002', words.testDecline),
      card('4000000000009995', words.testFunds),
    ],
  ]
}

function question(page: CardPage, last4: string, words: Words): readonly Markup[] {
  const answer = (value: string, style: string, text: string): Markup => [
    'button',
    { class: style, type: 'submit', name: 'result', value },
    text,
  ]
  return [
    ['p', { class: 'line' }, ['span', { class: 'soft' }, '3-D Secure'], tag(words)],
    ['h1', {}, words.askTitle],
    ['p', {}, say(words.ask, { amount: amountOf(page), store: page.store, last4 })],
    [
      'form',
      { method: 'post', action: page.action.replace(/(?=\?|$)/, '/challenge') },
      answer('complete', 'first', words.askPass),
      answer('fail', 'second', words.askFail),
    ],
  ]
}

function ending(
  page: CardPage,
  show: Extract<Shown, { readonly state: 'done' }>,
  words: Words,
): readonly Markup[] {
  const size = { width: '40', height: '40', viewBox: '0 0 16 16' }
  return [
    ['svg', { class: 'check', ...size, 'aria-hidden': 'true' }, ['path', { d: 'M3 8.5 6.5 12 13 4.5' }]],
    ['h1', { role: 'status' }, show.isHeld ? words.heldTitle : words.doneTitle],
    ['p', {}, say(words.done, { amount: amountOf(page), store: page.store, last4: show.last4 })],
    ...(show.isHeld ? [['p', { class: 'soft small' }, words.held] as const] : []),
    ...(show.returnUrl === undefined ? [] : [link(show.returnUrl, words.back)]),
  ]
}

/** The link opens outside the frame: its target is no part of the card page. */
function link(href: string, text: string): Markup {
  return ['p', { class: 'way' }, ['a', { href, target: '_top' }, text]]
}

/** The text for a card that was declined. */
export function problemOf(
  error: { readonly code: string; readonly decline_code?: string },
  words: Words,
): string {
  if (error.decline_code === 'test_mode_live_card') return words.notTestCard
  if (error.decline_code === 'insufficient_funds') return words.funds
  switch (error.code) {
    case 'expired_card':
      return words.expired
    case 'incorrect_cvc':
      return words.cvcDeclined
    case 'processing_error':
      return words.processing
    case 'payment_intent_authentication_failure':
      return words.unconfirmed
    default:
      return words.declined
  }
}
