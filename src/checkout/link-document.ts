// The page of a payment link: what is paid, how much, and one button. It needs no script.
import { languageNames, type Locale } from '#/kernel/language.ts'
import type { PaymentLink } from '#/payment-links/link.ts'
import type { Markup } from '../../web/live/markup.ts'
import { ourName, staticDocument } from './document.ts'
import { formatFor, type Format } from './format.ts'
import { linkWords, type LinkWords } from './link-words.ts'
import { speech } from './speech.ts'
import { legalOf, logoName, supportOf } from './state.ts'
import type { PageTemplate } from './template.ts'
import type { CheckoutView } from './view.ts'

export type LinkPage = {
  readonly link: PaymentLink
  readonly template: PageTemplate
  readonly locale: Locale
  /** Makes each page's form one payment, however often it is sent. */
  readonly once: string
  /** What the payer typed, when the amount was refused. */
  readonly wrongAmount?: string
}

/** Why a link makes no payment. */
export type LinkEnd = 'over' | 'usedUp' | 'closed'

/** The form of a link. */
export function linkDocument(page: LinkPage, view: CheckoutView): string {
  const words = linkWords[page.locale]
  const { link, once } = page
  const action: Markup = [
    'form',
    { class: 'form', method: 'post', action: `/l/${link.token}`, novalidate: '' },
    ['input', { type: 'hidden', name: 'once', value: once }],
    ...('minor' in link.amount ? [] : [amountField(page, words)]),
    ['button', { class: 'button', type: 'submit' }, words.send],
    ['p', { class: 'hint' }, words.next],
  ]
  return documentOf(page, view, [action])
}

/** The page of a link that makes no payment now. */
export function linkEndDocument(page: Omit<LinkPage, 'once'>, view: CheckoutView, end: LinkEnd): string {
  const { title, message } = linkWords[page.locale][end]
  return documentOf(page, view, [
    [
      'div',
      { class: 'status over', role: 'status' },
      ['h2', {}, title],
      ['p', {}, message(page.template.name)],
    ],
  ])
}

function documentOf(page: Omit<LinkPage, 'once'>, view: CheckoutView, content: readonly Markup[]): string {
  const { link, template, locale } = page
  const body: Markup = [
    'div',
    { class: 'page' },
    summary(page),
    ['main', { class: 'action' }, ['div', { class: 'column' }, ...content]],
    footer(page),
  ]
  const title = `${link.request.name} · ${template.name}`
  return staticDocument({ locale, title, style: template.style, body }, view)
}

function summary({ link, template, locale }: Omit<LinkPage, 'once'>): Markup {
  const { request } = link
  const format = formatFor(locale, template.timeZone)
  const shown = amountText(link, linkWords[locale], format)
  const size = shown.length <= 11 ? 'amount' : shown.length <= 15 ? 'amount long' : 'amount longest'
  const face: Markup =
    template.logo === undefined
      ? [
          'span',
          { class: 'monogram', 'aria-hidden': 'true' },
          template.name.trim().match(/^./u)?.[0].toUpperCase() ?? '',
        ]
      : ['img', { class: 'logo', src: `/l/${link.token}/logo/${logoName(template.logo)}`, alt: '' }]
  const sandbox: readonly Markup[] =
    link.mode === 'SANDBOX' ? [['span', { class: 'sandbox' }, speech[locale].labels.sandbox]] : []
  return [
    'header',
    { class: 'summary' },
    [
      'div',
      { class: 'column' },
      ['div', { class: 'merchant' }, face, ['p', { class: 'merchant-name' }, template.name, ...sandbox]],
      ['h1', {}, ['span', { class: 'caption' }, request.name], ' ', ['span', { class: size }, shown]],
      ...(request.description === undefined
        ? []
        : [['p', { class: 'description' }, request.description] as const]),
    ],
  ]
}

function amountText({ amount, currency }: PaymentLink, words: LinkWords, format: Format): string {
  if ('minor' in amount) return format.money(amount.minor, currency).text
  return words.fromTo(
    format.money(amount.minMinor, currency).text,
    format.money(amount.maxMinor, currency).text,
  )
}

function amountField({ link, template, locale, wrongAmount }: LinkPage, words: LinkWords): Markup {
  const format = formatFor(locale, template.timeZone)
  const { amount, currency } = link
  const [least, most] =
    'minor' in amount
      ? ['', '']
      : [format.money(amount.minMinor, currency).text, format.money(amount.maxMinor, currency).text]
  const isWrong = wrongAmount !== undefined
  return [
    'div',
    { class: 'field' },
    ['label', { for: 'amount' }, `${words.amount} (${currency})`],
    [
      'input',
      {
        id: 'amount',
        name: 'amount',
        type: 'text',
        inputmode: 'decimal',
        autocomplete: 'transaction-amount',
        required: '',
        maxlength: '30',
        'aria-describedby': 'amount-hint',
        ...(isWrong ? { 'aria-invalid': 'true', autofocus: '', value: wrongAmount } : {}),
      },
    ],
    [
      'p',
      { class: isWrong ? 'error' : 'hint', id: 'amount-hint' },
      isWrong ? words.wrongAmount(least, most) : words.range(least, most),
    ],
  ]
}

function footer({ link, template, locale }: Omit<LinkPage, 'once'>): Markup {
  const { labels, sentences } = speech[locale]
  const { support } = supportOf(template, sentences)
  const links = [...(support === undefined ? [] : [support]), ...legalOf(template, sentences)]
  const { enabled } = template.languages
  const languages: Markup = [
    'nav',
    { class: 'languages', 'aria-label': labels.languages },
    ...enabled.map((code): Markup => {
      const isCurrent: Readonly<Record<string, string>> = code === locale ? { 'aria-current': 'true' } : {}
      const href = `/l/${link.token}?lang=${code}`
      return ['a', { href, lang: code, hreflang: code, ...isCurrent }, languageNames[code]]
    }),
  ]
  return [
    'footer',
    { class: 'foot' },
    [
      'div',
      { class: 'column' },
      ...(links.length === 0
        ? []
        : [
            [
              'p',
              { class: 'links' },
              ...links.map(({ label, url }): Markup => ['a', { href: url }, label]),
            ] as const,
          ]),
      ...(enabled.length > 1 ? [languages] : []),
      ourName,
    ],
  ]
}
