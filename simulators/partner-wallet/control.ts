// The control calls: they cause what a payer, time or an accident would. For callers on this machine.
import { clockRoute } from '../kit/account-clock.ts'
import { iso, now } from '../kit/clock.ts'
import { choice, type Choice } from '../kit/control-choice.ts'
import { bad, integer } from '../kit/control-fields.ts'
import { route } from '../kit/control-route.ts'
import { asText, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import type { Reply, Route } from '../kit/http.ts'
import { eventsRoute, integerOf, shownWithout } from '../kit/log.ts'
import { controlProblem } from '../kit/refusal.ts'
import { permissions, type Modes, type RefundMode, type WebhookMode } from './events.ts'
import { freshKeyText, merchantNumber } from './ids.ts'
import { merchantClock } from './merchant-time.ts'
import { fixed, unitsOf } from './money.ts'
import { pageUrl } from './orders.ts'
import { act, payerActions } from './payer.ts'
import { endRefund } from './refunds.ts'
import { statusOf, type Merchant, type Order, type Refund } from './state.ts'
import type { FaultMode, Wallet } from './wallet.ts'

const listed = 100

export function controlRoutes(wallet: Wallet): readonly Route[] {
  return [
    ...merchantRoutes(wallet),
    ...payerRoutes(wallet),
    ...settingRoutes(wallet),
    clockRoute(merchantClock(wallet)),
    ...readingRoutes(wallet),
  ]
}

function merchantRoutes(wallet: Wallet): readonly Route[] {
  const { eventStore } = wallet
  return [
    route('POST', '/_sim/merchants', (body) => ({ status: 201, body: createKey(wallet, body) })),
    route('POST', '/_sim/merchants/:apiKey/webhook', (body, { params }) => {
      const url = asText(body['url'], 256)
      if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url))
        throw bad('url is an address that begins with http or https')
      const { merchantId } = merchantOf(wallet, params['apiKey'])
      eventStore.record({ type: 'merchant.webhook', at: now(), merchantId, url })
      return ok({ url })
    }),
    route('POST', '/_sim/merchants/:apiKey', (body, { params }) => {
      const merchant = merchantOf(wallet, params['apiKey'])
      const { suspended = merchant.suspended, balance } = body
      const { merchantId } = merchant
      if (typeof suspended !== 'boolean') throw bad('suspended is true or false')
      const units = balance === undefined ? merchant.balance : unitsOf(balance)
      if (units === undefined) throw bad('balance is an amount such as 10.00')
      if (suspended !== merchant.suspended)
        eventStore.record({ type: 'merchant.suspended', at: now(), merchantId, suspended })
      if (units !== merchant.balance)
        eventStore.record({ type: 'merchant.balance', at: now(), merchantId, balance: units.toString() })
      return ok({ merchantId, suspended, balance: fixed(units) })
    }),
  ]
}

/** A merchant with its first key; or, with `of`, one more key of the merchant that has that one. */
function createKey({ eventStore }: Wallet, body: Fields) {
  const { name = 'Vintem', of, permissions: requested = permissions } = body
  if (typeof name !== 'string' || name.trim() === '' || name.length > 64)
    throw bad('name is a text of 1 to 64 letters')
  if (!Array.isArray(requested) || requested.length === 0)
    throw bad(`permissions are some of ${permissions.join(', ')}`)
  const granted = permissions.filter((each) => requested.includes(each))
  if (granted.length !== requested.length) throw bad(`permissions are some of ${permissions.join(', ')}`)
  const first = of === undefined ? undefined : eventStore.state.keys.get(typeof of === 'string' ? of : '')
  if (of !== undefined && first === undefined)
    throw controlProblem(404, 'not_found', 'No merchant has that key')
  const at = now()
  const merchantId =
    first?.merchant.merchantId ?? merchantNumber(eventStore.seed, eventStore.state.counts.merchants + 1)
  const [apiKey, apiSecret] = [freshKeyText(), freshKeyText()]
  eventStore.together(() => {
    if (first === undefined) eventStore.record({ type: 'merchant.created', at, merchantId, name })
    eventStore.record({ type: 'key.created', at, merchantId, apiKey, apiSecret, permissions: granted })
  })
  return { merchantId, apiKey, apiSecret }
}

function payerRoutes(wallet: Wallet): readonly Route[] {
  const { state } = wallet.eventStore
  return [
    route('POST', '/_sim/orders/:prepayId', ({ action, force = false }, { params }) => {
      const order = state.orders.get(params['prepayId'] ?? '')
      if (order === undefined) throw controlProblem(404, 'not_found', 'There is no such order')
      const payerAction = payerActions.find((each) => each === action)
      if (payerAction === undefined) throw bad(`action is one of ${payerActions.join(', ')}`)
      if (typeof force !== 'boolean') throw bad('force is true or false')
      return ok({ prepayId: order.prepayId, status: act(wallet, order, payerAction, force) })
    }),
    route('POST', '/_sim/refunds/:refundId', ({ outcome }, { params }) => {
      const found = [...state.refunds.values()].find(
        ({ refundId, refundRequestId }) =>
          refundId === params['refundId'] || refundRequestId === params['refundId'],
      )
      if (found === undefined) throw controlProblem(404, 'not_found', 'There is no such refund')
      if (outcome !== 'succeed' && outcome !== 'fail') throw bad('outcome is succeed or fail')
      if (found.status !== 'REFUND_PENDING')
        throw controlProblem(409, 'refund_over', `The refund is ${found.status}`)
      endRefund(wallet, found, outcome === 'succeed' ? 'REFUND_SUCCESS' : 'REFUND_FAIL')
      return ok(refundSheet(found))
    }),
  ]
}

/** How webhooks, calls and refunds go: each is a control call, and switches on the page. */
export function choicesOf({ eventStore, passing }: Wallet): readonly Choice[] {
  const { modes } = eventStore.state
  return [
    choice({
      path: '/_sim/webhooks',
      title: 'Webhooks',
      words: webhookWords,
      current: () => modes.webhooks,
      set: (webhooks, body) => {
        const delaySeconds = integer(body, 'delaySeconds', 0, 86_400) ?? eventStore.state.modes.delaySeconds
        return setModes(eventStore, { webhooks, delaySeconds })
      },
    }),
    choice({
      path: '/_sim/faults',
      title: 'The merchant API',
      words: faultWords,
      current: () => passing.fault.mode,
      set: (mode, body) => {
        const left = integer(body, 'times', 1, 1_000_000)
        passing.fault = { mode, ...given({ left }) }
        return passing.fault
      },
    }),
    choice({
      path: '/_sim/refunds',
      title: 'Requested refunds',
      words: refundWords,
      current: () => modes.refunds,
      set: (refunds) => setModes(eventStore, { refunds }),
    }),
  ]
}

const webhookWords: Readonly<Record<WebhookMode, string>> = {
  normal: 'As usual',
  drop: 'Lose all',
  duplicate: 'Send twice',
  reorder: 'In reverse',
  delay: 'Late',
  bad_signature: 'Wrong signature',
  before_response: 'Before the answer',
  no_close: 'None of a close',
}
const faultWords: Readonly<Record<FaultMode, string>> = {
  none: 'Works',
  '5xx': 'Server errors',
  timeout: 'Never answers',
  reset_after_commit: 'Works, but cuts off',
  slow: 'Answers late',
}
const refundWords: Readonly<Record<RefundMode, string>> = {
  done: 'Succeed',
  pending: 'Stay under way',
  fail: 'Fail',
}

function setModes(eventStore: Wallet['eventStore'], modes: Partial<Modes>): Modes {
  const next = { ...eventStore.state.modes, ...modes }
  eventStore.record({ type: 'modes.set', at: now(), modes: next })
  return next
}

function settingRoutes(wallet: Wallet): readonly Route[] {
  const { eventStore, certificates, passing } = wallet
  return [
    ...choicesOf(wallet).map((each) => each.route),
    route('POST', '/_sim/payer', ({ balance }) => {
      const units = unitsOf(balance)
      if (units === undefined) throw bad('balance is an amount such as 10.00')
      return ok(setModes(eventStore, { payerBalance: units.toString() }))
    }),
    route('POST', '/_sim/certificates', async ({ action }) => {
      if (action !== 'rotate') throw bad('action is rotate')
      const { certSerial } = await certificates.rotate()
      eventStore.record({ type: 'certificate.rotated', at: now(), certSerial })
      return ok({ certSerial })
    }),
    route('POST', '/_sim/skew', (body) => {
      const skewMs = integer(body, 'skewMs', -86_400_000, 86_400_000)
      if (skewMs === undefined) throw bad('skewMs is missing')
      passing.skewMs = skewMs
      return ok({ skewMs })
    }),
  ]
}

function readingRoutes(wallet: Wallet): readonly Route[] {
  const { eventStore, passing, certificates, webhooks } = wallet
  return [
    route('GET', '/_sim/state', (_, { query }) => {
      const { state, seed } = eventStore
      const named = query.get('prepayId')
      const found = [...state.orders.values()].filter(({ prepayId }) => named === null || named === prepayId)
      const limit = integerOf(query, 'limit', listed)
      return ok({
        seed,
        modes: { ...state.modes, payerBalance: fixed(BigInt(state.modes.payerBalance)) },
        fault: passing.fault,
        skewMs: passing.skewMs,
        certificates: certificates.served(),
        merchants: [...state.merchants.values()].map(({ balance, ...rest }) => ({
          ...rest,
          balance: fixed(balance),
        })),
        waiting: webhooks.waiting(),
        orders: found
          .slice(-limit)
          .reverse()
          .map((order) => orderSheet(wallet, order)),
      })
    }),
    eventsRoute({ recent: eventStore.recent, shown: shownWithout('apiSecret') }),
  ]
}

function orderSheet(wallet: Wallet, order: Order) {
  const { prepayId, terms, amount, payment, merchant, createdAt, refunds } = order
  return {
    prepayId,
    merchantId: merchant.merchantId,
    merchantTradeNo: terms.merchantTradeNo,
    status: statusOf(order),
    amount: fixed(amount),
    currency: terms.currency,
    createdAt: iso(createdAt),
    expiresInSeconds: Math.max(0, Math.ceil((order.dueAt - wallet.eventStore.clock()) / 1000)),
    ...(payment === undefined ? {} : { transactionId: payment.transactionId }),
    pageUrl: pageUrl(wallet, prepayId),
    refunds: refunds.map(refundSheet),
  }
}

function refundSheet({ refundId, refundRequestId, amount, status }: Refund) {
  return { refundId, refundRequestId, amount: fixed(amount), status }
}

function merchantOf({ eventStore }: Wallet, apiKey: string | undefined): Merchant {
  const key = eventStore.state.keys.get(apiKey ?? '')
  if (key === undefined) throw controlProblem(404, 'not_found', 'No merchant has that key')
  return key.merchant
}

function ok(body: unknown): Reply {
  return { status: 200, body }
}
