// What the welcome page shows. The live part is described apart, because the browser gets it again and again.
import { parseJson } from '#/kernel/json.ts'
import { toDecimal, type Currency } from '#/kernel/money.ts'
import { member } from './member.ts'
import type { Attributes, Child, Markup } from '#/kernel/markup.ts'
import type { PageAssets } from './page-assets.ts'
import type { ReceivedWebhook } from './queries.ts'
import type { SandboxFile } from './provision.ts'
import { curlsOf, pixCurlOf, type Curl, type Fact } from './welcome.ts'

/** As much of a payment as the page shows. */
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
}

export type LiveState = {
  readonly payments: readonly PaymentLine[]
  readonly webhooks: readonly ReceivedWebhook[]
  readonly now: Date
}

export function welcomePage(page: {
  readonly sandbox: SandboxFile
  readonly assets: PageAssets
  readonly live: LiveState
  readonly version: string
}): Markup {
  const { sandbox, assets, live, version } = page
  return [
    'html',
    { lang: 'en' },
    [
      'head',
      {},
      ['meta', { charset: 'utf-8' }],
      ['title', {}, 'Vintem sandbox'],
      ['meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }],
      ['meta', { name: 'color-scheme', content: 'light dark' }],
      ['link', { rel: 'icon', type: 'image/svg+xml', href: assets.icon.path }],
      ['link', { rel: 'stylesheet', href: assets.style.path }],
      ['script', { src: assets.script.path, type: 'module' }],
    ],
    [
      'body',
      {},
      header(assets),
      [
        'main',
        {},
        intro,
        [
          'div',
          { class: 'columns' },
          start(sandbox),
          ['div', { id: 'live', class: 'live' }, ...liveParts(live)],
        ],
      ],
      footer(version),
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
    'Vintem takes payments, keeps them in double-entry wallets and tells your server by signed webhooks, behind one JSON API. ',
    'This is your sandbox: the code is the real one, the coins are worth nothing.',
  ],
]

function start(sandbox: SandboxFile): Markup {
  const { apiKey, apiUrl, webhookSecret, merchantId, chain } = sandbox
  const { title, about, command, bankUrl } = pixCurlOf(sandbox.simulators.pixBank.controlUrl)
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
      ...curlsOf(sandbox).map((each, index) => step(each, index)),
      step({ title, about, command }, curlsOf(sandbox).length, [
        ' ',
        ['a', { href: bankUrl }, 'the bank’s page'],
        '.',
      ]),
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

function copyButton(value: string, what: string, of: string): Markup {
  return [
    'button',
    { type: 'button', class: 'copy', 'data-copy': value, 'aria-controls': of },
    icon('copy'),
    ['span', {}, 'Copy'],
    ['span', { class: 'aside' }, ` ${what}`],
  ]
}

/** What changes while the page is open: the browser is sent this part, whole, whenever it differs. */
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
            ...live.payments.map((each) => paymentRow(each, live.now)),
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
            'None yet. When a payment is paid, your server is told: here you see what it would get.',
          ]
        : [
            'ul',
            { class: 'rows', 'data-key': 'rows' },
            ...live.webhooks.map((each) => webhookRow(each, live.now)),
          ],
    ],
  ]
}

/** For those who do not see the list change. */
function newsOf({ payments }: LiveState): string {
  const [latest] = payments
  return latest === undefined ? '' : `Latest payment: ${amountOf(latest)}, ${standingOf(latest).words}`
}

function paymentRow(payment: PaymentLine, now: Date): Markup {
  const { tone, words } = standingOf(payment)
  return [
    'li',
    { class: 'row', 'data-key': payment.id },
    ['div', {}, ['span', { class: 'amount' }, amountOf(payment)], state(tone, words)],
    ['div', {}, ['code', { class: 'id' }, payment.id], moment(payment.createdAt, now, { tabindex: '0' })],
  ]
}

function webhookRow(webhook: ReceivedWebhook, now: Date): Markup {
  const event = readEvent(webhook.body)
  const tone = webhook.verified ? 'good' : 'bad'
  return [
    'li',
    { 'data-key': webhook.id },
    [
      'details',
      {},
      [
        'summary',
        { class: 'row' },
        [
          'div',
          {},
          ['span', { class: 'event' }, event.type],
          state(tone, webhook.verified ? 'Verified' : 'Not verified'),
        ],
        ['div', {}, ['code', { class: 'id' }, event.resourceId], moment(webhook.receivedAt, now, {})],
      ],
      ['pre', {}, ['code', {}, event.text]],
    ],
  ]
}

/** What can be read of a body that anybody may have sent. */
function readEvent(body: Buffer): {
  readonly type: string
  readonly resourceId: string
  readonly text: string
} {
  const raw = body.toString('utf8')
  try {
    const event = parseJson(raw)
    const type = member(event, 'type')
    const id = member(member(event, 'data'), 'id')
    return {
      type: typeof type === 'string' ? type : 'Not an event',
      resourceId: typeof id === 'string' ? id : '',
      text: JSON.stringify(event, null, 2),
    }
  } catch {
    return { type: 'Not JSON', resourceId: '', text: raw }
  }
}

function state(tone: Tone, words: string): Markup {
  return ['span', { class: `state ${tone}` }, icon(tone), ['span', {}, words]]
}

type Tone = 'good' | 'wait' | 'bad' | 'over'

/** The state in words, with what is unusual about the money. */
function standingOf(payment: PaymentLine): { readonly tone: Tone; readonly words: string } {
  const unusual = payment.exceptions.map((each) => `, ${each.toLowerCase()}`).join('')
  switch (payment.status) {
    case 'PENDING':
      return { tone: 'wait', words: 'Not open yet' }
    case 'PAID':
      return { tone: 'good', words: `Paid${unusual}${goneOf(payment)}` }
    case 'APPROVED':
      return { tone: 'good', words: 'Approved' }
    case 'EXPIRED':
      return { tone: 'over', words: `Expired${unusual}` }
    case 'CANCELED':
      return { tone: 'over', words: `Canceled${unusual}` }
    case 'FAILED':
      return { tone: 'bad', words: 'Failed' }
    default:
      if (payment.seenMinor > 0n) return { tone: 'wait', words: 'Confirming' }
      if (payment.receivedMinor > 0n)
        return { tone: 'wait', words: `${figure(payment.receivedMinor, payment.currency)} received` }
      return { tone: 'wait', words: 'Waiting' }
  }
}

/** A paid payment stays paid, whatever becomes of its money. */
function goneOf({ receivedMinor, refundedMinor, disputedMinor }: PaymentLine): string {
  const refunded =
    refundedMinor === 0n ? '' : refundedMinor < receivedMinor ? ', part refunded' : ', refunded'
  return `${refunded}${disputedMinor === 0n ? '' : ', disputed'}`
}

function amountOf({ amountMinor, currency }: PaymentLine): string {
  return `${figure(amountMinor, currency)} ${currency}`
}

const decimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

function figure(minor: bigint, currency: Currency): string {
  return decimals.format(toDecimal({ minor, currency }) as Intl.StringNumericLiteral)
}

const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow', numeric: 'always' })

/** A time as people say it; the exact one appears on hover, and on the focus of it or of the summary around it. */
function moment(at: Date, now: Date, focus: Attributes): Markup {
  const exact = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const attributes = { datetime: at.toISOString(), 'data-exact': exact, ...focus }
  return ['time', attributes, ago(Math.max(0, now.getTime() - at.getTime()))]
}

function ago(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 5) return 'now'
  if (seconds < 60) return relative.format(-(seconds - (seconds % 5)), 'second')
  if (seconds < 3_600) return relative.format(-Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3_600), 'hour')
  return relative.format(-Math.floor(seconds / 86_400), 'day')
}

/** Lines on a grid of 16, drawn in the colour of the text. */
const drawings = {
  good: 'M3.5 8.5l3 3 6-7',
  wait: 'M8 4.5V8l2.5 1.5M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5',
  bad: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  over: 'M4 8h8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
} as const

function icon(name: keyof typeof drawings): Child {
  return [
    'svg',
    { viewBox: '0 0 16 16', width: '16', height: '16', 'aria-hidden': 'true', class: 'icon' },
    ['path', { d: drawings[name] }],
  ]
}

function footer(version: string): Markup {
  return [
    'footer',
    {},
    ['p', {}, `Vintem ${version}`],
    ['p', {}, ['a', { href: '/openapi.json' }, 'API description']],
  ]
}
