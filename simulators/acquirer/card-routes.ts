// The pages that a payer sees: the card form in a frame (`/c/embed/…`) or as a page of its own (`/c/pay/…`), and the
// script that puts the frame into another page (`/endive/stripe.js`).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { now } from '../kit/clock.ts'
import type { Call, Reply, Route } from '../kit/http.ts'
import { toHtml, type Markup } from '../kit/page-markup.ts'
import { type Account, type Acquirer, type KeptIntent, type KeptSession } from './acquirer.ts'
import { present } from '../kit/event-store.ts'
import { answerChallenge, tryCard } from './attempts.ts'
import { readForm } from './card-form.ts'
import { cardPage, gonePage, problemOf, type FrameData, type Shown } from './card-view.ts'
import { languageOf, wordsOf } from './page-words.ts'
import { freshSession } from './sessions.ts'
import type { Session } from './wire.ts'

/** Pages of this machine: whoever has registered no origins may be held by these. */
const anyLocal = ['localhost', '127.0.0.1', '*.localhost'].flatMap((host) => [
  `http://${host}:*`,
  `https://${host}:*`,
])
const isLocalOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|[a-z0-9.-]+\.localhost)(?::\d+)?$/

const places = [
  { at: '/c/embed', ui: 'embedded_page' },
  { at: '/c/pay', ui: 'hosted_page' },
] as const
type Place = (typeof places)[number]

export function cardRoutes(acquirer: Acquirer): readonly Route[] {
  const route = (method: string, path: string, handle: (call: Call) => Reply): Route => ({
    method,
    path,
    handle,
  })
  return [
    ...places.flatMap((place) => [
      route('GET', `${place.at}/:session`, (call) => showPage(acquirer, place, call)),
      route('POST', `${place.at}/:session`, (call) => takeCard(acquirer, place, call)),
      route('POST', `${place.at}/:session/challenge`, (call) => takeAnswer(acquirer, place, call)),
    ]),
    asset('/c/card.css', 'text/css; charset=utf-8', 'card.css'),
    asset('/c/frame.js', 'text/javascript; charset=utf-8', 'frame.js'),
    asset('/endive/stripe.js', 'text/javascript; charset=utf-8', 'stripe.js'),
  ]
}

function asset(path: string, type: string, file: string): Route {
  const body = readFileSync(join(import.meta.dirname, file))
  const headers = {
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  }
  return { method: 'GET', path, handle: () => ({ status: 200, type, headers, body }) }
}

/** A page that is looked at, and whose it is. */
type Look = {
  readonly session: KeptSession
  readonly account: Account
  readonly intent?: KeptIntent
  readonly place: Place
  readonly call: Call
}

/** The session that a page is about; undefined when the link means nothing. */
function lookAt(acquirer: Acquirer, place: Place, call: Call): Look | undefined {
  const session = freshSession(acquirer, call.params['session'] ?? '')
  if (session?.wire.ui_mode !== place.ui) return undefined
  const account = present(acquirer.accounts.get(session.account))
  // Whoever brings a key or a secret must bring the right one.
  const { query } = call
  const secret = query.get('secret')
  const key = query.get('key')
  if (key !== null && key !== account.publishableKey) return undefined
  if (secret !== null && `${session.wire.id}_secret_${secret}` !== session.wire.client_secret)
    return undefined
  const intent = acquirer.intents.get(session.wire.payment_intent ?? '')
  return { session, account, place, call, ...(intent === undefined ? {} : { intent }) }
}

function showPage(acquirer: Acquirer, place: Place, call: Call): Reply {
  const look = lookAt(acquirer, place, call)
  return look === undefined ? gone(call) : render(look, shownOf(acquirer, look), 200)
}

function shownOf(acquirer: Acquirer, look: Look): Shown {
  const { session, intent } = look
  const { wire } = session
  const cancelUrl = wire.cancel_url === null ? {} : { cancelUrl: filled(wire.cancel_url, wire) }
  if (wire.status === 'expired') return { state: 'over', ...cancelUrl }
  const isHeld = session.intent.captureMethod === 'manual'
  if (wire.status === 'complete') {
    const returnUrl = wire.success_url ?? wire.return_url
    return {
      state: 'done',
      isHeld: isHeld && intent?.wire.status === 'requires_capture',
      last4: last4Of(acquirer, intent),
      ...(returnUrl === undefined ? {} : { returnUrl: filled(returnUrl, wire) }),
      goesOn: wire.success_url !== null,
    }
  }
  if (intent?.wire.status === 'requires_action') return { state: 'asked', last4: intent.asked?.last4 ?? '' }
  const error = intent?.wire.last_payment_error ?? null
  return {
    state: 'form',
    isHeld,
    errors: {},
    typed: {},
    ...(error === null ? {} : { problem: problemOf(error, wordsOf(languageFor(look))) }),
    ...cancelUrl,
  }
}

function last4Of(acquirer: Acquirer, intent: KeptIntent | undefined): string {
  const charge = acquirer.charges.get(intent?.wire.latest_charge ?? '')
  const last4 = charge?.wire.payment_method_details.card['last4']
  return typeof last4 === 'string' ? last4 : ''
}

function filled(url: string, { id }: Session): string {
  return url.replaceAll('{CHECKOUT_SESSION_ID}', id)
}

function takeCard(acquirer: Acquirer, place: Place, call: Call): Reply {
  const look = lookAt(acquirer, place, call)
  if (look === undefined) return gone(call)
  if (look.session.wire.status !== 'open') return backTo(look)
  const words = wordsOf(languageFor(look))
  const read = readForm(new URLSearchParams(call.body.toString('utf8')), words, now())
  if (!read.ok) {
    const isHeld = look.session.intent.captureMethod === 'manual'
    const { errors, typed } = read
    return render(look, { state: 'form', isHeld, errors, typed }, 422)
  }
  acquirer.store.together(() => tryCard(acquirer, look.session, read.entry))
  return backTo(look)
}

function takeAnswer(acquirer: Acquirer, place: Place, call: Call): Reply {
  const look = lookAt(acquirer, place, call)
  if (look === undefined) return gone(call)
  const result = new URLSearchParams(call.body.toString('utf8')).get('result')
  // A question that nobody asks any more, as after the back button: the page shows what is so.
  if (look.session.wire.status === 'open' && (result === 'complete' || result === 'fail'))
    acquirer.store.together(() => answerChallenge(acquirer, look.session, result === 'complete'))
  return backTo(look)
}

/** After every form: the page as it is then, so that reloading it sends nothing again. */
function backTo({ place, session, call }: Look): Reply {
  return {
    status: 303,
    headers: { location: `${place.at}/${session.wire.id}${queryOf(call)}`, 'cache-control': 'no-store' },
  }
}

function queryOf({ query }: Call): string {
  return query.size === 0 ? '' : `?${query.toString()}`
}

function languageFor({ session, call }: Look) {
  return languageOf(session.wire.locale, call.headers['accept-language'])
}

function render(look: Look, show: Shown, status: number): Reply {
  const { session, account, place, call } = look
  const { wire } = session
  const isFrame = place.ui === 'embedded_page'
  return html(
    status,
    cardPage({
      language: languageFor(look),
      action: `${place.at}/${wire.id}${queryOf(call)}`,
      store: session.displayName ?? account.name,
      amount: wire.amount_total,
      currency: wire.currency,
      label: session.label,
      ...(wire.customer_email === null ? {} : { email: wire.customer_email }),
      ...(session.submitText === undefined ? {} : { note: session.submitText }),
      ...(isFrame ? { frame: frameData(look, show) } : {}),
      show,
    }),
    isFrame ? (account.origins ?? anyLocal) : [],
  )
}

/** What the script in the frame tells the page around it, which must be one that may hold the frame. */
function frameData({ session: { wire }, account, call }: Look, show: Shown): FrameData {
  const origin = call.query.get('origin')
  const isAllowed =
    origin !== null &&
    (account.origins === undefined ? isLocalOrigin.test(origin) : account.origins.includes(origin))
  return {
    'data-state': show.state,
    'data-redirect': wire.redirect_on_completion ?? 'always',
    ...(isAllowed ? { 'data-origin': origin } : {}),
    ...(show.state === 'done' && show.returnUrl !== undefined ? { 'data-return-url': show.returnUrl } : {}),
  }
}

function gone(call: Call): Reply {
  return html(404, gonePage(languageOf(null, call.headers['accept-language'])), anyLocal)
}

function html(status: number, page: Markup, ancestors: readonly string[]): Reply {
  const holders = ancestors.length === 0 ? "'none'" : ancestors.join(' ')
  return {
    status,
    type: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${holders}`,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body: `<!doctype html>${toHtml(page)}`,
  }
}
