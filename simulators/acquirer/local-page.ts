// The pages of local methods: the bank's page that a redirect leads to, the voucher and its PDF.
import type { Markup } from '../../web/live/markup.ts'
import { headOf } from '../../web/live/parts.ts'
import type { Call, Reply, Route } from '../kit/http.ts'
import { htmlReply, pageHeaders } from '../kit/page.ts'
import type { Acquirer, KeptIntent } from './acquirer.ts'
import { actOn, freshIntent } from './intents.ts'
import { moneyOf } from './page-words.ts'

export function localRoutes(acquirer: Acquirer): readonly Route[] {
  const intentOf = ({ params }: Call) => {
    const intent = freshIntent(acquirer, params['intent'] ?? '')
    return intent?.local === undefined ? undefined : intent
  }
  return [
    { method: 'GET', path: '/c/local/:intent', handle: (call) => page(intentOf(call)) },
    {
      method: 'POST',
      path: '/c/local/:intent',
      handle: (call) => {
        const intent = intentOf(call)
        const act = new URLSearchParams(call.body.toString('utf8')).get('act')
        if (intent?.wire.status === 'requires_action' && (act === 'approve' || act === 'decline'))
          acquirer.store.together(() => actOn(acquirer, intent, act))
        return { status: 303, headers: { location: `/c/local/${call.params['intent'] ?? ''}` } }
      },
    },
    {
      method: 'GET',
      path: '/c/local/:intent/pdf',
      handle: (call) => {
        const intent = intentOf(call)
        const number = intent && voucherLines(intent)[0]?.[1]
        return number === undefined
          ? { status: 404 }
          : { status: 200, type: 'application/pdf', body: pdfOf(`Boleto ${number}`) }
      },
    },
  ]
}

/** The bank's page: the payer confirms or breaks off, and goes back to the shop. Without a script. */
function page(intent: KeptIntent | undefined): Reply {
  if (intent === undefined) return html(404, 'Not found', [['h1', {}, 'There is no such payment']])
  const { wire, local } = intent
  const title = `${local?.type ?? ''} · ${moneyOf('en', wire.amount, wire.currency)}`
  const lines = voucherLines(intent).map(([name, value]): Markup => ['p', {}, `${name}: ${value}`])
  const isOpen = wire.status === 'requires_action'
  const back: readonly Markup[] =
    isOpen || local?.returnUrl === undefined
      ? []
      : [['p', {}, ['a', { href: local.returnUrl }, 'Back to the shop']]]
  const form: readonly Markup[] = isOpen
    ? [
        [
          'form',
          { method: 'post' },
          ['button', { name: 'act', value: 'approve' }, 'Confirm the payment'],
          ['button', { name: 'act', value: 'decline' }, 'Cancel'],
        ],
      ]
    : [['p', {}, `The payment is ${wire.status.replaceAll('_', ' ')}.`]]
  return html(200, title, [['h1', {}, title], ...lines, ...form, ...back])
}

function voucherLines({ wire }: KeptIntent): readonly (readonly [string, string])[] {
  const details = Object.values(wire.next_action ?? {}).find((each) => typeof each === 'object')
  const fields = (details ?? {}) as Readonly<Record<string, unknown>>
  return ['number', 'entity', 'reference'].flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
}

function html(status: number, title: string, body: readonly Markup[]): Reply {
  return htmlReply(
    status,
    [
      'html',
      { lang: 'en' },
      headOf(title, { styles: ['/c/card.css'] }),
      ['body', { class: 'alone' }, ['main', {}, ...body]],
    ],
    pageHeaders("form-action 'self'; frame-ancestors 'none'"),
  )
}

/** The smallest PDF with one line of text (ISO 32000-1 §7.5). */
function pdfOf(text: string): Buffer {
  const stream = `BT /F1 12 Tf 40 780 Td (${text.replaceAll(/[()\\]/g, '')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = body.length
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = body.length
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
}
