// The wallet app's page of one order, the target of its QR code and links. Plain forms; JavaScript only counts down and checks
// whether the order has changed.
import { join } from 'node:path'
import { correction, generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import type { Call, Reply, Route } from '../kit/http.ts'
import { asset, htmlReply, pageHeaders } from '../kit/page.ts'
import { controlProblem, Refusal } from '../kit/refusal.ts'
import { expireIfDue, pageUrl } from './orders.ts'
import { languageOf } from './pay-texts.ts'
import { payPage, unknownPage } from './pay-view.ts'
import { act, confirmFromPage } from './payer.ts'
import { statusOf, type Order } from './state.ts'
import type { Wallet } from './wallet.ts'

// With "no-referrer" forms would be sent with the origin "null", and be refused.
const headers = pageHeaders("connect-src 'self'; form-action 'self'; frame-ancestors 'none'")

export function payRoutes(wallet: Wallet): readonly Route[] {
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
    ...['wallet.css', 'wallet.js'].map((name) => asset(`/${name}`, join(import.meta.dirname, name), headers)),
  ]
}

function show({ eventStore }: Wallet, call: Call, order: Order | undefined): Reply {
  const language = languageOf(call.headers['accept-language'])
  if (order === undefined) return htmlReply(404, unknownPage(language), headers)
  const balance = BigInt(eventStore.state.modes.payerBalance)
  const page = payPage({ language, order, balance, leftMs: order.dueAt - eventStore.clock() })
  return htmlReply(200, page, headers)
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
