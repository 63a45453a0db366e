// The content of the welcome page. The live part is separate, because the browser gets it again and again.
import { dictionary } from '#/kernel/dictionary.ts'
import type { Currency } from '#/kernel/money.ts'
import { exceptionWords, paymentStatusWords, refundStatusWords } from '#/kernel/status-words.ts'
import type { Child, Markup } from '../../web/live/markup.ts'
import { headOf, state, type Tone } from '../../web/live/parts.ts'
import { sandboxProviders } from './methods/all.ts'
import type { PageAssets } from './page-assets.ts'
import { copyButton, figure, link, moment } from './page-parts.ts'
import { deliveryRow, notifiedOf, webhookRow, type DeliveryLine } from './page-webhooks.ts'
import type { SandboxFile } from './provision.ts'
import type { ReceivedWebhook } from './queries.ts'
import { curlsOf, methodCurlsOf, type Curl, type Fact } from './welcome.ts'

// The page is in English.
const { statuses, gone, unusuals } = dictionary({
  statuses: paymentStatusWords,
  gone: refundStatusWords,
  unusuals: exceptionWords,
}).en

/** The part of a payment that the page shows. */
export type PaymentLine = {
  readonly id: string
  readonly status: string
  readonly amountMinor: bigint
  readonly receivedMinor: bigint
  readonly seenMinor: bigint
  readonly refundedMinor: bigint
  readonly disputedMinor: bigint
  readonly currency: Currency
  readonly exceptions: readonly string[]
  readonly createdAt: Date
  /** The method by which it is paid, once there is one. */
  readonly method?: string
  /** The page on which its payer pays, if there is one. */
  readonly page?: { readonly url: string }
  readonly request: { readonly webhookUrl?: string }
}

export type LiveState = {
  readonly payments: readonly PaymentLine[]
  readonly webhooks: readonly ReceivedWebhook[]
  /** The latest deliveries to all URLs, newest first: more than are shown. */
  readonly deliveries: readonly DeliveryLine[]
  /** The URL of the sandbox's own inbox: deliveries to it are shown as received. */
  readonly inboxUrl: string
  readonly now: Date
}

export function welcomePage(page: {
  readonly sandbox: SandboxFile
  readonly assets: PageAssets
  readonly live: LiveState
  readonly version: string
  /** The path of the API reference, or of the document where the reference is off. */
  readonly referencePath: string
}): Markup {
  const { sandbox, assets, live, version, referencePath } = page
  return [
    'html',
    { lang: 'en' },
    headOf('Vintem sandbox', {
      icon: assets.icon.path,
      styles: [assets.liveStyle.path, assets.style.path],
      script: assets.script.path,
    }),
    [
      'body',
      {},
      header(assets),
      [
        'main',
        {},
        intro,
        pagesOf(sandbox),
        [
          'div',
          { class: 'columns' },
          start(sandbox),
          ['div', { id: 'live', class: 'live' }, ...liveParts(live)],
        ],
      ],
      footer(version, referencePath),
    ],
  ]
}

function header(assets: PageAssets): Markup {
  return [
    'header',
    {},
    [
      'p',
      { class: 'brand' },
      ['img', { src: assets.icon.path, alt: '', width: '28', height: '28' }],
      'Vintem',
    ],
    ['p', { class: 'tag' }, 'Sandbox'],
    [
      'p',
      { class: 'link', id: 'link', role: 'status' },
      ['span', { class: 'lamp', 'aria-hidden': 'true' }],
      ['span', {}, 'Connecting'],
    ],
    ['noscript', {}, ['a', { class: 'refresh', href: '/' }, 'Refresh']],
    ['p', { class: 'aside', id: 'said', role: 'status' }],
  ]
}

const intro: Markup = [
  'div',
  { class: 'intro' },
  ['h1', {}, 'Take your first payment'],
  [
    'p',
    {},
    'Vintem accepts payments, keeps them in double-entry wallets and notifies your server by signed webhooks, behind one JSON API. ',
    'This is your sandbox: the code is the real one, the coins are worth nothing.',
  ],
]

/** Links to the API reference and to the simulators' pages. */
function pagesOf({ simulators }: SandboxFile): Markup {
  return [
    'nav',
    { class: 'pages', 'aria-label': 'Pages of this sandbox' },
    link('/openapi.json', 'API reference', 'as OpenAPI 3.1'),
    ...sandboxProviders.map(({ key, welcome: { link: page } }) =>
      link(simulators[key].controlUrl, page.words, page.about),
    ),
  ]
}

function start(sandbox: SandboxFile): Markup {
  const { apiKey, apiUrl, webhookSecret, merchantId, chain } = sandbox
  const first = curlsOf(sandbox)
  return [
    'section',
    { class: 'start', 'aria-label': 'Start' },
    facts([
      { label: 'Your key', value: apiKey },
      { label: 'API', value: apiUrl },
    ]),
    [
      'ol',
      { class: 'steps' },
      ...first.map((each, index) => step(each, index)),
      ...methodCurlsOf(sandbox).map(({ page, ...each }, index) =>
        step(
          each,
          first.length + index,
          page === undefined ? [] : [' ', ['a', { href: page.url }, page.words], '.'],
        ),
      ),
    ],
    [
      'details',
      { class: 'more' },
      ['summary', {}, 'Webhook secret, bank, chain and addresses'],
      facts([
        { label: 'Webhook secret', value: webhookSecret },
        { label: 'Webhook inbox', value: `${apiUrl}/sandbox/inbox` },
        { label: 'Merchant', value: merchantId },
        { label: 'Bank, API Pix', value: sandbox.simulators.pixBank.apiUrl },
        { label: `Chain, id ${chain.chainId}`, value: chain.rpcUrl },
        { label: 'USDT token', value: chain.usdt },
        { label: 'Treasury', value: chain.treasury },
        { label: 'Faucet', value: chain.faucet },
      ]),
    ],
  ]
}

function facts(list: readonly Fact[]): Markup {
  return [
    'dl',
    { class: 'facts' },
    ...list.map(({ label, value }): Markup => {
      const id = `fact-${label.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
      return ['div', {}, ['dt', {}, label], ['dd', {}, ['code', { id }, value], copyButton(value, label, id)]]
    }),
  ]
}

function step({ title, about, command }: Curl, index: number, more: readonly Child[] = []): Markup {
  const id = `step-${index + 1}`
  return [
    'li',
    {},
    ['div', { class: 'step-head' }, ['h2', {}, title], copyButton(command, title, id)],
    ['p', {}, about, ...more],
    ['pre', {}, ['code', { id }, command]],
  ]
}

/** The part that changes while the page is open: the browser gets all of it whenever it differs. */
export function livePart(live: LiveState): Markup {
  return ['div', {}, ...liveParts(live)]
}

function liveParts(live: LiveState): readonly Markup[] {
  return [
    ['p', { class: 'aside', role: 'status' }, newsOf(live)],
    [
      'section',
      { 'aria-labelledby': 'payments' },
      ['h2', { id: 'payments' }, 'Latest payments'],
      live.payments.length === 0
        ? [
            'p',
            { class: 'empty', 'data-key': 'none' },
            'None yet. Paste the first call into a terminal and it shows up here.',
          ]
        : [
            'ul',
            { class: 'rows', 'data-key': 'rows' },
            ...live.payments.map((each) => paymentRow(each, live)),
          ],
    ],
    [
      'section',
      { 'aria-labelledby': 'webhooks' },
      ['h2', { id: 'webhooks' }, 'Webhooks received'],
      live.webhooks.length === 0
        ? [
            'p',
            { class: 'empty', 'data-key': 'none' },
            'None yet. When a payment is paid, your server is notified: here you see what it would get.',
          ]
        : [
            'ul',
            { class: 'rows', 'data-key': 'rows' },
            ...live.webhooks.map((each) => webhookRow(each, live.now)),
          ],
    ],
    sentSection(live),
  ]
}

const shownDeliveries = 8

/** Only deliveries to a server of the developer's: the inbox has a section of its own. */
function sentSection({ deliveries, inboxUrl, now }: LiveState): Markup {
  const toServer = deliveries.filter(({ url }) => url !== inboxUrl).slice(0, shownDeliveries)
  return [
    'section',
    { 'aria-labelledby': 'sent' },
    ['h2', { id: 'sent' }, 'Webhooks to your server'],
    toServer.length === 0
      ? [
          'p',
          { class: 'empty', 'data-key': 'none' },
          'None yet. Give a payment the webhookUrl of a server of yours, and each try to reach it shows up here.',
        ]
      : ['ul', { class: 'rows', 'data-key': 'rows' }, ...toServer.map((each) => deliveryRow(each, now))],
  ]
}

/** For screen readers, which do not notice that the list changes. */
function newsOf({ payments }: LiveState): string {
  const [latest] = payments
  return latest === undefined ? '' : `Latest payment: ${amountOf(latest)}, ${standingOf(latest).words}`
}

function paymentRow(payment: PaymentLine, { deliveries, now }: LiveState): Markup {
  const { tone, words } = standingOf(payment)
  const { id, page, request } = payment
  const ofPayment = deliveries.filter(({ resourceId }) => resourceId === id)
  return [
    'li',
    { class: 'row', 'data-key': id },
    ['div', {}, ['span', { class: 'amount' }, amountOf(payment)], state(tone, words)],
    ['div', {}, ['code', { class: 'id' }, id], moment(payment.createdAt, now, { tabindex: '0' })],
    [
      'div',
      { class: 'notified' },
      notifiedOf(request.webhookUrl, ofPayment),
      ...(page === undefined ? [] : [link(page.url, 'Payer’s page', `of payment ${id}`)]),
    ],
  ]
}

/** The state in words, with what is unusual about the money. */
function standingOf(payment: PaymentLine): { readonly tone: Tone; readonly words: string } {
  const { status, exceptions } = payment
  const word = statuses[status as keyof typeof statuses] ?? status
  const unusual = exceptions.map(
    (each) => `, ${(unusuals[each as keyof typeof unusuals] ?? each).toLowerCase()}`,
  )
  const words = `${word}${unusual.join('')}`
  switch (status) {
    case 'PAID':
      return { tone: 'good', words: `${words}${goneOf(payment)}` }
    case 'APPROVED':
      return { tone: 'good', words }
    case 'EXPIRED':
    case 'CANCELED':
      return { tone: 'over', words }
    case 'FAILED':
      return { tone: 'bad', words }
    default:
      if (payment.seenMinor > 0n) return { tone: 'wait', words: 'Confirming' }
      if (payment.receivedMinor > 0n)
        return { tone: 'wait', words: `${figure(payment.receivedMinor, payment.currency)} received` }
      return { tone: 'wait', words: word }
  }
}

/** What was refunded or disputed: a paid payment stays PAID. */
function goneOf({ receivedMinor, refundedMinor, disputedMinor }: PaymentLine): string {
  const refunded =
    refundedMinor === 0n
      ? ''
      : `, ${refundedMinor < receivedMinor ? gone.PARTIAL.toLowerCase() : gone.FULL.toLowerCase()}`
  return `${refunded}${disputedMinor === 0n ? '' : ', disputed'}`
}

function amountOf({ amountMinor, currency }: PaymentLine): string {
  return `${figure(amountMinor, currency)} ${currency}`
}

function footer(version: string, referencePath: string): Markup {
  return [
    'footer',
    {},
    ['p', {}, `Vintem ${version}`],
    // The documents are on where the reference is.
    ...(referencePath === '/reference'
      ? [['p', {}, ['a', { href: '/docs/' }, 'Documents']] satisfies Markup]
      : []),
    ['p', {}, ['a', { href: referencePath }, 'API reference']],
  ]
}
