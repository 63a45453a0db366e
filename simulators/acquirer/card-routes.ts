// The payer's pages: the card form in a frame (`/c/embed/…`) or as a page of its own (`/c/pay/…`), and the
// script that puts the frame into another page (`/endive/stripe.js`).
import { basename, join } from 'node:path'
import type { Markup } from '../../web/live/markup.ts'
import { now } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { given } from '../kit/given.ts'
import type { Call, Reply, Route } from '../kit/http.ts'
import { asset, htmlReply, pageHeaders } from '../kit/page.ts'
import { type Account, type Acquirer, type KeptIntent, type KeptSession } from './acquirer.ts'
import { answerChallenge, tryCard } from './attempts.ts'
import { coloursCss, coloursPath } from './card-colours.ts'
import { readForm } from './card-form.ts'
import { cardPage, gonePage, problemOf, type FrameData, type Shown } from './card-view.ts'
import { languageOf, wordsOf } from './page-words.ts'
import { freshSession } from './sessions.ts'
import type { Session } from './wire.ts'

/** Pages of this machine: they may hold the frames of accounts without registered origins. */
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
    ...['/c/card.css', '/c/frame.js', '/endive/stripe.js'].map((path) =>
      asset(path, join(import.meta.dirname, basename(path)), assetHeaders),
    ),
    route('GET', '/c/colours.css', ({ query }) => ({
      status: 200,
      type: 'text/css; charset=utf-8',
      headers: assetHeaders,
      body: coloursCss(query),
    })),
  ]
}

/** They are loaded by pages of other sites too. */
const assetHeaders = {
  'cache-control': 'no-cache',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** A requested page, its session and its account. */
type PageCall = {
  readonly session: KeptSession
  readonly account: Account
  readonly intent?: KeptIntent
  readonly place: Place
  readonly call: Call
}

/** The session that a page is about; undefined when the link is invalid. */
function pageCallOf(acquirer: Acquirer, place: Place, call: Call): PageCall | undefined {
  const session = freshSession(acquirer, call.params['session'] ?? '')
  // These pages take cards. What else a session accepts is chosen by a control call.
  if (session?.wire.ui_mode !== place.ui || !session.wire.payment_method_types.includes('card'))
    return undefined
  const account = present(acquirer.accounts.get(session.account))
  // A key or a secret that is given must be the right one.
  const { query } = call
  const secret = query.get('secret')
  const key = query.get('key')
  if (key !== null && key !== account.publishableKey) return undefined
  if (secret !== null && `${session.wire.id}_secret_${secret}` !== session.wire.client_secret)
    return undefined
  const intent = acquirer.intents.get(session.wire.payment_intent ?? '')
  return { session, account, place, call, ...given({ intent }) }
}

function showPage(acquirer: Acquirer, place: Place, call: Call): Reply {
  const page = pageCallOf(acquirer, place, call)
  return page === undefined ? gone(call) : render(page, shownOf(acquirer, page), 200)
}

function shownOf(acquirer: Acquirer, page: PageCall): Shown {
  const { session, intent } = page
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
  if (intent?.wire.status === 'requires_action')
    return { state: 'challenged', last4: intent.asked?.last4 ?? '' }
  const error = intent?.wire.last_payment_error ?? null
  return {
    state: 'form',
    isHeld,
    errors: {},
    typed: {},
    ...(error === null ? {} : { problem: problemOf(error, wordsOf(languageFor(page))) }),
    ...cancelUrl,
  }
}

function last4Of(acquirer: Acquirer, intent: KeptIntent | undefined): string {
  const charge = acquirer.charges.get(intent?.wire.latest_charge ?? '')
  const last4 = charge?.wire.payment_method_details.card?.['last4']
  return typeof last4 === 'string' ? last4 : ''
}

function filled(url: string, { id }: Session): string {
  return url.replaceAll('{CHECKOUT_SESSION_ID}', id)
}

function takeCard(acquirer: Acquirer, place: Place, call: Call): Reply {
  const page = pageCallOf(acquirer, place, call)
  if (page === undefined) return gone(call)
  if (page.session.wire.status !== 'open') return backTo(page)
  const words = wordsOf(languageFor(page))
  const read = readForm(new URLSearchParams(call.body.toString('utf8')), words, now())
  if (!read.ok) {
    const isHeld = page.session.intent.captureMethod === 'manual'
    const { errors, typed } = read
    return render(page, { state: 'form', isHeld, errors, typed }, 422)
  }
  acquirer.store.together(() => tryCard(acquirer, page.session, read.entry))
  return backTo(page)
}

function takeAnswer(acquirer: Acquirer, place: Place, call: Call): Reply {
  const page = pageCallOf(acquirer, place, call)
  if (page === undefined) return gone(call)
  const result = new URLSearchParams(call.body.toString('utf8')).get('result')
  // The challenge may be over, as after the back button: the page shows the current state.
  if (page.session.wire.status === 'open' && (result === 'complete' || result === 'fail'))
    acquirer.store.together(() => answerChallenge(acquirer, page.session, result === 'complete'))
  return backTo(page)
}

/** After every form: redirects to the page, so that reloading it sends nothing again. */
function backTo({ place, session, call }: PageCall): Reply {
  return {
    status: 303,
    headers: { location: `${place.at}/${session.wire.id}${queryOf(call)}`, 'cache-control': 'no-store' },
  }
}

function queryOf({ query }: Call): string {
  return query.size === 0 ? '' : `?${query.toString()}`
}

function languageFor({ session, call }: PageCall) {
  return languageOf(session.wire.locale, call.headers['accept-language'])
}

function render(page: PageCall, show: Shown, status: number): Reply {
  const { session, account, place, call } = page
  const { wire } = session
  const isFrame = place.ui === 'embedded_page'
  return html(
    status,
    cardPage({
      language: languageFor(page),
      action: `${place.at}/${wire.id}${queryOf(call)}`,
      store: session.displayName ?? account.name,
      amount: wire.amount_total,
      currency: wire.currency,
      label: session.label,
      ...(wire.customer_email === null ? {} : { email: wire.customer_email }),
      ...given({ note: session.submitText, colours: coloursPath(session) }),
      ...(isFrame ? { frame: frameData(page, show) } : {}),
      show,
    }),
    isFrame ? (account.origins ?? anyLocal) : [],
  )
}

/** What the script in the frame reports to the page around it, whose origin must be allowed to hold the frame. */
function frameData({ session: { wire }, account, call }: PageCall, show: Shown): FrameData {
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
  return htmlReply(status, page, pageHeaders(`form-action 'self'; frame-ancestors ${holders}`))
}
