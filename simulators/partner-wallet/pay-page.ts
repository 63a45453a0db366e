// The wallet app's page of one order, the target of its QR code and links. Plain forms; JavaScript only counts down and checks
// whether the order has changed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { correction, generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import { toHtml, type Markup } from '../../web/live/markup.ts'
import type { Call, Reply, Route } from '../kit/http.ts'
import { controlProblem, Refusal } from '../kit/refusal.ts'
import { expireIfDue, pageUrl } from './orders.ts'
import { languageOf } from './pay-texts.ts'
import { payPage, unknownPage } from './pay-view.ts'
import { act, confirmFromPage } from './payer.ts'
import { statusOf, type Order } from './state.ts'
import type { Wallet } from './wallet.ts'

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  // Not "no-referrer": forms would be sent with the origin "null", and be refused.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

export function payRoutes(wallet: Wallet): readonly Route[] {
  const asset = (name: string, type: string): Route => {
    const body = readFileSync(join(import.meta.dirname, name))
    return { method: 'GET', path: `/${name}`, handle: () => ({ status: 200, type, headers, body }) }
  }
  const found = ({ params }: Call): Order | undefined => {
    const order = wallet.eventStore.state.orders.get(params['prepayId'] ?? '')
    if (order !== undefined) expireIfDue(wallet, order)
    return order
  }
  return [
    { method: 'GET', path: '/pay/:prepayId', handle: (call) => show(wallet, call, found(call)) },
    { method: 'POST', path: '/pay/:prepayId', handle: (call) => submit(wallet, call, found(call)) },
    {
      method: 'GET',
      path: '/pay/:prepayId/status',
      handle: (call) => {
        const order = found(call)
        if (order === undefined) throw controlProblem(404, 'not_found', 'There is no such order')
        return { status: 200, headers, body: { status: `${statusOf(order)} ${order.short}` } }
      },
    },
    {
      method: 'GET',
      path: '/pay/:prepayId/qr.svg',
      handle: ({ params }) => {
        const code = generate(pageUrl(wallet, params['prepayId'] ?? ''), { minCorrectionLevel: correction.M })
        return {
          status: 200,
          type: 'image/svg+xml',
          headers,
          body: toSvgSource(code, { off: 'white', scale: 8 }),
        }
      },
    },
    asset('wallet.css', 'text/css; charset=utf-8'),
    asset('wallet.js', 'text/javascript; charset=utf-8'),
  ]
}

function show({ eventStore }: Wallet, call: Call, order: Order | undefined): Reply {
  const language = languageOf(call.headers['accept-language'])
  if (order === undefined) return html(404, unknownPage(language))
  const balance = BigInt(eventStore.state.modes.payerBalance)
  return html(200, payPage({ language, order, balance, leftMs: order.dueAt - eventStore.clock() }))
}

/** The page after any button: it shows the order's current state. */
function submit(wallet: Wallet, call: Call, order: Order | undefined): Reply {
  if (order === undefined) return show(wallet, call, order)
  const action = new URLSearchParams(call.body.toString('utf8')).get('action')
  try {
    if (action === 'confirm') confirmFromPage(wallet, order)
    else if (action === 'refuse' || action === 'insufficient') act(wallet, order, action)
  } catch (error) {
    // It ended while the page was open.
    if (!(error instanceof Refusal)) throw error
  }
  return { status: 303, headers: { ...headers, location: `/pay/${order.prepayId}` } }
}

function html(status: number, page: Markup): Reply {
  return { status, type: 'text/html; charset=utf-8', headers, body: `<!doctype html>${toHtml(page)}` }
}
